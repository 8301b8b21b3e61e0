// Single-key shortcuts: never while typing, composing, repeating, with a modifier, or while a decision is in flight (S20).
(() => {
  "use strict";
  const TEXT_TYPES = new Set(["text", "search", "password", "email", "url", "tel", "number", "date", "datetime-local", "time"]);

  const typing = (element) => {
    if (!(element instanceof HTMLElement)) return false;
    if (element.isContentEditable || element.tagName === "TEXTAREA" || element.tagName === "SELECT") return true;
    return element.tagName === "INPUT" && TEXT_TYPES.has(element.type);
  };

  const composed = (event) => event.isComposing || event.keyCode === 229;
  // Shift is part of typing ?, X and on some keyboards the digits; a small letter with it (Caps Lock is on) is no shortcut.
  const shifted = (event) => event.shiftKey && /^\p{Ll}$/u.test(event.key);
  const modified = (event) =>
    event.ctrlKey || event.altKey || event.metaKey || shifted(event) || event.getModifierState("AltGraph");

  const usable = (element) => !element.disabled && element.getAttribute("aria-disabled") !== "true" && element.getClientRects().length > 0;

  const openPopover = () => [...document.querySelectorAll("[popover]:popover-open")].pop() ?? null;

  // The control on screen that carries the key: inside an open panel only that panel's, else none of any panel's.
  const controlFor = (key) => {
    const panel = openPopover();
    const found = [...(panel ?? document).querySelectorAll(`[data-key="${CSS.escape(key)}"]`)];
    return found.find((element) => (panel !== null || element.closest("[popover]") === null) && usable(element)) ?? null;
  };

  const rowAfter = (step) => {
    const rows = [...document.querySelectorAll("[data-row]")].filter(usable);
    if (rows.length === 0) return null;
    const at = rows.findIndex((row) => row === document.activeElement || row.closest("li")?.contains(document.activeElement));
    if (at === -1) return rows[step > 0 ? 0 : rows.length - 1];
    return rows[Math.min(rows.length - 1, Math.max(0, at + step))];
  };

  const moveTo = (row) => {
    row.focus({ preventScroll: true });
    row.closest("li, tr")?.scrollIntoView({ block: "nearest" });
  };

  const act = (event, element) => {
    event.preventDefault();
    if (typing(element)) {
      element.focus();
      element.select?.();
    } else {
      element.click();
    }
  };

  // Whether a key was meant as a shortcut at all.
  const counts = (event) => {
    if (event.defaultPrevented || event.repeat || composed(event) || modified(event)) return false;
    if (document.body.dataset.shortcuts === "off" || typing(event.target)) return false;
    return !(window.Desk?.busy() || (window.Desk?.unread() && event.key !== "u"));
  };

  window.Keys = { counts };

  document.addEventListener("keydown", (event) => {
    if (!counts(event)) return;
    const key = event.key;
    if (key === "?") {
      event.preventDefault();
      document.getElementById("help")?.togglePopover();
      return;
    }
    if ((key === "j" || key === "k") && openPopover() === null) {
      const row = rowAfter(key === "j" ? 1 : -1);
      if (row) {
        event.preventDefault();
        moveTo(row);
        return;
      }
    }
    if (key === "o" && openPopover() === null && document.activeElement?.matches("[data-row]")) {
      event.preventDefault();
      document.activeElement.click();
      return;
    }
    const element = key.length === 1 ? controlFor(key) : null;
    if (element) act(event, element);
  });
})();
