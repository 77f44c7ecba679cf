import { made } from "./elements.js";
import { ask, showError } from "./http.js";

const form = document.getElementById("new-table");
const game = form.elements.game;
const groups = [...form.querySelectorAll(".opponents")];

function showGame() {
  for (const group of groups) {
    group.hidden = group.disabled = group.dataset.game !== game.value;
  }
}
game.addEventListener("change", showGame);
showGame();

let isAsking = false; // until the table's page is there: a second click makes no second table
async function sitDown(wanted, problem) {
  if (isAsking) return;
  isAsking = true;
  try {
    const begun = await ask("/api/tables", wanted);
    location.assign(`/tables/${begun.table}`);
  } catch (error) {
    isAsking = false;
    showError(problem, error);
  }
}
window.addEventListener("pageshow", () => { isAsking = false; }); // who comes back may sit down again

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const group = groups.find((each) => each.dataset.game === game.value);
  const { name, anonymous, open, coach, duplicate } = form.elements;
  void sitDown({
    game: game.value,
    opponents: [...group.querySelectorAll("select")].map((each) => each.value),
    name: name.value,
    anonymous: anonymous.checked,
    open: open.checked,
    coach: coach.checked,
    duplicate: duplicate.value,
  }, form.querySelector(".error"));
});
form.querySelector("[type=submit]").disabled = false; // pressed before this script is there, the browser would send the form by itself

for (const button of document.querySelectorAll(".at-once button")) {
  const { game: played, opponent, seats } = button.dataset;
  const opponents = Array(Number(seats) - 1).fill(opponent);
  button.addEventListener("click", () => sitDown(
    { game: played, opponents, open: true, coach: true }, document.querySelector(".at-once + .error")));
  button.disabled = false;
}

const own = await ask("/api/tables").catch(() => []);
const list = document.querySelector("#own .tables");
for (const table of own) {
  const hands = `${table.hands} hand${table.hands === 1 ? "" : "s"} played`;
  const link = made("a", "", `${table.game} with ${table.others.join(" and ")}, ${hands}`);
  link.href = `/tables/${table.table}`;
  list.append(made("li", "", link));
}
document.getElementById("own").hidden = own.length === 0;
