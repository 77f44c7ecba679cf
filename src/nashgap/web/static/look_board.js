// The board: cards that are taken away or put down by clicks, until the street that is looked at has all of its cards.
import { cardWords, drawCard, drawPlace } from "./cards.js";
import { DECK, deckButton } from "./deck.js";
import { button, made } from "./elements.js";

const find = (name) => document.getElementById(name);
const STREETS = ["flop", "flop", "flop", "turn", "river"];
let shown = null; // { after, cards, deck, numFixed }: what is looked at
let pending = null; // the same with gaps, null, while cards are being chosen
let onBoard = () => {};

// complete: called with the betting and the board when all cards are there.
export function watchBoard(complete) {
  onBoard = complete;
}
function cardsOf(text) {
  return text.match(/../g) ?? [];
}

export function drawBoard({ after, board, deck, numFixed }) {
  shown = { after, cards: cardsOf(board), deck: cardsOf(deck), numFixed };
  pending = null;
  draw();
}

// Ask for as many cards as the betting needs; those that lie there stay.
export function askForCards({ after, board, number, deck = "" }) {
  const cards = cardsOf(board).slice(0, number);
  pending = { after, cards: [...cards, ...Array(number - cards.length).fill(null)], numFixed: shown?.numFixed ?? 0,
    deck: deck ? cardsOf(deck) : shown?.deck ?? [] };
  draw();
  find("deck").querySelector("button:not(:disabled):not([aria-pressed=true])")?.focus();
}

export function keepBoard() {
  if (!pending || !shown) return;
  pending = null;
  draw();
}

function turn(card) {
  const from = pending ?? shown;
  const place = from.cards.indexOf(card), gap = from.cards.indexOf(null);
  if (place >= 0 && place < from.numFixed) return;
  if (place < 0 && gap < 0) return;
  const cards = [...from.cards];
  cards[place >= 0 ? place : gap] = place >= 0 ? null : card;
  pending = { ...from, cards };
  draw();
  find("deck").querySelector(`[data-card="${card}"]`).focus();
  if (!cards.includes(null)) onBoard(pending.after, cards.join(""));
}

function words(cards, numFixed) {
  if (cards.length <= numFixed) return "The board that the spot was solved on.";
  const missing = cards.filter((card) => card === null).length;
  if (missing) return `Choose ${missing} more card${missing === 1 ? "" : "s"}.`;
  return "Click a card of the board to take it away, and another one to put it there.";
}

function slot(card, place, numFixed) {
  const street = STREETS[place];
  if (card === null) return made("span", "slot", drawPlace());
  const lying = button("slot", () => turn(card), drawCard(card));
  lying.disabled = place < numFixed;
  lying.setAttribute("aria-label", place < numFixed ? `${street}: ${cardWords(card)}, which stays` : `${street}: ${cardWords(card)}; take it away`);
  return lying;
}

function cardButton(card, { cards, deck, numFixed }) {
  const drawn = deckButton(card, cards.includes(card), turn);
  drawn.disabled = (deck.length > 0 && !deck.includes(card)) || (cards.includes(card) && cards.indexOf(card) < numFixed);
  return drawn;
}

function draw() {
  const drawn = pending ?? shown;
  find("deal").hidden = drawn.cards.length === 0;
  find("slots").replaceChildren(...drawn.cards.map((card, place) => slot(card, place, drawn.numFixed)));
  find("need").textContent = words(drawn.cards, drawn.numFixed);
  find("deck").hidden = drawn.cards.length <= drawn.numFixed;
  find("keep").hidden = !pending || !shown;
  find("deck").replaceChildren(...DECK.map((card) => cardButton(card, drawn)));
}
