// choicetui: what opencode asks is answered in the choicetui dashboard too. `choicetui setup` put this file here and
// `choicetui setup --remove` takes it away.
//
// The prompt stays on opencode's screen; whoever answers first has answered. Without an open dashboard, or without
// choicetui, nothing happens here.
import { spawn } from "node:child_process";

const program = PROGRAM;
const again = 5000; // after so many ms a choicetui that ended is started again, if there is something to ask

const open = new Map(); // what opencode asks now, by its id: the line, and where
const places = new Map(); // where opencode works, by its directory
let child = null;
let ended = 0;

// toChild sends a line, and starts choicetui where it does not run.
function toChild(line) {
  if (!child && !start()) return;
  try {
    child.stdin.write(JSON.stringify(line) + "\n");
  } catch {}
}

function start() {
  if (Date.now() - ended < again) return false;
  try {
    const p = spawn(program, ["native", "opencode"], { stdio: ["pipe", "pipe", "ignore"] });
    const over = () => {
      if (child !== p) return;
      child = null;
      ended = Date.now();
      setTimeout(() => open.size && !child && start(), again + 100).unref?.();
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
    child = p;
    for (const { line } of open.values()) child.stdin.write(JSON.stringify(line) + "\n");
    return true;
  } catch {
    ended = Date.now();
    return false;
  }
}

// reply gives an answer to the opencode that asked.
async function reply(text) {
  let id;
  let taken = false;
  try {
    const line = JSON.parse(text);
    id = line.id;
    const asked = open.get(id);
    if (line.kind === "line" && line.action === "say") taken = await say(line.body);
    else if (asked && asked.line.type === line.kind && /^(reply|reject)$/.test(line.action)) {
      taken = await asked.place.post(`/${line.kind}/${encodeURIComponent(id)}/${line.action}`, line.body);
    }
  } catch {}
  if (id) toChild({ type: "done", id, taken });
}

// say gives the person's line to the session that asked, as if it had been typed there: with the agent and the model
// that the session works with, since opencode would take the usual ones. A session that another one began has no reader.
async function say({ session, directory, text }) {
  const place = places.get(directory);
  const url = `/session/${encodeURIComponent(session)}`;
  const at = await place?.get(url);
  if (at?.id !== session || at.directory !== directory || at.parentID || !at.agent || !at.model?.id) return false;
  const { id: modelID, providerID, variant } = at.model;
  const body = { agent: at.agent, model: { providerID, modelID }, parts: [{ type: "text", text }] };
  if (variant && variant !== "default") body.variant = variant;
  return place.post(`${url}/prompt_async`, body);
}

function asked(type, properties, place) {
  if (!properties?.id || open.has(properties.id)) return;
  const line = { type, id: properties.id, directory: place.directory, lines: true, properties };
  const running = child !== null;
  open.set(properties.id, { line, place });
  if (running) toChild(line);
  else start(); // which sends all that is open
}

function closed(id) {
  if (open.delete(id) && child) toChild({ type: "closed", id });
}

export const Choicetui = async (ctx) => {
  const http = ctx?.client?._client;
  const directory = ctx?.directory;
  if (!http?.get || !http?.post || !directory) return {}; // an opencode that nobody here knows
  const headers = { "content-type": "application/json" };
  const place = {
    directory,
    async get(url) {
      const r = await http.get({ url });
      return r.data;
    },
    async post(url, body) {
      const r = await http.post({ url, body, headers });
      return r.response?.ok === true;
    },
  };
  places.set(directory, place);
  const late = async () => {
    for (const type of ["question", "permission"]) {
      try {
        const data = await place.get(`/${type}`);
        for (const one of Array.isArray(data) ? data : []) asked(type, one, place);
      } catch {}
    }
  };
  setTimeout(late, 1000).unref?.();
  return {
    event: async ({ event }) => {
      const p = event.properties ?? {};
      if (event.type === "question.asked") asked("question", p, place);
      else if (event.type === "permission.asked") asked("permission", p, place);
      else if (/^(question\.(replied|rejected)|permission\.replied)$/.test(event.type)) closed(p.requestID ?? p.permissionID ?? p.id);
    },
  };
};
