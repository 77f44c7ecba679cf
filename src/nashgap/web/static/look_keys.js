// The viewer by keys. Letters that a button has, `data-key`, press it; the rest is here.
import { keepBoard } from "./look_board.js";
import { nextMeasure, nextPlayer, step } from "./look_grids.js";

const find = (name) => document.getElementById(name);
const OTHER = {
  p: nextPlayer,
  d: nextMeasure,
  escape: keepBoard,
  "/": () => find("after").focus(),
  b: () => find("deck").querySelector("button:not(:disabled)")?.focus(),
  "?": () => { find("keys").open = !find("keys").open; },
};

function press(key) {
  const named = key.toLowerCase();
  const button = [...document.querySelectorAll("[data-key]")]
    .find((each) => [each.dataset.key.toLowerCase(), each.dataset.also].includes(named) && !each.disabled && !each.closest("[hidden]"));
  if (button) button.click();
  else if (named in OTHER) OTHER[named]();
  else return false;
  return true;
}

export function listenToKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select, textarea")) return;
    if (event.target.closest("[data-own-keys]")) return; // a part of the page that listens itself
    if (step(event.key) || press(event.key)) event.preventDefault();
  });
}
