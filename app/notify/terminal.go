package notify

import (
	"strings"

	"github.com/choicetui/choicetui/panes/say"
)

// Protocol names a way to ask a terminal to show a notification on the desktop.
type Protocol int

// The protocols. None: the terminal understands no known protocol.
const (
	None   Protocol = iota
	OSC9            // iTerm2, Windows Terminal, VS Code: one line
	OSC777          // Ghostty, foot, WezTerm, Warp, urxvt: title and body
	OSC99           // kitty
)

// protocols maps terminals to their protocol. A name is the beginning of TERM, TERM_PROGRAM, LC_TERMINAL or the answer
// to XTVERSION.
var protocols = []struct {
	name string
	Protocol
}{
	{"xterm-kitty", OSC99}, {"kitty", OSC99},
	{"foot", OSC777}, {"xterm-ghostty", OSC777}, {"ghostty", OSC777}, {"wezterm", OSC777}, {"warpterminal", OSC777},
	{"rxvt-unicode", OSC777},
	{"iterm", OSC9}, {"vscode", OSC9}, {"windows terminal", OSC9},
}

// Speaks returns the protocol of the first terminal that one of these names belongs to.
func Speaks(names ...string) Protocol {
	for _, name := range names {
		for _, p := range protocols {
			if strings.HasPrefix(strings.ToLower(name), p.name) {
				return p.Protocol
			}
		}
	}
	return None
}

// Around returns the protocol of the terminal in which this process runs, according to its environment. Inside tmux or
// screen it returns None: the environment describes the terminal in which those were started, which may be another one
// by now. tmux can be asked instead.
func Around(env func(string) string) Protocol {
	switch {
	case env("TMUX") != "" || env("STY") != "":
		return None
	case env("KITTY_WINDOW_ID") != "" && env("TERM_PROGRAM") == "":
		return OSC99
	case env("WT_SESSION") != "":
		return OSC9
	}
	return Speaks(env("TERM"), env("TERM_PROGRAM"), env("LC_TERMINAL"))
}

// Sequence returns the sequence that makes the terminal show a notification, or "" for None. It contains no escape
// bytes from title, body and id.
func Sequence(p Protocol, id, title, body string) string {
	const osc, st = "\x1b]", "\x1b\\"
	id, title, body = inertText(id), inertText(title), inertText(body)
	switch p {
	case OSC9: // some terminals take "9;4" and the like for a command; our text begins with a word
		return osc + "9;" + title + ": " + body + st
	case OSC777:
		return osc + "777;notify;" + title + ";" + body + st
	case OSC99:
		return osc + "99;i=" + id + ":d=0;" + title + st + osc + "99;i=" + id + ":p=body;" + body + st
	default:
		return ""
	}
}

// inertText removes everything that a terminal acts on, and the semicolon that separates the parts of a sequence.
func inertText(s string) string {
	return strings.ReplaceAll(say.Short(s, maxBody+maxTitle), ";", ",")
}

// Through wraps a sequence so that tmux passes it to the terminal around it; tmux does that only with
// allow-passthrough.
func Through(sequence string) string {
	if sequence == "" {
		return ""
	}
	return "\x1bPtmux;" + strings.ReplaceAll(sequence, "\x1b", "\x1b\x1b") + "\x1b\\"
}
