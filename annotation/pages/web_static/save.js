"use strict";
// Saving: all that people fill in is sent from here, and kept in this browser until it is saved.
// A form with data-save is sent without leaving the page, which goes on once the server answers
// that it is saved. With data-keep, the browser keeps a copy of what is typed; with data-draft, the
// server keeps one, too. Copies are by account: another account never reads them.

const account = document.body.dataset.account || "";
let token = document.body.dataset.token || "";
const DAYS_KEPT = 30;
const DRAFT_PATIENCE = 20000;
// Tells this page from others of the same item, in this browser and elsewhere.
const PAGE = Math.random().toString(36).slice(2);
const ENDED = "Your session has ended. What you type is kept in this browser.";
const UNREACHED = "The server cannot be reached. What you type is kept in this browser and sent when it answers.";

// --- copies in this browser
const PREFIX = "memassay:copy:";
const copyName = (form) => `${PREFIX}${encodeURIComponent(account)}:${location.pathname}:${form.dataset.keep}`;
const copies = {
  read: (name) => { try { return JSON.parse(localStorage.getItem(name)); } catch { return null; } },
  write: (name, copy) => { try { localStorage.setItem(name, JSON.stringify({ at: Date.now(), page: PAGE, ...copy })); return true; } catch { return false; } },
  forget: (name) => { try { localStorage.removeItem(name); } catch { /* nothing is kept where nothing can be */ } },
  names: () => { try { return Object.keys(localStorage); } catch { return []; } },
};
for (const name of copies.names()) {
  // Earlier copies of questions stood under the page alone, for any account to read.
  const old = name.startsWith(PREFIX) && Date.now() - (copies.read(name)?.at || 0) > DAYS_KEPT * 86400000;
  if (old || name.startsWith("memassay-/")) copies.forget(name);
}

const typed = (field) => field.name && !["hidden", "file", "submit", "button", "password"].includes(field.type);
const fieldsOf = (form) => [...form.elements].filter((one) => typed(one) && (one.checked || !["radio", "checkbox"].includes(one.type))).map((one) => [one.name, one.value]);
function fill(form, fields) {
  for (const box of form.querySelectorAll("input[type=checkbox]")) box.checked = fields.some(([name]) => name === box.name);
  for (const [name, value] of fields) {
    const field = form.elements[name];
    if (!field || (field instanceof Element && !typed(field))) continue;
    if (field instanceof HTMLSelectElement && ![...field.options].some((one) => one.value === value)) continue;
    if (field.value === value) continue;
    field.value = value;
    if (field instanceof Element) field.closest("details")?.setAttribute("open", "");
  }
}

// --- one way to the server; gives what became of it: done, offline, ended, changed, refused or failed
async function renewed() {
  const answer = await fetch("/session", { headers: { "X-Save": "1" } });
  if (!answer.ok) return "";
  const now = await answer.json();
  if (now.reviewer !== account || now.token === token) return now.reviewer;
  token = now.token;
  for (const field of document.querySelectorAll("input[name=token]")) field.value = token;
  return account;
}
function tooLarge(body) {
  const sent = body instanceof FormData;
  const largest = Number(sent ? document.body.dataset.upload : document.body.dataset.body) || Infinity;
  const size = sent ? [...body].reduce((sum, [, value]) => sum + (typeof value === "string" ? value.length : value.size), 0) : `${body}`.length;
  return size > largest ? `This is too large to be sent: ${Math.ceil(size / 1024)} KiB, ${Math.floor(largest / 1024)} at most.` : "";
}
async function ask(url, body, more) {
  // The token goes in a header: the session may be another by the time the body is sent again.
  body.delete("token");
  return fetch(url, { method: "POST", body, redirect: "manual", ...more, headers: { "X-CSRF-Token": token, "X-Save": "1" } });
}
async function send(url, body, more = {}) {
  // Looked at here: a server that refuses it unread looks like one that cannot be reached.
  const large = tooLarge(body);
  if (large) return { kind: "refused", status: 413, field: "", message: large };
  try {
    const before = token;
    let answer = await ask(url, body, more);
    if ([401, 403].includes(answer.status)) {
      const who = await renewed();
      if (who !== account) return { kind: "ended", who };
      if (token !== before) answer = await ask(url, body, more);
    }
    if (answer.type === "opaqueredirect" || answer.status === 401) return { kind: "ended", who: "" };
    const text = await answer.text();
    if (answer.ok) return { kind: "done", onward: answer.headers.get("X-Onward"), text };
    if (answer.status === 409 && answer.headers.get("Content-Type") === "application/json") return { kind: "changed", draft: JSON.parse(text) };
    const shown = new DOMParser().parseFromString(text, "text/html");
    const own = shown.querySelector("[role=alert]")?.textContent.trim();
    const bare = `The server answered ${answer.status}: ${shown.body.textContent.trim().slice(0, 200)}. What you typed is still here.`;
    const kind = answer.status >= 500 ? "failed" : "refused";
    return { kind, status: answer.status, field: answer.headers.get("X-Field") || "", message: own || bare };
  } catch {
    return { kind: "offline" };
  }
}

