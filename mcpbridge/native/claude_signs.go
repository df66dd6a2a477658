package native

import (
	"regexp"
	"sync"
)

// absence follows whether something that was there is gone.
type absence struct {
	seen bool
	away int // for so many looks in a row it was not there
}

// absentAfter is the number of looks without it after which something is gone: one dialog of Claude's may follow
// another, and Claude redraws its screen at times.
const absentAfter = 2

func (a *absence) look(there bool) {
	switch {
	case there:
		a.seen, a.away = true, 0
	case a.seen:
		a.away++
	}
}

func (a *absence) gone() bool { return a.away >= absentAfter }

// pane follows whether a dialog of Claude's is in its pane.
type pane struct {
	absence
	read  func() (text string, ok bool) // nil: nobody can look
	after int                           // looks are rare: one of so many
}

// paneLooks counts the looks at a dialog for one look into its pane, which calls tmux.
const paneLooks = 4

// inPane finds the first choice of any dialog of Claude Code 2.1.330. It is compiled when it is first needed, since
// most hooks never look.
var inPane = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^[\s│]*❯? *1\. Yes`) })

// WatchPane makes Look also read the rows of Claude's pane. Where read says false, the rows say nothing.
func (d *Dialog) WatchPane(read func() (text string, ok bool)) { d.pane.read = read }

// left reports whether a dialog was in the pane and is no longer. It may still be open: Claude can show other pages.
func (p *pane) left() bool {
	if p.read == nil {
		return false
	}
	if p.after--; p.after <= 0 {
		p.after = paneLooks
		if text, ok := p.read(); ok {
			p.look(inPane().MatchString(text))
		}
	}
	return p.gone()
}

// status follows whether Claude says that it waits for its person.
type status struct {
	absence
	file string // empty: nobody can look
}

// left reports whether Claude waited for its person and no longer does: then all of its dialogs are closed.
func (s *status) left() bool {
	if s.file == "" {
		return false
	}
	if _, now := claudeState(s.file); now != "" {
		s.look(now == claudeWaits)
	}
	return s.gone()
}
