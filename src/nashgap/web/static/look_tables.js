// Beside the grids: the actions to take, the hands of the chosen class one by one, and the kinds of hands.
import { button, made, percent, shareBar, shareWords, swatch } from "./elements.js";
import { chips, number, shortName, signed } from "./look_cells.js";

const find = (name) => document.getElementById(name);
const PASSIVE = ["f", "c", "x"];

function sizeOf({ action }) {
  if (PASSIVE.includes(action)) return PASSIVE.indexOf(action) - PASSIVE.length;
  return Number(action.match(/[0-9.]+/)?.[0] ?? (action === "a" ? Infinity : 0));
}

// Of one or of both strategies, each action once.
function allActions(view) {
  const known = view.actions.map((each) => each.action);
  const others = (view.beside?.actions ?? []).filter((each) => !known.includes(each.action));
  return [...view.actions, ...others].sort((one, other) => sizeOf(one) - sizeOf(other));
}

function letterOf(action, all) {
  if (PASSIVE.includes(action.action)) return action.action;
  return String(all.filter((each) => !PASSIVE.includes(each.action)).indexOf(action) + 1);
}

function figures(side, action) {
  const own = side?.actions?.find((each) => each.action === action.action);
  if (!own) return made("strong", "", "–");
  const worth = side.action_values?.[own.action];
  const told = made("strong", "", percent(own.of_range ?? own.of_all_hands));
  if (worth !== null && worth !== undefined) told.append(made("small", "", chips(worth)));
  return told;
}

export function drawActions(view, act) {
  const all = allActions(view);
  find("action-heads").hidden = !view.beside?.actions;
  find("action-heads").replaceChildren(made("span", "", shortName(view.strategy)), made("span", "", shortName(view.beside?.strategy ?? "")));
  find("actions").replaceChildren(...all.map((action) => {
    const letter = letterOf(action, all);
    const words = made("span", "", `${action.words} `, made("kbd", "", letter.toUpperCase()));
    const choice = button("", () => act(action), swatch(action.colour), words, figures(view, action));
    if (view.beside?.actions) choice.append(figures(view.beside, action));
    choice.dataset.key = letter;
    if (action.words === "check") choice.dataset.also = "x"; // what spots write so, poker games write c
    choice.disabled = action.onward.length === 0;
    if (choice.disabled) choice.title = action.is_over === false ? `${view.strategy} has no such bet there` : "the hand is over there";
    return made("li", "", choice);
  }));
}

function table(heads, rows) {
  const whole = made("table", "bars");
  if (heads) {
    const isNumber = (place) => typeof rows[0]?.[place] === "string" && place > 0;
    const row = made("tr", "", ...heads.map((text, place) => made("th", isNumber(place) ? "number" : "", text)));
    for (const cell of row.children) cell.scope = "col";
    whole.append(made("thead", "", row));
  }
  whole.append(made("tbody", "", ...rows.map(([name, ...cells]) => {
    const head = made("th", "", name);
    head.scope = "row";
    return made("tr", "", head, ...cells.map((cell) => (typeof cell === "string"
      ? made("td", "number", cell)
      : made("td", "wide", cell.length ? shareBar(cell) : "", made("span", "unseen", shareWords(cell))))));
  })));
  return whole;
}

function sharesOf(side, hand) {
  return hand ? hand.chances.map((share, each) => [side.actions[each].words, side.actions[each].colour, share]) : [];
}

function lessOf(view, hand, measure) {
  const found = view.beside.difference.hands.find((each) => each.hand === hand);
  return found ? signed(found.less[measure], view.beside.difference.measures[measure].unit) : "–";
}

export function drawHands(view, name, measure) {
  find("hands").hidden = !name;
  if (!name) return;
  const hands = view.hands.filter((hand) => hand.class === name);
  find("chosen").textContent = `${name}: ${hands.length} hand${hands.length === 1 ? "" : "s"}`;
  const second = view.beside?.hands;
  const hasWorth = !second && hands.some((hand) => hand.value !== undefined);
  const heads = second ? ["hand", shortName(view.strategy), shortName(view.beside.strategy), "difference"] : ["hand", "actions", "comes here"];
  if (hasWorth) heads.push("EV, chips", "equity", ...view.actions.map((each) => each.words));
  find("combos").replaceChildren(table(heads, hands.map((hand) => [
    hand.hand,
    sharesOf(view, hand),
    ...(second ? [sharesOf(view.beside, second.find((each) => each.hand === hand.hand)), lessOf(view, hand.hand, measure)] : [percent(hand.reach)]),
    ...(hasWorth ? [number(hand.value), percent(hand.equity), ...hand.values.map(number)] : []),
  ])));
}

export function drawKinds(view, measure) {
  const second = view.beside?.rows;
  const isByHand = !view.grid;
  find("kinds-name").textContent = isByHand ? "By hand" : "By kind of hand";
  const heads = second ? ["", shortName(view.strategy), shortName(view.beside.strategy), ...(isByHand ? ["difference"] : [])] : null;
  find("kinds").replaceChildren(table(heads, view.rows.map((row) => [
    row.name,
    row.shares,
    ...(second
      ? [second.find((each) => each.name === row.name)?.shares ?? [], ...(isByHand ? [lessOf(view, row.name, measure)] : [])]
      : [row.weight === null ? "" : percent(row.weight)]),
  ])));
}
