// The wall of tables, kept up to date without a reload.
const EVERY_MS = 10000; // cameras fall silent without anything new being kept

async function refresh() {
  const answer = await fetch(location.href);
  if (!answer.ok || answer.redirected) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  document.getElementById("wall").replaceWith(page.getElementById("wall"));
}

document.addEventListener("news", refresh);
setInterval(() => document.hidden || refresh(), EVERY_MS);
