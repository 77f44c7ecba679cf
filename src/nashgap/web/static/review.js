// The coach at one's own decision, and looking back at a hand that is over: open cards, and what choices cost.
import { drawCard } from "./cards.js";
import { grouped, made, percent, shareBar, swatch } from "./elements.js";
import { ask, showError } from "./http.js";
import { actionCells, makeGrid } from "./range_grid.js";

const page = document.getElementById("table");
const path = `/api/tables/${page.dataset.table}`;
const find = (selector) => page.querySelector(selector);
const [coaching, coach, askButton, advice] = [".coaching", "#coach", ".ask", ".advice"].map(find);
const [section, number, openButton, reviewButton] = [".review", "#reviewed", ".open-hand", ".ask-review"].map(find);
const [opened, reviewed, problem, rule] = [".opened", ".reviewed", ".review .error", ".review .rule"].map(find);
let view = null;
let isAsking = false;
let coaches = null;

function situation(decision) {
  const street = decision.street[0].toUpperCase() + decision.street.slice(1);
  return `${street}, pot ${grouped(decision.pot)}, ${decision.to_call ? `${grouped(decision.to_call)} to call` : "nothing to call"}`;
}

function head(decision) {
  const line = made("div", "decision-head", made("h4", "", situation(decision)));
  if (decision.did) line.append(made("span", "did", decision.did));
  return line;
}

// A bar of shares, and below it what each colour is. shares: which of the figures of the actions.
function drawBar(actions, shares, label) {
  const told = actions.filter((action) => action[shares] > 0.0005);
  const bar = shareBar(told.map((action) => [action.words, action.colour, action[shares]]));
  bar.setAttribute("aria-label", `${label}: ${bar.getAttribute("aria-label")}`);
  const list = told.map((action) => made("li", "", swatch(action.colour), ` ${action.words} `, made("strong", "", percent(action[shares]))));
  return made("div", "shares", made("span", "", label), bar, made("ul", "share-list", ...list));
}

function drawGrid(decision, label, onCell) {
  const cells = actionCells(decision.grid, decision.actions);
  const held = cells.findIndex((cell) => cell.name === decision.hand_class);
  if (held >= 0) cells[held].isHeld = true;
  const grid = makeGrid(label);
  const point = ({ detail }) => {
    grid.choose(detail.number);
    onCell(`${detail.name}: ${cells[detail.number].words}`);
  };
  grid.draw(cells, Math.max(0, held));
  grid.element.addEventListener("chosen", point);
  grid.element.addEventListener("cell", point);
  return grid.element;
}

function drawDecision(decision, who) {
  const box = made("article", "decision", head(decision));
  if (decision.ignores_cards) {
    box.append(drawBar(decision.actions, "of_all", "With every hand"));
    return box;
  }
  box.append(
    drawBar(decision.actions, "of_hand", `With ${decision.hand_class || "what it held"}`),
    drawBar(decision.actions, "of_range", decision.has_own_range ? "With its whole range" : "With all hands"),
  );
  if (!decision.grid) return box;
  const cell = made("p", "soft cell-words", "Point at a hand, or use the arrow keys.");
  box.append(drawGrid(decision, `What ${who} does with every hand: ${situation(decision)}`, (text) => { cell.textContent = text; }), cell,
    made("p", "soft", decision.range_note));
  return box;
}

function drawAgent(agent) {
  const box = made("section", "");
  box.append(made("div", "opened-head", made("h3", "", `${agent.name} held`), made("div", "cards", ...agent.cards.map(drawCard))));
  if (agent.note) box.append(made("p", "", agent.note));
  box.append(made("div", "decisions", ...agent.decisions.map((each) => drawDecision(each, agent.name))));
  return box;
}

function drawValue(value) {
  if (!value.by) return made("p", "soft", value.note);
  const blinds = (chips) => `${(chips / value.big_blind).toFixed(2)} big blinds`;
  const line = value.lost > 0
    ? `It cost ${value.lost} chips (${blinds(value.lost)}) beside ${value.best}, by the range solver.`
    : "Nothing was better, by the range solver.";
  const rows = value.values.map((each) => made("tr", each.words === value.chosen ? "is-chosen" : "",
    made("th", "", each.words), made("td", "", `${each.chips.toFixed(1)} chips`)));
  for (const row of rows) row.firstElementChild.scope = "row";
  const table = made("table", "values", made("caption", "soft",
    `What each choice wins from here on, in chips; a fold is 0. At most ${value.left_to_exploit}% of the pot is left to exploit. ${value.note}`), ...rows);
  return made("div", "value", made("p", "", made("strong", "", line)), table);
}

