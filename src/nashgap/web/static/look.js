// The strategy viewer: draws one decision, and asks the server for the next. The address holds the place.
import { cardWords } from "./cards.js";
import { ask, showError } from "./http.js";
import { mountPaint } from "./paint.js";

const find = (name) => document.getElementById(name);
const problem = document.querySelector("main > .error");
const SIZE = 13;
let place = {}; // what the address says
let view = null;
let pending = null; // a line that waits for cards: { after, total }
let chosen = 0; // cell of the grid
let asked = 0;

function made(tag, className, text) {
  const element = document.createElement(tag);
  element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}
const percent = (share) => `${(100 * share).toFixed(1)}%`;
const cardsOf = (text) => text.match(/../g) ?? [];

function fromAddress() {
  const query = new URLSearchParams(location.search);
  return Object.fromEntries(["strategy", "game", "after", "board"].map((name) => [name, query.get(name) ?? ""]));
}

async function go(next, isNew = true) {
  const number = ++asked;
  try {
    const query = new URLSearchParams(Object.entries(next).filter(([, value]) => value));
    const found = await ask(`/api/look?${query}`);
    if (number !== asked) return; // overtaken
    view = found;
    place = { ...next, after: found.after, board: found.board };
    const address = `/look?${new URLSearchParams(Object.entries(place).filter(([, value]) => value))}`;
    if (isNew) history.pushState(null, "", address);
    pending = null;
    showError(problem, null);
    draw();
  } catch (error) {
    if (number === asked) showError(problem, error);
  }
}

function bar(shares) {
  const whole = made("div", "bar");
  whole.setAttribute("aria-hidden", "true");
  for (const [, colour, share] of shares) {
    if (share <= 0) continue;
    const part = made("span", "");
    part.style.width = percent(share);
    part.style.background = colour;
    whole.append(part);
  }
  return whole;
}

function drawGrid() {
  find("grid").parentElement.hidden = !view.grid;
  if (!view.grid) return;
  const rows = [];
  view.grid.forEach((cell, number) => {
    if (number % SIZE === 0) {
      rows.push(made("div", "row13"));
      rows.at(-1).setAttribute("role", "row");
    }
    const box = made("button", "cell");
    box.type = "button";
    box.dataset.number = number;
    box.setAttribute("role", "gridcell");
    box.tabIndex = number === chosen ? 0 : -1;
    box.setAttribute("aria-selected", String(number === chosen));
    const told = cell.shares?.map((share, each) => [view.drawn[each].words, share]).filter(([, share]) => share > 0);
    box.setAttribute("aria-label", `${cell.name}: ${told?.map(([word, share]) => `${word} ${percent(share)}`).join(", ") ?? "cannot be held"}`);
    if (!cell.shares) box.dataset.empty = "";
    else {
      const fill = made("span", "fill");
      fill.style.height = percent(cell.weight);
      cell.shares.forEach((share, each) => {
        const part = made("span", "");
        part.style.width = percent(share);
        part.style.background = view.drawn[each].colour;
        fill.append(part);
      });
      box.append(fill);
    }
    box.append(made("span", "name", cell.name));
    box.addEventListener("click", () => choose(number));
    rows.at(-1).append(box);
  });
  find("grid").replaceChildren(...rows);
}

// Other modules of the page hear what is drawn, and pointers on cells of the grid.
function tellDrawn() {
  document.dispatchEvent(new CustomEvent("drawn", { detail: { view, place, chosen: view.grid?.[chosen].name ?? null } }));
}

function tellCells(grid) {
  const tell = (kind) => (event) => {
    const box = event.target.closest(".cell");
    if (!box) return;
    const number = Number(box.dataset.number);
    grid.dispatchEvent(new CustomEvent("cell", { detail: { number, name: view.grid[number].name, kind } }));
  };
  grid.addEventListener("pointerdown", (event) => {
    if (event.target.hasPointerCapture?.(event.pointerId)) event.target.releasePointerCapture(event.pointerId);
    tell("down")(event);
  });
  grid.addEventListener("pointerover", tell("enter"));
  grid.addEventListener("pointerup", tell("up"));
}

function choose(number, isFocused = false) {
  chosen = number;
  document.querySelectorAll(".cell").forEach((box, each) => {
    box.setAttribute("aria-selected", String(each === number));
    box.tabIndex = each === number ? 0 : -1;
    if (each === number && isFocused) box.focus();
  });
  drawCombos();
  tellDrawn();
}

function table(rows) {
  const whole = made("table", "bars");
  for (const [name, shares, ...numbers] of rows) {
    const row = made("tr", "");
    const head = made("th", "", name);
    head.scope = "row";
    const cell = made("td", "wide");
    cell.append(bar(shares), made("span", "unseen", shares.map(([word, , share]) => `${word} ${percent(share)}`).join(", ")));
    row.append(head, cell, ...numbers.map((text) => made("td", "number", text)));
    row.title = shares.filter(([, , share]) => share > 0).map(([word, , share]) => `${word} ${percent(share)}`).join(", ");
    whole.append(row);
  }
  return whole;
}

function drawCombos() {
  const name = view.grid?.[chosen].name;
  find("chosen").parentElement.hidden = !name;
  if (!name) return;
  const hands = view.hands.filter((hand) => hand[1] === name);
  find("chosen").textContent = `${name}: ${hands.length} hand${hands.length === 1 ? "" : "s"}`;
  find("combos").replaceChildren(table(hands.map(([hand, , reach, chances, value, equity]) => [
    hand,
    chances.map((share, each) => [view.actions[each].words, view.actions[each].colour, share]),
    `${percent(reach)} of the time here`,
    ...(value === undefined ? [] : [`${value.toFixed(2)} chips`, `equity ${percent(equity)}`]),
  ])));
}

