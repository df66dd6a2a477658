package empty

import (
	"fmt"
	"strings"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// start draws how to connect an agent.
type start struct {
	connect []Connect
	setUp   bool // whether a key connects all agents
	keys    action.Map
}

// line is one line of the screen: a key, which may be empty, and words.
type line struct {
	key, text string
	in        int // the indent in cells
}

// Stages in which the first screen gets shorter, each including the ones before it.
const (
	startRoomy  = iota
	startClose  // without blank lines
	startNoWait // without the sentence about waiting agents, and without words that the footer has
	startRows   // one row for each command
	startBrief  // with short sentences
	startNames  // only names, without the text for the agent
	stagesOfStart
)

// draw draws as much as fits: the least helpful lines are left out first.
func (s start) draw(c ink.Canvas, r ink.Rect) {
	var lines []line
	for stage := range stagesOfStart {
		if lines = s.lines(r.W, stage, c.Glyphs); len(lines) <= r.H {
			break
		}
	}
	for i, l := range lines[:min(len(lines), r.H)] {
		c.Put(r.X+3, r.Y+i, 1, ink.Key, l.key)
		c.Put(r.X+l.in, r.Y+i, r.W-l.in-1, ink.Plain, ink.Cut(l.text, r.W-l.in-1, c.Glyphs.Ellipsis))
	}
}

// lines returns the first screen at a stage, in lines of w cells.
func (s start) lines(w, stage int, g ink.Glyphs) (lines []line) {
	put := func(in int, key, text string) {
		for i, l := range ink.Wrap(text, w-in-1) {
			if i > 0 {
				key = ""
			}
			lines = append(lines, line{key, l, in})
		}
	}
	gap := func() {
		if stage < startClose {
			lines = append(lines, line{})
		}
	}
	intro, tell, demo := s.sentences(stage)
	put(2, "", intro)
	gap()
	for i, agent := range s.connect {
		lines = append(lines, agent.lines(w, stage, s.digit(i+1), g)...)
	}
	gap()
	if stage < startNames {
		put(2, "", tell)
	}
	gap()
	if key := s.keys.KeyOf(action.PlaceEmpty, action.SetUp); key != "" && s.setUp && stage < startNoWait {
		put(6, key, "connect all agents on this machine; you see each change first")
	}
	if key := s.keys.KeyOf(action.PlaceEmpty, action.Demo); key != "" {
		put(6, key, demo)
	}
	if stage < startNoWait {
		gap()
		put(2, "", "While this pane is open, questions appear here. While it is closed, agents get a command that "+
			"opens the question (choicetui attach ID).")
	}
	return lines
}

// digit returns the key that copies the n-th agent's command, if the key is short enough to be drawn before it.
func (s start) digit(n int) string {
	return ink.KeyCell(s.keys.KeyFor(action.PlaceEmpty, action.OpenOne, n))
}

// sentences returns the words at a stage: above the commands, below them, and beside the key of the demo.
func (s start) sentences(stage int) (intro, tell, demo string) {
	const (
		long   = "Your agents' questions appear here; you answer with the keyboard. To connect:"
		tellIt = "Tell it: “ask me before you decide”."
	)
	first := s.keys.KeyOf(action.PlaceEmpty, action.SetUp)
	intro, tell = long, first+", then a digit, copies that line. Tell agents: “ask me before you decide”."
	demo = "try it: a demo agent asks four questions (nothing saved)"
	if stage >= startBrief {
		intro, tell, demo = first+", then a digit, copies a command:", tellIt, "a demo, nothing saved"
	}
	if stage >= startNames {
		intro = "To connect: " + first + ", then a digit"
	}
	switch digit := s.digit(1); {
	case digit == "" || first == "":
		intro, tell = long, tellIt
	case digit != "1":
		key := strings.NewReplacer("a digit", "its key")
		intro, tell = key.Replace(intro), key.Replace(tell)
	}
	return intro, tell, demo
}

// lines returns how one agent is connected: name and command, the command below the name if it does not fit beside it.
func (a Connect) lines(w, stage int, digit string, g ink.Glyphs) []line {
	const in, command = 6, 20
	beside := fmt.Sprintf("%-*s%s", command-in, a.Name, a.Command)
	switch {
	case ink.Width(beside) <= w-in-1:
		return []line{{digit, beside, in}}
	case stage >= startNames && digit == "":
		return []line{{digit, a.Command, in}}
	case stage >= startNames:
		return []line{{digit, a.Name, in}}
	case stage >= startRows && digit == "":
		return []line{{digit, ink.Cut(a.Name+": "+a.Command, w-in-1, g.Ellipsis), in}}
	case stage >= startRows:
		return []line{{digit, ink.Cut(beside, w-in-1, g.Ellipsis), in}}
	}
	lines := []line{{digit, a.Name, in}}
	for _, row := range ink.Wrap(a.Command, w-in-1) {
		lines = append(lines, line{"", row, in})
	}
	return lines
}
