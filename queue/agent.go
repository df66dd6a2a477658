package queue

import (
	"path"
	"slices"
	"strings"
)

// An agent is one process of a client in one directory. A question can reach us from it in several ways: its model
// calls one of our tools, over a bridge; or the agent's own prompt arrives by a hook, a plugin or a socket. The
// origins of these questions differ:
//
//              Agent                 PID             Cwd                   Thread
//bridge        the process above it  the same        where it was started  as the call names it, often not at all
//hook, plugin  the process above it  the same        where it works now    always
//below a server of many agents, such as Codex's:
//bridge        the bridge itself     the server      where it was started  as the call names it
//socket        not known             the server      the session's own     always

// SameAgent reports whether two origins certainly belong to one agent. It is symmetric but not transitive: a bridge
// that names no thread is the same as each of two threads of its process, but those two threads are different agents
// (see Apart).
func (o Origin) SameAgent(other Origin) bool {
	return o.Host == other.Host && o.sameProcess(other) && !o.Apart(other) && o.sameClient(other) && o.sameDir(other)
}

// Apart reports whether two origins of one process belong to different sessions of that process.
func (o Origin) Apart(other Origin) bool {
	one, two := o.sideThread(), other.sideThread()
	return one != "" && two != "" && one != two
}

// asksItself reports whether the question is the agent's own prompt, not a tool call by its model. It also works for
// the origin of a message, which has no Source.
func (o Origin) asksItself() bool { return o.Dialect == DialectNative }

// sideThread returns the thread if a process of this client can have several sessions side by side, else an empty
// string.
func (o Origin) sideThread() string {
	if o.OneSession {
		return ""
	}
	return o.Thread
}

// sameThread reports whether both origins name the same session of the agent.
func (o Origin) sameThread(other Origin) bool { return o.Thread != "" && o.Thread == other.Thread }

// sameProcess compares Agent, and PID where neither origin has an Agent. Below a server of many agents, Agent names
// the bridge or is empty, so there the server's PID and the thread must match.
func (o Origin) sameProcess(other Origin) bool {
	if o.Agent == other.Agent && (o.Agent != "" || o.PID == other.PID) {
		return true
	}
	return o.PID != 0 && o.PID == other.PID && o.sameThread(other)
}

// sameClient compares the full client names of two bridges. For an agent's own prompt only the client's short name is
// known, so then the short names are compared.
func (o Origin) sameClient(other Origin) bool {
	if o.asksItself() || other.asksItself() {
		return o.ClientName() == other.ClientName()
	}
	return o.Client == other.Client
}

// sameDir reports whether two origins work in one directory. A hook reports the present directory, which may lie
// below the directory that the agent was started in.
func (o Origin) sameDir(other Origin) bool {
	return o.Cwd == other.Cwd || o.sameThread(other) || o.asksItself() && isBelow(o.Cwd, other.Cwd) ||
		other.asksItself() && isBelow(other.Cwd, o.Cwd)
}

// isBelow reports whether a directory lies below another one.
func isBelow(dir, above string) bool {
	return above != "" && strings.HasPrefix(dir, strings.TrimSuffix(above, "/")+"/")
}

// Results of SharedServer.
const (
	AppServer      = "app-server"      // Codex's server
	HubDaemon      = "hub daemon"      // Cline's server
	OpencodeServer = "opencode server" // `opencode serve` and `opencode web`, also those of Kilo and MiMo Code
)

// SharedServer names the program with this command line if one process of it serves the sessions of many agents; else
// it returns an empty string. The place of such a process in the process tree, and its environment, belong to the
// person or agent that started it first, and say nothing about the agents it serves.
//
// Codex starts one app-server for all its sessions, Cline one hub daemon, and `opencode serve` has clients elsewhere.
func SharedServer(args []string) string {
	if len(args) == 1 {
		args = strings.Fields(args[0]) // a process may write a title over its arguments
	}
	prompt := false // the arguments from here on are the person's words
	value := false  // the last argument was a flag, so this one may be its value
	for i, arg := range args {
		flag := strings.HasPrefix(arg, "-")
		name, _, _ := strings.Cut(arg, "=")
		switch {
		case i == 0:
		case name == "--cline-hub-daemon":
			return HubDaemon
		case flag, prompt:
		case arg == "app-server":
			return AppServer
		case (arg == "serve" || arg == "web") && slices.ContainsFunc(args[:i], isOpencode):
			return OpencodeServer
		case !value && !strings.Contains(arg, "/"): // a path is a script's, not a word of the prompt
			prompt = true
		}
		value = flag
	}
	return ""
}

// isOpencode reports whether an argument is the path of opencode, or of an agent that was made from it.
func isOpencode(arg string) bool {
	name := path.Base(arg)
	return strings.HasPrefix(name, "opencode") || name == "kilo" || name == "mimo"
}
