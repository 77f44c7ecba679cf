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

async function sitDown(wanted, problem) {
  try {
    const made = await ask("/api/tables", wanted);
    location.assign(`/tables/${made.table}`);
  } catch (error) {
    showError(problem, error);
  }
}

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

for (const button of document.querySelectorAll(".at-once button")) {
  const { game: played, opponent, seats } = button.dataset;
  const opponents = Array(Number(seats) - 1).fill(opponent);
  button.addEventListener("click", () => sitDown(
    { game: played, opponents, open: true, coach: true }, document.querySelector(".at-once + .error")));
}

const own = await ask("/api/tables").catch(() => []);
const list = document.querySelector("#own .tables");
for (const table of own) {
  const link = document.createElement("a");
  link.href = `/tables/${table.table}`;
  link.textContent = `${table.game}, ${table.hands} hand${table.hands === 1 ? "" : "s"} played`;
  const row = document.createElement("li");
  row.append(link);
  list.append(row);
}
document.getElementById("own").hidden = own.length === 0;
