"use strict";
// Keys, live rules, folded sessions, pictures: what the review pages do beside saving (save.js).

const form = document.getElementById("vote");
const filled = form || document.getElementById("write");
const begun = Date.now();

document.body.addEventListener("htmx:configRequest", (event) => {
  event.detail.headers["X-CSRF-Token"] = token;
});

function writing(target) {
  return target instanceof HTMLElement && (target.matches("input, textarea, select") || target.isContentEditable);
}

// --- the column of the decision ends where the window does: its buttons are always in view
const column = document.querySelector(".left");
function fitColumn() {
  const root = document.documentElement.style;
  root.setProperty("--bar", `${document.querySelector("header.bar").offsetHeight}px`);
  if (column) root.setProperty("--above", `${Math.ceil(column.offsetParent ? column.getBoundingClientRect().top + scrollY : 0)}px`);
}
addEventListener("load", fitColumn);
addEventListener("resize", fitColumn);

// --- where the evidence stands on a picture, on demand
function mark(button, on) {
  button.setAttribute("aria-pressed", String(on));
  button.closest("figure, .leaf, dialog")?.classList.toggle("where", on);
}
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-where]");
  if (button) mark(button, button.getAttribute("aria-pressed") !== "true");
});

// --- keys: the registry comes with the page
const registry = JSON.parse(document.getElementById("key-registry").textContent);
function card(step) {
  const all = [...document.querySelectorAll("[data-cluster]")];
  const at = all.indexOf(document.activeElement.closest("[data-cluster]"));
  all[Math.min(Math.max(at + step, 0), all.length - 1)]?.focus();
}
const actions = {
  edit: () => { const part = document.querySelector("[data-edit]"); if (part) { part.open = true; part.querySelector("textarea").focus(); } },
  judged: () => document.querySelector(".judged input")?.focus(),
  jump: () => document.querySelector("[data-jump]")?.focus(),
  sources: () => {
    const all = [...document.querySelectorAll("[data-source]")];
    const open = all.some((one) => !one.open);
    for (const one of all) one.open = open;
  },
  search: () => document.querySelector("[data-search]")?.focus(),
  captions: () => {
    const hidden = document.querySelector(".item")?.classList.toggle("hide-captions");
    document.querySelector("[data-captions]")?.setAttribute("aria-pressed", String(Boolean(hidden)));
  },
  where: () => {
    const all = [...document.querySelectorAll("figure [data-where], .leaf [data-where]")];
    const on = all.some((button) => button.getAttribute("aria-pressed") !== "true");
    all.forEach((button) => mark(button, on));
  },
  gold: () => { const gold = document.querySelector("[data-gold]"); if (gold) gold.open = !gold.open; },
  query: () => {
    const part = document.querySelector("[data-query]");
    if (!part) return;
    part.open = true;
    if (filled.elements.query.value.trim()) part.querySelector("[data-run]").click();
    else filled.elements.query.focus();
  },
  next_card: () => card(1),
  last_card: () => card(-1),
  help: () => document.getElementById("keys").showModal(),
  undo: () => document.querySelector('form[data-action="undo"]')?.requestSubmit(),
};
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && writing(event.target)) { event.target.blur(); return; }
  if ((event.ctrlKey || event.metaKey) && event.key === "Enter" && filled) { const accept = filled.querySelector('[data-action="accept"]'); if (accept || filled !== form) filled.requestSubmit(accept); return; }
  if (writing(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
  const action = registry[event.key];
  if (!action) return;
  const open = document.querySelector("dialog[open]");
  if (open?.id === "reasons") { open.querySelectorAll("[data-reason-code]")[Number(event.key) - 1]?.click(); return; }
  const button = open
    ? open.querySelector(`[data-zoom-action="${action}"]`)
    : document.querySelector(`button[data-action="${action}"], a[data-action="${action}"]`);
  if (open ? !button : !button && !actions[action]) return;
  event.preventDefault();
  if (!open && actions[action]) actions[action]();
  else button.click();
});
// A rejection without a reason asks for it: one key more.
const reasons = document.getElementById("reasons");
const rejecting = document.querySelector('button[data-action="reject"]');
rejecting?.addEventListener("click", (event) => {
  if (form.elements.reason.value) return;
  event.preventDefault();
  reasons.showModal();
});
reasons?.addEventListener("click", (event) => {
  const chosen = event.target.closest("[data-reason-code]");
  if (!chosen) return;
  reasons.close();
  form.elements.reason.value = chosen.dataset.reasonCode;
  form.dispatchEvent(new Event("input", { bubbles: true }));
  rejecting.click();
});
document.querySelector("[data-open-keys]")?.addEventListener("click", actions.help);
document.querySelector("[data-captions]")?.addEventListener("click", actions.captions);

