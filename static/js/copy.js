// Copies a text that stands on the page; where the browser does not allow that, it is selected, ready to be copied.
(() => {
  "use strict";
  const SAID_MS = 2_000;

  const select = (element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
  };

  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("[data-copy]");
    const source = button && document.getElementById(button.dataset.copy);
    if (!source) return;
    const before = button.textContent;
    try {
      await navigator.clipboard.writeText(source.textContent);
      button.textContent = say("copied");
    } catch {
      select(source);
      button.textContent = say("selected");
    }
    const live = document.getElementById("live");
    if (live) live.textContent = button.textContent;
    setTimeout(() => (button.textContent = before), SAID_MS);
  });
})();