function letterOf(number) {
  const action = view.actions[number].action;
  if (action === "f" || action === "c" || action === "x") return action;
  const raises = view.actions.filter((each) => !["f", "c", "x"].includes(each.action));
  return String(raises.indexOf(view.actions[number]) + 1);
}

function drawActions() {
  find("actions").replaceChildren(...view.actions.map((action, number) => {
    const item = made("li", "");
    const button = made("button", "");
    button.type = "button";
    button.dataset.key = letterOf(number);
    const tone = made("span", "tone");
    tone.style.background = action.colour;
    const words = made("span", "", action.words);
    words.append(" ", made("kbd", "", letterOf(number).toUpperCase()));
    const share = action.of_range ?? action.of_all_hands;
    const worth = view.action_values?.[action.action];
    const figures = [percent(share), worth === null || worth === undefined ? "" : `${worth.toFixed(2)} chips`];
    button.append(tone, words, made("strong", "", figures.filter(Boolean).join(", ")));
    button.disabled = action.onward.length === 0;
    if (button.disabled) button.title = "the hand is over there";
    button.addEventListener("click", () => act(action));
    item.append(button);
    return item;
  }));
}

function act(action) {
  const after = action.onward[0];
  if (!after) return;
  if (!action.board_cards_needed) return void go({ ...place, after });
  pending = { after, total: cardsOf(view.board).length + action.board_cards_needed, cards: cardsOf(view.board) };
  drawDeck();
  find("deck").querySelector("button:not(:disabled)").focus();
}

function drawDeck() {
  const cards = pending?.cards ?? cardsOf(view.board);
  find("deal").hidden = !pending && cards.length === 0;
  find("board").textContent = cards.join(" ");
  const missing = pending ? pending.total - cards.length : 0;
  find("need").textContent = missing > 0 ? `Choose ${missing} more card${missing === 1 ? "" : "s"}.` : "Click a card of the board to take it away, and another one to put it there.";
  const buttons = [];
  for (const suit of "shdc") {
    for (const rank of "AKQJT98765432") {
      const card = rank + suit;
      const button = made("button", suit, rank + { s: "♠", h: "♥", d: "♦", c: "♣" }[suit]);
      button.type = "button";
      button.dataset.card = card;
      button.setAttribute("aria-label", cardWords(card));
      button.setAttribute("aria-pressed", String(cards.includes(card)));
      button.addEventListener("click", () => turn(card));
      buttons.push(button);
    }
  }
  find("deck").replaceChildren(...buttons);
}

function turn(card) {
  pending ??= { after: place.after, total: cardsOf(view.board).length, cards: cardsOf(view.board) };
  const cards = pending.cards;
  if (cards.includes(card)) pending.cards = cards.filter((each) => each !== card);
  else if (cards.length < pending.total) pending.cards = [...cards, card];
  drawDeck();
  find("deck").querySelector(`[data-card="${card}"]`).focus();
  if (pending.cards.length === pending.total) go({ ...place, after: pending.after, board: pending.cards.join("") });
}

function draw() {
  find("look").hidden = false;
  find("look").dataset.after = view.after;
  find("situation").textContent = view.situation;
  find("story").textContent = view.story.join("; ");
  find("note").textContent = view.note + (view.raise_sizes ? ` Any raise from ${view.raise_sizes[0]} to ${view.raise_sizes[1]} may be typed above.` : "");
  find("after").value = view.after;
  drawGrid();
  drawActions();
  drawDeck();
  drawCombos();
  tellDrawn();
  find("kinds").replaceChildren(table(view.rows.map((row) => [row.name, row.shares, row.weight === null ? "" : percent(row.weight)])));
}

function matchChoice() {
  const own = find("strategy").selectedOptions[0]?.dataset.own === "1";
  find("game").disabled = own;
}

find("place").addEventListener("submit", (event) => {
  event.preventDefault();
  go({ strategy: find("strategy").value, game: find("game").disabled ? "" : find("game").value, after: find("after").value, board: place.board });
});
for (const name of ["strategy", "game"]) {
  find(name).addEventListener("change", () => {
    matchChoice();
    go({ strategy: find("strategy").value, game: find("game").disabled ? "" : find("game").value, after: "", board: "" });
  });
}
document.querySelector(".steps .back").addEventListener("click", () => history.back());
document.querySelector(".steps .first").addEventListener("click", () => go({ ...place, after: "", board: "" }));
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select") || !view) return;
  const moves = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -SIZE, ArrowDown: SIZE };
  if (event.key in moves && view.grid) {
    const next = chosen + moves[event.key];
    const isInRow = Math.abs(moves[event.key]) > 1 || Math.floor(next / SIZE) === Math.floor(chosen / SIZE);
    if (next >= 0 && next < SIZE * SIZE && isInRow) choose(next, true);
    event.preventDefault();
    return;
  }
  const button = [...document.querySelectorAll("[data-key]")].find((each) => each.dataset.key.toLowerCase() === event.key.toLowerCase() && !each.disabled);
  if (button) {
    event.preventDefault();
    button.click();
  }
});

function begin() {
  place = fromAddress();
  if (place.strategy) find("strategy").value = place.strategy;
  if (place.game) find("game").value = place.game;
  matchChoice();
  go(place.strategy ? place : { strategy: find("strategy").value, game: find("game").disabled ? "" : find("game").value, after: "", board: "" }, false);
}
tellCells(find("grid"));
mountPaint();
window.addEventListener("popstate", begin);
begin();
