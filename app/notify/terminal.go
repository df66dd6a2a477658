package notify

import (
	"strings"

	"github.com/choicetui/choicetui/panes/say"
)

// Protocol names a way to ask a terminal to show a notification on the desktop.
type Protocol int

// Protocols; None: no protocol is known that this terminal would understand.
const (
	None   Protocol = iota
	OSC9            // iTerm2, Windows Terminal, VS Code: one line
	OSC777          // Ghostty, foot, WezTerm, Warp, urxvt: title and body
	OSC99           // kitty
)

// protocols name terminals by what TERM, TERM_PROGRAM, LC_TERMINAL or the answer to XTVERSION begins with.
var protocols = []struct {
	name string
	Protocol
}{
	{"xterm-kitty", OSC99}, {"kitty", OSC99},
	{"foot", OSC777}, {"xterm-ghostty", OSC777}, {"ghostty", OSC777}, {"wezterm", OSC777}, {"warpterminal", OSC777},
	{"rxvt-unicode", OSC777},
	{"iterm", OSC9}, {"vscode", OSC9}, {"windows terminal", OSC9},
}

// Speaks returns the protocol of the terminal that one of these names belongs to.
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

// Around returns the protocol of the terminal this process runs in, by its environment. Inside tmux or screen the
// environment describes the terminal these were started in, which may be another one by now: ask tmux instead.
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

// Sequence returns the sequence that makes the terminal show a notification, or "" if there is no protocol for that. It
// contains only our own escape bytes, whatever title, body and id hold.
func Sequence(p Protocol, id, title, body string) string {
	const osc, st = "\x1b]", "\x1b\\"
	id, title, body = inert(id), inert(title), inert(body)
	switch p {
	case OSC9: // "9;4" and the like are commands to some terminals; ours begins with a word
		return osc + "9;" + title + ": " + body + st
	case OSC777:
		return osc + "777;notify;" + title + ";" + body + st
	case OSC99:
		return osc + "99;i=" + id + ":d=0;" + title + st + osc + "99;i=" + id + ":p=body;" + body + st
	default:
		return ""
	}
}

// inert removes everything that a terminal acts on, and the separator of the sequences.
func inert(s string) string {
	return strings.ReplaceAll(say.Short(s, maxBody+maxTitle), ";", ",")
}

// Through wraps a sequence so that tmux hands it to the terminal around it; tmux does so only with allow-passthrough.
func Through(sequence string) string {
	if sequence == "" {
		return ""
	}
	return "\x1bPtmux;" + strings.ReplaceAll(sequence, "\x1b", "\x1b\x1b") + "\x1b\\"
}
