// The grids of one decision: what is done, what hands are worth, who holds what; of two strategies also the difference.
import { button, made } from "./elements.js";
import {
  actionLegend, differenceCells, differenceLegend, rangeCells, rangeLegend, shortName, signed, worthCells, worthLegend, worthScale,
} from "./look_cells.js";
import { actionCells, makeGrid, neighbour } from "./range_grid.js";

const find = (name) => document.getElementById(name);
const MODES = ["actions", "value", "equity", "ranges"];
const grids = Object.fromEntries(["first", "second", "difference"].map((name) => [name, makeGrid(name)]));
const state = { mode: "actions", player: null, measure: null, chosen: 0 };
let view = null;
let onChange = () => {};

for (const [name, grid] of Object.entries(grids)) find(`${name}-grid`).append(grid.element);

// changed: called when a cell is chosen or a mode is, with the words of what changed.
export function watchGrids(changed) {
  onChange = changed;
  for (const grid of Object.values(grids)) grid.element.addEventListener("chosen", ({ detail }) => choose(detail.number));
}
export function chosenClass() {
  return view?.grid?.[state.chosen].name ?? null;
}
export function shownMode() {
  return state.mode;
}
export function chosenMeasure() {
  const measures = view?.beside?.difference?.measures ?? [];
  const found = measures.findIndex((each) => each.words === state.measure);
  return found >= 0 ? found : largest(measures);
}

function largest(measures) {
  const sizes = measures.map((each) => (each.unit === "share" ? Math.abs(each.of_range ?? each.of_all_hands) : 0));
  return Math.max(0, sizes.indexOf(Math.max(...sizes)));
}

export function choose(number) {
  state.chosen = number;
  for (const grid of Object.values(grids)) grid.choose(number);
  onChange("chosen");
}

export function step(key) {
  const next = view?.grid ? neighbour(state.chosen, key) : null;
  if (next === null) return false;
  choose(next);
  grids.first.focus();
  return true;
}

function sides() {
  return [["first", view], ["second", view.beside?.grid ? view.beside : null]];
}

function rangeOf(side) {
  return side.ranges.find((each) => each.player === state.player) ?? side.ranges[0];
}

function cellsOf(side, scale) {
  if (state.mode === "ranges" && side.ranges.length) return rangeCells(rangeOf(side));
  if (state.mode in (side.worth ?? {})) return worthCells(side, state.mode, scale);
  return actionCells(side.grid, side.drawn);
}

function legendOf(side, scale) {
  if (state.mode === "ranges" && side.ranges.length) return rangeLegend();
  if (state.mode in (side.worth ?? {})) return worthLegend(state.mode, scale);
  return actionLegend(side);
}

function heading(side) {
  if (state.mode !== "ranges" || !side.ranges.length) return shortName(side.strategy);
  const range = rangeOf(side);
  return `${shortName(side.strategy)}: ${range.words}, ${range.hands.toFixed(1)} hands`;
}

function drawModes() {
  for (const choice of document.querySelectorAll("[data-mode]")) {
    choice.setAttribute("aria-pressed", String(choice.dataset.mode === state.mode));
  }
  const isWorth = state.mode === "value" || state.mode === "equity";
  const notes = sides().filter(([, side]) => side && isWorth && !side.worth).map(([, side]) => `${side.strategy}: ${side.worth_note}`);
  find("mode-note").textContent = notes.join(" ");
  const players = state.mode === "ranges" ? view.ranges : [];
  find("players").hidden = !players.length;
  find("players").replaceChildren(...players.map((range) => {
    const choice = button("", () => showPlayer(range.player), range.words);
    choice.setAttribute("aria-pressed", String(range.player === rangeOf(view).player));
    return choice;
  }));
}

function drawDifference(names) {
  const difference = view.beside?.difference;
  find("difference").hidden = !difference?.measures.length;
  if (!difference?.measures.length) return;
  const number = chosenMeasure(), measure = difference.measures[number];
  find("measures").replaceChildren(...difference.measures.map((each, place) => {
    const value = each.of_range ?? each.of_all_hands;
    const choice = button("", () => showMeasure(place), made("span", "", each.words), made("strong", "", signed(value, each.unit)));
    choice.setAttribute("aria-pressed", String(place === number));
    return choice;
  }));
  find("difference-name").textContent = `Difference: ${measure.words}`;
  find("difference-grid").hidden = !measure.cells;
  find("difference-legend").hidden = !measure.cells;
  if (!measure.cells) return;
  grids.difference.element.setAttribute("aria-label", `How much more of ${measure.words}: ${names.join(" less ")}`);
  grids.difference.draw(differenceCells(measure, view.grid.map((cell) => cell.name), names), state.chosen);
  find("difference-legend").replaceChildren(...differenceLegend(measure, names));
}

export function drawGrids(newView) {
  view = newView;
  document.querySelector(".modes").hidden = !view.grid;
  const scale = worthScale([view, view.beside], state.mode);
  for (const [name, side] of sides()) {
    find(name).hidden = !side?.grid && !(name === "second" && view.beside?.error);
    if (!side?.grid) continue;
    find(`${name}-name`).textContent = heading(side);
    grids[name].element.setAttribute("aria-label", `${state.mode} of ${side.strategy} with each class of hands`);
    grids[name].draw(cellsOf(side, scale), state.chosen);
    find(`${name}-legend`).replaceChildren(...legendOf(side, scale));
  }
  find("second-grid").hidden = Boolean(view.beside?.error);
  find("second-problem").hidden = !view.beside?.error;
  if (view.beside?.error) {
    find("second-name").textContent = shortName(view.beside.strategy);
    find("second-problem").textContent = view.beside.error;
    find("second-legend").replaceChildren();
  }
  drawModes();
  drawDifference([view.strategy, view.beside?.strategy ?? ""].map(shortName));
}

export function showMode(mode) {
  if (!MODES.includes(mode) || !view?.grid) return;
  state.mode = mode;
  state.measure = { value: "EV", equity: "equity" }[mode] ?? state.measure;
  drawGrids(view);
  onChange("mode");
}
function showPlayer(player) {
  state.player = player;
  drawGrids(view);
  onChange("mode");
}
export function nextPlayer() {
  const players = view?.ranges?.map((each) => each.player) ?? [];
  if (state.mode !== "ranges" || !players.length) return;
  showPlayer(players[(players.indexOf(rangeOf(view).player) + 1) % players.length]);
}
function showMeasure(place) {
  state.measure = view.beside.difference.measures[place].words;
  drawGrids(view);
  onChange("mode");
}
export function nextMeasure() {
  const number = view?.beside?.difference?.measures.length ?? 0;
  if (number) showMeasure((chosenMeasure() + 1) % number);
}
