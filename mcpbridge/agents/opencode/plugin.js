// choicetui: what opencode asks is answered in the choicetui dashboard too. `choicetui setup` put this file here and
// `choicetui setup --remove` takes it away. Kilo and MiMo Code, which are built on opencode, load the same file.
//
// The prompt stays on opencode's screen; whoever answers first has answered. Without an open dashboard, or without
// choicetui, nothing happens here.
//
// opencode 1 calls `server` in the process of its screen. opencode 2 calls `setup`, in a service that many screens
// share, once for each directory, and each time gives it the events of all of them.
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

const program = PROGRAM;
const again = 5000; // after so many ms a choicetui that ended is started again, if there is something to ask
const moment = 1000; // before what is open already is looked for, and before events are listened to again
const mostRead = 500_000; // bytes of a session that are told
const most = 500; // inputs of tools, and names of what is over, that are remembered
const client = { kilo: "kilo", mimocode: "mimo" }[import.meta.url.split("/").at(-3)] ?? "opencode";

// This file may be loaded several times in one process. What is known is kept for all of them.
const all = (globalThis[Symbol.for("choicetui.1")] ??= {
  open: new Map(), // what is asked now, by its id: the line, the session, the place, and the fields of a form
  over: new Map(), // the ids of what is over, which may be heard of once more
  inputs: new Map(), // what tools are called with, by the id of the call
  places: new Map(), // where the agent works, by its directory
  child: null,
  ended: 0,
});

// remember adds to a map that forgets what is old.
function remember(map, key, value) {
  map.set(key, value);
  if (map.size > most) map.delete(map.keys().next().value);
}

// toChild sends a line, and starts choicetui where it does not run.
function toChild(line) {
  if (!all.child && !start()) return;
  try {
    all.child.stdin.write(JSON.stringify(line) + "\n");
  } catch {}
}

function start() {
  if (Date.now() - all.ended < again) return false;
  try {
    const p = spawn(program, ["native", "opencode"], { stdio: ["pipe", "pipe", "ignore"] });
    const over = () => {
      if (all.child !== p) return;
      all.child = null;
      all.ended = Date.now();
      setTimeout(() => all.open.size && !all.child && start(), again + 100).unref?.();
    };
    p.on("error", over).on("exit", over);
    p.stdin.on("error", () => {});
    let rest = "";
    p.stdout.setEncoding("utf8");
    p.stdout.on("data", (text) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop();
      for (const line of lines) reply(line);
    });
    all.child = p;
    for (const { line } of all.open.values()) if (line) p.stdin.write(JSON.stringify(line) + "\n");
    return true;
  } catch {
    all.ended = Date.now();
    return false;
  }
}

// reply gives an answer to the session that asked, or a line of the person's.
async function reply(text) {
  let id;
  let taken = false;
  try {
    const line = JSON.parse(text);
    id = line.id;
    const asked = all.open.get(id);
    if (line.kind === "line" && line.action === "say") {
      taken = (await all.places.get(line.body.directory)?.say(line.body)) === true;
    } else if (line.kind === "line" && line.action === "read") {
      const messages = await all.places.get(line.body.directory)?.read(line.body.session);
      if (messages) return toChild({ type: "read", id, properties: messages });
    } else if (asked?.line?.type === line.kind && /^(reply|reject)$/.test(line.action)) {
      const place = all.places.get(asked.line.directory) ?? asked.place;
      taken = (await place.answer(asked, line)) === true;
    }
  } catch {}
  if (id) toChild({ type: "done", id, taken });
}

// ask puts a question or a permission into the dashboard, once.
async function ask(type, properties, place, fields) {
  const { id, sessionID } = properties ?? {};
  if (!id || all.open.has(id) || all.over.has(id)) return;
  const asked = { session: sessionID, place, fields };
  all.open.set(id, asked);
  const directory = await place.where(sessionID);
  if (all.open.get(id) !== asked) return; // it is over by now
  const { lines, generation, read } = place;
  asked.line = { type, id, client, directory, lines, reads: !!read, generation, properties };
  if (all.child) toChild(asked.line);
  else start(); // which sends all that is open
}

function closed(id, interrupted) {
  remember(all.over, id, true);
  const asked = all.open.get(id);
  if (all.open.delete(id) && asked.line && all.child) toChild({ type: "closed", id, interrupted });
}