// --- what became of it, in the form
function say(form, state, ...parts) {
  const place = form.querySelector("[data-state]");
  if (!place) return;
  place.dataset.state = state;
  place.replaceChildren(...parts);
}
function link() {
  const again = document.createElement("a");
  again.dataset.login = "";
  again.href = "/login";
  again.textContent = "Log in again";
  return again;
}
document.addEventListener("click", (event) => {
  const again = event.target.closest("[data-login]");
  if (again) again.href = `/login?${new URLSearchParams({ next: location.pathname + location.search })}`;
});
function settle(form) {
  form.querySelectorAll("[data-problem]").forEach((one) => one.remove());
  for (const field of form.querySelectorAll("[aria-invalid]")) { field.removeAttribute("aria-invalid"); field.removeAttribute("aria-describedby"); }
}
function complain(form, message, name = "") {
  settle(form);
  const line = document.createElement("p");
  line.className = "alert";
  line.setAttribute("role", "alert");
  line.dataset.problem = "";
  line.id = `problem-${Date.now()}`;
  line.textContent = message;
  const found = name ? form.elements[name] : null;
  const field = found instanceof Element && typed(found) ? found : null;
  const place = form.querySelector("[data-state]");
  if (field) {
    field.closest("details")?.setAttribute("open", "");
    field.setAttribute("aria-invalid", "true");
    field.setAttribute("aria-describedby", line.id);
    (field.closest("label, .reject") || field).after(line);
    field.focus();
  } else if (place) place.before(line);
  else document.getElementById("main").prepend(line);
  line.scrollIntoView({ block: "nearest" });
}
function report(form, became, again) {
  if (became.kind === "ended") {
    const who = became.who ? `This browser is logged in as ${became.who} now. What ${account} typed stays for ${account}. ` : `${ENDED} `;
    say(form, "ended", who, link());
  } else if (became.kind === "offline") say(form, "offline", again || UNREACHED);
  else if (became.kind === "changed") complain(form, "Another page of yours has changed this. Reload the page.");
  else say(form, "refused", "");
  if (became.kind === "refused" || became.kind === "failed") complain(form, became.message, became.field);
}

