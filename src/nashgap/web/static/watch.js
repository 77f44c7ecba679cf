// Watches a run: how far it is, live; when it is over the page is loaded anew, with all that was found.
import { grouped, textsOf } from "./elements.js";
import { ask, showError, showSoFar } from "./http.js";

const watch = document.getElementById("watch");
const path = `/api/measures/${watch.dataset.run}`;
const bar = watch.querySelector("progress");
const [stop, resume] = [watch.querySelector(".stop"), watch.querySelector(".resume")];
const problem = watch.querySelector(".error");
const found = document.getElementById("found");
const SO_FAR_SECONDS = 2;
const say = textsOf(watch);
let askedAt = 0;

async function drawSoFar(done) {
  if (done === null || Date.now() - askedAt < 1000 * SO_FAR_SECONDS) return;
  askedAt = Date.now();
  await showSoFar(`/measures/${watch.dataset.run}/so-far`, found);
}

function draw(status) {
  const badge = document.getElementById("status");
  badge.textContent = status.status;
  badge.className = `status ${status.status}`;
  watch.hidden = status.status === "finished";
  stop.hidden = !status.can_stop;
  resume.hidden = !status.can_resume;
  bar.hidden = status.status !== "running";
  if (status.total) {
    bar.max = status.total;
    bar.value = status.done;
  } else bar.removeAttribute("value");
  const total = status.total ? ` of ${grouped(status.total)}` : "";
  say("place", status.done === null ? notYet(status) : `${grouped(status.done)}${total} ${status.unit}`);
  say("rate", status.rate);
  say("left", status.left);
  say("message", status.message);
  if (status.problem) showError(problem, new Error(status.problem)); // why it ended
}

function notYet({ status, found }) {
  if (status === "running") return "It has begun.";
  return status === "damaged" ? "" : found || "It was stopped."; // what is damaged stands below
}

function follow() {
  const events = new EventSource(`${path}/events`);
  events.addEventListener("error", () => {
    if (events.readyState === EventSource.CLOSED) showError(problem, new Error("no news of this run can be had; load the page again"));
  });
  events.addEventListener("message", (event) => {
    const status = JSON.parse(event.data);
    draw(status);
    if (status.status === "running") drawSoFar(status.done);
    else {
      events.close();
      if (watch.dataset.status === "running") location.reload();
    }
  });
}

async function send(action, button) {
  button.disabled = true;
  try {
    await ask(`${path}/${action}`, {});
    location.reload();
  } catch (error) {
    showError(problem, error);
    button.disabled = false;
  }
}
stop.addEventListener("click", () => send("stop", stop));
resume.addEventListener("click", () => send("resume", resume));

if (watch.dataset.status !== "finished") {
  draw(await ask(path));
  if (watch.dataset.status === "running") follow();
}
