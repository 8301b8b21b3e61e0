// The search box offers what may follow at the caret; rows that somebody decided meanwhile turn grey where they stand.
(() => {
  "use strict";
  // htmx's mark: an expired session then answers 401 instead of a login page.
  const HEADERS = { "HX-Request": "true" };
  const live = (text) => {
    const region = document.getElementById("live");
    if (region) region.textContent = text;
  };

  const suggesting = (box, list) => {
    const WAIT_MS = 120;
    let timer = 0;
    let asked = null;
    let active = -1;

    const options = () => [...list.children];
    const isOpen = () => !list.hidden;

    const mark = (place) => {
      active = place;
      options().forEach((option, at) => option.setAttribute("aria-selected", String(at === place)));
      const chosen = options()[place];
      if (chosen) {
        box.setAttribute("aria-activedescendant", chosen.id);
        chosen.scrollIntoView({ block: "nearest" });
      } else {
        box.removeAttribute("aria-activedescendant");
      }
    };

    const close = () => {
      clearTimeout(timer);
      asked?.abort();
      list.hidden = true;
      list.replaceChildren();
      box.setAttribute("aria-expanded", "false");
      mark(-1);
    };

    const show = (html) => {
      // Comes from our own server, escaped there; the policy of the page runs nothing inline.
      list.innerHTML = html;
      list.hidden = list.children.length === 0;
      box.setAttribute("aria-expanded", String(isOpen()));
      mark(-1);
      if (isOpen()) live(say(list.children.length === 1 ? "suggestion" : "suggestions", list.children.length));
    };

    const ask = async () => {
      asked?.abort();
      asked = new AbortController();
      const query = new URLSearchParams({ q: box.value, at: String(box.selectionStart ?? box.value.length) });
      try {
        const answer = await fetch(`${box.dataset.suggest}?${query}`, { headers: HEADERS, signal: asked.signal });
        if (answer.ok && document.activeElement === box) show(await answer.text());
        else close();
      } catch (error) {
        if (error.name !== "AbortError") close();
      }
    };

    const soon = () => {
      clearTimeout(timer);
      timer = setTimeout(ask, WAIT_MS);
    };

    const take = (option) => {
      const { text, start, end } = option.dataset;
      const behind = box.value.slice(Number(end));
      const filled = text + ("ends" in option.dataset && !/^\s/.test(behind) ? " " : "");
      box.value = box.value.slice(0, Number(start)) + filled + behind;
      const caret = Number(start) + filled.length;
      box.setSelectionRange(caret, caret);
      box.focus();
      if ("ends" in option.dataset) close();
      else ask();
    };

    box.setAttribute("role", "combobox");
    box.setAttribute("aria-autocomplete", "list");
    box.setAttribute("aria-haspopup", "listbox");
    box.setAttribute("aria-controls", list.id);
    box.setAttribute("aria-expanded", "false");

    box.addEventListener("input", soon);
    box.addEventListener("blur", close);
    box.addEventListener("keydown", (event) => {
      if (event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
      const count = list.children.length;
      if (event.key === "ArrowDown" && !isOpen()) {
        event.preventDefault();
        ask();
      } else if (!isOpen()) {
        return;
      } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        const step = event.key === "ArrowDown" ? 1 : -1;
        // One place more than there are options: there is nothing chosen between the last and the first.
        mark(((active + 1 + step + count + 1) % (count + 1)) - 1);
      } else if (event.key === "Enter" && active >= 0) {
        event.preventDefault();
        take(options()[active]);
      } else if (event.key === "Escape") {
        event.preventDefault();
        close();
      }
    });
    // Pressing on an option must not take the focus from the box, which would close the list.
    list.addEventListener("pointerdown", (event) => event.preventDefault());
    list.addEventListener("click", (event) => {
      const option = event.target.closest("[role=option]");
      if (option) take(option);
    });
  };

  const watching = (list) => {
    const EVERY_MS = 10_000;
    const IDLE_MS = 30 * 60_000;
    let asked = performance.now();
    let used = performance.now();

    const end = (row, { word, said, shape, by }) => {
      delete row.dataset.waits;
      row.classList.add("ended");
      const badge = document.createElement("span");
      badge.className = `badge status-${word}`;
      const sign = document.createElement("span");
      sign.className = "shape";
      sign.setAttribute("aria-hidden", "true");
      sign.textContent = shape;
      badge.append(sign, said);
      badge.title = by ? say("endedBy", said, by) : said;
      row.querySelector(".state")?.replaceChildren(badge);
      row.dispatchEvent(new CustomEvent("desk:ended", { bubbles: true }));
    };

    const look = async () => {
      if (document.visibilityState !== "visible" || performance.now() - used > IDLE_MS) return;
      const rows = new Map([...list.querySelectorAll("[data-waits]")].map((row) => [row.dataset.id, row]));
      if (rows.size === 0) return;
      asked = performance.now();
      try {
        const answer = await fetch(`${list.dataset.watch}?ids=${[...rows.keys()].join(",")}`, { headers: HEADERS });
        if (!answer.ok) return;
        const { ended } = await answer.json();
        for (const one of ended) end(rows.get(one.id), one);
        if (ended.length > 0) live(ended.length === 1 ? say("oneEnded") : say("someEnded", ended.length));
      } catch {
        // The server is away: the next look will tell.
      }
    };

    for (const kind of ["pointerdown", "keydown", "wheel", "pointermove"]) {
      addEventListener(kind, () => (used = performance.now()), { passive: true });
    }
    setInterval(look, EVERY_MS);
    document.addEventListener("visibilitychange", () => {
      if (performance.now() - asked > EVERY_MS) look();
    });
  };

  const box = document.querySelector("[data-suggest]");
  const options = document.getElementById("suggestions");
  if (box && options) suggesting(box, options);
  const list = document.querySelector("[data-watch]");
  if (list) watching(list);
})();
