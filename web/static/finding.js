// The page of one finding (or round): keys c, d, u, and the timeline's events.
import { DECISION_OF, decide, fetchFinding, isOurs, liven } from "./decisions.js";

let article = document.querySelector("article.finding");
liven(article);
article.addEventListener("submit", onSubmit);

async function act(decision) {
  const { run, n } = article.dataset;
  if (!run || (await decide(article, decision)) === null) return;
  const fresh = await fetchFinding(run, n);
  // The fetched part is headed for the pane beside the queue; here only what was decided is new.
  article.querySelector(".decide").replaceWith(fresh.querySelector(".decide"));
  article.dataset.state = fresh.dataset.state;
}

function onSubmit(event) {
  if (!event.submitter?.value) return;
  event.preventDefault();
  act(event.submitter.value);
}

document.addEventListener("keydown", (event) => {
  if (isOurs(event) && event.key in DECISION_OF) act(DECISION_OF[event.key]);
});
