// It is a dark room: dark, unless light was asked for here, or «as the system» and the system asks for light.
// Runs before the page is drawn, so nothing flashes.
const THEMES = { dark: "☾", light: "☀", system: "◐" };
const root = document.documentElement;
const system = matchMedia("(prefers-color-scheme: light)");
let theme = kept();

function kept() {
  try {
    const chosen = localStorage.getItem("theme");
    return chosen in THEMES ? chosen : "dark";
  } catch {
    return "dark"; // a browser that keeps nothing
  }
}

function show() {
  root.dataset.theme = theme === "system" ? (system.matches ? "light" : "dark") : theme;
}

show();
system.addEventListener("change", show);

document.addEventListener("DOMContentLoaded", () => {
  const button = document.getElementById("theme");
  const [sign, name] = button.querySelectorAll("span");
  const tell = () => ([sign.textContent, name.textContent] = [THEMES[theme], theme]);
  tell();
  button.addEventListener("click", () => {
    const names = Object.keys(THEMES);
    theme = names[(names.indexOf(theme) + 1) % names.length];
    tell();
    show();
    try {
      localStorage.setItem("theme", theme);
    } catch {
      // It holds for this page then.
    }
  });
});
