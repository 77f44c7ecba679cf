// A seat at a table: its cards, a plate with its name, roles and chips, and what it has bet in this round.
import { grouped, made } from "./elements.js";

// cards, chips: elements of theirs.
export function drawSeat({ name, role, bet, is_turn: isTurn, has_folded: hasFolded }, cards, chips) {
  const roles = role.split(" ").filter(Boolean).map((each) => made("span", `role ${each}`, each));
  const plate = made("div", "plate", made("div", "label", made("span", "name", name), ...roles), made("div", "chips", ...chips));
  const item = made("li", "seat", made("div", "cards", ...cards), plate, made("div", "bet", bet > 0 ? grouped(bet) : ""));
  item.classList.toggle("is-turn", isTurn);
  item.classList.toggle("has-folded", hasFolded);
  return item;
}
