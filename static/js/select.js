// Selecting rows: x on the row under the cursor, shift for a range, a page, all that match. The boxes work without this.
(() => {
  "use strict";
  const KEPT = "selected"; // ids only, in this tab only (S19)
  let anchor = null;

  const boxes = () => [...document.querySelectorAll("input[data-pick]")];
  const list = () => document.getElementById("bulk");

  // -- what is selected, also on other pages of the list --

  const load = () => {
    try {
      return new Set(JSON.parse(sessionStorage.getItem(KEPT) ?? "[]"));
    } catch {
      return new Set();
    }
  };
  const picked = load();
  const save = () => {
    try {
      sessionStorage.setItem(KEPT, JSON.stringify([...picked]));
    } catch {
      // Storage is blocked or full: the selection holds for this page.
    }
  };

  const forget = (ids) => {
    const before = picked.size;
    for (const id of ids) picked.delete(id);
    if (picked.size !== before) save();
  };

  // Handled elsewhere: by the job that is on the page, or by the decision that the toast tells of.
  const forgetHandled = () => {
    for (const element of document.querySelectorAll("[data-handled]")) forget(element.dataset.handled.split(" "));
    for (const element of document.querySelectorAll("[data-decided]")) forget([element.dataset.decided]);
  };

  // Rows that are on the page and offer no box any more were decided.
  const forgetDecided = () => {
    const offered = new Set(boxes().map((box) => box.value));
    const rows = [...document.querySelectorAll(".queue-rows li[data-id]")];
    forget(rows.filter((row) => !offered.has(row.dataset.id) || !("waits" in row.dataset)).map((row) => row.dataset.id));
  };

  const all = () => list()?.querySelector("[data-pick-all]");

  const show = () => {
    const form = list();
    if (!form) return;
    const mine = boxes();
    for (const box of mine) box.closest("li")?.classList.toggle("picked", box.checked);
    const here = mine.filter((box) => box.checked).length;
    const page = form.querySelector("[data-pick-page]");
    const open = mine.filter((box) => !box.disabled).length;
    page.checked = open > 0 && here === open;
    page.indeterminate = here > 0 && here < open;
    page.disabled = open === 0;
    const matching = all().checked;
    const elsewhere = picked.size - here;
    const number = form.querySelector("[data-picked]");
    if (matching) number.textContent = say("allPicked");
    else if (picked.size === 0) number.textContent = say("nonePicked");
    else number.textContent = elsewhere ? say("pickedElsewhere", picked.size, elsewhere) : say("picked", picked.size);
    for (const place of form.querySelectorAll("[data-number]")) place.textContent = matching ? ` ${say("all")}` : picked.size ? ` ${picked.size}` : "";
    for (const button of form.querySelectorAll("[data-needs-picks]")) button.disabled = !matching && picked.size === 0;
    form.querySelector("[data-pick-none]").disabled = !matching && picked.size === 0;
  };

  const restore = () => {
    forgetHandled();
    if (!list()) return;
    forgetDecided();
    for (const box of boxes()) box.checked = picked.has(box.value);
    show();
  };

  const noted = (box) => {
    if (!list()) return;
    if (box.checked) picked.add(box.value);
    else picked.delete(box.value);
  };

  // -- ticking --

  const range = (from, to, checked) => {
    const rows = boxes();
    const [first, last] = [rows.indexOf(from), rows.indexOf(to)].sort((a, b) => a - b);
    for (const box of first < 0 ? [to] : rows.slice(first, last + 1)) {
      if (box.disabled) continue;
      box.checked = checked;
      noted(box);
    }
  };

  const settle = (box) => {
    anchor = box;
    save();
    show();
    box.dispatchEvent(new Event("change", { bubbles: true }));
  };

  document.addEventListener("click", (event) => {
    const box = event.target;
    if (box.matches?.("input[data-pick]") && event.shiftKey && anchor?.isConnected && anchor !== box) range(anchor, box, box.checked);
    if (box.matches?.("[data-pick-none]")) {
      picked.clear();
      all().checked = false;
      for (const one of boxes()) one.checked = false;
      save();
      show();
    }
  });

  document.addEventListener("change", (event) => {
    const box = event.target;
    if (box.matches?.("input[data-pick]")) {
      anchor = box;
      noted(box);
      save();
      show();
    } else if (box.matches?.("[data-pick-page]")) {
      for (const one of boxes()) {
        one.checked = box.checked && !one.disabled;
        noted(one);
      }
      save();
      show();
    } else if (box.matches?.("[data-pick-all]")) show();
  });

  document.addEventListener("keydown", (event) => {
    if (event.key !== "x" && event.key !== "X") return;
    if (event.defaultPrevented || !window.Keys?.counts(event)) return;
    const box = document.activeElement?.closest?.("li")?.querySelector("input[data-pick]:not(:disabled)");
    if (!box) return;
    event.preventDefault();
    if (event.shiftKey && anchor?.isConnected && anchor !== box) range(anchor, box, true);
    else {
      box.checked = !box.checked;
      noted(box);
    }
    settle(box);
  });

  // Somebody decided it meanwhile: it is grey where it stands, and not selected any more.
  document.addEventListener("desk:ended", (event) => {
    const box = event.target.querySelector?.("input[data-pick]");
    if (!box) return;
    box.checked = false;
    box.disabled = true;
    forget([box.value]);
    show();
  });

  // Those on other pages go along in one field: a form may have only so many.
  document.addEventListener("submit", (event) => {
    if (event.target.id !== "bulk") return;
    const here = new Set(boxes().map((box) => box.value));
    event.target.elements.also.value = [...picked].filter((id) => !here.has(id)).join(" ");
  });

  document.addEventListener("DOMContentLoaded", restore);
  document.addEventListener("htmx:afterSettle", restore);
})();
