// The queue: j and k walk it, n goes to the next open finding, c, d and u decide; what is new comes without a reload.
import { DECISION_OF, decide, fetchFinding, isOurs, liven } from "./decisions.js";
import { pressKey } from "./player.js";

const pane = document.getElementById("pane");
const list = document.getElementById("queue");
const isLaterPage = new URLSearchParams(location.search).has("after");
let chosen = list.querySelector("li.selected");
let asked = 0; // the newest request: an answer that comes late is dropped
let decided = Promise.resolve(); // a key pressed while a decision is on its way means what will be chosen after it

const rows = () => [...list.querySelectorAll("li[data-n]")];
const isWide = () => matchMedia("(min-width: 861px)").matches;
const article = () => pane.querySelector("article");
const keyOf = (part) => `${part.dataset.run}/${part.dataset.n}`;

if (article() && isWide()) liven(article());

async function show(row) {
  if (!row) return;
  chosen?.classList.remove("selected");
  chosen?.querySelector("a").removeAttribute("aria-current");
  chosen = row;
  row.classList.add("selected");
  row.querySelector("a").setAttribute("aria-current", "true");
  row.scrollIntoView({ block: "nearest" });
  await draw(row, true);
}

async function draw(row, toTop) {
  const number = ++asked;
  const fresh = await fetchFinding(row.dataset.run, row.dataset.n);
  if (number !== asked) return;
  if (!toTop && article() && keyOf(article()) === keyOf(row)) {
    article().querySelector(".decide").replaceWith(fresh.querySelector(".decide")); // the clip plays on
  } else {
    pane.replaceChildren(fresh);
    liven(fresh);
    pane.scrollTop = 0;
  }
  mark(row, fresh.dataset.state);
}

function mark(row, state) {
  row.dataset.state = state;
  const badge = row.querySelector(".state:not(.exported)");
  badge.textContent = state;
  badge.className = `state ${state}`;
}

function beside(step) {
  const all = rows();
  return all[all.indexOf(chosen) + step];
}

function nextOpen() {
  const all = rows();
  const after = all.slice(all.indexOf(chosen) + 1);
  show([...after, ...all].find((row) => row.dataset.state === "open"));
}

async function act(decision) {
  const row = chosen;
  // While the next finding is still on its way, the one on the screen is not the one chosen.
  if (!row || !article() || keyOf(article()) !== keyOf(row)) return;
  const state = await decide(article(), decision);
  if (state === null) return;
  mark(row, state);
  if (chosen !== row) return;
  const all = rows();
  const next = all.slice(all.indexOf(row) + 1).find((each) => each.dataset.state === "open");
  if (decision !== "undo" && next) show(next);
  else draw(row, false);
}

// ---- what is new ----

async function refresh() {
  const query = new URLSearchParams(location.search);
  query.set("rows", "");
  query.set("known", rows().map(keyOf).join());
  const answer = await fetch(`/queue?${query}`);
  if (!answer.ok || answer.redirected) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  document.getElementById("count").textContent = page.querySelector("[data-count]").dataset.count;
  const shown = new Map(rows().map((row) => [keyOf(row), row]));
  for (const now of page.querySelectorAll("[data-known]")) {
    const row = shown.get(now.dataset.known); // decided elsewhere, it stays in its place until the page is left
    mark(row, now.dataset.state);
    row.querySelector(".exported").hidden = !("exported" in now.dataset);
  }
  if (!isLaterPage) insert([...page.querySelectorAll("li[data-n]")].filter((row) => !shown.has(keyOf(row))));
  if (chosen && article() && !article().querySelector("input[name='note']")?.value) await draw(chosen, false);
}

function insert(newcomers) {
  if (newcomers.length) list.querySelector("li.empty")?.remove();
  for (const row of newcomers.map((each) => document.importNode(each, true))) {
    row.classList.remove("selected");
    row.classList.add("new");
    const before = rows().find((each) => order(each) > order(row));
    before ? before.before(row) : list.append(row);
  }
  if (!chosen) show(rows()[0]);
}

const order = (row) => row.dataset.place; // worst first, then newest: as the server sorts

document.addEventListener("news", refresh);

// ---- many at once ----

const batch = document.getElementById("batch");

function toggleMark(row) {
  if (!batch || !row) return;
  row.classList.toggle("chosen");
  tellBatch();
}

function tellBatch() {
  const marked = rows().filter((row) => row.classList.contains("chosen"));
  batch.hidden = marked.length === 0;
  document.getElementById("batch-count").textContent = marked.length === 1 ? "1 pack" : `${marked.length} packs`;
  document.getElementById("chosen-findings").replaceChildren(...marked.map((row) => {
    const field = document.createElement("input");
    [field.type, field.name, field.value] = ["hidden", "finding", keyOf(row)];
    return field;
  }));
}

document.getElementById("batch-clear")?.addEventListener("click", () => {
  for (const row of rows()) row.classList.remove("chosen");
  tellBatch();
});

// ---- hands on ----

list.addEventListener("click", (event) => {
  const row = event.target.closest("li[data-n]");
  const plain = !event.ctrlKey && !event.metaKey && !event.shiftKey;
  if (!row || !plain || !isWide()) return; // on a phone the link leads to the page
  event.preventDefault();
  show(row);
});

pane.addEventListener("submit", (event) => {
  if (!event.submitter?.value || !event.target.action.endsWith("/decisions")) return;
  event.preventDefault();
  decided = act(event.submitter.value);
});

document.addEventListener("keydown", (event) => {
  if (!isOurs(event) || !isWide() || (article() && pressKey(article(), event))) return;
  decided = decided.catch(() => {}).then(() => press(event.key));
});

function press(key) {
  if (key === "j") show(beside(1));
  else if (key === "k") show(beside(-1));
  else if (key === "n") nextOpen();
  else if (key === "x") toggleMark(chosen);
  else if (key === "e") article()?.querySelector(".export")?.requestSubmit();
  else if (key in DECISION_OF) return act(DECISION_OF[key]);
}
