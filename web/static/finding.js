// The page of one finding (or round): keys c, d, u, e, and those of the player.
import { DECISION_OF, decide, fetchFinding, isOurs, liven } from "./decisions.js";
import { pressKey } from "./player.js";

let article = document.querySelector("article.finding");
liven(article);
article.addEventListener("submit", onSubmit);

async function act(decision) {
  if (article.dataset.run && (await decide(article, decision)) !== null) await renew();
}

async function renew() {
  const { run, n } = article.dataset;
  const fresh = await fetchFinding(run, n);
  // The fetched part is headed for the pane beside the queue; here only what was decided is new.
  article.querySelector(".decide").replaceWith(fresh.querySelector(".decide"));
  article.dataset.state = fresh.dataset.state;
}

function onSubmit(event) {
  if (!event.submitter?.value || !event.target.action.endsWith("/decisions")) return;
  event.preventDefault();
  act(event.submitter.value);
}

document.addEventListener("keydown", (event) => {
  if (!isOurs(event) || pressKey(article, event)) return;
  if (event.key in DECISION_OF) act(DECISION_OF[event.key]);
  else if (event.key === "e") article.querySelector(".export")?.requestSubmit();
});

document.addEventListener("news", () => {
  const isTyping = article.querySelector(".decide input[name='note']")?.value;
  if (article.dataset.run && !isTyping) renew();
});
