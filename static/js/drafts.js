// What was typed but not sent survives a login in between (S18). Kept for this tab only, gone once it was sent (S19).
(() => {
  "use strict";
  const PREFIX = "draft:";

  const nameFor = (field) => {
    const item = field.closest("[data-item]")?.dataset.item;
    return item && field.dataset.draft ? `${PREFIX}${item}:${field.dataset.draft}` : null;
  };

  const quietly = (work) => {
    try {
      return work();
    } catch {
      // Storage is blocked or full: the draft lives as long as the page does.
      return null;
    }
  };

  const forget = (item) =>
    quietly(() => {
      for (const name of Object.keys(sessionStorage)) {
        if (name.startsWith(`${PREFIX}${item}:`)) sessionStorage.removeItem(name);
      }
    });

  // A text that was changed belongs to the text it was made from: over another one it would undo somebody's edit unseen.
  const fits = (field, kept) => field.defaultValue === "" || field.defaultValue === kept.from;

  const restore = () => {
    for (const sent of document.querySelectorAll("[data-sent]")) {
      for (const item of sent.dataset.sent.split(" ")) forget(item);
    }
    for (const field of document.querySelectorAll("[data-draft]")) {
      const name = nameFor(field);
      if (!name || field.value !== field.defaultValue) continue;
      const kept = quietly(() => JSON.parse(sessionStorage.getItem(name)));
      if (typeof kept?.text === "string" && fits(field, kept)) field.value = kept.text;
    }
  };

  document.addEventListener("input", (event) => {
    const field = event.target;
    if (!field.matches?.("[data-draft]")) return;
    const name = nameFor(field);
    if (!name) return;
    quietly(() => {
      if (field.value === field.defaultValue) sessionStorage.removeItem(name);
      else sessionStorage.setItem(name, JSON.stringify({ from: field.defaultValue, text: field.value }));
    });
  });

  document.addEventListener("DOMContentLoaded", restore);
  document.addEventListener("htmx:afterSettle", restore);
})();
