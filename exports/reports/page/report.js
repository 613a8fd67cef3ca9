// Sample items by type, verdict, conversation and words; without it, all of them are shown.
(() => {
  const form = document.getElementById("filter");
  const items = [...document.querySelectorAll("article.item")];
  const keys = ["type", "verdict", "conversation"];
  for (const key of keys) {
    for (const value of [...new Set(items.map((item) => item.dataset[key]))]) {
      form.elements[key].add(new Option(value, value));
    }
  }
  const apply = () => {
    const words = form.elements.words.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const item of items) {
      const text = words.length ? item.textContent.toLowerCase() : "";
      const kept = keys.every((key) => ["", item.dataset[key]].includes(form.elements[key].value));
      item.hidden = !(kept && words.every((word) => text.includes(word)));
      shown += !item.hidden;
    }
    form.querySelector("output").textContent = `${shown} of ${items.length} shown`;
  };
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  // Paper opens nothing: what is closed would not be printed.
  addEventListener("beforeprint", () => {
    for (const one of document.querySelectorAll("#papers details")) one.open = true;
  });
  form.hidden = items.length < 2;
  apply();
})();
