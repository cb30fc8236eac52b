// News from the room, as they come: told to the page as «news» events; cameras that do not see are told on every page.
const MOST_TOLD = 3;
const alerts = document.getElementById("alerts");
const source = new EventSource("/live");
let known = null;

source.addEventListener("message", (message) => {
  const news = JSON.parse(message.data);
  alerts.hidden = news.down.length === 0;
  const told = news.down.map(([table, camera, state]) => `${table}: camera ${camera} is ${state}`);
  const others = told.length - MOST_TOLD; // the wall has them all
  alerts.textContent = told.slice(0, MOST_TOLD).join(" · ") + (others > 0 ? ` · and ${others} more` : "");
  if (known !== null && known !== message.data) document.dispatchEvent(new CustomEvent("news", { detail: news }));
  known = message.data;
});

// A page that is left should not hold its line open until the server notices.
addEventListener("pagehide", () => source.close());
