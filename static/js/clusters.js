// Buttons say how many they decide: what is ticked beside the item, and for an approval what closes with it in any case.
(() => {
  "use strict";

  const numbersOf = (cluster) => {
    const boxes = [...cluster.querySelectorAll('input[name="ticked"]')];
    const ticked = boxes.filter((box) => box.checked);
    // Those without a box are no part of anything.
    const shown = [...cluster.querySelectorAll('input[name="shown"]')].map((field) => field.value.split(":"));
    const closing = shown.filter(([, , part]) => part === "closes").length;
    const joining = ticked.filter((box) => box.dataset.part === "joins").length;
    return { approve: 1 + closing + joining, reject: 1 + ticked.length };
  };

  const together = ({ approve, reject }) => {
    if (approve === 1) return reject === 1 ? say("alone") : say("togetherAlone", reject);
    return reject === 1 ? say("apartAlone", approve) : say("together", approve, reject);
  };

  const show = () => {
    const cluster = document.getElementById("cluster");
    if (!cluster?.querySelector('input[name="shown"]')) return;
    const numbers = numbersOf(cluster);
    for (const place of document.querySelectorAll("#card [data-together]")) {
      const number = numbers[place.dataset.together];
      if (place.tagName === "INPUT") place.value = number;
      else place.textContent = number > 1 ? String(number) : "";
    }
    const words = cluster.querySelector("[data-together-words]");
    const said = together(numbers);
    if (words && words.textContent !== said) words.textContent = said;
  };

  document.addEventListener("change", (event) => {
    if (event.target.closest?.("#cluster")) show();
  });
  document.addEventListener("DOMContentLoaded", show);
  document.addEventListener("htmx:afterSettle", show);
})();
