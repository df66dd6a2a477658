package connect

import (
	"slices"
	"strings"
)

// GateCommand is the line that an agent's prompt hook runs. all: questions of any agent keep its prompts waiting, else
// those of this agent in the same directory.
func GateCommand(program, id string, all bool) string {
	line := ShellQuoted(program) + " gate --hook " + id
	if all {
		line += " --all"
	}
	return line
}

// WithGate is a client whose prompt hook is among what it needs; one without a hook is as before.
func (c Client) WithGate(program string, all bool) Client {
	if c.Gate.File == "" {
		return c
	}
	gate := c.Gate.Target
	gate.Sets = filledIn(gate.Sets, strings.NewReplacer("COMMAND", Quoted(GateCommand(program, c.ID, all))))
	return c.with(gate)
}

// with is a client that has something more to put in. Where that stands in a file that is written anyway, it is
// settings more in there.
func (c Client) with(more Target) Client {
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
