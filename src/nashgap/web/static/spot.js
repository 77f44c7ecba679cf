// Watches a spot that is being solved: how far it is, and the curve of what is left to exploit as it grows.
import { grouped, textsOf } from "./elements.js";
import { ask, showError, showSoFar } from "./http.js";

const watch = document.getElementById("watch");
const found = document.getElementById("found");
const run = watch.dataset.run;
const bar = watch.querySelector("progress");
const problem = watch.querySelector(".error");
const [stop, resume] = [watch.querySelector(".stop"), watch.querySelector(".resume")];
const [SOON, LATER] = [400, 2000]; // milliseconds, between two looks at work of this server, and of other processes
const say = textsOf(watch);
let numPoints = -1;

async function drawCurve(points) {
  if (points.length === numPoints) return;
  numPoints = points.length;
  await showSoFar(`/spots/${run}/so-far`, found);
}

function draw(status) {
  const badge = document.getElementById("status");
  badge.textContent = status.status;
  badge.className = `status ${status.status}`;
  stop.hidden = !status.can_stop;
  resume.hidden = !status.can_resume;
  bar.hidden = status.status !== "running";
  if (status.share === null) bar.removeAttribute("value");
  else bar.value = status.share;
  const last = status.points.at(-1);
  say("gap", last ? `${last[2].toPrecision(3)}% of the pot can be exploited${status.until ? `; asked for: ${status.until}%` : ""}.` : "");
  say("place", status.done === null ? (status.status === "running" ? "It has begun." : "") : `${grouped(status.done)} iterations`);
  say("rate", status.rate && `· ${status.rate}`);
  say("left", status.left && `· ${status.left}`);
  say("message", status.status === "running" ? status.message : resume.hidden ? "" : resumeWords(status));
  if (status.problem) showError(problem, new Error(status.problem)); // why it ended
}

function resumeWords(status) {
  return status.status === "finished" ? "Its strategy is not here yet, or the price of its locks: go on to have it." : "What was done is kept.";
}

async function follow() {
  let status = await ask(`/api/spots/${run}`);
  for (;;) {
    draw(status);
    if (status.status !== "running") return;
    await drawCurve(status.points);
    await new Promise((wake) => setTimeout(wake, status.can_stop || status.done !== null ? SOON : LATER));
    status = await ask(`/api/spots/${run}`);
  }
}

async function send(path, button) {
  button.disabled = true;
  try {
    await ask(path, {});
    location.reload();
  } catch (error) {
    showError(problem, error);
    button.disabled = false;
  }
}
stop.addEventListener("click", () => send(`/api/measures/${run}/stop`, stop));
resume.addEventListener("click", () => send(`/api/spots/${run}/resume`, resume));

if (!watch.hidden) {
  await follow().catch((error) => showError(problem, error));
  if (watch.dataset.status === "running" && problem.hidden) location.reload(); // with all that was found
}
