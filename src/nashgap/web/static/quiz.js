// The quiz: bars, a bet, and what it cost. What is right is known to the server alone until the bet was made.
import { button, drawn, made, textsOf } from "./elements.js";
import { ask, showError } from "./http.js";

const quiz = document.getElementById("quiz");
const find = (selector) => quiz.querySelector(selector);
const form = find("form");
const [slider, number] = [find("[type=range]"), find("[type=number]")];
const [give, next, error] = [find(".give"), find(".next"), find(".error")];
const PRESETS = [0, 0.3, 0.5, 0.8, 1, 2, 3];
const text = textsOf(quiz);
let view = null;
let isBusy = false;

const percent = (share) => `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)}%`;
const antes = (amount) => amount.toFixed(3);

function betWords(bet) {
  if (bet < 0.05) return "check";
  return bet > view.stack - 0.05 ? `all-in ${bet.toFixed(2)}` : `bet ${bet.toFixed(2)}`;
}

function bars(title, chances, held) {
  const top = Math.max(...chances);
  const told = chances.map((chance, card) => `${card + 1}: ${percent(chance)}`).join(", ");
  const drawing = drawn("svg", { viewBox: "0 0 320 130", role: "img", "aria-label": `${title}: ${told}` });
  chances.forEach((chance, card) => {
    const height = 90 * chance / top;
    const kind = card === held ? "bar is-held" : "bar";
    drawing.append(
      drawn("rect", { x: card * 32 + 3, y: 108 - height, width: 26, height: Math.max(height, 0.5), rx: 2, class: kind }),
      drawn("text", { x: card * 32 + 16, y: 104 - height, class: "share" }, percent(chance)),
      drawn("text", { x: card * 32 + 16, y: 124, class: kind === "bar" ? "card-number" : "card-number is-held" }, card + 1),
    );
  });
  return made("figure", "", made("figcaption", "", title), drawing);
}

function choose(bet) {
  const rounded = Math.min(3, Math.max(0, Math.round(Number(bet) * 10) / 10)) || 0;
  slider.value = rounded;
  number.value = rounded;
  showChoice(rounded);
}

function showChoice(bet) {
  const words = betWords(bet);
  give.querySelector("span").textContent = words[0].toUpperCase() + words.slice(1);
  give.classList.toggle("call", bet < 0.05);
  give.classList.toggle("raise", bet >= 0.05);
  for (const preset of form.querySelectorAll(".presets button")) {
    preset.setAttribute("aria-pressed", String(Math.abs(preset.dataset.bet - bet) < 0.01));
  }
}

function showVerdict(told) {
  const verdict = find(".verdict");
  verdict.hidden = told === null;
  verdict.replaceChildren();
  if (told === null) return;
  const isFree = told.cost_antes === 0;
  const heading = told.is_in_equilibrium ? "An equilibrium does that, too" : isFree ? "That costs nothing" : `That costs ${antes(told.cost_antes)} antes`;
  verdict.append(made("h2", "", heading),
    made("p", "", `You ${betWords(told.bet)}${told.called === null ? "" : `; they call ${percent(told.called)} of the time`}.`));
  if (told.is_in_equilibrium && !isFree) verdict.append(made("p", "", `It costs ${antes(told.cost_antes)} antes.`));
  if (told.is_off_path) verdict.append(made("p", "soft", "No equilibrium that is known bets this with any card."));
  const rows = told.equilibrium.map(({ bet, chance }) => {
    const meter = Object.assign(made("meter", ""), { max: 1, value: chance });
    meter.setAttribute("aria-hidden", "true");
    return made("li", "", `${betWords(bet)} `, meter, ` ${percent(chance)}`);
  });
  verdict.append(made("p", "", "With this card the equilibrium plays:"), made("ul", "frequencies", ...rows),
    made("p", "soft", `The rule that applies: ${told.rule} By the rules this hand costs ${antes(told.rule_cost_antes)} antes.`));
}

function show(found) {
  view = found;
  const isAnswered = found.answer !== null;
  quiz.dataset.state = isAnswered ? "answered" : "asking";
  text("number", found.number);
  text("card", found.card);
  text("beats", percent(found.beats));
  find(".distributions").replaceChildren(
    bars("Your cards, as they know them", found.own, found.card - 1),
    bars("Their cards", found.their, -1),
  );
  const { score } = found;
  text("mean", antes(score.mean_antes));
  text("answers", score.answers ? `${antes(score.total_antes)} antes over ${score.answers} answer${score.answers === 1 ? "" : "s"}` : "no answers yet");
  text("right", score.answers ? `${score.in_equilibrium} as an equilibrium plays; ${score.streak} in a row` : "");
  for (const control of [slider, number, give, ...form.querySelectorAll(".presets button")]) control.disabled = isAnswered;
  give.hidden = isAnswered;
  next.hidden = !isAnswered;
  choose(isAnswered ? found.answer.bet : 0);
  showVerdict(found.answer);
}

async function send(path, body) {
  if (isBusy) return;
  isBusy = true;
  try {
    show(await ask(path, body));
    showError(error, null);
  } catch (problem) {
    showError(error, problem);
  } finally {
    isBusy = false;
  }
}

const giveAnswer = () => send("/api/rules/quiz/answer", { number: view.number, bet: String(number.value) });
async function goOn() {
  await send("/api/rules/quiz/next", { number: view.number });
  document.getElementById("question").focus();
}

for (const bet of PRESETS) {
  const preset = button("", () => choose(bet), bet === 0 ? "Check" : bet === 3 ? "All-in" : bet.toFixed(1));
  preset.dataset.bet = bet;
  form.querySelector(".presets").append(preset);
}
slider.addEventListener("input", () => choose(slider.value));
number.addEventListener("input", () => {
  slider.value = number.value;
  showChoice(Number(number.value));
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  giveAnswer();
});
next.addEventListener("click", goOn);
find(".again").addEventListener("click", () => send("/api/rules/quiz", { again: true }));

document.addEventListener("keydown", (event) => {
  if (view === null || event.ctrlKey || event.altKey || event.metaKey || event.target === number) return;
  const key = event.key.toLowerCase();
  if (view.answer !== null) {
    if (key === "n") goOn();
    return;
  }
  if (key === "c") choose(0);
  else if (key === "a") choose(3);
  else if (/^[0-3]$/.test(key)) choose(key);
  else if ((key === "arrowup" || key === "arrowright") && event.target !== slider) choose(Number(number.value) + 0.1);
  else if ((key === "arrowdown" || key === "arrowleft") && event.target !== slider) choose(Number(number.value) - 0.1);
  else if (key === "enter" && !event.target.closest("a, button") && event.target !== slider) giveAnswer();
  else return;
  event.preventDefault();
});

await send("/api/rules/quiz", {});
