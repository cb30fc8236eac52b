// News from the room, as they come: told to the page as «news» events; cameras that do not see are told on every page.
const alerts = document.getElementById("alerts");
const source = new EventSource("/live");
let known = null;

source.addEventListener("message", (message) => {
  const news = JSON.parse(message.data);
  alerts.hidden = news.down.length === 0;
  alerts.textContent = news.down.map(([table, camera, state]) => `${table}: camera ${camera} is ${state}`).join(" · ");
  if (known !== null && known !== message.data) document.dispatchEvent(new CustomEvent("news", { detail: news }));
  known = message.data;
});

// A page that is left should not hold its line open until the server notices.
addEventListener("pagehide", () => source.close());
