// The queue: j and k walk it, n goes to the next open finding, c, d and u decide; nothing is loaded twice or reloaded.
import { DECISION_OF, decide, fetchFinding, isOurs, liven } from "./decisions.js";

const pane = document.getElementById("pane");
const rows = [...document.querySelectorAll("#queue li[data-n]")];
let chosen = rows.findIndex((row) => row.classList.contains("selected"));
let asked = 0; // the newest request: an answer that comes late is dropped

const isWide = () => matchMedia("(min-width: 861px)").matches;
const article = () => pane.querySelector("article");
const keyOf = (part) => `${part.dataset.run}/${part.dataset.n}`;

if (article()) liven(article());

async function show(index) {
  if (index < 0 || index >= rows.length) return;
  rows[chosen]?.classList.remove("selected");
  rows[chosen]?.querySelector("a").removeAttribute("aria-current");
  chosen = index;
  const row = rows[chosen];
  row.classList.add("selected");
  row.querySelector("a").setAttribute("aria-current", "true");
  row.scrollIntoView({ block: "nearest" });
  await draw(row, true);
}

async function draw(row, toTop) {
  const number = ++asked;
  const fresh = await fetchFinding(row.dataset.run, row.dataset.n);
  if (number !== asked) return;
  pane.replaceChildren(fresh);
  liven(fresh);
  if (toTop) pane.scrollTop = 0;
  mark(row, fresh.dataset.state);
}

function mark(row, state) {
  row.dataset.state = state;
  const badge = row.querySelector(".state");
  badge.textContent = state;
  badge.className = `state ${state}`;
  const count = document.getElementById("count");
  if (count.dataset.open) {
    const decided = rows.filter((each) => each.dataset.state !== "open").length;
    count.textContent = `${Number(count.dataset.open) - decided} open`;
  }
}

function nextOpen() {
  const after = rows.findIndex((row, index) => index > chosen && row.dataset.state === "open");
  show(after >= 0 ? after : rows.findIndex((row) => row.dataset.state === "open"));
}

async function act(decision) {
  const row = rows[chosen];
  // While the next finding is still on its way, the one on the screen is not the one chosen.
  if (!row || !article() || keyOf(article()) !== keyOf(row)) return;
  const state = await decide(article(), decision);
  if (state === null) return;
  mark(row, state);
  if (decision !== "undo" && rows[chosen] === row) {
    const next = rows.findIndex((each, index) => index > chosen && each.dataset.state === "open");
    if (next >= 0) return show(next);
  }
  if (rows[chosen] === row) await draw(row, false);
}

document.getElementById("queue").addEventListener("click", (event) => {
  const row = event.target.closest("li[data-n]");
  const plain = !event.ctrlKey && !event.metaKey && !event.shiftKey;
  if (!row || !plain || !isWide()) return; // on a phone the link leads to the page
  event.preventDefault();
  show(rows.indexOf(row));
});

pane.addEventListener("submit", (event) => {
  if (!event.submitter?.value) return;
  event.preventDefault();
  act(event.submitter.value);
});

document.addEventListener("keydown", (event) => {
  if (!isOurs(event) || !isWide()) return;
  if (event.key === "j") show(chosen + 1);
  else if (event.key === "k") show(chosen - 1);
  else if (event.key === "n") nextOpen();
  else if (event.key in DECISION_OF) act(DECISION_OF[event.key]);
});
