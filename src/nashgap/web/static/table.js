// One table: draws what the server says this seat may know, and sends back what is chosen. No rule of poker is here.
import { cardWords, drawBack, drawCard, drawPlace } from "./cards.js";
import { button, grouped, made, textsOf } from "./elements.js";
import { ask, showError } from "./http.js";
import { showReview } from "./review.js";
import { drawSeat } from "./seat.js";

const page = document.getElementById("table");
const path = `/api/tables/${page.dataset.table}`;
const find = (selector) => page.querySelector(selector);
const problem = find(".actions .error");
const notice = find(".notice");
const remark = find("#remark");
const buttons = Object.fromEntries(["fold", "call", "raise", "next"].map((name) => [name, find(`button.${name}`)]));
const [slider, number] = find(".size").children;
const BOARD = 5;
const STEPS = 200; // of the slider
const AGAIN = 3000; // milliseconds until a stream of events that was refused is asked for again
const PRESETS = { min: "min", half: "½ pot", pot: "pot", allin: "all in" };
const say = textsOf(page);
let view = null;
let askedAt = null; // the version of the view in which something was asked that has no answer yet

function cardsOf(seat) {
  if (seat.cards) return seat.cards.map(drawCard);
  return seat.has_folded ? [made("span", "soft", "folded")] : Array.from({ length: seat.num_cards }, drawBack);
}

function drawPlayer(seat) {
  const isLeft = seat.stack !== null && seat.won === null; // a hand that is over leaves stacks as they were before
  const chips = isLeft ? [made("span", "stack", grouped(seat.stack))] : [];
  if (seat.won !== null) chips.push(made("span", "won", seat.won));
  else if (seat.is_turn) chips.push(made("span", "turn", "to act"));
  return drawSeat(seat, cardsOf(seat), chips);
}

function drawTable(hand) {
  const mine = hand.seats.findIndex((seat) => seat.is_you);
  // Clockwise from the seat after one's own.
  const others = hand.seats.slice(mine + 1).concat(hand.seats.slice(0, mine));
  find(".seats.others").replaceChildren(...others.map(drawPlayer));
  find(".seats.own").replaceChildren(drawPlayer(hand.seats[mine]));
  const places = Array.from({ length: BOARD - hand.board.length }, drawPlace);
  const board = find(".board");
  board.replaceChildren(...hand.board.map(drawCard), ...places);
  board.setAttribute("aria-label", hand.board.length ? `board: ${hand.board.map(cardWords).join(", ")}` : "no board cards yet");
  say("round", hand.round);
  say("pot", `pot ${grouped(hand.pot)}`);
  say("number", String(hand.number));
}

function drawTold(hand) {
  // Only what is new is added, so that a screen reader says it once.
  const list = find(".told");
  if (list.dataset.hand !== String(hand.number)) {
    list.replaceChildren();
    list.dataset.hand = String(hand.number);
  }
  for (const line of hand.told.slice(list.children.length)) list.append(made("li", "", line));
  list.lastElementChild?.classList.toggle("result", hand.is_over);
  list.scrollTop = list.scrollHeight;
}

// The slider goes by ratios: its left half has the sizes that are played most.
function sizeAt(place) {
  const { least, most } = view.hand.choices.raise;
  return Math.round(least * (most / least) ** (place / STEPS));
}

function placeOf(size) {
  const { least, most } = view.hand.choices.raise;
  return most > least ? Math.round(STEPS * Math.log(size / least) / Math.log(most / least)) : 0;
}

function setSize(size) {
  number.value = String(size);
  slider.value = String(placeOf(size));
  nameRaise();
}

function isAllowed(typed) {
  const { least, most } = view.hand.choices.raise;
  return typed.trim() !== "" && Number.isInteger(Number(typed)) && Number(typed) >= least && Number(typed) <= most;
}

function nameRaise() {
  const raise = view?.hand?.choices?.raise;
  if (!raise) return;
  const verb = raise.verb[0].toUpperCase() + raise.verb.slice(1);
  const size = view.hand.choices.has_sizes ? Number(number.value) : raise.most;
  const isSize = !view.hand.choices.has_sizes || isAllowed(number.value);
  buttons.raise.firstElementChild.textContent = `${verb} ${isSize ? grouped(size) : "…"}`;
  number.setAttribute("aria-invalid", String(!isSize));
  if (!isSize) return;
  slider.setAttribute("aria-valuetext", `${grouped(size)} chips`);
  const share = (size - raise.least) / Math.max(1, raise.most - raise.least);
  buttons.raise.classList.toggle("is-large", view.hand.choices.has_sizes && share > 0.5);
}

