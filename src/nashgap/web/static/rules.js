// The tree can be opened and closed as a whole; without this script it is open, and each branch closes by itself.
const tools = document.querySelector(".tools");
tools.hidden = false;
for (const button of tools.querySelectorAll("button")) {
  button.addEventListener("click", () => {
    for (const branch of document.querySelectorAll(".tree details")) branch.open = button.dataset.open === "true";
  });
}
