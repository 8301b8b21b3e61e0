// What was typed but not sent survives a login in between (S18). Kept for this tab only, gone once it was decided (S19).
(() => {
  "use strict";
  const PREFIX = "draft:";

  const nameFor = (field) => {
    const item = field.closest("[data-item]")?.dataset.item;
    return item && field.name ? `${PREFIX}${item}:${field.dataset.draft}` : null;
  };

  const quietly = (work) => {
    try {
      work();
    } catch {
      // Storage is blocked or full: the draft lives as long as the page does.
    }
  };

  const forget = (item) =>
    quietly(() => {
      for (const name of Object.keys(sessionStorage)) {
        if (name.startsWith(`${PREFIX}${item}:`)) sessionStorage.removeItem(name);
      }
    });

  const restore = () => {
    for (const done of document.querySelectorAll("[data-decided]")) forget(done.dataset.decided);
    for (const field of document.querySelectorAll("[data-draft]")) {
      const name = nameFor(field);
      if (!name || field.value !== "") continue;
      quietly(() => {
        field.value = sessionStorage.getItem(name) ?? "";
      });
    }
  };

  document.addEventListener("input", (event) => {
    if (!event.target.matches?.("[data-draft]")) return;
    const name = nameFor(event.target);
    if (!name) return;
    quietly(() => {
      if (event.target.value) sessionStorage.setItem(name, event.target.value);
      else sessionStorage.removeItem(name);
    });
  });

  document.addEventListener("DOMContentLoaded", restore);
  document.addEventListener("htmx:afterSettle", restore);
})();
