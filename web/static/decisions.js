// Deciding without a reload: the form of a finding is sent in the background, and the finding drawn anew.
import { startPlayer } from "./player.js";

/** The finding's article, fetched. */
export async function fetchFinding(run, n) {
  const answer = await fetch(`/findings/${run}/${n}?part`, { headers: { Accept: "text/html" } });
  if (answer.redirected || !answer.ok) {
    location.reload(); // logged out meanwhile, or the room is gone: the server says what to do
    throw new Error(`finding ${run}/${n}: ${answer.status}`);
  }
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  return page.querySelector("article");
}

/** Send a decision; the new state, or null with the problem told in place. */
export async function decide(article, decision) {
  const form = article.querySelector(".decide form[action$='/decisions']");
  const button = form?.querySelector(`button[value="${decision}"]`);
  if (!button || button.disabled) return null;
  const bar = form.closest(".decide");
  if (bar.classList.contains("busy")) return null;
  bar.classList.add("busy");
  try {
    const body = new URLSearchParams(new FormData(form));
    body.set("decision", decision);
    const answer = await fetch(form.action, { method: "POST", body, headers: { Accept: "application/json" } });
    const told = await answer.json();
    if (answer.ok) return told.state;
    complain(bar, told.problem);
  } catch {
    complain(bar, "The room does not answer.");
  } finally {
    bar.classList.remove("busy");
  }
  return null;
}

function complain(bar, problem) {
  const place = bar.querySelector(".problem");
  place.textContent = problem;
  place.hidden = false;
}

/** The clip plays, the plan follows; a double click on an event shows its line in the log. */
export function liven(article) {
  startPlayer(article);
  const marked = article.querySelector(".plan .marked");
  const scroll = marked?.closest(".scroll");
  if (scroll) {
    const [inner, outer] = [marked.getBoundingClientRect(), scroll.getBoundingClientRect()];
    scroll.scrollLeft += inner.left + inner.width / 2 - outer.left - outer.width / 2;
  }
  for (const tick of article.querySelectorAll("[data-event]")) {
    tick.addEventListener("dblclick", () => {
      const line = article.querySelector(`#event-${tick.dataset.event}`);
      article.querySelector(".events").open = true;
      article.querySelector(".pointed")?.classList.remove("pointed");
      line.classList.add("pointed");
      line.scrollIntoView({ block: "center" });
    });
  }
  for (const link of article.querySelectorAll('a[href^="#event-"]')) {
    link.addEventListener("click", () => (article.querySelector(".events").open = true));
  }
}

/** Whether a key is meant for us: not while somebody types, and not with Ctrl, Alt or ⌘. */
export function isOurs(event) {
  const typing = event.target.closest("input, select, textarea");
  return !typing && !event.ctrlKey && !event.altKey && !event.metaKey;
}

export const DECISION_OF = { c: "confirm", d: "dismiss", u: "undo" };
