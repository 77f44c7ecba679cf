// Small pieces of pages: elements with their text, shares as people read them, bars of shares.

export function made(tag, className, ...children) {
  const element = document.createElement(tag);
  element.className = className;
  element.append(...children);
  return element;
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

export function shareBar(shares) {
  const bar = made("span", "share-bar");
  bar.setAttribute("role", "img");
  bar.setAttribute("aria-label", shareWords(shares));
  bar.title = shareWords(shares);
  for (const [, colour, share] of shares) {
    if (share <= 0) continue;
    const part = made("span", "");
    part.style.width = `${100 * share}%`;
    part.style.background = colour;
    bar.append(part);
  }
  return bar;
}

export function swatch(colour) {
  const box = made("span", "swatch");
  box.style.background = colour;
  box.setAttribute("aria-hidden", "true");
  return box;
}
