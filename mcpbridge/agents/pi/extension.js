// choicetui: before Pi does what may do harm, you are asked in the choicetui dashboard and here. `choicetui setup pi
// --native` put this file here and `choicetui setup --remove pi` takes it away.
//
// Pi itself asks about nothing. choicetui says which calls it asks about: see docs/agents.md. Whoever answers first has
// answered. Without an open dashboard, or without choicetui, nothing happens here, and the call runs. Where Pi has no
// screen, a call about which choicetui has asked runs only if it was allowed there.
import { spawn } from "node:child_process";

const program = PROGRAM;
const looksAt = new Set(["bash", "write", "edit"]); // the tools that choicetui is told about
const allow = "Allow once";
const mostShown = 2000; // characters of a command

export default function (pi) {
  pi.on("tool_call", (event, ctx) => (looksAt.has(event.toolName) ? decided(event, ctx) : undefined));
}

// titleOf returns what Pi's dialog says of a call. Characters that could draw something else are left out.
function titleOf({ toolName, input }) {
  const what = String(input.command ?? input.path ?? "").replace(/[^\P{C}\n\t]/gu, "");
  return `Allow ${toolName}? choicetui asks in its dashboard, too.\n\n${what.slice(0, mostShown)}`;
}

// decided returns what to do about a call once choicetui or the person here has said so: undefined lets it run. An error
// would block it, so there is none.
function decided(event, ctx) {
  return new Promise((resolve) => {
    const dialog = new AbortController();
    let hook, answer = "", asked = false, shown = false, ended = false, over = false;
    // end is called with a signal for the hook where the call was decided here.
    const end = (result, signal) => {
      if (over) return;
      over = true;
      ctx.signal?.removeEventListener("abort", stop);
      dialog.abort();
      if (signal) hook?.kill(signal);
      resolve(result);
    };
    const stop = () => end({ block: true, reason: "Interrupted." }, "SIGTERM");
    const show = async () => {
      if (shown || over || ctx.mode !== "tui") return; // elsewhere perhaps nobody sees a dialog, and it would never end
      shown = true;
      let said;
      try {
        said = await ctx.ui.select(titleOf(event), [allow, "Refuse"], { signal: dialog.signal });
      } catch {
        shown = false;
        if (ended) closed();
        return;
      }
      if (said === allow) end(undefined, "SIGUSR1");
      else end({ block: true, reason: "The person refused this in Pi." }, "SIGUSR1");
    };
    const closed = () => {
      let said = {};
      ended = true;
      try {
        said = JSON.parse(answer);
      } catch {}
      if (said.behavior === "deny") end({ block: true, reason: said.message || "The person refused this." });
      else if (said.behavior === "allow" || !asked) end(undefined);
      else if (!shown) end({ block: true, reason: "The person did not allow this. Ask what they want instead." });
      // else nobody answered there, and the dialog here is still open
    };
    try {
      hook = spawn(program, ["hook", "pi", "--timeout", "86400", "--tell"], { stdio: ["pipe", "pipe", "pipe"] });
      hook.on("error", closed).on("close", closed);
      hook.stdin.on("error", () => {});
      hook.stdout.setEncoding("utf8").on("data", (text) => (answer += text));
      hook.stderr.setEncoding("utf8").on("data", (text) => {
        if (!text.startsWith("asking")) return;
        asked = true;
        show();
      });
      ctx.signal?.addEventListener("abort", stop);
      hook.stdin.end(JSON.stringify({
        hook_event_name: "tool_call", session_id: ctx.sessionManager.getSessionId(), cwd: ctx.cwd,
        tool_name: event.toolName, tool_input: event.input, tool_use_id: event.toolCallId,
      }));
    } catch {
      closed();
    }
  });
}
