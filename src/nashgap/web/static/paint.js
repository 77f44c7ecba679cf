// Locks decisions of a solved spot: classes of hands are painted over in the viewer's grid, and the spot is solved again.
import { button, colouredParts, made, shareWords } from "./elements.js";
import { ask, showError } from "./http.js";

const RUN = /^([a-z0-9+.][a-z0-9+.-]*-[0-9a-f]{12})\/solution\.safetensors$/;
const SHARES = [100, 90, 75, 50, 25, 10, 0];

function field(name, id, options) {
  const whole = made("div", "field");
  const label = made("label", "", name);
  label.htmlFor = id;
  const select = made("select", "");
  select.id = id;
  select.append(...options.map(([value, text]) => new Option(text, value)));
  whole.append(label, select);
  return { whole, select };
}

// What has been locked since the spot was solved, kept while its strategy is walked through; own: locks that it has.
class Locks {
  constructor(run) {
    this.run = run;
    this.own = [];
    this.removed = new Set();
    this.added = new Map();
    const kept = JSON.parse(sessionStorage.getItem(this.key) ?? "null");
    if (kept) [this.removed, this.added] = [new Set(kept.removed), new Map(kept.added)];
  }

  get key() {
    return `locks of ${this.run}`;
  }

  keep() {
    sessionStorage.setItem(this.key, JSON.stringify({ removed: [...this.removed], added: [...this.added] }));
  }

  add(place, classes) {
    this.added.set(place, classes);
    this.keep();
  }

  // Each with its words, its place, and how to take it away.
  list() {
    const own = this.own.map(({ words, place }, number) => ({ words, place, number }))
      .filter(({ number, place }) => !this.removed.has(number) && !this.added.has(place));
    const added = [...this.added].map(([place, classes]) => {
      const names = Object.keys(classes);
      const what = names.length === 0 ? "as it is" : `as it is, but for ${names.slice(0, 4).join(", ")}${names.length > 4 ? ` and ${names.length - 4} more` : ""}`;
      return { place, words: `${place ? `after ${place}` : "the first decision"}: ${what}` };
    });
    return [...own, ...added];
  }

  remove({ number, place }) {
    if (number === undefined) this.added.delete(place);
    else this.removed.add(number);
    this.keep();
  }

  asked() {
    return {
      kept: this.own.map((_, number) => number).filter((number) => !this.removed.has(number) && !this.added.has(this.own[number].place)),
      painted: [...this.added].map(([place, classes]) => ({ place, classes })),
    };
  }
}