function drawChoices(hand, isNew) {
  const choices = hand?.choices;
  buttons.fold.hidden = !choices?.can_fold;
  buttons.call.hidden = !choices;
  buttons.raise.hidden = !choices?.raise;
  buttons.next.hidden = !(hand?.is_over || view.problem) || hand?.is_ready || view.is_finished;
  buttons.next.firstElementChild.textContent = view.problem ? "Ask again" : "Next hand";
  find(".sizing").hidden = !(choices?.raise && choices.has_sizes);
  if (choices) {
    buttons.call.firstElementChild.textContent = choices.to_call > 0 ? `Call ${grouped(choices.to_call)}` : "Check";
  }
  if (!choices?.raise) return;
  const { least, most, presets } = choices.raise;
  number.min = String(least);
  number.max = String(most);
  if (isNew) setSize(presets.pot ?? least);
  find(".presets").replaceChildren(...Object.entries(presets).map(([word, size], place) => {
    const preset = button("preset", () => setSize(size), PRESETS[word]);
    preset.dataset.key = String(place + 1);
    preset.title = `${grouped(size)} (key ${place + 1})`;
    return preset;
  }));
  nameRaise();
}

function drawLink() {
  const link = made("input", "invitation");
  link.readOnly = true;
  link.value = location.origin + view.invitation;
  link.setAttribute("aria-label", "The link to send");
  link.addEventListener("focus", () => link.select());
  return link;
}

function drawTwin() {
  const twin = find(".twin");
  twin.hidden = !(view.options.twin_is_missing && view.invitation);
  if (twin.hidden || twin.childElementCount) return;
  twin.append(made("span", "", "Who plays the same cards from the other seat? Send this link:"), drawLink());
}

function drawNotice(hand) {
  notice.replaceChildren();
  if (view.is_finished) notice.append("This table is closed. Its hands stay.");
  else if (view.missing > 0) {
    notice.append(made("span", "", `Waiting for ${view.missing === 1 ? "another person" : `${view.missing} people`}.`));
    if (view.invitation) notice.append(made("span", "", " Send this link:"), drawLink());
  } else if (view.problem) notice.append(`${view.problem}. Why is said where the server was started.`);
  else if (hand?.is_over && hand.is_ready) notice.append(`Waiting for ${hand.waits_for.join(" and ")}.`);
  else if (hand?.is_over) notice.append(made("strong", "", `This hand ${hand.won}`));
  else if (hand && !hand.choices) notice.append("Others are to act.");
  notice.hidden = notice.childNodes.length === 0;
}

function drawScore(score) {
  say("chips", score.chips);
  say("hands", `after ${score.hands} hand${score.hands === 1 ? "" : "s"}`);
  say("rate", score.rate ?? "the interval needs two hands");
  say("unit", score.rate ? score.unit_words : "");
  find(".score [data-text=unit]").title = score.unit;
  const duplicate = find(".score .duplicate");
  duplicate.hidden = !score.duplicate;
  if (score.duplicate) {
    const { rate, deals, whose, after } = score.duplicate;
    const none = after === null ? `${deals} deal${deals === 1 ? "" : "s"} played in all seats; the interval needs two` : `after hand ${after}`;
    duplicate.textContent = `Duplicate: ${rate ? `${rate} ${score.unit_words}, ${whose}, ${deals} deals, each one sample` : none}`;
  }
  say("luck", score.luck.rate ?? "");
  say("luck-note", score.luck.rate ? `${score.luck.unit_words}, ${score.luck.note}` : score.luck.note);
}

