// What follows an answer: focus, messages, the guard against a second decision while one is in flight.
(() => {
  "use strict";
  let inFlight = 0;
  // A second tap or click that was meant for the card before must not decide the one that took its place.
  const UNREAD_MS = 300;
  let unreadUntil = 0;

  // Taking back what was just done needs no reading.
  const undoes = (element) => element.getAttribute("action")?.endsWith("/undo/") ?? false;
  const decides = (element) => element instanceof Element && element.matches("[data-decides]");

  window.Desk = { busy: () => inFlight > 0, unread: () => performance.now() < unreadUntil };

  document.addEventListener("htmx:beforeRequest", (event) => {
    if (!decides(event.detail.elt)) return;
    if (inFlight > 0 || (window.Desk.unread() && !undoes(event.detail.elt))) {
      event.preventDefault();
      return;
    }
    inFlight += 1;
    document.getElementById("card")?.setAttribute("aria-busy", "true");
    clearProblem();
  });

  document.addEventListener("htmx:afterRequest", (event) => {
    // The form itself may have been swapped away by now; the event then speaks of what took its place.
    if (!decides(event.detail.requestConfig.elt)) return;
    document.getElementById("card")?.removeAttribute("aria-busy");
    // The next card is in place and its buttons are bound by now: nothing settles later (`defaultSettleDelay`).
    inFlight = Math.max(0, inFlight - 1);
  });

  const clearProblem = () => {
    const slot = document.getElementById("problem");
    if (slot) slot.textContent = "";
  };

  const problem = (text) => {
    const slot = document.getElementById("problem") ?? document.getElementById("live");
    if (!slot) return;
    closeSheets();
    const box = document.createElement("p");
    box.className = "notice bad";
    box.setAttribute("role", "alert");
    box.textContent = text;
    slot.replaceChildren(box);
    box.scrollIntoView({ block: "nearest" });
    // A panel that closed takes the focus with it.
    const focused = document.activeElement;
    if (focused === document.body || !focused?.checkVisibility()) slot.focus({ preventScroll: true });
  };

  const closeSheets = () => {
    for (const sheet of document.querySelectorAll(".sheet:popover-open")) sheet.hidePopover();
  };

  // Looking for news goes on by itself and says nothing when it cannot.
  const polls = (event) => event.detail.elt?.closest?.("[data-poll]") ?? false;

  document.addEventListener("htmx:sendError", (event) => {
    if (polls(event)) return;
    problem(say("noAnswer"));
  });

  document.addEventListener("htmx:responseError", (event) => {
    if (polls(event)) return;
    const { status, responseText } = event.detail.xhr;
    if ([401, 403, 409, 422].includes(status)) return;
    if (status === 400 && responseText.startsWith("invalid_text")) {
      problem(say("invalidText"));
      return;
    }
    problem(say(status === 404 ? "notThere" : "serverError", status));
  });

  const focusCard = () => {
    const card = document.getElementById("card");
    const place = card?.querySelector("[data-focus]") ?? card;
    place?.focus({ preventScroll: true });
    scrollTo({ top: 0, behavior: "instant" });
  };

  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target?.id === "card") {
      unreadUntil = performance.now() + UNREAD_MS;
      focusCard();
    }
    if (event.detail.target?.id === "problem") {
      closeSheets();
      const wanted = event.detail.target.querySelector("[data-field]")?.dataset.field;
      const field = wanted ? document.querySelector(`#card [name="${CSS.escape(wanted)}"]`) : null;
      (field ?? event.detail.target).focus({ preventScroll: false });
    }
  });

  document.addEventListener("click", (event) => {
    const toast = event.target.closest?.("[data-dismiss]")?.closest(".toast");
    if (!toast) return;
    const hadFocus = toast.contains(document.activeElement);
    toast.remove();
    if (hadFocus) document.querySelector("#card [data-focus], main")?.focus({ preventScroll: true });
  });

  // On narrow screens the navigation scrolls: where one is has to be seen.
  document.addEventListener("DOMContentLoaded", () => {
    const here = document.querySelector(".top nav [aria-current]");
    const bar = here?.closest("ul");
    if (!bar || bar.scrollWidth <= bar.clientWidth) return;
    const [link, frame] = [here.getBoundingClientRect(), bar.getBoundingClientRect()];
    bar.scrollLeft += link.left + link.width / 2 - frame.left - frame.width / 2;
  });

  // A page from the browser's memory would show live buttons on an old state (scenario S19).
  addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });

  // Filters apply as they are chosen; without scripts there is a button.
  document.addEventListener("change", (event) => {
    if (event.target.matches?.("form[data-instant] select")) event.target.form.requestSubmit();
  });
})();
