// The 13x13 grid of hands, wherever one is drawn. It tells of itself by events on its element: "chosen" with the number
// of the cell that a click or an arrow key chose, and "cell" of every pointer that goes down, comes in or goes up.
import { colouredParts, made, percent, shareWords } from "./elements.js";

const SIZE = 13;
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

// What is done with each class. actions: their words and colours; grid: the name, weight and shares of each class.
export function actionCells(grid, actions) {
  return grid.map(({ name, weight, shares }) => {
    const parts = actions.map((action, place) => [action.words, action.colour, shares[place] ?? 0]);
    return { name, weight, isEmpty: !shares.length, words: shareWords(parts) || "cannot be held", parts: parts.map(([, colour, share]) => [colour, share]) };
  });
}

function makeBox(number) {
  const box = made("button", "cell", made("span", "fill"), made("span", "name"), made("span", "figure-in-cell"));
  box.type = "button";
  box.dataset.number = number;
  box.setAttribute("role", "gridcell");
  return box;
}

function drawBox(box, cell) {
  const [fill, name, figure] = box.children;
  box.setAttribute("aria-label", `${cell.name}: ${cell.words}`);
  box.toggleAttribute("data-empty", Boolean(cell.isEmpty));
  box.classList.toggle("held", Boolean(cell.isHeld));
  name.textContent = cell.name;
  figure.textContent = cell.figure ?? "";
  fill.style.height = percent(cell.isEmpty ? 0 : cell.weight);
  fill.replaceChildren(...colouredParts(cell.parts));
}

export function makeGrid(label) {
  const element = made("div", "range-grid");
  element.setAttribute("role", "grid");
  element.setAttribute("aria-label", label);
  const boxes = Array.from({ length: SIZE * SIZE }, (_, number) => makeBox(number));
  for (let row = 0; row < SIZE; row += 1) {
    element.append(made("div", "grid-row", ...boxes.slice(row * SIZE, (row + 1) * SIZE)));
    element.lastChild.setAttribute("role", "row");
  }
  let cells = [], at = 0;

  function choose(number) {
    at = number;
    boxes.forEach((box, each) => {
      box.setAttribute("aria-selected", String(each === number));
      box.tabIndex = each === number ? 0 : -1;
    });
  }
  function tell(kind, number, detail = {}) {
    element.dispatchEvent(new CustomEvent(kind, { detail: { number, name: cells[number]?.name, ...detail } }));
  }
  function boxOf(event) {
    return event.target.closest(".cell");
  }
  element.addEventListener("click", (event) => {
    if (boxOf(event)) tell("chosen", Number(boxOf(event).dataset.number));
  });
  element.addEventListener("keydown", (event) => {
    const next = neighbour(at, event.key);
    if (next === null || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    tell("chosen", next);
    boxes[next].focus();
  });
  for (const [name, kind] of [["pointerdown", "down"], ["pointerover", "enter"], ["pointerup", "up"]]) {
    element.addEventListener(name, (event) => {
      const box = boxOf(event);
      if (!box) return;
      if (kind === "down" && event.target.hasPointerCapture(event.pointerId)) event.target.releasePointerCapture(event.pointerId);
      tell("cell", Number(box.dataset.number), { kind });
    });
  }
  return {
    element,
    choose,
    focus: () => boxes[at].focus(),
    draw(drawn, chosen) {
      cells = drawn;
      cells.forEach((cell, number) => drawBox(boxes[number], cell));
      choose(chosen);
    },
  };
}

// The cell that an arrow key leads to, or null.
export function neighbour(number, key) {
  if (!(key in STEPS)) return null;
  const [down, right] = STEPS[key];
  const row = Math.floor(number / SIZE) + down, column = (number % SIZE) + right;
  const isThere = row >= 0 && row < SIZE && column >= 0 && column < SIZE;
  return isThere ? row * SIZE + column : number;
}
