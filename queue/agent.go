package queue

import (
	"slices"
	"strings"
)

// An agent is one process of a client in one directory. It may ask in several ways: its model by a tool of ours, over a
// bridge, and the agent itself by a hook, a plugin or a socket. Their origins differ:
//
//	              Agent                 PID             Cwd                   Thread
//	bridge        the process above it  the same        where it was started  as the call names it, often not at all
//	hook, plugin  the process above it  the same        where it works now    always
//	below a server of many agents, such as Codex's:
//	bridge        the bridge itself     the server      where it was started  as the call names it
//	socket        not known             the server      the session's own     always

// SameAgent reports whether two origins are one agent, as far as that is certain. It is symmetric and not transitive: a
// bridge that names no thread is the same as each of two threads of its process, which are two agents; see Apart.
func (o Origin) SameAgent(other Origin) bool {
	return o.Host == other.Host && o.sameProcess(other) && !o.Apart(other) && o.sameClient(other) && o.sameDir(other)
}

// Apart reports whether two origins of one process are two of its sessions.
func (o Origin) Apart(other Origin) bool {
	one, two := o.session(), other.session()
	return one != "" && two != "" && one != two
}

// asksItself reports whether the agent asked and no model of its by a tool, also where the origin is a message's.
func (o Origin) asksItself() bool { return o.Dialect == DialectNative }

// oneAtATime are the clients whose process has one session at a time. Their hooks name it; after /clear it is another
// one, and the agent the same.
var oneAtATime = []string{"claude", "gemini", "qwen", "copilot"}

// session returns the thread, where a process may have several side by side.
func (o Origin) session() string {
	if o.asksItself() && slices.Contains(oneAtATime, o.ClientName()) {
		return ""
	}
	return o.Thread
}

func (o Origin) sameThread(other Origin) bool { return o.Thread != "" && o.Thread == other.Thread }

// sameProcess compares Agent where both have one. Below a server of many agents that is the bridge's, or nobody's, and
// says nothing: there it takes the server and the thread.
func (o Origin) sameProcess(other Origin) bool {
	if o.Agent == other.Agent && (o.Agent != "" || o.PID == other.PID) {
		return true
	}
	return o.PID != 0 && o.PID == other.PID && o.sameThread(other)
}

// sameClient compares what two bridges were told. What an agent asks itself goes by the client's short name.
func (o Origin) sameClient(other Origin) bool {
	if o.asksItself() || other.asksItself() {
		return o.ClientName() == other.ClientName()
	}
	return o.Client == other.Client
}

// sameDir reports whether two origins work in one directory. An agent that asks itself may by now be below the one it
// was started in.
func (o Origin) sameDir(other Origin) bool {
	return o.Cwd == other.Cwd || o.sameThread(other) || o.asksItself() && isBelow(o.Cwd, other.Cwd) ||
		other.asksItself() && isBelow(other.Cwd, o.Cwd)
}

func isBelow(dir, above string) bool {
	return above != "" && strings.HasPrefix(dir, strings.TrimSuffix(above, "/")+"/")
}