// --- forms that are kept
const kept = new WeakMap();
const drafts = [];
function keep(form) {
  const name = copyName(form);
  const own = { unsaved: false, gone: false, waiting: Promise.resolve(), since: 0, again: 0 };
  kept.set(form, own);
  // The copy of another page of this item is not this one's to forget.
  own.forget = () => { own.unsaved = false; if ((copies.read(name) || { page: PAGE }).page === PAGE) copies.forget(name); };
  // What the server had when this was typed: a copy of another state never goes over it unasked.
  let base = JSON.stringify(fieldsOf(form));
  own.store = () => copies.write(name, { base, fields: fieldsOf(form) });
  const body = () => new URLSearchParams([...new FormData(form)].filter(([, value]) => typeof value === "string"));
  form.addEventListener("input", () => {
    own.unsaved = true;
    own.since += 1;
    settle(form);
    const stored = own.store();
    if (!stored) say(form, "refused", "This browser keeps no copy of what you type.");
    else if (!form.dataset.draft) say(form, "kept", "Kept in this browser until you save it.");
    else if (form.querySelector("[data-state]")?.dataset.state === "saved") say(form, "saving", "");
  });
  const copy = copies.read(name);
  if (copy && JSON.stringify(copy.fields) === base) copies.forget(name);
  else if (copy) offer(form, name, copy, copy.base === base);
  if (!form.dataset.draft) return;
  // A draft is kept each second, however fast somebody types. One at a time: of two on their way,
  // the older one may come last.
  let busy = false;
  const tick = async () => {
    if (!own.unsaved || busy || own.gone || own.asked || Date.now() < own.again) return;
    busy = true;
    const since = own.since;
    const sent = JSON.stringify(fieldsOf(form));
    own.waiting = send(form.dataset.draft, body(), { signal: AbortSignal.timeout(DRAFT_PATIENCE) }).then((became) => {
      busy = false;
      if (own.gone) return;
      if (became.kind === "done") {
        base = sent;
        form.elements.seen.value = JSON.parse(became.text).seen;
        if (own.since === since) { own.forget(); say(form, "saved", "Saved as a draft."); }
        return;
      }
      if (became.kind === "changed") { own.choose(became.draft); return; }
      own.again = Date.now() + 5000;
      report(form, became);
      // What will not do is not sent again until something is changed.
      if (became.kind === "refused" && own.since === since) own.unsaved = false;
    });
  };
  // Saved by another page since this one read it: nothing goes over it, and nothing is sent, before
  // somebody has chosen between the two.
  own.choose = ({ seen, fields }) => {
    own.asked?.remove();
    own.asked = notice("changed", "You have changed this on another page since this one was opened. ");
    const chosen = () => { own.asked.remove(); own.asked = null; form.elements.seen.value = seen; form.dispatchEvent(new Event("input", { bubbles: true })); };
    const take = () => { form.reset(); fill(form, Object.entries(fields)); chosen(); base = JSON.stringify(fieldsOf(form)); own.forget(); say(form, "saved", "Saved as a draft."); };
    own.asked.append(action("Take what is there", take), " ", action("Keep what is here", chosen));
    noticesOf(form).prepend(own.asked);
    own.asked.scrollIntoView({ block: "nearest" });
    say(form, "refused", "Not saved: choose first.");
  };
  drafts.push({ form, flush: async () => { await own.waiting; own.again = 0; await tick(); await own.waiting; } });
  setInterval(tick, 1000);
  for (const woken of ["online", "focus"]) addEventListener(woken, () => { own.again = 0; });
  addEventListener("pagehide", () => { if (own.unsaved && !own.gone) own.store(); });
  addEventListener("pagehide", () => { if (own.unsaved && !own.gone && !own.asked) ask(form.dataset.draft, body(), { keepalive: true }).catch(() => {}); });
}
function action(text, does) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "small";
  button.textContent = text;
  button.addEventListener("click", does);
  return button;
}
const noticesOf = (form) => form.querySelector("[data-notices]") || form;
function notice(kind, text) {
  const line = document.createElement("p");
  line.className = "toast";
  line.setAttribute("role", "status");
  line.dataset[kind] = "";
  line.append(text);
  return line;
}
function offer(form, name, copy, follows) {
  const line = notice("restored", "");
  const changed = () => form.dispatchEvent(new Event("input", { bubbles: true }));
  const use = () => {
    fill(form, copy.fields);
    line.replaceChildren("What you typed here and was not saved is back. ", action("Discard it", () => { form.reset(); line.remove(); changed(); }));
    // Once all scripts listen, they go by what is in the fields now.
    if (document.readyState === "complete") changed();
    else addEventListener("DOMContentLoaded", changed);
  };
  noticesOf(form).prepend(line);
  if (follows) { use(); return; }
  const when = new Date(copy.at).toLocaleString();
  line.append(`What you typed in this browser on ${when} was not saved, and another draft has been saved since. `, action("Use it", use), " ", action("Discard it", () => { copies.forget(name); line.remove(); }));
}

