// A deck to click cards of: pressed are those that lie on the board.
import { cardWords } from "./cards.js";
import { button } from "./elements.js";

const SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };
export const DECK = [..."shdc"].flatMap((suit) => [..."AKQJT98765432"].map((rank) => rank + suit));

// The cards that somebody has typed, as cards are written.
export function typedCards(text) {
  return (text.replace(/10/g, "T").match(/[2-9tjqka][shdc]/gi) ?? []).map((card) => card[0].toUpperCase() + card[1].toLowerCase());
}

export function deckButton(card, isLying, onTurn) {
  const drawn = button(card[1], () => onTurn(card), card[0] + SIGNS[card[1]]);
  drawn.dataset.card = card;
  drawn.setAttribute("aria-label", cardWords(card));
  drawn.setAttribute("aria-pressed", String(isLying));
  return drawn;
}
