// A deck to click cards of: pressed are those that lie on the board.
import { cardWords } from "./cards.js";

const SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };

export const cardsOf = (text) => text.replace(/10/g, "T").match(/[2-9tjqka][shdc]/gi)?.map((card) => card[0].toUpperCase() + card[1].toLowerCase()) ?? [];

// onTurn: called with the card that was clicked.
export function mountDeck(place, onTurn) {
  for (const suit of "shdc") {
    for (const rank of "AKQJT98765432") {
      const button = Object.assign(document.createElement("button"), { type: "button", className: suit, textContent: rank + SIGNS[suit] });
      button.dataset.card = rank + suit;
      button.setAttribute("aria-label", cardWords(rank + suit));
      button.addEventListener("click", () => onTurn(rank + suit));
      place.append(button);
    }
  }
  return (cards) => {
    for (const button of place.children) button.setAttribute("aria-pressed", String(cards.includes(button.dataset.card)));
  };
}
