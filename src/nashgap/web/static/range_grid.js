// The 13x13 grid of hands at one decision, and bars of shares: drawn from what the server says, in its colours.

const SVG = "http://www.w3.org/2000/svg";
const SIZE = 13;
const CELL = { width: 36, height: 30, gap: 2 };

function drawn(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  if (text !== undefined) made.textContent = text;
  return made;
}

export function percent(share) {
  if (share <= 0) return "0%";
  if (share >= 1) return "100%";
  return `${Math.min(99.9, Math.max(0.1, 100 * share)).toFixed(1)}%`;
}

function words(cell, actions) {
  if (!cell.shares.length) return `${cell.name}: cannot be held`;
  const parts = actions.map((action, place) => [action.words, cell.shares[place]]).filter(([, share]) => share > 0.0005);
  return `${cell.name}: ${parts.map(([name, share]) => `${name} ${percent(share)}`).join(", ")}`;
}

// onCell: called with the words of the cell that is pointed at or reached by keys.
export function drawGrid(decision, label, onCell) {
  const { width, height, gap } = CELL;
  const picture = drawn("svg", {
    viewBox: `0 0 ${SIZE * width} ${SIZE * height}`, class: "range-grid", role: "img", tabindex: 0,
    "aria-label": `${label}; arrow keys go from hand to hand`,
  });
  let at = Math.max(0, decision.grid.findIndex((cell) => cell.name === decision.hand_class));
  const groups = decision.grid.map((cell, number) => {
    const x = (number % SIZE) * width, y = Math.floor(number / SIZE) * height;
    const group = drawn("g", { class: cell.name === decision.hand_class ? "cell held" : "cell" });
    group.append(drawn("rect", { class: "rest", x, y, width: width - gap, height: height - gap }));
    const filled = (height - gap) * cell.weight;
    let done = 0;
    cell.shares.forEach((share, place) => {
      if (share <= 0) return;
      group.append(drawn("rect", {
        x: x + done * (width - gap), y: y + height - gap - filled, width: share * (width - gap), height: filled,
        fill: decision.actions[place].colour,
      }));
      done += share;
    });
    group.append(drawn("text", { x: x + (width - gap) / 2, y: y + height / 2 + 4 }, cell.name));
    if (cell.name === decision.hand_class) {
      group.append(drawn("rect", { class: "mark", x: x + 1, y: y + 1, width: width - gap - 2, height: height - gap - 2 }));
    }
    group.addEventListener("pointerenter", () => point(number));
    return group;
  });
  function point(number) {
    groups[at].classList.remove("is-pointed");
    at = number;
    groups[at].classList.add("is-pointed");
    onCell(words(decision.grid[at], decision.actions));
  }
  picture.append(...groups);
  picture.addEventListener("focus", () => point(at));
  picture.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -SIZE, ArrowDown: SIZE }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    if (at + step >= 0 && at + step < SIZE * SIZE) point(at + step);
  });
  return picture;
}

// A bar of shares, and below it what each colour is. shares: which of the figures of the actions.
export function drawBar(actions, shares, label) {
  const box = document.createElement("div");
  box.className = "shares";
  const name = document.createElement("span");
  name.className = "shares-name";
  name.textContent = label;
  const told = actions.filter((action) => action[shares] > 0.0005);
  const picture = drawn("svg", { viewBox: "0 0 100 8", preserveAspectRatio: "none", class: "share-bar", role: "img",
    "aria-label": `${label}: ${told.map((action) => `${action.words} ${percent(action[shares])}`).join(", ")}` });
  let done = 0;
  for (const action of told) {
    picture.append(drawn("rect", { x: 100 * done, y: 0, width: 100 * action[shares], height: 8, fill: action.colour }));
    done += action[shares];
  }
  const list = document.createElement("ul");
  list.className = "share-list";
  for (const action of told) {
    const item = document.createElement("li");
    const key = drawn("svg", { viewBox: "0 0 10 10", class: "key", "aria-hidden": "true" });
    key.append(drawn("rect", { width: 10, height: 10, fill: action.colour }));
    item.append(key, `${action.words} `, Object.assign(document.createElement("strong"), { textContent: percent(action[shares]) }));
    list.append(item);
  }
  box.append(name, picture, list);
  return box;
}
