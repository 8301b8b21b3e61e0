// The card that will most likely come next is fetched ahead and shown the moment a decision is sent, to read only: its buttons
// work once the answer has put the claimed card in its place. A refusal brings the card before back, with what was typed.
(() => {
  "use strict";
  const AFTER_MS = 250;
  let ahead = null; // { item, preview, after }
  let timer = 0;

  const card = () => document.getElementById("card");
  const moves = (element) =>
    element instanceof Element && element.matches("#card [data-decides]") && !element.getAttribute("action")?.endsWith("/undo/");
  const usable = () => ahead !== null && ahead.after === card()?.dataset.item;

  // To look at: nothing in it can be pressed, found by its name or mistaken for the card that is being decided.
  const unnamed = (name) => ["id", "name", "form"].includes(name) || name.startsWith("hx-") || name.startsWith("data-");

  const previewOf = (found) => {
    const preview = document.createElement("div");
    preview.className = "preview";
    preview.inert = true;
    preview.append(...found.children);
    for (const part of preview.querySelectorAll("[popover]")) part.remove();
    for (const part of preview.querySelectorAll("*")) {
      for (const name of part.getAttributeNames().filter(unnamed)) part.removeAttribute(name);
    }
    return preview;
  };

  const fetchAhead = async () => {
    const address = card()?.dataset.peek;
    if (!address || document.visibilityState !== "visible") return;
    const after = card().dataset.item;
    try {
      const answer = await fetch(address, { headers: { "HX-Request": "true" }, redirect: "error" });
      if (answer.status !== 200 || card()?.dataset.item !== after) return;
      const found = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("card");
      if (found?.dataset.item) ahead = { item: found.dataset.item, preview: previewOf(found), after };
    } catch {
      // No next card then: the answer brings it.
    }
  };

  const plan = () => {
    clearTimeout(timer);
    if (usable()) return;
    ahead = null;
    timer = setTimeout(fetchAhead, AFTER_MS);
  };

  document.addEventListener("htmx:configRequest", (event) => {
    if (moves(event.detail.elt) && usable()) event.detail.parameters.next = ahead.item;
  });

  document.addEventListener("htmx:beforeSend", (event) => {
    if (!moves(event.detail.elt) || !usable()) return;
    for (const sheet of document.querySelectorAll(".sheet:popover-open")) sheet.hidePopover();
    for (const part of card().children) part.hidden = true;
    card().append(ahead.preview.cloneNode(true));
    scrollTo({ top: 0, behavior: "instant" });
  });

  const bringBack = () => {
    const here = card();
    const preview = here?.querySelector(":scope > .preview");
    if (!preview) return;
    preview.remove();
    for (const part of here.children) part.hidden = false;
  };

  // 409 draws the card anew from the answer; every other refusal speaks beside the card that was there.
  document.addEventListener("htmx:beforeOnLoad", (event) => {
    const status = event.detail.xhr.status;
    if (status >= 400 && status !== 409) bringBack();
  });
  for (const lost of ["htmx:sendError", "htmx:timeout", "htmx:sendAbort"]) document.addEventListener(lost, bringBack, true);

  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target?.id === "card") plan();
  });
  document.addEventListener("visibilitychange", plan);
  document.addEventListener("DOMContentLoaded", plan);
})();