function drawReviewed(found) {
  const boxes = found.decisions.map((decision) => {
    const box = made("article", "decision", head(decision), drawBar(decision.actions, "of_hand", "The coach, with your hand"));
    const share = decision.share === null ? "" : `The coach does what you did ${percent(decision.share)} of the time`;
    const as = decision.counted_as && decision.counted_as !== decision.did ? `, counted as ${decision.counted_as}, its nearest size` : "";
    box.append(made("p", "", share ? `${share}${as}.` : ""), drawValue(decision.value));
    return box;
  });
  if (!boxes.length) boxes.push(made("p", "", "You had nothing to decide in this hand."));
  reviewed.replaceChildren(made("h3", "", `Your choices in hand ${found.number}, by ${found.coach}`), made("div", "decisions", ...boxes),
    made("p", "soft", "Frequencies are the coach's own. Values: both players hold what the coach would hold after the betting before this street,"
      + " and play their best from there on."));
}

function reviewedHand() {
  const typed = Number(number.value);
  if (!Number.isInteger(typed) || typed < 1) throw new Error(`hand ${number.value}: there is no such hand`);
  return typed;
}

async function busy(button, work, place) {
  if (isAsking) return;
  isAsking = true;
  button.disabled = true;
  button.setAttribute("aria-busy", "true");
  try {
    await work();
    showError(place, null);
  } catch (error) {
    showError(place, error);
  } finally {
    isAsking = false;
    button.disabled = false;
    button.removeAttribute("aria-busy");
  }
}

askButton.addEventListener("click", () => busy(askButton, async () => {
  const { number: hand, step } = view.hand;
  const told = await ask(`${path}/coach`, { coach: coach.value, hand, step });
  if (view.hand.number !== hand || view.hand.step !== step) return; // the table has moved on
  advice.replaceChildren(drawBar(told.actions, "of_hand", `${told.coach}, with ${told.hand_class || "your hand"}`));
  advice.hidden = false;
}, find(".actions .error")));

openButton.addEventListener("click", () => busy(openButton, async () => {
  const told = await ask(`${path}/hands/${reviewedHand()}/open`);
  opened.replaceChildren(...told.agents.map(drawAgent));
}, problem));

reviewButton.addEventListener("click", () => busy(reviewButton, async () => {
  reviewed.replaceChildren(made("p", "soft", "The coach is thinking; a turn takes some seconds."));
  try {
    drawReviewed(await ask(`${path}/hands/${reviewedHand()}/review`, { coach: coach.value }));
  } catch (error) {
    reviewed.replaceChildren();
    throw error;
  }
}, problem));

number.addEventListener("input", () => { opened.replaceChildren(); reviewed.replaceChildren(); });

async function findCoaches() {
  coaches = [];
  coaches = await ask(`${path}/coaches`).catch(() => []);
  coach.replaceChildren(...coaches.map((each) => new Option(each.label, each.value)));
  showReview(view, false);
}

function ruleWords() {
  if (view.options.duplicate === "later") return "The same cards come again: hands can be opened some at a time, when all their deals were played in all seats.";
  if (view.options.duplicate === "person") return "Another person plays the same cards: a hand can be opened when both have played it.";
  return "";
}

export function showReview(newView, isNew) {
  view = newView;
  const { options, hand } = view;
  if (options.coach && coaches === null) findCoaches();
  const hasCoach = options.coach && Boolean(coaches?.length);
  const isChoosing = Boolean(hand?.choices);
  if (isNew) advice.hidden = true;
  coaching.hidden = !hasCoach || !hand;
  askButton.hidden = !isChoosing || Boolean(options.duplicate);
  section.hidden = !(options.open || hasCoach) || !view.score.hands;
  openButton.hidden = !options.open || view.last_told === null;
  reviewButton.hidden = !hasCoach || view.last_told === null;
  number.parentElement.hidden = view.last_told === null;
  rule.textContent = ruleWords();
  rule.hidden = !rule.textContent;
  if (view.last_told !== null && number.dataset.last !== String(view.last_told)) {
    number.dataset.last = String(view.last_told);
    number.value = String(view.last_told);
    opened.replaceChildren();
    reviewed.replaceChildren();
  }
}
