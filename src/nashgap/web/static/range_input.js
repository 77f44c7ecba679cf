// A range that is typed and painted: a text, and a grid of 13 by 13 classes of hands that the server keeps in step with it.
import { ask, showError } from "./http.js";

const SIZE = 13;
const RANKS = "AKQJT98765432";
const TYPING_PAUSE = 350; // milliseconds
const BRUSH_KEYS = { 0: 0, 1: 0.25, 2: 0.5, 3: 0.75, 4: 1 };

export const HAND_CLASSES = [...RANKS].flatMap((row, i) => [...RANKS].map((column, j) => {
  if (i === j) return row + column;
  return i < j ? `${row}${column}s` : `${column}${row}o`;
}));

const whole = (number) => number.toLocaleString("en", { maximumFractionDigits: 1 });

// section: has a textarea, a grid, a brush. onChange: called when the range is another one.
export function mountRange(section, onChange) {
  const text = section.querySelector("textarea");
  const grid = section.querySelector(".grid");
  const held = section.querySelector(".held");
  const problem = section.querySelector(".error");
  const weights = Array(SIZE * SIZE).fill(0);
  let at = 0; // the cell that keys are at
  let stroke = null; // weight that is being painted
  let painted = {}; // since the text was made
  let asked = Promise.resolve();
  let pause = 0;

  const cells = HAND_CLASSES.map((name, number) => {
    const cell = Object.assign(document.createElement("button"), { type: "button", className: "cell" });
    cell.setAttribute("role", "gridcell");
    cell.dataset.number = number;
    cell.tabIndex = number === at ? 0 : -1;
    const fill = Object.assign(document.createElement("span"), { className: "fill" });
    cell.append(fill, Object.assign(document.createElement("span"), { className: "name", textContent: name }));
    return cell;
  });
  for (let row = 0; row < SIZE; row += 1) {
    const line = Object.assign(document.createElement("div"), { className: "row13" });
    line.setAttribute("role", "row");
    line.append(...cells.slice(row * SIZE, (row + 1) * SIZE));
    grid.append(line);
  }

  function draw(number, weight) {
    weights[number] = weight;
    const cell = cells[number];
    cell.firstChild.style.height = `${100 * weight}%`;
    cell.setAttribute("aria-label", `${HAND_CLASSES[number]}: ${weight === 0 ? "not held" : `${whole(100 * weight)}%`}`);
    cell.toggleAttribute("data-empty", weight === 0);
  }

  const brush = () => Number(section.querySelector(".brush input:checked").value);

  function paint(number, weight) {
    if (weights[number] === weight) return;
    draw(number, weight);
    painted[HAND_CLASSES[number]] = weight;
  }

  // One question at a time: each stroke is painted over the text that came of the one before.
  function send() {
    asked = asked.then(async () => {
      const [told, strokes] = [text.value, painted];
      painted = {};
      try {
        const found = await ask("/api/spots/range", { text: told, painted: strokes });
        if (text.value !== told) return; // typed meanwhile: it is asked again
        text.value = found.text;
        found.cells.forEach((weight, number) => HAND_CLASSES[number] in painted || draw(number, weight));
        held.textContent = `${whole(found.hands)} hands, ${whole(100 * found.share)}% of all`;
        showError(problem, null);
        text.removeAttribute("aria-invalid");
      } catch (error) {
        showError(problem, error);
        text.setAttribute("aria-invalid", "true");
      }
      onChange();
    });
    return asked;
  }

  function end() {
    if (stroke === null) return;
    stroke = null;
    if (Object.keys(painted).length) send();
  }

  function move(next) {
    cells[at].tabIndex = -1;
    at = next;
    cells[at].tabIndex = 0;
    cells[at].focus();
  }

  grid.addEventListener("pointerdown", (event) => {
    const cell = event.target.closest(".cell");
    if (!cell || event.button !== 0) return;
    if (event.target.hasPointerCapture(event.pointerId)) event.target.releasePointerCapture(event.pointerId);
    const number = Number(cell.dataset.number);
    stroke = weights[number] === brush() ? 0 : brush(); // what is painted already is taken away
    paint(number, stroke);
    cells[at].tabIndex = -1;
    at = number;
    cell.tabIndex = 0;
  });
  grid.addEventListener("pointerover", (event) => {
    const cell = event.target.closest(".cell");
    if (cell && stroke !== null) paint(Number(cell.dataset.number), stroke);
  });
  window.addEventListener("pointerup", end);
  window.addEventListener("pointercancel", end);
  grid.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -SIZE, ArrowDown: SIZE }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const isInRow = Math.abs(step) > 1 || Math.floor((at + step) / SIZE) === Math.floor(at / SIZE);
      if (at + step >= 0 && at + step < SIZE * SIZE && isInRow) move(at + step);
    } else if (event.key === " " || event.key === "Enter") {
      event.preventDefault();
      paint(at, weights[at] === brush() ? 0 : brush());
      send();
    } else if (event.key in BRUSH_KEYS) {
      section.querySelector(`.brush input[value="${BRUSH_KEYS[event.key]}"]`).checked = true;
    }
  });
  section.querySelectorAll("[data-all]").forEach((button) => button.addEventListener("click", () => {
    text.value = button.dataset.all === "1" ? "any" : "";
    send();
  }));
  text.addEventListener("input", () => {
    clearTimeout(pause);
    pause = setTimeout(send, TYPING_PAUSE);
  });

  weights.forEach((_, number) => draw(number, 0));
  return {
    get text() {
      return text.value;
    },
    set(range) {
      text.value = range;
      return send();
    },
    settled: () => asked,
  };
}
