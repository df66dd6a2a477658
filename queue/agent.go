package queue

import "strings"

// An agent is one process of a client in one directory. A question can reach us from it in several ways: its model
// calls one of our tools, over a bridge; or the agent's own prompt arrives by a hook, a plugin or a socket. The
// origins of these questions differ:
//
//              Agent                 PID             Cwd                   Thread
//bridge        the process above it  the same        where it was started  as the call names it, often not at all
//hook, plugin  the process above it  the same        where it works now    always
//below a server of many agents:
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