// server is for opencode 1, Kilo and MiMo Code.
async function server(ctx) {
  const http = ctx?.client?._client;
  const directory = ctx?.directory;
  if (!http?.get || !http?.post || !directory) return {}; // an opencode that nobody here knows
  const headers = { "content-type": "application/json" };
  const get = async (url) => (await http.get({ url })).data;
  const post = async (url, body) => (await http.post({ url, body, headers })).response?.ok === true;
  const place = {
    lines: true,
    where: () => directory,
    answer: (asked, { id, kind, action, body }) => post(`/${kind}/${encodeURIComponent(id)}/${action}`, body),
    // say gives the person's line to the session that asked, as if it had been typed there: with the agent and the
    // model that the session works with, since opencode would take the usual ones. A session that another one began
    // has no reader.
    async say({ session, text }) {
      const url = `/session/${encodeURIComponent(session)}`;
      const at = await get(url);
      if (at?.id !== session || at.directory !== directory || at.parentID || !at.agent || !at.model?.id) return false;
      const { id: modelID, providerID, variant } = at.model;
      const body = { agent: at.agent, model: { providerID, modelID }, parts: [{ type: "text", text }] };
      if (variant && variant !== "default") body.variant = variant;
      return post(`${url}/prompt_async`, body);
    },
    // read returns the last messages of a session, for a dashboard that shows what it asks.
    async read(session) {
      const told = [];
      let left = mostRead;
      for (const one of (await get(`/session/${encodeURIComponent(session)}/message?limit=100`)).reverse()) {
        left -= Buffer.byteLength(JSON.stringify(one)) + 1;
        if (left < 0 || one.info?.sessionID !== session) break;
        told.unshift(one);
      }
      return told;
    },
  };
  all.places.set(directory, place);
  const late = async () => {
    for (const type of ["question", "permission"]) {
      try {
        const data = await get(`/${type}`);
        for (const one of Array.isArray(data) ? data : []) ask(type, one, place);
      } catch {}
    }
  };
  setTimeout(late, moment).unref?.();
  return {
    event: async ({ event }) => {
      const p = event.properties ?? {};
      if (event.type === "question.asked") ask("question", p, place);
      else if (event.type === "permission.asked") ask("permission", p, place);
      else if (/^(question\.(replied|rejected)|permission\.replied)$/.test(event.type)) {
        closed(p.requestID ?? p.permissionID ?? p.id, event.type === "question.rejected");
      }
    },
  };
}

// service is how this very process of opencode 2 is reached over HTTP. It fails where it has not written that down, as
// one that serves a single screen has not. A file that another process left behind has a password for nobody here.
async function service() {
  const state = process.env.XDG_STATE_HOME || join(homedir(), ".local", "state");
  const { pid, url, password } = JSON.parse(await readFile(join(state, "opencode", "service.json"), "utf8"));
  const local = /^(127\.0\.0\.1|localhost|\[::1\])$/.test(new URL(url).hostname);
  if (pid !== process.pid || !local) throw new Error("this process is not reached over HTTP");
  const authorization = "Basic " + Buffer.from(`opencode:${password ?? ""}`).toString("base64");
  return (method, path, body) =>
    fetch(new URL(path, url), {
      method,
      headers: { authorization, "content-type": "application/json" },
      body: body && JSON.stringify(body),
      redirect: "error",
      signal: AbortSignal.timeout(10000),
    });
}

// questions are those of a form of opencode 2; undefined: it is another form, or one that is not for this dashboard.
function questions(form) {
  if (form?.metadata?.kind !== "question" || !form.fields?.length) return;
  const list = [];
  for (const f of form.fields) {
    const labels = f.options?.map(labelOf) ?? [];
    if (!/^(string|multiselect)$/.test(f.type) || !f.key || f.hidden || f.when?.length) return;
    if (!labels.length || new Set(labels).size < labels.length) return;
    const options = f.options.map((o) => ({ label: labelOf(o), description: o.description ?? "" }));
    list.push({
      question: f.description || f.title, header: f.title ?? "", options,
      multiple: f.type === "multiselect", custom: f.custom === true,
    });
  }
  return list;
}

const labelOf = (option) => option.label ?? option.value;

// filled is the form's answer: the values of the options that were chosen, and the person's own words.
function filled(fields, answers) {
  const answer = {};
  fields.forEach((f, i) => {
    const given = answers[i].map((label) => f.options.find((o) => labelOf(o) === label)?.value ?? label);
    answer[f.key] = f.type === "multiselect" ? given : given.join(", ");
  });
  return answer;
}

