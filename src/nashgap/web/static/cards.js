// Cards as inline drawings: a rank, a suit in its own colour and shape.
import { drawn } from "./elements.js";

const SUITS = {
  c: ["clubs", "M12 2a5 5 0 0 0-4.2 7.7A5 5 0 1 0 11 17.400c-.2 2-1 3.200-2.500 4.600h7c-1.500-1.400-2.300-2.600-2.500-4.600a5 5 0 1 0 3.200-7.700A5 5 0 0 0 12 2z"],
  d: ["diamonds", "M12 1l8 11-8 11-8-11z"],
  h: ["hearts", "M12 22C5 16 2 12.500 2 8.500A5.300 5.300 0 0 1 12 6a5.300 5.300 0 0 1 10 2.500c0 4-3 7.500-10 13.500z"],
  s: ["spades", "M12 1c3 5 9 7.500 9 12.500a4.700 4.700 0 0 1-8 3.300c.1 2.300.9 3.700 2.500 5.200h-7c1.600-1.500 2.400-2.900 2.500-5.200a4.700 4.700 0 0 1-8-3.300C3 8.500 9 6 12 1z"],
};
const RANKS = { T: "10", J: "jack", Q: "queen", K: "king", A: "ace" };

export function cardWords(card) {
  return `${RANKS[card[0]] ?? card[0]} of ${SUITS[card[1]][0]}`;
}

export function drawCard(card) {
  const drawing = drawn("svg", { viewBox: "0 0 50 70", class: `card ${card[1]}`, role: "img", "aria-label": cardWords(card) });
  drawing.append(
    drawn("rect", { x: 1, y: 1, width: 48, height: 68, rx: 6, class: "face" }),
    drawn("text", { x: 8, y: 27, class: "rank" }, card[0] === "T" ? "10" : card[0]),
    drawn("path", { d: SUITS[card[1]][1], transform: "translate(18 36) scale(1.1)" }),
  );
  return drawing;
}

export function drawBack() {
  const drawing = drawn("svg", { viewBox: "0 0 50 70", class: "card back", role: "img", "aria-label": "a hidden card" });
  drawing.append(
    drawn("rect", { x: 1, y: 1, width: 48, height: 68, rx: 6, class: "edge" }),
    drawn("path", { class: "weave", d: "M8 14l34 42M8 35l25 28M17 7l25 28M42 14L8 56M42 35L17 63M33 7L8 35" }),
  );
  return drawing;
}

export function drawPlace() {
  const drawing = drawn("svg", { viewBox: "0 0 50 70", class: "card place", "aria-hidden": "true" });
  drawing.append(drawn("rect", { x: 1, y: 1, width: 48, height: 68, rx: 6 }));
  return drawing;
}