// --- forms that are sent
async function submit(form, button) {
  const own = kept.get(form) || { waiting: null, forget: () => {} };
  if (form.dataset.busy) return;
  form.dataset.busy = "1";
  settle(form);
  say(form, "saving", "Saving…");
  // A heartbeat that comes after a vote finds no lease.
  await Promise.all([beating, ...drafts.map((other) => other.form === form ? own.waiting : other.flush())]);
  if (form.getAttribute("action") === "/logout") await letGo();
  own.gone = true;
  // Not before: a draft on its way changes what this page has seen.
  const data = new FormData(form);
  if (button?.name) data.append(button.name, button.value);
  const body = form.enctype === "multipart/form-data" ? data : new URLSearchParams(data);
  const became = await send(button?.getAttribute("formaction") || form.getAttribute("action"), body);
  delete form.dataset.busy;
  if (became.kind === "done" && became.onward) {
    own.forget();
    staying = true;
    done = true;
    const to = new URL(became.onward, location);
    const here = to.pathname === location.pathname && to.search === location.search;
    location.assign(to);
    // To another place of the same page alone nothing would be loaded.
    if (here && to.hash) location.reload();
    return;
  }
  own.gone = false;
  if (became.kind === "changed" && own.choose) { own.choose(became.draft); return; }
  if (became.kind !== "done") {
    report(form, became, "The server cannot be reached, so this is not saved. What you typed is kept in this browser: send it again in a while.");
    if (!form.querySelector("[data-state]") && ["ended", "offline"].includes(became.kind)) complain(form, became.kind === "ended" ? "Your session has ended. Reload the page and log in again." : "The server cannot be reached. Nothing was done.");
    return;
  }
  say(form, "saving", "");
  const place = document.querySelector(form.dataset.answer || "#none");
  if (place) place.innerHTML = became.text;
  else complain(form, new DOMParser().parseFromString(became.text, "text/html").querySelector("[role=alert]")?.textContent || "Done.");
}
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || !form.matches("form[data-save]")) return;
  event.preventDefault();
  submit(form, event.submitter);
});
document.querySelectorAll("form[data-keep]").forEach(keep);
// A preview that comes too late for its session leaves the form as it is.
document.body.addEventListener("htmx:beforeSwap", async (event) => {
  const form = event.detail.elt?.closest("form[data-keep]") || event.target.closest("form[data-keep]");
  if (!form || ![401, 403].includes(event.detail.xhr.status)) return;
  event.detail.shouldSwap = false;
  const before = token;
  const who = await renewed().catch(() => "");
  if (token !== before) form.dispatchEvent(new Event("input", { bubbles: true }));
  else report(form, { kind: "ended", who: who === account ? "" : who });
});
document.body.addEventListener("htmx:sendError", (event) => { event.detail.target.textContent = "The server cannot be reached. Try again in a while."; });
document.body.addEventListener("htmx:load", ({ detail: { elt } }) => {
  for (const form of [elt, ...elt.querySelectorAll("form[data-keep]")]) if (form.matches("form[data-keep]") && !kept.has(form)) keep(form);
});

// --- what was typed on a page that cannot be opened any more can be read there still
const refused = document.querySelector("[data-refused]");
if (refused && account) for (const name of copies.names()) {
  if (!name.startsWith(`${PREFIX}${encodeURIComponent(account)}:${location.pathname}:`)) continue;
  const lines = (copies.read(name)?.fields || []).filter(([, value]) => value).map(([field, value]) => `${field}: ${value}`);
  const text = document.createElement("pre");
  text.textContent = lines.join("\n");
  refused.append("What you typed here and was not saved:", text);
}

// --- who has a page open holds its item; who leaves it lets go
const held = document.querySelector("[data-until]");
let staying = false;
let done = false;
let beating = null;
let beaten = false;
const lease = () => new URLSearchParams({ token, page: PAGE, ...(staying ? {} : { until: held.dataset.until }) });
const letGo = async () => held && send(`/item/${held.dataset.item}/release`, lease());
if (held) {
  const path = `/item/${held.dataset.item}`;
  const place = document.getElementById("vote") || held;
  let lost = false;
  const hold = async () => {
    beaten = true;
    const became = await send(`${path}/heartbeat`, new URLSearchParams({ page: PAGE }), { signal: AbortSignal.timeout(DRAFT_PATIENCE) });
    if (became.kind === "done") {
      held.dataset.until = JSON.parse(became.text).until;
      if (lost) settle(place);
      if (["ended", "offline"].includes(place.querySelector("[data-state]")?.dataset.state)) say(place, "saved", "");
      lost = false;
      return;
    }
    if (!lost || became.kind !== "refused") report(place, became);
    lost = became.kind === "refused";
  };
  const beat = () => { if (!done && !document.querySelector("form[data-busy]")) beating = hold(); };
  setInterval(beat, 60000);
  // Opened again, a page cannot know whether it was let go of before or will be only now; the page
  // that was left by an address may have been one of this same item.
  setTimeout(beat, performance.getEntriesByType("navigation")[0]?.type === "navigate" ? 1000 : 0);
  document.addEventListener("click", (event) => {
    const to = event.target.closest("a[href]");
    if (!to || event.ctrlKey || event.metaKey || event.shiftKey || to.hash && to.pathname === location.pathname) return;
    staying = to.pathname === "/next" || to.pathname === path || to.pathname.startsWith(`${path}/`);
  });
  addEventListener("pagehide", () => { if (beaten || !staying) navigator.sendBeacon(`${path}/release`, lease()); });
}
// A page that the browser kept as it was left has let go of its item: it is opened again.
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
