// A range that is typed and painted: a text, and a grid of 13 by 13 classes of hands that the server keeps in step with it.
import { ask, showError } from "./http.js";
import { RANGE } from "./look_cells.js";
import { makeGrid } from "./range_grid.js";

const RANKS = "AKQJT98765432";
const TYPING_PAUSE = 350; // milliseconds
const BRUSH_KEYS = { 0: 0, 1: 0.25, 2: 0.5, 3: 0.75, 4: 1 };

const HAND_CLASSES = [...RANKS].flatMap((row, i) => [...RANKS].map((column, j) => {
  if (i === j) return row + column;
  return i < j ? `${row}${column}s` : `${column}${row}o`;
}));

const whole = (number) => number.toLocaleString("en", { maximumFractionDigits: 1 });

// section: has a textarea, a grid, a brush. onChange: called when the range is another one.
export function mountRange(section, onChange) {
  const text = section.querySelector("textarea");
  const grid = makeGrid(section.querySelector(".cells").dataset.label);
  const held = section.querySelector(".held");
  const problem = section.querySelector(".error");
  let weights = HAND_CLASSES.map(() => 0);
  let at = 0; // the cell that keys are at
  let stroke = null; // weight that is being painted
  let painted = {}; // since the text was made
  let asked = Promise.resolve();
  let pause = 0;
  section.querySelector(".cells").append(grid.element);

  function draw() {
    grid.draw(weights.map((weight, number) => ({
      name: HAND_CLASSES[number], weight, isEmpty: weight === 0, words: weight === 0 ? "not held" : `${whole(100 * weight)}%`, parts: [[RANGE, 1]],
    })), at);
  }

  const brush = () => Number(section.querySelector(".brush input:checked").value);

  function paint(number, weight) {
    if (weights[number] === weight) return;
    weights[number] = weight;
    painted[HAND_CLASSES[number]] = weight;
    draw();
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
        weights = found.cells.map((weight, number) => painted[HAND_CLASSES[number]] ?? weight);
        draw();
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

  grid.element.addEventListener("cell", ({ detail: { number, kind } }) => {
    if (kind === "down") stroke = weights[number] === brush() ? 0 : brush(); // what is painted already is taken away
    if (kind !== "up" && stroke !== null) paint(number, stroke);
  });
  grid.element.addEventListener("chosen", ({ detail }) => {
    at = detail.number;
    grid.choose(at);
  });
  window.addEventListener("pointerup", end);
  window.addEventListener("pointercancel", end);
  grid.element.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === " " || event.key === "Enter") {
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

  draw();
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
