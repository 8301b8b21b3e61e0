// Keys and ticks of the queue of re-checks: y, n, q and z act on the place under the cursor. Everything works without this.
(() => {
  "use strict";

  const boxesOf = (group) => [...group.querySelectorAll("input[data-pick]")];
  const groups = () => [...document.querySelectorAll("form[data-group]")];
  const tickedIn = (group) => boxesOf(group).filter((box) => box.checked);

  const show = (group) => {
    const number = tickedIn(group).length;
    const place = group.querySelector("[data-ticked]");
    if (place) place.textContent = number ? `✓ ${number}` : "";
    const all = group.querySelector("[data-tick-all]");
    if (!all) return;
    all.checked = number > 0 && number === boxesOf(group).length;
    all.indeterminate = number > 0 && !all.checked;
  };

  document.addEventListener("change", (event) => {
    const group = event.target.closest?.("form[data-group]");
    if (!group) return;
    if (event.target.matches("[data-tick-all]")) {
      for (const box of boxesOf(group)) box.checked = event.target.checked;
    }
    show(group);
  });

  // The place that a key means: the one under the cursor, else the only one with something ticked.
  const meant = () => {
    const here = document.activeElement?.closest?.("form[data-group]");
    if (here) return here;
    const ticked = groups().filter((group) => tickedIn(group).length > 0);
    return ticked.length === 1 ? ticked[0] : null;
  };

  // With nothing ticked the row under the cursor is meant; a fact that stands alone needs no tick.
  const tickRow = (group) => {
    if (tickedIn(group).length > 0 || boxesOf(group).length === 0) return true;
    const box = document.activeElement?.closest?.("li")?.querySelector("input[data-pick]");
    if (box) box.checked = true;
    show(group);
    return Boolean(box);
  };

  document.addEventListener("keydown", (event) => {
    if (!"ynqz".includes(event.key) || event.key.length !== 1 || !window.Keys?.counts(event)) return;
    const group = meant();
    if (!group || !tickRow(group)) return;
    const button = group.querySelector(`[data-does="${event.key}"]`);
    const panel = group.querySelector(`[data-opens="${event.key}"]`);
    if (!button && !panel) return;
    event.preventDefault();
    if (button) button.click();
    else {
      panel.open = true;
      panel.querySelector("textarea, select")?.focus();
    }
  });

  let place = 0;
  document.addEventListener("htmx:beforeRequest", (event) => {
    const at = groups().indexOf(event.detail.elt);
    if (at !== -1) place = at;
  });

  // The list was swapped: the work goes on where it was.
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.target?.id !== "rechecks") return;
    groups().forEach(show);
    const left = groups();
    const next = left[Math.min(place, left.length - 1)];
    const row = next?.querySelector("[data-row]") ?? document.querySelector("h1");
    if (row && !row.matches("a")) row.tabIndex = -1;
    row?.focus({ preventScroll: false });
  });

  document.addEventListener("DOMContentLoaded", () => groups().forEach(show));
})();
