// Sets up a spot: board by clicks, ranges by typing and painting, sizes by street; tells how large it is, and has it solved.
import { drawCard, drawPlace } from "./cards.js";
import { DECK, deckButton, typedCards } from "./deck.js";
import { ask, showError } from "./http.js";
import { mountRange } from "./range_input.js";

const find = (name) => document.getElementById(name);
const form = find("new-spot");
const problem = form.querySelector(".foot .error");
const size = find("size");
const streets = [...form.querySelectorAll(".sizes tbody tr")];
const [FEWEST, MOST] = [3, 5];
const SIZE_PAUSE = 500; // milliseconds
let [pause, sized] = [0, 0];
let isFilling = false;

function turn(card) {
  const cards = typedCards(find("board").value);
  const next = cards.includes(card) ? cards.filter((each) => each !== card) : cards.length < MOST ? [...cards, card] : cards;
  find("board").value = next.join(" ");
  drawBoard();
  find("deck").querySelector(`[data-card="${card}"]`).focus();
  changed();
}
const ranges = Object.fromEntries([...form.querySelectorAll("[data-range]")].map((section) => [section.dataset.range, mountRange(section, changed)]));

function drawBoard() {
  const cards = typedCards(find("board").value);
  find("deck").replaceChildren(...DECK.map((card) => deckButton(card, cards.includes(card), turn)));
  find("lying").replaceChildren(...Array.from({ length: MOST }, (_, place) => (cards[place] ? drawCard(cards[place]) : drawPlace())));
  const street = Math.max(FEWEST, Math.min(MOST, cards.length));
  for (const row of streets) row.hidden = Number(row.dataset.cards) < street;
}

function bySize(name) {
  return streets.filter((row) => !row.hidden).map((row) => row.querySelector(`.${name}`).value.trim()).join(" / ");
}

function told() {
  return {
    board: find("board").value, oop: ranges.oop.text, ip: ranges.ip.text, pot: Number(find("pot").value),
    stacks: [Number(find("stack-oop").value), Number(find("stack-ip").value)], bets: bySize("bets"), raises: bySize("raises"),
    until: Number(find("until").value), locks: find("locks").value.split("\n").map((line) => line.trim()).filter(Boolean),
  };
}

const isWhole = () => typedCards(find("board").value).length >= FEWEST && form.checkValidity() && !form.querySelector("[aria-invalid]");

function changed() {
  if (isFilling) return;
  clearTimeout(pause);
  pause = setTimeout(askSize, SIZE_PAUSE);
}

// For who comes back to this page, or loads it again.
function keep() {
  history.replaceState({ spot: told() }, "");
}

async function askSize() {
  const number = ++sized;
  keep();
  showError(problem, null);
  if (!isWhole()) {
    const missing = FEWEST - typedCards(find("board").value).length;
    size.textContent = missing > 0 ? `${missing} more card${missing === 1 ? " is" : "s are"} needed on the board.` : "Something is missing above.";
    return;
  }
  size.textContent = "How large is it? …";
  try {
    const found = await ask("/api/spots/size", told());
    if (number === sized) size.textContent = `${found.text}.`;
  } catch (error) {
    if (number !== sized) return;
    size.textContent = "";
    showError(problem, error);
  }
}

function split(texts, row) {
  const parts = texts.split("/").map((part) => part.trim());
  const visible = streets.filter((each) => !each.hidden);
  return parts.length === 1 ? parts[0] : parts[visible.indexOf(row)] ?? parts.at(-1);
}

async function fill(spot) {
  isFilling = true;
  find("board").value = spot.board;
  drawBoard();
  for (const [name, value] of [["pot", spot.pot], ["stack-oop", spot.stacks[0]], ["stack-ip", spot.stacks[1]], ["until", spot.until], ["locks", spot.locks.join("\n")]]) find(name).value = value;
  for (const row of streets) for (const name of ["bets", "raises"]) row.querySelector(`.${name}`).value = split(spot[name], row);
  await Promise.all([ranges.oop.set(spot.oop), ranges.ip.set(spot.ip)]);
  isFilling = false;
  await askSize();
}

const examples = [...document.querySelectorAll("[data-example]")];
for (const button of examples) {
  button.addEventListener("click", () => {
    for (const each of examples) each.setAttribute("aria-pressed", String(each === button));
    fill(JSON.parse(button.dataset.example));
  });
}

form.addEventListener("input", (event) => {
  if (event.target === find("board")) drawBoard();
  if (!event.target.closest(".range")) changed(); // ranges tell it themselves, once they are understood
});
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = form.querySelector("[type=submit]");
  button.disabled = true;
  clearTimeout(pause);
  sized += 1;
  showError(problem, null);
  await Promise.all(Object.values(ranges).map((range) => range.settled()));
  keep();
  size.textContent = "It begins …";
  try {
    const begun = await ask("/api/spots", told());
    location.href = `/spots/${begun.run}`;
  } catch (error) {
    size.textContent = "";
    showError(problem, error);
    button.disabled = false;
  }
});
form.querySelector("[type=submit]").disabled = false; // pressed before this script is there, the browser would send the form by itself

if (history.state?.spot) await fill(history.state.spot);
else examples[0].click();
