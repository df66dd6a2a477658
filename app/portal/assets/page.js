// The page shows what the server sends and tells it what the person did. No rule of an answer stands here.
"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const all = (what) => document.querySelectorAll(what);
  const words = document.body.dataset;
  const store = "choicetui.secret";
  let socket, keys = new Set(), times = {}, path = location.pathname, tries = 0, opened = false, over = false, retry;
  const typed = {}; // by field: what was typed and may not have arrived
  const touch = matchMedia("(hover: none) and (pointer: coarse)").matches; // most likely without a keyboard

  // The line at the top says what is wrong with the connection.
  const say = (text) => { const line = $("line"); line.textContent = text || ""; line.hidden = !text; };

  const send = (deed) => {
    if (socket && socket.readyState === 1) { socket.send(JSON.stringify(deed)); return true; }
    return false;
  };

  // --- the connection ---

  // The secret of the link that was just opened, else the person's own, else that of a link to this question alone;
  // the front page lists the one of the last such link.
  let fresh, stale;
  const secret = () => {
    try {
      const only = location.pathname === "/" ? localStorage.getItem(store + ".only") : location.pathname;
      return fresh || !stale && localStorage.getItem(store) || localStorage.getItem(store + only);
    } catch { return null; }
  };

  async function enter() {
    const token = new URLSearchParams(location.search).get("t");
    if (!token) return true;
    const answer = await fetch("/enter", { method: "POST", headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ token }) });
    const body = await answer.json();
    if (!answer.ok) { history.replaceState(null, "", location.pathname); say(body.error); return !!secret(); }
    fresh = body.secret;
    try {
      localStorage.setItem(body.only ? store + body.path : store, fresh);
      if (body.only) localStorage.setItem(store + ".only", body.path);
    } catch { say(words.ended); return false; }
    path = body.path || location.pathname;
    history.replaceState(null, "", path);
    return true;
  }

  function connect() {
    clearTimeout(retry);
    if (over || socket && socket.readyState < 2) return;
    if (!window.WebSocket) { say(words.nosocket); return; }
    const own = secret();
    try {
      socket = new WebSocket(location.origin.replace(/^http/, "ws") + "/live",
        own ? ["secret." + own, "choicetui"] : ["choicetui"]);
    } catch { say(words.nosocket); return; }
    const mine = socket;
    opened = false;
    mine.onopen = () => { opened = true; tries = 0; sent = seen = 0; waiting = []; toldRead = -1; say(""); send({ do: "open", path, touch }); };
    mine.onmessage = (e) => take(JSON.parse(e.data));
    mine.onclose = (e) => { if (mine === socket) closed(e); };
  }

  async function closed(e) {
    document.body.classList.add("lost");
    if (e.code === 1008) { over = true; say(e.reason || words.ended); return; }
    tries++;
    if (!opened && tries > 2) await why();
    else say(words.lost);
    if (!over) retry = setTimeout(connect, Math.min(250 * 2 ** Math.min(tries, 5), 5000));
  }

  // why says what keeps the socket from opening: nobody there, nobody let in, or no WebSocket gets through.
  async function why() {
    try {
      const answer = await fetch("/", { cache: "no-store" });
      if (answer.status === 401 || !secret() && localStorage.getItem(store + ".only")) {
        over = true; say(words.ended); return;
      }
      stale = !!localStorage.getItem(store + location.pathname);
      say(words.nosocket);
    } catch { say(words.lostlong); }
  }

  // --- what the server sends ---

  function take(m) {
    document.body.classList.remove("lost");
    for (const [id, html] of Object.entries(m.parts || {})) {
      const part = $(id);
      if (!part) continue;
      const made = document.createElement("template");
      made.innerHTML = html;
      morph(part, made.content);
    }
    for (const [id, text] of Object.entries(m.values || {})) put($(id), text, m.force);
    Object.assign(times, m.times);
    if (m.parts || m.times) tell();
    if (m.keys) keys = new Set(m.keys);
    if (m.title) document.title = m.title;
    if (m.path && m.path !== path) {
      path = m.path;
      $("unheard").hidden = true;
      if (path !== location.pathname) history.pushState(null, "", path);
      scrollTo(0, 0);
    }
    if (m.parts && m.parts.main !== undefined) resend();
    if (m.say) tellFor(m.say);
    if (m.news) tellNews(m.news);
    if (m.focus) focus(m.focus);
    if (m.alert) notify(m.alert);
    if (m.copy) navigator.clipboard?.writeText(m.copy).catch(() => {});
    all("textarea").forEach(grow);
    showTab();
    ask();
    tellRead();
    if (m.frame) requestAnimationFrame(() => send({ do: "shown", n: m.frame, at: performance.now() }));
    if (m.seen) { seen = m.seen; goOn(); }
  }

  // tellRead tells how many lines of the text were not on screen yet. What was jumped over does not count.
  let readOf, readTo = 0, toldRead = -1;
  function tellRead() {
    const text = document.querySelector("article > .text");
    if (!text || document.hidden || $("panel").firstElementChild) return;
    const of = text.id ? path + "#" + text.id : path;
    if (readOf !== of) { readOf = of; readTo = 0; toldRead = -1; }
    const top = $("top").getBoundingClientRect().bottom, end = $("foot").getBoundingClientRect().top;
    const at = text.getBoundingClientRect(), next = at.top + readTo;
    if (next >= top && next < end) readTo = end - at.top;
    const left = Math.max(0, Math.ceil((at.height - readTo - 1) / 20));
    if (left !== toldRead && send({ do: "read", path: of, n: left })) toldRead = left;
  }
  addEventListener("scroll", tellRead, { passive: true });
  addEventListener("resize", () => { readTo = 0; tellRead(); });

  // resend tells what was typed while nobody listened; what has no field any more is shown.
  function resend() {
    const lost = [];
    for (const [id, value] of Object.entries(typed)) {
      const field = $(id);
      delete typed[id];
      if (!field) { lost.push(value); continue; }
      if (field.value !== value) field.value = value;
      if (!send(deedOf(field, "text"))) typed[id] = value;
    }
    if (lost.length) {
      $("unheard").textContent = words.unheard + "\n\n" + lost.join("\n\n");
      $("unheard").hidden = false;
    }
  }

  // tellFor says something for a while, or until the next key.
  let silence;
  function tellFor(text) {
    clearTimeout(silence);
    $("status").textContent = text;
    if (text) silence = setTimeout(() => tellFor(""), 8000);
  }

  // tellNews tells a screen reader what has come, also the same words again.
  function tellNews(text) {
    $("news").textContent = "";
    setTimeout(() => { $("news").textContent = text; }, 100);
  }

  // put puts a text into its field, unless the person is typing there.
  function put(field, text, force) {
    if (!field || field.id in typed || field.value === text) return;
    if (field === document.activeElement && !force) return;
    field.value = text;
  }

  // tell shows the times.
  function tell() {
    all("[data-time]").forEach((el) => {
      const t = times[el.dataset.time];
      if (!t) return;
      if (el.textContent !== t.left) el.textContent = t.left;
      el.className = "level" + (t.level || 0);
    });
    all("[data-fuse]").forEach((el) => {
      const t = times[el.dataset.fuse];
      if (t) { el.value = t.share; el.className = "level" + (t.level || 0); }
    });
  }

  function focus(id) {
    const el = $(id);
    if (!el || el === document.activeElement) return;
    el.focus({ preventScroll: true });
    el.scrollIntoView({ block: "nearest" });
    if (el.setSelectionRange && el.value) el.setSelectionRange(el.value.length, el.value.length);
  }

  // morph makes the content of an element what is wanted, and leaves what is the same: focus, caret and what is being
  // composed stay.
  function morph(to, want) {
    let at = to.firstChild;
    const ids = new Set([...want.childNodes].map((n) => n.id).filter(Boolean));
    for (const next of [...want.childNodes]) {
      let found = null;
      if (next.id) { const had = $(next.id); if (had && had.parentNode === to) found = had; }
      else if (at && !at.id && at.nodeType === next.nodeType && at.nodeName === next.nodeName) found = at;
      if (found && found.nodeName === next.nodeName) {
        while (at && at !== found && !(at.id && ids.has(at.id))) { // what is moved loses the focus
          const rest = at.nextSibling;
          at.remove();
          at = rest;
        }
        if (found === at) at = at.nextSibling; else to.insertBefore(found, at);
        same(found, next);
      } else to.insertBefore(next, at);
    }
    while (at) { const rest = at.nextSibling; at.remove(); at = rest; }
  }

  function same(is, want) {
    if (is.nodeType !== 1) { if (is.nodeValue !== want.nodeValue) is.nodeValue = want.nodeValue; return; }
    if (is.id === "ask") { same(is.firstChild, want.firstChild); return; }
    const timed = is.dataset.time || is.dataset.fuse;
    for (const a of [...is.attributes]) {
      if (want.hasAttribute(a.name) || timed && /^(class|value)$/.test(a.name)) continue;
      if (is.nodeName !== "DETAILS" || a.name !== "open") is.removeAttribute(a.name); // the person opened it
    }
    for (const a of want.attributes) if (is.getAttribute(a.name) !== a.value) is.setAttribute(a.name, a.value);
    if (is.nodeName === "TEXTAREA" || want.dataset.time) return;
    if (is.nodeName === "OPTION") is.selected = want.selected;
    if (is.nodeName === "INPUT") { if (want.dataset.set && is !== document.activeElement) is.value = want.value; return; }
    morph(is, want);
  }

  // showTab brings the chosen question of a form into sight, where its tabs have one row.
  let chosen;
  function showTab() {
    const tab = document.querySelector(".tabs [aria-selected=true]");
    const was = chosen;
    chosen = tab && path + tab.id;
    if (!tab || chosen === was) return;
    const row = tab.parentNode, left = tab.offsetLeft - row.offsetLeft;
    row.scrollLeft = Math.min(left, Math.max(row.scrollLeft, left + tab.offsetWidth - row.clientWidth));
  }

  function grow(area) {
    area.style.height = "auto";
    area.style.height = area.scrollHeight + 2 + "px";
  }

  // --- what the person does ---

  function deedOf(el, what) {
    const d = { do: what || el.dataset.do };
    if (el.dataset.n) d.n = +el.dataset.n;
    if (el.dataset.path) d.path = el.dataset.path;
    if (el.dataset.field) d.field = el.dataset.field;
    if (el.dataset.value) d.value = el.dataset.value;
    if (what === "text") d.value = el.value;
    return d;
  }

  const names = { Enter: "enter", Escape: "esc", Tab: "tab", " ": "space", ArrowUp: "up", ArrowDown: "down",
    ArrowLeft: "left", ArrowRight: "right", PageUp: "pgup", PageDown: "pgdn", Home: "home", End: "end" };

  const newLine = "alt+enter"; // with any modifier

  // nameOf names a key as the key table does.
  function nameOf(e) {
    let name = names[e.key] || (/^F\d+$/.test(e.key) ? e.key.toLowerCase() : e.key);
    if (name === "enter" && (e.shiftKey || e.ctrlKey || e.altKey || e.metaKey)) return newLine;
    if (e.ctrlKey) return "ctrl+" + name.toLowerCase();
    if (e.altKey && e.key.length === 1) return "alt+" + name;
    return e.shiftKey && name === "tab" ? "backtab" : name;
  }

  // One key after the other: what comes before the last was seen waits, as it may be text by then.
  let sent = 0, seen = 0, waiting = [];

  document.addEventListener("keydown", (e) => {
    if (e.isComposing || e.keyCode === 229 || e.metaKey && e.key !== "Enter" || e.defaultPrevented) return; // 229: Safari
    at = e.timeStamp;
    const k = { key: nameOf(e), text: e.key, held: e.repeat, at };
    if (seen < sent && (e.key.length === 1 && !e.ctrlKey || keys.has(k.key))) {
      e.preventDefault();
      waiting.push(k);
    } else if (press(k, e.target)) e.preventDefault();
  });

  const fieldOf = (el) => el.closest("[data-field]:not([role])");

  // press does what a key is for here, and reports whether it was for anything.
  function press(k, on) {
    const field = fieldOf(on), key = k.key;
    if (field) {
      if (key === newLine && !keys.has(key)) { // a field of one line has a blank between two words
        if (/\S$/.test(field.value.slice(0, field.selectionStart))) type(field, " ");
        return true;
      }
      if (key.length === 1 || key === "space" || !keys.has(key)) return false;
      if (key === newLine || key === "ctrl+j") type(field, "\n"); else tellKey(k);
      return true;
    }
    if (on.closest("select,input")) { if (key === "esc") tellKey(k); return key === "esc"; }
    if (key === newLine) return true;
    if (on.closest("button,a") && /^(enter|space)$/.test(key)) return k.held && key === "enter"; // it is pressed
    const meant = keys.has(key);
    if (!meant && key === "space" && on.matches("[role=checkbox][data-do]")) { on.click(); return true; }
    if (meant || (key.length === 1 || key === "space") && !k.held) tellKey(k);
    return meant;
  }

  let at = 0; // when the key that is being done was pressed
  function tellKey({ key, held }) { tellFor(""); if (send({ do: "key", key, held, seq: sent + 1, at })) sent++; }

  function goOn() {
    while (waiting.length && seen >= sent) {
      const k = waiting.shift(), on = document.activeElement || document.body;
      at = k.at;
      if (!press(k, on) && fieldOf(on) && k.text.length === 1) type(on, k.text);
    }
  }

  function type(field, text) {
    field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  document.addEventListener("click", (e) => {
    if (e.target.closest("#ask")) { Notification.requestPermission().then(ask); return; }
    const el = e.target.closest("[data-do]");
    if (!el || e.ctrlKey || e.metaKey || e.shiftKey) return;
    if (getSelection().toString() && el.getAttribute("role")) return; // text was being marked to copy it
    e.preventDefault();
    tellFor("");
    send({ ...deedOf(el), at: e.timeStamp });
  });

  document.addEventListener("input", (e) => {
    const field = e.target.closest("[data-field]");
    if (!field) return;
    if (!send({ ...deedOf(field, "text"), at: e.isTrusted ? e.timeStamp : at })) typed[field.id] = field.value;
    if (field.nodeName === "TEXTAREA") grow(field);
  });
  document.addEventListener("change", (e) => {
    const el = e.target.closest("[data-set]");
    if (el) send({ do: "set", field: el.dataset.set, value: el.value });
  });
  document.addEventListener("focusin", (e) => {
    const field = fieldOf(e.target);
    if (field) send(deedOf(field, "begin"));
  });
  document.addEventListener("focusout", (e) => {
    const field = fieldOf(e.target);
    if (field && document.hasFocus()) send(deedOf(field, "done"));
  });
  addEventListener("popstate", () => { path = location.pathname; send({ do: "open", path }); });
  onfocus = () => send({ do: "focus" });
  addEventListener("online", connect);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) connect(); });

  // --- notifications ---

  function ask() {
    const button = $("ask");
    if (button) button.hidden = !(window.Notification && Notification.permission === "default");
  }

  function notify(a) {
    if (document.hasFocus() || !window.Notification || Notification.permission !== "granted") return;
    const shown = new Notification(a.title, { body: a.body, tag: a.tag });
    shown.onclick = () => { window.focus(); shown.close(); };
  }

  enter().then((may) => { if (may) connect(); else if (!$("line").textContent) say(words.ended); },
    () => say(words.lostlong));
})();
