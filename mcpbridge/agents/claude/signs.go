package claude

import (
	"regexp"
	"sync"
	"time"

	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
)

// pane follows whether Claude shows a dialog in its tmux pane.
type pane struct {
	prompt.Absence
	read  func() (text string, ok bool) // nil: nobody can look
	after int                           // the number of calls of dialogGone until the next look
}

// paneLooks is the number of calls of dialogGone for each look into the pane. A look starts tmux, which is slow.
const paneLooks = 4

// firstChoiceInPane matches the first choice of any dialog beside which Claude Code 2.1.332 runs a hook. The pattern is
// compiled at its first use, because most hooks never look into a pane.
var firstChoiceInPane = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^[\s│]*❯? *1\. Yes`) })

// WatchPane makes Look also read the text of Claude's pane. If read returns ok false, that look counts neither as seen
// nor as gone.
func (d *dialog) WatchPane(read func() (text string, ok bool)) { d.pane.read = read }

// dialogGone reports whether a dialog was in the pane and is no longer. The dialog may still be open: Claude can show
// another page over it.
func (p *pane) dialogGone() bool {
	if p.read == nil {
		return false
	}
	if p.after--; p.after <= 0 {
		p.after = paneLooks
		if text, ok := p.read(); ok {
			p.NoteLook(firstChoiceInPane().MatchString(text))
		}
	}
	return p.Gone()
}

// status follows whether Claude says in its state file that it waits for its person.
type status struct {
	prompt.Absence
	file  string    // the state file; empty: it is not known
	since time.Time // a state from before is about an earlier dialog
	says  bool      // Claude has said whether it waits
	waits bool      // it waited at the last look, for whatever dialog
}

// stoppedWaiting reports whether Claude waited for its person and no longer does. Then all of its dialogs are closed.
func (s *status) stoppedWaiting() bool {
	if s.file == "" {
		return false
	}
	if now := readState(s.file); now.Doing != "" {
		s.says, s.waits = true, now.Doing == waits
		if s.Seen || !s.waits || !now.At.Before(s.since) || now.At.IsZero() {
			s.NoteLook(s.waits)
		}
	}
	return s.Gone()
}