export function mountPaint() {
  const panel = document.getElementById("paint");
  const grid = document.querySelector("#first-grid .range-grid");
  let [view, locks, painted] = [null, null, {}];
  let [isPainting, isDown, isShown] = [false, false, false]; // isShown: the grid shows actions
  let action, share, list, problem, mode;

  // Shares of a class in the order of the view's actions, as they are without paint.
  function played(cell) {
    const byWords = Object.fromEntries(view.drawn.map((each, place) => [each.words, cell.shares[place]]));
    return view.actions.map((each) => byWords[each.words] ?? 0);
  }

  // One action as often as told, the others in proportion to what they were.
  function mixed(before, place, told) {
    const others = 1 - before[place];
    if (others > 1e-9) return before.map((each, number) => (number === place ? told : (each / others) * (1 - told)));
    const rest = before.findIndex((_, number) => number !== place);
    return before.map((_, number) => (number === place ? told : number === rest ? 1 - told : 0));
  }

  const exact = (shares) => shares.map((each) => Number(each.toFixed(4)));

  function paint(number) {
    const cell = view.grid[number];
    if (!cell.shares.length || !isShown) return;
    painted[cell.name] = exact(mixed(painted[cell.name] ?? played(cell), Number(action.value), Number(share.value) / 100));
    drawCell(number);
  }

  function drawCell(number) {
    const cell = view.grid[number];
    const box = grid.querySelectorAll(".cell")[number];
    if (!cell.shares.length) return;
    const isPainted = cell.name in painted;
    const chances = painted[cell.name] ?? played(cell);
    const shares = view.actions.map(({ words, colour }, place) => [words, colour, chances[place]]);
    box.toggleAttribute("data-painted", isPainted);
    box.querySelector(".fill").replaceChildren(...colouredParts(shares.map(([, colour, share]) => [colour, share])));
    box.setAttribute("aria-label", `${cell.name}${isPainted ? ", painted" : ""}: ${shareWords(shares)}`);
  }

  function drawPaint() {
    for (const box of grid.querySelectorAll("[data-painted]")) box.removeAttribute("data-painted");
    if (isShown) view.grid.forEach(({ name }, number) => name in painted && drawCell(number));
    grid.classList.toggle("is-painting", isPainting);
    mode.setAttribute("aria-pressed", String(isPainting));
  }

  function drawList() {
    const found = locks.list();
    const isLocked = found.some(({ place }) => place === view.after);
    const add = panel.querySelector(".add");
    add.textContent = isLocked ? "Lock it anew" : Object.keys(painted).length ? "Lock this decision as painted" : "Lock this decision as it is";
    list.replaceChildren(...found.map((lock) => {
      const item = made("li", "");
      const remove = button("plain", () => {
        locks.remove(lock);
        drawList();
      }, "Remove");
      remove.setAttribute("aria-label", `Remove the lock ${lock.words}`);
      item.append(made("span", "", lock.words), remove);
      return item;
    }));
    panel.querySelector(".again").hidden = found.length === 0;
  }

  async function solveAgain(event) {
    event.target.disabled = true;
    showError(problem, null);
    try {
      const begun = await ask(`/api/spots/${locks.run}/again`, locks.asked());
      location.href = `/spots/${begun.run}`;
    } catch (error) {
      showError(problem, error);
      event.target.disabled = false;
    }
  }

  function build() {
    const actions = field("Action", "paint-action", view.actions.map((each, place) => [place, each.words]));
    const shares = field("As often as", "paint-share", SHARES.map((each) => [each, `${each}%`]));
    [action, share] = [actions.select, shares.select];
    mode = button("mode", () => {
      isPainting = !isPainting;
      if (isPainting && !isShown) document.querySelector("[data-mode=actions]").click();
      drawPaint();
    }, "Paint");
    mode.setAttribute("aria-pressed", "false");
    const row = made("div", "row");
    row.append(actions.whole, shares.whole, mode);
    const quick = made("div", "row");
    quick.append(
      button("plain all", () => {
        if (!isShown) document.querySelector("[data-mode=actions]").click();
        view.grid.forEach((_, number) => paint(number));
        drawList();
      }, "Paint all hands"),
      button("plain undo", () => {
        painted = {};
        if (isShown) view.grid.forEach((_, number) => drawCell(number));
        drawList();
      }, "Take the paint away"),
    );
    problem = made("p", "error");
    problem.setAttribute("role", "alert");
    problem.hidden = true;
    list = made("ul", "locked");
    panel.classList.add("paint");
    panel.replaceChildren(
      made("h2", "", "Lock this decision"),
      made("p", "soft small", "What is painted is done so often; all other hands go on as they do. Drag over the grid, or press space on a cell."),
      row, quick,
      button("add", () => {
        locks.add(view.after, { ...painted }); // what is painted on is another
        drawList();
      }),
      list, problem,
      button("primary again", solveAgain, "Solve again with these locks"),
    );
  }

  async function show(detail) {
    const run = detail.place.strategy?.match(RUN)?.[1] ?? null;
    // Where sizes are drawn as a few, what is painted would say too little.
    if (run === null || !detail.view.grid || detail.view.drawn.length !== detail.view.actions.length) {
      [view, panel.hidden] = [null, true];
      grid.classList.remove("is-painting");
      return;
    }
    if (view !== detail.view) {
      view = detail.view;
      if (locks?.run !== run) {
        const found = new Locks(run);
        const { locks: words, places } = await ask(`/api/spots/${run}`);
        found.own = words.map((each, number) => ({ words: each, place: places[number] }));
        locks = found;
        if (view !== detail.view) return; // overtaken
      }
      painted = { ...locks.added.get(view.after) };
      build();
      panel.hidden = false;
      drawList();
    }
    isShown = detail.mode === "actions";
    drawPaint();
  }

  document.addEventListener("drawn", ({ detail }) => show(detail).catch(() => (panel.hidden = true)));
  grid.addEventListener("cell", ({ detail: { number, kind } }) => {
    if (kind === "down") isDown = true;
    if (isPainting && isDown && view && kind !== "up") paint(number);
  });
  window.addEventListener("pointerup", () => {
    if (isDown && isPainting && view) drawList();
    isDown = false;
  });
  window.addEventListener("pointercancel", () => (isDown = false));
  for (const kind of ["keydown", "keyup"]) {
    grid.addEventListener(kind, (event) => {
      if (event.key !== " " || !isPainting || !view || !event.target.matches(".cell")) return;
      event.preventDefault(); // which would choose the cell
      if (kind === "keyup") return;
      paint(Number(event.target.dataset.number));
      drawList();
    });
  }
}