// --- the form: a ticket that makes a submit sent twice one vote, live rules
if (form) {
  form.elements.ticket.value = crypto.randomUUID ? crypto.randomUUID() : `${Date.now()}-${Math.random()}`;
  form.addEventListener("submit", () => { form.elements.seconds.value = Math.round((Date.now() - begun) / 1000); });
  const place = document.getElementById("check");
  let unchecked = false;
  let checking = false;
  let quiet = 0;
  form.addEventListener("input", () => { unchecked = true; quiet = Date.now() + 600; });
  // The rules are asked in a pause.
  setInterval(async () => {
    if (!unchecked || checking || form.dataset.busy || Date.now() < quiet || !place || !form.dataset.check) return;
    [unchecked, checking] = [false, true];
    const became = await send(form.dataset.check, new URLSearchParams(new FormData(form)));
    checking = false;
    if (became.kind === "done" && !unchecked) place.innerHTML = became.text;
    else if (became.kind === "refused") place.textContent = became.message;
  }, 200);
}

// --- while this item is read the next one is made ready; nothing is leased by it
if (form) addEventListener("load", () => setTimeout(async () => {
  const answer = await fetch(`/next/warm${location.search}`, { headers: { "X-Save": "1" } }).catch(() => null);
  if (answer?.ok) for (const place of (await answer.json()).images) new Image().src = place;
}, 300));

// --- places of the history are added to the evidence, or taken out of it, by a click
const cited = (field) => field.value.split(/[\s,]+/).filter(Boolean);
function labelPlaces() {
  const field = filled?.elements.evidence;
  if (!field) return;
  const places = cited(field);
  for (const button of document.querySelectorAll("[data-add]")) {
    const label = places.includes(button.dataset.add) ? "Remove from evidence" : "Add as evidence";
    if (button.textContent !== label) button.textContent = label;
  }
}
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-add]");
  const field = filled?.elements.evidence;
  if (!button || !field) return;
  const place = button.dataset.add, places = cited(field);
  field.value = (places.includes(place) ? places.filter((one) => one !== place) : [...places, place]).join(" ");
  const part = document.querySelector("[data-edit]");
  if (part) part.open = true;
  filled.dispatchEvent(new Event("input", { bubbles: true }));
});
// --- the gold is filled in from what a query gives; of a changed query nothing is shown
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-fill]");
  if (!button) return;
  event.preventDefault();
  for (const [name, value] of Object.entries(JSON.parse(button.dataset.fill))) filled.elements[name].value = value;
  button.textContent = "Filled in above";
  filled.dispatchEvent(new Event("input", { bubbles: true }));
});
const queried = document.getElementById("queried");
queried?.addEventListener("htmx:afterSwap", () => queried.scrollIntoView({ block: "nearest" }));
if (queried) filled.addEventListener("input", (event) => { if (["query", "relation"].includes(event.target.name)) queried.replaceChildren(); });
if (filled?.elements.evidence) {
  labelPlaces();
  filled.addEventListener("input", labelPlaces);
  // Enter in a line of text presses the first button of a form, here one that has nothing to do with it.
  filled.elements.evidence.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) event.preventDefault();
  });
  // Rounds come in by search and as sessions are unfolded.
  new MutationObserver(labelPlaces).observe(document.body, { childList: true, subtree: true });
}

// --- sessions are loaded when they are unfolded; a place in a folded one unfolds it
async function unfold(part) {
  const place = part.querySelector(".session-rounds");
  if (place.querySelector(".round")) return;
  const answer = await fetch(part.dataset.load, { headers: { "X-Save": "1" } }).catch(() => null);
  if (answer) place.innerHTML = await answer.text();
  else place.textContent = "The server cannot be reached. Fold the session and unfold it again in a while.";
}
async function go(place) {
  if (!document.getElementById(place)) {
    const part = document.getElementById(`session-${place.split(":")[0]}`);
    if (!part) return;
    await unfold(part);
    part.open = true;
  }
  document.getElementById(place)?.scrollIntoView();
}
document.querySelectorAll("details[data-load]").forEach((part) => {
  part.addEventListener("toggle", () => { if (part.open) unfold(part); });
});
document.querySelectorAll("[data-session]").forEach((mark) => {
  mark.addEventListener("click", () => {
    const part = document.getElementById(`session-${mark.dataset.session}`);
    if (part) part.open = true;
  });
});
document.addEventListener("click", (event) => {
  const link = event.target.closest('a.place[href^="#"]');
  if (link) go(decodeURIComponent(link.hash.slice(1)));
});
if (location.hash) go(decodeURIComponent(location.hash.slice(1)));

