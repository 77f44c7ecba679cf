import { ask, showError } from "./http.js";

const form = document.getElementById("join");
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    const joined = await ask(`/api/join/${form.dataset.invitation}`, { name: form.elements.name.value });
    location.assign(`/tables/${joined.table}`);
  } catch (error) {
    showError(form.querySelector(".error"), error);
  }
});
form.querySelector("[type=submit]").disabled = false; // pressed before this script is there, the browser would send the form by itself
