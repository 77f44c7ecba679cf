// Hands of a leak report, step by step. Every step comes from the server as it is drawn: no rule of poker is here.
import { cardWords, drawCard, drawPlace } from "./cards.js";
import { grouped, made } from "./elements.js";
import { ask } from "./http.js";
import { drawSeat } from "./seat.js";

const place = document.getElementById("replayer");
const find = (selector) => place.querySelector(selector);
const [choice, slider] = [find("select"), find("input[type=range]")];
const hands = await ask(`/api/measures/${place.dataset.run}/hands`).catch(() => []);
let hand = null;
let step = 0;

function drawPlayer(player, now) {
  const chips = [made("span", "stack", now.stack === null ? `${grouped(now.in_pot)} in` : `${grouped(now.stack)} left`)];
  if (now.has_folded) chips.push(made("span", "soft", "folded"));
  else if (now.is_turn) chips.push(made("span", "turn", "to act"));
  return drawSeat({ ...player, ...now }, player.cards.map(drawCard), chips);
}

function draw() {
  const now = hand.steps[step];
  const seats = hand.seats.map((seat, number) => [drawPlayer(seat, now.seats[number]), seat.name === "LBR"]);
  find(".seats.others").replaceChildren(...seats.filter(([, isLbr]) => !isLbr).map(([seat]) => seat));
  find(".seats.lbr").replaceChildren(...seats.filter(([, isLbr]) => isLbr).map(([seat]) => seat));
  const board = find(".board");
  board.replaceChildren(...now.board.map(drawCard), ...Array.from({ length: hand.num_board_cards - now.board.length }, drawPlace));
  board.setAttribute("aria-label", now.board.length ? `board: ${now.board.map(cardWords).join(", ")}` : "no board cards yet");
  find("[data-text=round]").textContent = now.round;
  find("[data-text=pot]").textContent = `pot ${grouped(now.pot)}`;
  find(".said").textContent = now.text;
  find("[data-text=place]").textContent = `Step ${step + 1} of ${hand.steps.length}; deal ${hand.deal}; LBR won ${hand.won}.`;
  slider.max = String(hand.steps.length - 1);
  slider.value = String(step);
  slider.setAttribute("aria-valuetext", now.text);
  for (const [name, isEnd] of [["first", step === 0], ["back", step === 0], ["on", step === hand.steps.length - 1], ["last", step === hand.steps.length - 1]]) {
    find(`[data-step=${name}]`).disabled = isEnd;
  }
}

function go(number) {
  step = Math.max(0, Math.min(hand.steps.length - 1, number));
  draw();
}

function choose(number) {
  if (number < 0 || number >= hands.length) return;
  choice.selectedIndex = number;
  hand = hands[number];
  go(0);
}

const moves = { first: () => go(0), back: () => go(step - 1), on: () => go(step + 1), last: () => go(hand.steps.length - 1) };
const keys = { ArrowLeft: moves.back, ArrowRight: moves.on, Home: moves.first, End: moves.last,
  ArrowUp: () => choose(choice.selectedIndex - 1), ArrowDown: () => choose(choice.selectedIndex + 1) };

if (hands.length === 0) place.hidden = true;
else {
  choice.append(...hands.map((each) => new Option(`${each.place}. ${each.situation}`)));
  choice.addEventListener("change", () => choose(choice.selectedIndex));
  slider.addEventListener("input", () => go(Number(slider.value)));
  for (const button of place.querySelectorAll("[data-step]")) button.addEventListener("click", moves[button.dataset.step]);
  place.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("select, input") || !(event.key in keys)) return;
    event.preventDefault();
    keys[event.key]();
  });
  choose(0);
}
