// Before the first paint: the chosen theme, and the mark that scripts run. Nothing but the theme's name is stored.
(() => {
  "use strict";
  const root = document.documentElement;
  const themes = ["auto", "dark", "light"];

  const stored = () => {
    try {
      return localStorage.getItem("theme");
    } catch {
      return null;
    }
  };

  const show = (theme) => {
    if (theme === "dark" || theme === "light") root.dataset.theme = theme;
    else delete root.dataset.theme;
  };

  root.classList.add("js");
  show(stored());

  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-theme-next]");
    if (!button) return;
    const next = themes[(themes.indexOf(root.dataset.theme ?? "auto") + 1) % themes.length];
    show(next);
    try {
      if (next === "auto") localStorage.removeItem("theme");
      else localStorage.setItem("theme", next);
    } catch {
      // Storage is blocked: the choice holds for this page.
    }
    const live = document.getElementById("live");
    if (live) live.textContent = say(`theme${next[0].toUpperCase()}${next.slice(1)}`);
  });
})();
