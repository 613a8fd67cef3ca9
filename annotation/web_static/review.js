"use strict";
// Keys, drafts, heartbeats, folded sessions, pictures: what the review pages do by themselves.

const token = document.body.dataset.token || "";
const form = document.getElementById("vote");
const filled = form || document.getElementById("write");
const begun = Date.now();

document.body.addEventListener("htmx:configRequest", (event) => {
  event.detail.headers["X-CSRF-Token"] = token;
});

function writing(target) {
  return target instanceof HTMLElement && (target.matches("input, textarea, select") || target.isContentEditable);
}

// --- keys: the registry comes with the page
const registry = JSON.parse(document.getElementById("key-registry").textContent);
const actions = {
  edit: () => { const part = document.querySelector("[data-edit]"); if (part) { part.open = true; part.querySelector("textarea").focus(); } },
  search: () => document.querySelector("[data-search]")?.focus(),
  captions: () => document.querySelector(".item")?.classList.toggle("hide-captions"),
  gold: () => { const gold = document.querySelector("[data-gold]"); if (gold) gold.open = !gold.open; },
  help: () => document.getElementById("keys").showModal(),
  reject: () => {
    const reason = document.querySelector("[data-reason]");
    if (reason && !reason.value) { reason.focus(); reason.showPicker?.(); } else document.querySelector('button[data-action="reject"]')?.click();
  },
  undo: () => document.querySelector('form[data-action="undo"]')?.requestSubmit(),
};
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && writing(event.target)) { event.target.blur(); return; }
  if ((event.ctrlKey || event.metaKey) && event.key === "Enter" && filled) { filled.requestSubmit(filled.querySelector('[data-action="accept"]')); return; }
  if (writing(event.target) || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const action = registry[event.key];
  if (!action) return;
  event.preventDefault();
  if (actions[action]) actions[action]();
  else document.querySelector(`button[data-action="${action}"]`)?.click();
});
document.querySelector("[data-open-keys]")?.addEventListener("click", actions.help);
document.querySelector("[data-captions]")?.addEventListener("click", actions.captions);

// --- the form: a ticket that makes a submit sent twice one vote, drafts, live rules, heartbeat
if (form) {
  form.elements.ticket.value = crypto.randomUUID ? crypto.randomUUID() : `${Date.now()}-${Math.random()}`;
  form.addEventListener("submit", () => { form.elements.seconds.value = Math.round((Date.now() - begun) / 1000); });
  const send = (url) => fetch(url, { method: "POST", body: new URLSearchParams(new FormData(form)), headers: { "X-CSRF-Token": token, "HX-Request": "true" } });
  let dirty = false;
  let due = 0;
  form.addEventListener("input", () => { dirty = true; due = Date.now() + 600; });
  setInterval(async () => {
    if (!dirty || Date.now() < due) return;
    dirty = false;
    await send(form.dataset.draft);
    const place = document.getElementById("check");
    if (place && form.dataset.check) place.innerHTML = await (await send(form.dataset.check)).text();
  }, 1000);
  setInterval(async () => {
    const answer = await send(form.dataset.heartbeat);
    if (answer.ok) return;
    const line = document.createElement("div");
    line.innerHTML = await answer.text();
    form.prepend(line);
  }, 60000);
}

// --- places of the history are added to the evidence by a click
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-add]");
  const field = filled?.elements.evidence;
  if (!button || !field) return;
  const places = field.value.split(/[\s,]+/).filter(Boolean);
  if (!places.includes(button.dataset.add)) places.push(button.dataset.add);
  field.value = places.join(" ");
  const part = document.querySelector("[data-edit]");
  if (part) part.open = true;
  button.textContent = "Added";
  filled.dispatchEvent(new Event("input", { bubbles: true }));
});

// --- a question that is being written is kept in this browser until it is saved
if (filled && filled !== form) {
  const kept = `memassay-${location.pathname}`;
  if (location.search.includes("saved=")) localStorage.removeItem(kept);
  for (const [name, value] of Object.entries(JSON.parse(localStorage.getItem(kept) || "{}"))) if (filled.elements[name]) filled.elements[name].value = value;
  filled.addEventListener("input", () => localStorage.setItem(kept, JSON.stringify(Object.fromEntries(new FormData(filled)))));
}

// --- sessions are loaded when they are unfolded
document.querySelectorAll("details[data-load]").forEach((part) => {
  part.addEventListener("toggle", async () => {
    const place = part.querySelector(".session-rounds");
    if (!part.open || place.childElementCount) return;
    place.innerHTML = await (await fetch(part.dataset.load)).text();
  });
});
document.querySelectorAll("[data-session]").forEach((mark) => {
  mark.addEventListener("click", () => {
    const part = document.getElementById(`session-${mark.dataset.session}`);
    if (part) part.open = true;
  });
});

// --- pictures: zoom, rotate, side by side
const zoom = document.getElementById("zoom");
if (zoom) {
  const stage = zoom.querySelector(".zoom-stage");
  let kept = null;
  document.addEventListener("click", (event) => {
    const picture = event.target.closest("[data-zoom]");
    if (!picture) return;
    const image = picture.querySelector("img").cloneNode();
    image.removeAttribute("width");
    image.removeAttribute("height");
    stage.replaceChildren(...(kept ? [kept, image] : [image]));
    stage.classList.toggle("two", Boolean(kept));
    kept = null;
    zoom.showModal();
  });
  zoom.querySelector("[data-rotate]").addEventListener("click", () => {
    const image = stage.lastElementChild;
    const turn = (Number(image.dataset.turn || 0) + 1) % 4;
    image.dataset.turn = String(turn);
    image.className = turn ? `turned-${turn}` : "";
  });
  zoom.querySelector("[data-beside]").addEventListener("click", () => { kept = stage.lastElementChild; zoom.close(); });
}

// --- saved views of the queue, kept in this browser
const saved = document.querySelector("[data-saved]");
if (saved) {
  const list = saved.querySelector("[data-views]");
  const read = () => JSON.parse(localStorage.getItem("memassay-views") || "[]");
  const show = () => {
    list.replaceChildren(...read().map((query) => {
      const link = document.createElement("a");
      link.href = `/?${query}`;
      link.textContent = [...new URLSearchParams(query).values()].join(" + ").replaceAll("_", " ");
      link.className = "view";
      return link;
    }));
    const current = location.search.slice(1);
    saved.querySelector("[data-save-view]").hidden = !current || read().includes(current);
    saved.hidden = !read().length && !current;
  };
  saved.querySelector("[data-save-view]").addEventListener("click", () => {
    localStorage.setItem("memassay-views", JSON.stringify([...read(), location.search.slice(1)].slice(-8)));
    show();
  });
  document.querySelector("[data-filters]").addEventListener("submit", (event) => {
    for (const part of event.target.querySelectorAll("select")) part.disabled = !part.value;
  });
  show();
}