function draw(newView) {
  if (view && newView.version < view.version) return; // an answer that was overtaken
  const isNew = view?.hand?.number !== newView.hand?.number || view?.hand?.step !== newView.hand?.step;
  view = newView;
  page.classList.toggle("is-busy", askedAt === view.version); // the stream may bring the answer before the request does
  say("game", view.game);
  document.title = `${view.game} · NashGap`;
  drawScore(view.score);
  for (const link of page.querySelectorAll(".links a")) link.hidden = !view.score.hands;
  find(".leave").hidden = view.is_finished;
  drawNotice(view.hand);
  drawTwin();
  drawChoices(view.hand, isNew);
  showReview(view, isNew);
  page.dataset.state = !view.hand ? "waiting" : view.hand.is_over ? "over" : view.hand.choices ? "choosing" : "watching";
  if (!view.hand) return;
  drawTable(view.hand);
  drawTold(view.hand);
  if (document.activeElement !== remark) showRemark();
}

// Others may ask for the next hand while one writes: the words stay those of the hand that they were begun for.
function showRemark() {
  remark.value = view.hand.remark;
  remark.dataset.hand = String(view.hand.number);
  say("remarked", `hand ${view.hand.number}`);
  say("kept", remark.value ? ", kept" : "");
}

async function send(action, body) {
  const version = view.version;
  if (askedAt === version) return;
  askedAt = version;
  page.classList.add("is-busy");
  try {
    draw(await ask(`${path}/${action}`, body));
    showError(problem, null);
  } catch (error) {
    showError(problem, error);
    ask(path).then(draw, () => {});
  } finally {
    if (askedAt === version) {
      askedAt = null;
      page.classList.remove("is-busy");
    }
  }
}

function answer(text) {
  return send("act", { hand: view.hand.number, step: view.hand.step, answer: text });
}

buttons.fold.addEventListener("click", () => answer("f"));
buttons.call.addEventListener("click", () => answer("c"));
buttons.raise.addEventListener("click", () => {
  const { has_sizes: hasSizes, raise } = view.hand.choices;
  if (!hasSizes) return answer("r");
  if (isAllowed(number.value)) return answer(`r ${Number(number.value)}`);
  showError(problem, new Error(`${grouped(raise.least)} to ${grouped(raise.most)} chips are allowed, and whole ones.`));
  return number.focus();
});
buttons.next.addEventListener("click", () => send("next", { hand: view.hand?.number ?? 0 }));
slider.addEventListener("input", () => { number.value = String(sizeAt(Number(slider.value))); nameRaise(); });
number.addEventListener("input", () => {
  if (isAllowed(number.value)) slider.value = String(placeOf(Number(number.value)));
  nameRaise();
});
remark.addEventListener("input", () => say("kept", ""));
number.addEventListener("keydown", (event) => { if (event.key === "Enter") buttons.raise.click(); });
find("form.remark").addEventListener("submit", (event) => {
  event.preventDefault();
  remark.blur();
  send("remark", { hand: Number(remark.dataset.hand), text: remark.value });
});
find(".leave").addEventListener("click", async () => {
  if (!confirm("Close this table? Its hands stay, and nobody plays on.")) return;
  try {
    await ask(`${path}/close`, {});
    draw(await ask(path));
  } catch (error) {
    showError(problem, error);
  }
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input:not([type=range]), select")) return;
  if (event.repeat) return; // a key that is held must not decide what comes after
  const pressed = [...page.querySelectorAll("[data-key]")]
    .find((each) => each.dataset.key === event.key.toLowerCase() && !each.hidden && !each.closest("[hidden]"));
  if (pressed) {
    event.preventDefault();
    pressed.click();
  }
});

function listen() {
  const events = new EventSource(`${path}/events`);
  events.addEventListener("message", (event) => {
    draw(JSON.parse(event.data));
    if (page.classList.contains("is-cut-off")) showError(problem, null);
    page.classList.remove("is-cut-off");
  });
  events.addEventListener("error", () => {
    page.classList.add("is-cut-off");
    showError(problem, new Error("The server does not answer; trying again."));
    if (events.readyState === EventSource.CLOSED) setTimeout(listen, AGAIN); // refused, as by one that has too many
  });
}

// Nothing of a table for whom it is not.
function refuse(error) {
  const told = made("p", "panel", error.message), lobby = made("a", "", "To the tables");
  told.setAttribute("role", "alert");
  lobby.href = "/";
  page.className = "";
  page.replaceChildren(made("h1", "", "That did not work"), told, lobby);
}

try {
  draw(await ask(path));
  listen();
} catch (error) {
  refuse(error);
}
