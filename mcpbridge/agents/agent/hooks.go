package agent

import (
	"slices"
	"strings"
)

// gateCommand returns the command line for an agent's prompt hook. Pending questions of this agent in the same
// directory hold its prompts back.
func gateCommand(program, id string) string { return ShellQuoted(program) + " gate --hook " + id }

// WithGate returns the client with its prompt hook added to its settings. A client without such a hook is returned
// unchanged.
func (c Client) WithGate(program string) Client { return c.withGate(gateCommand(program, c.ID)) }

// WithGateForAll does the same with a hook for which pending questions of every agent hold the prompts back.
func (c Client) WithGateForAll(program string) Client {
	return c.withGate(gateCommand(program, c.ID) + " --all")
}

// withGate adds a prompt hook that runs a command.
func (c Client) withGate(command string) Client {
	if c.Gate.File == "" {
		return c
	}
	gate := c.Gate.Target
	gate.Sets = fillIn(gate.Sets, strings.NewReplacer("COMMAND", Quoted(command)))
	return c.withSettings(gate)
}

// withSettings returns the client with more settings. They are added to the file if settings for it exist already.
func (c Client) withSettings(more Target) Client {
	c.Also = slices.Clone(c.Also)
	if c.Server.File == more.File {
		c.Server.Sets = slices.Concat(c.Server.Sets, more.Sets)
		return c
	}
	for i := range c.Also {
		if c.Also[i].File == more.File {
			c.Also[i].Sets = slices.Concat(c.Also[i].Sets, more.Sets)
			return c
		}
	}
	c.Also = append(c.Also, more)
	return c
}

// Native describes the hook of an agent that brings only a part of the agent's own prompts here, or more than the agent
// would ask. It is added only if the person chooses that.
type Native struct {
	Target        // the file of the hook, in which COMMAND is replaced by the command line, and what it brings
	But    string // a fact that the person has to know before; a sentence
	ByHand string // a step that the person has to do before it works; a sentence, or empty
	// Trust is the text that follows the name of the hook's file in the agent's settings once the person has done
	// ByHand. Empty: the settings do not tell.
	Trust string
}

// NativeCommand returns the command line for the hook. It replaces the shell that runs it (exec), so that the agent is
// its parent process.
func NativeCommand(program, id string) string {
	return "exec " + ShellQuoted(program) + " hook " + id + " --timeout 86400"
}

// WithNative returns the client with the hook for its own prompts added to its settings. A client without such a hook
// is returned unchanged.
func (c Client) WithNative(program string) Client {
	if c.Native.File == "" {
		return c
	}
	own := c.Native.Target
	own.Sets = fillIn(own.Sets, strings.NewReplacer("COMMAND", Quoted(NativeCommand(program, c.ID))))
	if own.Whole == "" { // the sets may be added to another target
		own.Sets[0].Brings, own.Brings = own.Brings, ""
	}
	return c.withSettings(own)
}
