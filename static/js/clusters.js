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
    const alone = numbers.approve === 1 ? "this one alone" : `${numbers.approve} of them`;
    const said = `Approve decides ${alone}, Reject and Snooze ${numbers.reject === 1 ? "this one alone" : numbers.reject}`;
    if (words && words.textContent !== said) words.textContent = said;
  };

  document.addEventListener("change", (event) => {
    if (event.target.closest?.("#cluster")) show();
  });
  document.addEventListener("DOMContentLoaded", show);
  document.addEventListener("htmx:afterSettle", show);
})();
