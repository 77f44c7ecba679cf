// The strategy viewer: the address holds the place, the server tells what is done there, and the parts draw it.
// Other modules of the page hear "drawn" on the document, with the view, the place, the chosen class and the mode.
import { ask, showError } from "./http.js";
import { askForCards, drawBoard, watchBoard } from "./look_board.js";
import { chosenClass, chosenMeasure, drawGrids, showMode, shownMode, watchGrids } from "./look_grids.js";
import { listenToKeys } from "./look_keys.js";
import { drawActions, drawHands, drawKinds } from "./look_tables.js";
import { mountPaint } from "./paint.js";

const find = (name) => document.getElementById(name);
const problem = document.querySelector("main > .error");
const PARTS = ["strategy", "beside", "game", "after", "board"];
const PATIENCE = 300; // milliseconds until it is said that something is asked
let place = {}; // what the address says
let view = null;
let wanted = null; // the place that still needs cards
let asked = 0;

function queryOf(each) {
  return new URLSearchParams(PARTS.filter((name) => each[name]).map((name) => [name, each[name]]));
}
function fromAddress() {
  const query = new URLSearchParams(location.search);
  return Object.fromEntries(PARTS.map((name) => [name, query.get(name) ?? ""]));
}

async function go(next, isNew = true) {
  const number = ++asked;
  const waiting = setTimeout(() => { find("busy").textContent = "Asking …"; }, PATIENCE);
  try {
    const found = await ask(`/api/look?${queryOf(next)}`);
    if (number !== asked) return; // overtaken
    showError(problem, null);
    if (!found.actions) return needCards(next, found);
    view = found;
    place = { ...next, after: found.after, board: found.board };
    if (isNew) history.pushState(null, "", `/look?${queryOf(place)}`);
    draw();
  } catch (error) {
    if (number !== asked) return;
    showError(problem, error);
    if (view) showPlace(); // what is looked at still
  } finally {
    clearTimeout(waiting);
    if (number === asked) find("busy").textContent = "";
  }
}

// The betting leads to a street whose cards are not there yet.
function needCards(next, found) {
  wanted = next;
  find("after").value = found.after;
  find("look").hidden = false;
  find("look").toggleAttribute("data-waits", !view);
  askForCards({ after: found.after, board: found.board, number: found.num_board_cards });
}

function act(action) {
  const after = action.onward[0];
  if (!after) return;
  wanted = null;
  if (!action.board_cards_needed) go({ ...place, after });
  else askForCards({ after, board: view.board, number: view.board.length / 2 + action.board_cards_needed });
}

function told() {
  document.dispatchEvent(new CustomEvent("drawn", { detail: { view, place, chosen: chosenClass(), mode: shownMode() } }));
}

function drawChosen() {
  drawHands(view, chosenClass(), chosenMeasure());
  if (!view.grid) drawKinds(view, chosenMeasure());
}

function drawWhere() {
  const notes = [view, view.beside].flatMap((side) => (side?.translated ?? []).map((note) => `${side.strategy}: ${note}`));
  find("situation").textContent = view.situation;
  find("story").textContent = view.story.join("; ");
  find("translated").textContent = notes.join(" ");
  find("translated").hidden = !notes.length;
  find("note").textContent = view.note + (view.raise_sizes ? ` Any raise from ${view.raise_sizes[0]} to ${view.raise_sizes[1]} may be typed above.` : "");
}

function draw() {
  const look = find("look");
  wanted = null;
  look.hidden = false;
  look.removeAttribute("data-waits");
  look.toggleAttribute("data-beside", Boolean(view.beside));
  look.toggleAttribute("data-grid", Boolean(view.grid));
  look.dataset.after = view.after;
  look.dataset.board = view.board;
  find("after").value = view.after;
  drawWhere();
  drawGrids(view);
  drawActions(view, act);
  drawBoard({ after: view.after, board: view.num_fixed || view.deck ? view.board : "", deck: view.deck, numFixed: view.num_fixed });
  drawChosen();
  drawKinds(view, chosenMeasure());
  told();
}

function fromForm(after, board) {
  return {
    strategy: find("strategy").value, beside: find("beside").value, game: find("game").disabled ? "" : find("game").value, after, board,
  };
}
function matchChoice() {
  const isOwn = find("strategy").selectedOptions[0]?.dataset.own === "1";
  find("game").disabled = isOwn;
  find("game").closest(".field").hidden = isOwn;
}

function showPlace() {
  for (const name of ["strategy", "game"]) if (place[name]) find(name).value = place[name];
  find("beside").value = place.beside;
  matchChoice();
}

find("place").addEventListener("submit", (event) => {
  event.preventDefault();
  go(fromForm(find("after").value, view?.num_fixed ? "" : place.board));
});
for (const name of ["strategy", "game"]) {
  find(name).addEventListener("change", () => {
    matchChoice();
    go(fromForm("", ""));
  });
}
find("beside").addEventListener("change", () => go(fromForm(place.after, place.board)));
document.querySelector(".steps .swap").addEventListener("click", () => {
  if (!place.beside) return;
  const [strategy, beside] = [place.beside, place.strategy];
  find("strategy").value = strategy;
  find("beside").value = beside;
  find("game").value = place.game || view.game;
  matchChoice();
  go(fromForm(view.beside?.after ?? place.after, place.board));
});
document.querySelector(".steps .back").addEventListener("click", () => history.back());
document.querySelector(".steps .first").addEventListener("click", () => go({ ...place, after: "", board: "" }));
find("keep").addEventListener("click", () => draw());
for (const button of document.querySelectorAll("[data-mode]")) button.addEventListener("click", () => showMode(button.dataset.mode));
watchGrids(() => {
  drawChosen();
  told();
});
watchBoard((after, board) => go({ ...(wanted ?? place), after, board }));
listenToKeys();

function begin() {
  place = fromAddress();
  showPlace();
  go(place.strategy ? place : fromForm("", ""), false);
}
mountPaint();
window.addEventListener("popstate", begin);
begin();
