// What the grids of the viewer show in each of their modes, as cells of `range_grid.js`, and the legends.
import { made, percent, swatch } from "./elements.js";

// Blue and orange stay apart for colour-blind readers; all tones are light enough for the cells' dark ink.
const FIRST = [90, 167, 232], NEUTRAL = [236, 239, 242], SECOND = [240, 149, 63];
const LOW = [246, 241, 222], HIGH = [72, 179, 159];
export const RANGE = "#56b4e9"; // as ranges have everywhere
const STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1];

function mixed(from, to, part) {
  return `rgb(${from.map((channel, place) => Math.round(channel + (to[place] - channel) * part)).join(" ")})`;
}
function diverging(part) {
  return mixed(NEUTRAL, part > 0 ? FIRST : SECOND, Math.min(1, Math.abs(part)));
}
function empty(name) {
  return { name, words: "cannot be held", isEmpty: true, weight: 0, parts: [] };
}

export function number(value) {
  const text = value.toFixed(Math.abs(value) >= 1000 ? 0 : 2);
  return Number(text) === 0 ? "0" : text.replace("-", "−");
}
export function chips(value) {
  return `${number(value)} chips`;
}
// Of a file without its ending.
export function shortName(name) {
  return name.replace(/\.safetensors(?=$|\()/, "");
}
export function signed(value, unit) {
  const sign = value > 0 ? "+" : value < 0 ? "−" : "";
  const size = Math.abs(value);
  if (unit === "chips") return `${sign}${chips(size)}`;
  return size === 0 ? "0%" : `${sign}${percent(size)}`;
}
function short(value, unit) {
  const text = unit === "share" ? String(Math.round(100 * value)) : value.toFixed(Math.abs(value) < 10 ? 1 : 0);
  return Number(text) === 0 ? "0" : text.replace("-", "−");
}

// Of chips and equity: the lowest and the highest of all that are drawn beside each other.
export function worthScale(views, what) {
  if (what === "equity") return [0, 1];
  const known = views.flatMap((view) => view?.worth?.[what] ?? []).filter((value) => value !== null);
  return known.length ? [Math.min(...known), Math.max(...known)] : [0, 1];
}

export function worthCells(view, what, [low, high]) {
  const unit = what === "equity" ? "share" : "chips";
  return view.grid.map(({ name, weight }, number) => {
    const value = view.worth[what][number];
    if (value === null) return empty(name);
    const words = unit === "share" ? `equity ${percent(value)}` : `EV ${chips(value)}`;
    const colour = mixed(LOW, HIGH, high > low ? (value - low) / (high - low) : 1);
    return { name, weight, words, figure: short(value, unit), parts: [[colour, 1]] };
  });
}

export function rangeCells(range) {
  return range.cells.map(({ name, share, weight }) => {
    if (share === null) return empty(name);
    return { name, weight, words: `${percent(share)} of it comes here`, figure: short(share, "share"), parts: [[RANGE, 1]] };
  });
}

// The largest difference of the classes, rounded up to a number that people know.
function differenceScale(measure) {
  const largest = Math.max(0, ...measure.cells.filter((value) => value !== null).map(Math.abs));
  if (measure.unit === "chips") return largest || 1;
  return STEPS.find((step) => largest <= step + 1e-9) ?? 1;
}

export function differenceCells(measure, names, [first, second]) {
  const scale = differenceScale(measure);
  return names.map((name, number) => {
    const value = measure.cells[number];
    if (value === null) return { ...empty(name), words: "not held by both" };
    const who = value > 0 ? first : second;
    const words = Math.abs(value) < 5e-5 ? `${measure.words} alike` : `${measure.words} ${signed(Math.abs(value), measure.unit).slice(1)} more by ${who}`;
    const figure = short(value, measure.unit);
    return { name, weight: 1, words, figure: value > 0 && figure !== "0" ? `+${figure}` : figure, parts: [[diverging(value / scale), 1]] };
  });
}

// A strip of tones, with what its ends mean.
function strip(tones, left, right) {
  return [made("span", "", left), ...tones.map(swatch), made("span", "", right)];
}

export function differenceLegend(measure, [first, second]) {
  const scale = differenceScale(measure);
  const end = measure.unit === "share" ? `+${Math.round(100 * scale)}%` : signed(scale, measure.unit);
  return strip([-1, -0.5, 0, 0.5, 1].map(diverging), `${second} ${end}`, `${end} ${first}`);
}

export function worthLegend(what, [low, high]) {
  const tones = [0, 0.25, 0.5, 0.75, 1].map((part) => mixed(LOW, HIGH, part));
  return what === "equity" ? strip(tones, "equity 0%", "100%") : strip(tones, `EV ${chips(low)}`, chips(high));
}

export function rangeLegend() {
  return [made("span", "key", swatch(RANGE), "The higher a cell is filled, the more of the class comes here, beside the fullest class; numbers are percent of the class.")];
}

export function actionLegend({ drawn, grid }) {
  const isPartly = grid.some(({ weight, shares }) => shares.length && weight < 1);
  const keys = drawn.map(({ words, colour }) => made("span", "key", swatch(colour), words));
  return isPartly ? [...keys, made("span", "", "The higher a cell is filled, the more of the class is in the range.")] : keys;
}
