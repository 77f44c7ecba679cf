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

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const group = groups.find((each) => each.dataset.game === game.value);
  const place = form.querySelector(".error");
  try {
    const made = await ask("/api/tables", {
      game: game.value,
      opponents: [...group.querySelectorAll("select")].map((each) => each.value),
      name: form.elements.name.value,
      anonymous: form.elements.anonymous.checked,
      open: form.elements.open.checked,
      coach: form.elements.coach.checked,
      duplicate: form.elements.duplicate.value,
    });
    location.assign(`/tables/${made.table}`);
  } catch (error) {
    showError(place, error);
  }
});

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
