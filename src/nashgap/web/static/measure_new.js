import { made } from "./elements.js";
import { ask, showError } from "./http.js";

const form = document.getElementById("new-measurement");
const method = form.elements.method;
const groups = [...form.querySelectorAll(".method")];
const problem = form.querySelector(".error");
const button = form.querySelector("button[type=submit]");
const answer = document.getElementById("answer");

function showMethod() {
  for (const group of groups) group.hidden = group.disabled = group.dataset.method !== method.value;
}
method.addEventListener("change", showMethod);
showMethod();

// A strategy that knows its game is measured in that; another one in the first of the list, or in what was chosen before.
function matchGame(group) {
  const game = group.querySelector("[name=game]");
  const isOwn = [...group.querySelectorAll("[name=strategy]")].some((each) => each.selectedOptions[0]?.dataset.own === "1");
  if (isOwn) game.value = "";
  else if (game.value === "") game.selectedIndex = 0;
}
for (const group of groups) {
  group.addEventListener("change", ({ target }) => target.name === "strategy" && matchGame(group));
  matchGame(group);
}

function chosen() {
  const group = groups.find((each) => each.dataset.method === method.value);
  const body = { method: method.value, strategies: [...group.querySelectorAll("[name=strategy]")].map((each) => each.value) };
  for (const field of group.querySelectorAll("select:not([name=strategy]), input")) {
    if (field.value === "" && field.name !== "game") continue; // the method's usual value
    body[field.name] = field.type === "number" ? Number(field.value) : field.value;
  }
  return body;
}

function showAnswer(result) {
  answer.querySelector(".summary").textContent = result.summary;
  const facts = answer.querySelector(".facts");
  const numbers = Object.entries(result).filter(([, value]) => typeof value === "number");
  facts.replaceChildren(...numbers.flatMap(([name, value]) => [made("dt", "", name.replaceAll("_", " ")), made("dd", "", `${Number.isInteger(value) ? value : Number(value.toPrecision(6))} ${result.unit ?? ""}`)]));
  answer.hidden = false;
  answer.scrollIntoView({ block: "nearest" });
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  button.disabled = true;
  button.textContent = "Starting …";
  showError(problem, null);
  answer.hidden = true;
  try {
    const begun = await ask("/api/measures", chosen());
    if (begun.run) location.assign(`/measures/${begun.run}`);
    else showAnswer(begun.result);
  } catch (error) {
    showError(problem, error);
  } finally {
    button.disabled = false;
    button.textContent = "Start";
  }
});
button.disabled = false; // pressed before this script is there, the browser would send the form by itself
