// Small pieces of pages: elements with their text, drawings, shares as people read them, bars of shares.

const SVG = "http://www.w3.org/2000/svg";

export function made(tag, className, ...children) {
  const element = document.createElement(tag);
  element.className = className;
  element.append(...children);
  return element;
}

export function button(className, act, ...children) {
  const element = made("button", className, ...children);
  element.type = "button";
  element.addEventListener("click", act);
  return element;
}

// Of a drawing, what lies in it included.
export function drawn(name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

// What puts a text into all places below the root that are for texts of its name.
export function textsOf(root) {
  return (name, text) => {
    for (const place of root.querySelectorAll(`[data-text="${name}"]`)) place.textContent = text;
  };
}

// Chips, hands, deals: `1,500`.
export function grouped(number) {
  return Math.round(number).toLocaleString("en");
}

// What is neither never nor always is not written so; sums of floats come as near as this to either.
const ROUNDING = 1e-9;
export function percent(share) {
  if (share <= ROUNDING) return "0%";
  if (share >= 1 - ROUNDING) return "100%";
  return `${Math.min(99.9, Math.max(0.1, 100 * share)).toFixed(1)}%`;
}

// shares: [words, colour, share] of each action.
export function shareWords(shares) {
  return shares.filter(([, , share]) => share > 0.0005).map(([words, , share]) => `${words} ${percent(share)}`).join(", ");
}

// Parts of a bar or of a cell, as wide as their shares. parts: [colour, share] of each.
export function colouredParts(parts) {
  return parts.filter(([, share]) => share > 0).map(([colour, share]) => {
    const part = made("span", "");
    part.style.width = `${100 * share}%`;
    part.style.background = colour;
    return part;
  });
}

export function shareBar(shares) {
  const bar = made("span", "share-bar", ...colouredParts(shares.map(([, colour, share]) => [colour, share])));
  bar.setAttribute("role", "img");
  bar.setAttribute("aria-label", shareWords(shares));
  bar.title = shareWords(shares);
  return bar;
}

export function swatch(colour) {
  const box = made("span", "swatch");
  box.style.background = colour;
  box.setAttribute("aria-hidden", "true");
  return box;
}
