// The run-off on the cross-table: each round takes its last player away, and shows the table that is left.
import { made, textsOf } from "./elements.js";
import { ask } from "./http.js";

const place = document.getElementById("run-off");
const view = await ask(`/api/tournaments/${place.dataset.run}`);
const table = place.querySelector("table");
const [back, on] = ["back", "on"].map((name) => place.querySelector(`[data-step=${name}]`));
const MEAN = 1; // the column of the mean winrates
const say = textsOf(place);
let round = 0;

function drawMean(cell, mean) {
  cell.className = `number mean ${mean.tone > 0 ? `win tone-${mean.tone}` : mean.tone < 0 ? `loss tone-${-mean.tone}` : ""}`;
  cell.dataset.value = mean.text;
  cell.replaceChildren(mean.text, ...(mean.interval ? [made("small", "", mean.interval)] : []));
}

function draw() {
  const now = view.rounds[round];
  const isIn = (element) => element.dataset.players.split(" ").every((player) => now.players.includes(Number(player)));
  const heads = [...table.tHead.rows[0].cells];
  const shown = heads.map((head) => !head.dataset.players || isIn(head));
  heads.forEach((head, column) => { head.hidden = !shown[column]; });
  const rows = [...table.tBodies[0].rows];
  for (const row of rows) {
    const player = Number(row.dataset.players);
    row.hidden = !isIn(row);
    row.classList.toggle("is-last", player === now.eliminated);
    [...row.cells].forEach((cell, column) => { cell.hidden = !shown[column]; });
    if (!row.hidden) drawMean(row.cells[MEAN], round === 0 ? view.rows.find((each) => each.player === player).mean : now.means[now.players.indexOf(player)]);
  }
  rows.sort((one, other) => now.players.indexOf(Number(one.dataset.players)) - now.players.indexOf(Number(other.dataset.players)));
  table.tBodies[0].append(...rows);
  for (const head of heads) head.removeAttribute("aria-sort");
  heads[MEAN].setAttribute("aria-sort", "descending");
  say("round", `Run-off, round ${round + 1} of ${view.rounds.length}: ${now.players.length} players.`);
  say("out", now.eliminated === null
    ? `Nobody more can leave; first is ${view.players[now.players[0]]}.`
    : `${view.players[now.eliminated]} is last and leaves.`);
  back.disabled = round === 0;
  on.disabled = round === view.rounds.length - 1;
}

function go(number) {
  round = Math.max(0, Math.min(view.rounds.length - 1, number));
  draw();
}
back.addEventListener("click", () => go(round - 1));
on.addEventListener("click", () => go(round + 1));
place.querySelector(".stepper").addEventListener("keydown", (event) => {
  if (event.key === "ArrowLeft") go(round - 1);
  else if (event.key === "ArrowRight") go(round + 1);
});
draw();
