// Asking the server. An answer that is no success becomes an Error with the server's own words.

export async function ask(path, body) {
  const options = body === undefined ? {} : {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  let response;
  try {
    response = await fetch(path, { ...options, credentials: "same-origin" });
  } catch {
    throw new Error("the server does not answer; is it still running?");
  }
  if (response.status === 204) return null;
  const told = await response.json().catch(() => ({ error: `the server answers ${response.status}` }));
  if (!response.ok) throw new Error(told.error ?? `the server answers ${response.status}`);
  return told;
}

// Puts what the server tells of a run so far, a piece of a page, into a place; where it cannot be had all stays.
export async function showSoFar(path, place) {
  const response = await fetch(path, { credentials: "same-origin" }).catch(() => null);
  if (!response?.ok) return;
  const parsed = new DOMParser().parseFromString(await response.text(), "text/html");
  place.replaceChildren(...parsed.body.childNodes);
}

export function showError(place, error) {
  place.textContent = error ? error.message : "";
  place.hidden = !error;
}

// A token that came with the address is in a cookie by now: it need not stay in the address and the history.
const address = new URL(location.href);
if (address.searchParams.has("token")) {
  address.searchParams.delete("token");
  history.replaceState(null, "", address);
}
