// The words that scripts say. They stand in the page, in its language; each {} is filled in turn.
(() => {
  "use strict";
  window.say = (name, ...values) => {
    const text = document.getElementById("words")?.dataset[name] ?? "";
    return values.reduce((said, value) => said.replace("{}", () => String(value)), text);
  };
})();