// --- pictures: larger, turned, side by side, with the boxes of the evidence
const zoom = document.getElementById("zoom");
if (zoom) {
  const stage = zoom.querySelector(".zoom-stage");
  const whereButton = zoom.querySelector('[data-zoom-action="where"]');
  let kept = null;
  // A picture is fitted to its share of the window, then made larger and turned from there.
  const fit = (shown) => {
    const image = shown.querySelector("img");
    const turned = Number(shown.dataset.turn) % 2 === 1;
    const [width, height] = turned ? [image.naturalHeight, image.naturalWidth] : [image.naturalWidth, image.naturalHeight];
    if (!width) return;
    const room = (0.9 * innerWidth) / stage.childElementCount - 24;
    const scale = Math.min(room / width, (0.74 * innerHeight) / height, 2) * Number(shown.dataset.scale);
    const sheet = shown.firstElementChild;
    shown.style.width = `${width * scale}px`;
    shown.style.height = `${height * scale}px`;
    sheet.style.width = `${image.naturalWidth * scale}px`;
    sheet.style.height = `${image.naturalHeight * scale}px`;
    sheet.style.transform = `translate(-50%, -50%) rotate(${90 * Number(shown.dataset.turn)}deg)`;
  };
  const fitAll = () => [...stage.children].forEach(fit);
  const show = (picture) => {
    const shown = document.createElement("div");
    const sheet = document.createElement("div");
    shown.className = "zoomed";
    shown.dataset.scale = "1";
    shown.dataset.turn = "0";
    const image = picture.querySelector("img").cloneNode();
    image.loading = "eager";
    image.addEventListener("load", fitAll);
    sheet.append(image);
    const boxes = picture.querySelector(".boxes");
    if (boxes) sheet.append(boxes.cloneNode(true));
    shown.append(sheet);
    stage.replaceChildren(...(kept ? [kept, shown] : [shown]));
    kept = null;
    whereButton.hidden = !stage.querySelector(".boxes");
    mark(whereButton, picture.closest("figure")?.classList.contains("where") ?? false);
    zoom.showModal();
    fitAll();
  };
  const change = (by) => {
    for (const shown of stage.children) shown.dataset.scale = String(Math.min(Math.max(Number(shown.dataset.scale) * by, 0.5), 6));
    fitAll();
  };
  const doing = {
    larger: () => change(1.25),
    smaller: () => change(0.8),
    turn: () => {
      const shown = stage.lastElementChild;
      shown.dataset.turn = String((Number(shown.dataset.turn) + 1) % 4);
      fitAll();
    },
    beside: () => { kept = stage.lastElementChild; zoom.close(); },
    where: () => mark(whereButton, whereButton.getAttribute("aria-pressed") !== "true"),
  };
  document.addEventListener("click", (event) => {
    const picture = event.target.closest("[data-zoom]");
    if (picture) show(picture);
  });
  zoom.addEventListener("click", (event) => {
    const button = event.target.closest("[data-zoom-action]");
    if (button) doing[button.dataset.zoomAction]();
  });
  addEventListener("resize", () => { if (zoom.open) fitAll(); });
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

// --- a text of another reviewer is taken over, to be decided on or worked into one's own
document.querySelectorAll("[data-use]").forEach((button) => button.addEventListener("click", () => {
  const field = form.elements.answer;
  field.value = document.getElementById(button.dataset.use).textContent;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.focus();
}));

// --- how long a text is, beside where it is written
const words = document.querySelector("[data-words]");
if (words) {
  const count = () => { const number = (form.elements.answer.value.match(/\S+/g) || []).length; words.textContent = `${number} ${number === 1 ? "word" : "words"}`; };
  form.addEventListener("input", count);
  count();
}