// permission is what opencode 2 wants to do, as version 1 has it, with all that the tool was called with.
function permission({ id, sessionID, action, resources, save, metadata, source }) {
  const input = all.inputs.get(source?.id) ?? {};
  const both = Object.keys(input).some((k) => k in (metadata ?? {}) && metadata[k] !== input[k]);
  return {
    id, sessionID, permission: action, patterns: resources ?? [], always: save ?? [],
    metadata: both ? { ...metadata, input } : { ...input, ...metadata },
  };
}

// setup is for opencode 2. Version 1 may call it too, and has no events here.
async function setup(ctx) {
  if (!ctx?.event?.subscribe || !ctx.session?.get || !ctx.permission?.reply) return;
  const directory = ctx.location?.directory;
  const end = new AbortController();
  const sessionOf = async (sessionID) => {
    const at = await ctx.session.get({ sessionID });
    return at?.data ?? at;
  };
  const place = {
    generation: 2,
    lines: typeof ctx.session.prompt === "function",
    where: (id) => sessionOf(id).then((at) => at?.location?.directory ?? "", () => ""),
    async answer({ session, fields }, { id, kind, action, body }) {
      if (kind === "permission") {
        const { reply: decision, message } = body;
        await ctx.permission.reply({ sessionID: session, requestID: id, decision, ...(message && { message }) });
        return true;
      }
      const call = await service();
      const form = `/api/session/${encodeURIComponent(session)}/form/${encodeURIComponent(id)}`;
      if (action === "reply") return (await call("POST", `${form}/reply`, { answer: filled(fields, body.answers) })).ok;
      return (await call("DELETE", form)).ok || (await call("POST", `${form}/cancel`, {})).ok;
    },
    async say({ session, text }) {
      const at = await sessionOf(session);
      if (at?.id !== session || at.location?.directory !== directory || at.parentID) return false;
      await ctx.session.prompt({ sessionID: session, text });
      return true;
    },
  };
  const askForm = async (form) => {
    const list = questions(form);
    if (!list || all.open.has(form.id)) return;
    await service(); // else nobody here can answer it
    await ask("question", { id: form.id, sessionID: form.sessionID, questions: list }, place, form.fields);
  };
  // late asks what is open already, and closes what is over without a word of it.
  const late = async () => {
    const known = [...all.open].filter(([, asked]) => asked.line && asked.line.directory === directory);
    const call = await service();
    const list = async (path) => {
      const r = await call("GET", `${path}?location[directory]=${encodeURIComponent(directory)}`);
      const { location, data } = await r.json();
      if (location?.directory !== directory) throw new Error("these are of another directory");
      return data;
    };
    const [permissions, forms] = await Promise.all([list("/api/permission/request"), list("/api/form")]);
    const open = new Set([...permissions, ...forms].map((one) => one.id));
    for (const [id] of known) if (!open.has(id)) closed(id);
    for (const one of permissions) ask("permission", permission(one), place);
    for (const form of forms) askForm(form).catch(() => {});
  };
  const hear = ({ type, data }) => {
    if (type === "session.tool.called") remember(all.inputs, data.id, data.input);
    else if (/^session\.tool\.(success|failed)$/.test(type)) all.inputs.delete(data.id);
    else if (type === "permission.asked") ask("permission", permission(data), place);
    else if (type === "permission.replied") closed(data.requestID);
    else if (type === "form.created") askForm(data.form).catch(() => {});
    else if (/^form\.(replied|cancelled)$/.test(type)) closed(data.id, type === "form.cancelled");
    else if (/^session\.(execution\.(succeeded|failed|interrupted)|deleted)$/.test(type)) {
      for (const [id, { session }] of all.open) if (session === data.sessionID) closed(id, !type.endsWith("succeeded"));
    }
  };
  // follow never waits for anything that an event brings about: that would hold up opencode's other events.
  const follow = async () => {
    while (!end.signal.aborted) {
      try {
        const events = ctx.event.subscribe({ signal: end.signal });
        if (directory) setTimeout(() => late().catch(() => {}), moment).unref?.();
        for await (const event of events) {
          try {
            hear(event);
          } catch {}
        }
      } catch {}
      await new Promise((resolve) => setTimeout(resolve, moment).unref?.());
    }
  };
  if (directory) all.places.set(directory, place);
  follow();
  return async () => {
    end.abort();
    if (all.places.get(directory) !== place) return;
    all.places.delete(directory);
    setTimeout(() => { // opencode may be loading this file again
      if (all.places.has(directory)) return;
      for (const [id, asked] of all.open) if (asked.line?.directory === directory) closed(id, true);
    }, again).unref?.();
  };
}

export default { id: "choicetui", server, setup };
