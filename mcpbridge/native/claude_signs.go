package native

import "regexp"

// pane follows whether a dialog of Claude's is in its pane.
type pane struct {
	look  func() (text string, ok bool) // nil: nobody can look
	after int                           // looks are rare: one of so many
	seen  bool                          // the dialog was there
	away  int                           // for so many looks in a row it was not
}

// paneLooks is how many looks at a dialog pass between two looks into its pane: each is a call of tmux.
const paneLooks = 4

// paneSure is for how many looks a dialog is gone from its pane before it is perhaps answered. Claude draws its screen
// anew at times.
const paneSure = 2

// inPane finds the first choice of any dialog of Claude Code 2.1.330.
var inPane = regexp.MustCompile(`(?m)^[\s│]*❯? *1\. Yes`)

// WatchPane makes Look also read the rows of Claude's pane. Where look says false, the rows say nothing.
func (d *Dialog) WatchPane(look func() (text string, ok bool)) { d.pane.look = look }

// gone reports whether a dialog was in the pane and is no longer. It may still be open: Claude can show other pages.
func (p *pane) gone() bool {
	if p.look == nil {
		return false
	}
	if p.after--; p.after <= 0 {
		p.after = paneLooks
		text, ok := p.look()
		switch {
		case !ok:
		case inPane.MatchString(text):
			p.seen, p.away = true, 0
		case p.seen:
			p.away++
		}
	}
	return p.away >= paneSure
}

// status follows whether Claude says that it waits for its person.
type status struct {
	file   string // empty: nobody can look
	waited bool
	away   int // for so many looks in a row it did not wait
}

// statusSure is for how many looks Claude no longer waits before its dialog is over: one dialog may follow another.
const statusSure = 2

// left reports whether Claude waited for its person, and no longer does: then none of its dialogs is open.
func (s *status) left() bool {
	if s.file == "" {
		return false
	}
	switch _, now := claudeState(s.file); {
	case now == claudeWaits:
		s.waited, s.away = true, 0
	case s.waited && now != "":
		s.away++
	}
	return s.away >= statusSure
}
