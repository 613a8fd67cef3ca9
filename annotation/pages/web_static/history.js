"use strict";
// What the page of a history does by itself: words are selected, forms get the focus, Ctrl Enter.

document.addEventListener("selectionchange", () => {
  const text = document.activeElement;
  if (!(text instanceof HTMLTextAreaElement) || !text.matches("[data-select]")) return;
  const [from, to] = [text.selectionStart, text.selectionEnd];
  const form = text.form;
  if (from === to || form.elements.words.value === text.value.slice(from, to)) return;
  form.elements.words.value = text.value.slice(from, to);
  // Places in texts are counted in code points, the browser counts in halves of some of them.
  form.elements.start.value = [...text.value.slice(0, from)].length;
  form.elements.words.dispatchEvent(new Event("input", { bubbles: true }));
});
// A field that may not be written in has no cursor to select with: this one has, and takes nothing.
document.addEventListener("beforeinput", (event) => {
  if (event.target instanceof HTMLTextAreaElement && event.target.matches("[data-select]")) event.preventDefault();
});
document.body.addEventListener("htmx:afterSwap", (event) => {
  if (event.target.id !== "operation") return;
  const form = event.target.querySelector("form");
  event.target.scrollIntoView({ block: "nearest" });
  (form?.querySelector("[autofocus]") || form?.querySelector("[data-focus]"))?.focus();
});
document.addEventListener("keydown", (event) => {
  const form = document.querySelector("[data-operation]");
  if ((event.ctrlKey || event.metaKey) && event.key === "Enter" && form) form.querySelector('[data-action="accept"]')?.click();
});
