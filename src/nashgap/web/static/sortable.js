// Tables whose heads sort their rows: by numbers where all cells that say something are numbers, else by letters.

function valueOf(row, place) {
  const cell = row.cells[place];
  return cell.dataset.value ?? cell.textContent.trim();
}

function sort(table, head, direction) {
  const place = head.cellIndex;
  const rows = [...table.tBodies[0].rows];
  const texts = rows.map((row) => valueOf(row, place));
  const isNumeric = texts.every((text) => text === "" || Number.isFinite(Number(text)));
  const sign = direction === "ascending" ? 1 : -1;
  rows.sort((one, other) => {
    const [left, right] = [valueOf(one, place), valueOf(other, place)];
    if (left === "" || right === "") return (left === "") - (right === ""); // what says nothing comes last
    return sign * (isNumeric ? Number(left) - Number(right) : left.localeCompare(right, "en", { numeric: true }));
  });
  for (const each of head.parentElement.cells) each.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", direction);
  table.tBodies[0].append(...rows);
}

for (const table of document.querySelectorAll("table.sortable")) {
  for (const head of table.tHead.rows[0].cells) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sorts";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const first = head.dataset.first ?? (head.classList.contains("number") ? "descending" : "ascending");
      const second = first === "ascending" ? "descending" : "ascending";
      sort(table, head, head.getAttribute("aria-sort") === first ? second : first);
    });
  }
}
