// The lease on the item that is open: a heartbeat while the tab is looked at, and the time that is left.
(() => {
  "use strict";
  const BEAT_MS = 30_000;
  let lastBeat = performance.now();

  const lease = () => document.querySelector("#lease[data-url]");

  const endOf = (element) => {
    element.leaseEnds ??= performance.now() + Number(element.dataset.left) * 1000;
    return element.leaseEnds;
  };

  const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

  const showLeft = () => {
    const element = document.querySelector("#lease[data-left]");
    const face = element?.querySelector("[data-countdown]");
    if (face) face.textContent = clock(Math.max(0, (endOf(element) - performance.now()) / 1000));
  };

  const beat = () => {
    const element = lease();
    if (!element || document.visibilityState !== "visible" || window.Desk?.busy()) return;
    lastBeat = performance.now();
    htmx.ajax("POST", element.dataset.url, {
      source: element,
      target: element,
      swap: "outerHTML",
      values: { token: element.dataset.token ?? "", seen: document.getElementById("card")?.dataset.version ?? "" },
    });
  };

  // Decided or changed by somebody else: greyed where it stands, nothing moves; its own link shows what became of it.
  const greyOut = () => {
    const gone = document.querySelector("#lease[data-gone]");
    const card = document.getElementById("card");
    if (!gone || !card || card.dataset.gone) return;
    card.dataset.gone = gone.dataset.gone;
    for (const button of card.querySelectorAll(".actions button")) button.setAttribute("aria-disabled", "true");
    const live = document.getElementById("live");
    if (live) live.textContent = say("itemWas", gone.dataset.gone);
  };

  document.addEventListener("htmx:afterSettle", greyOut);

  setInterval(showLeft, 1000);
  setInterval(beat, BEAT_MS);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible" && performance.now() - lastBeat > BEAT_MS) beat();
  });
})();
