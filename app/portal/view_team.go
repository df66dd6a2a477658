package portal

import (
	"net/url"
	"time"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// teamView holds the notice over a question that is with the team.
type teamView struct {
	Who  string
	Link string // where they talk, if it may be followed
	Text string // the same as it reads; empty: it is not known
}

// teamOf returns that notice; nil: the team was not asked.
func teamOf(s queue.Session, now time.Time) *teamView {
	if s.Widen == nil || !s.Pending() {
		return nil
	}
	made := &teamView{Text: say.OneLine(s.Widen.ThreadURL)}
	made.Who, _ = say.TeamAsked(*s.Widen, now)
	made.Who = say.Sentence(made.Who)
	if followed(s.Widen.ThreadURL) {
		made.Link = s.Widen.ThreadURL
	}
	return made
}

// followed reports whether an address that others gave may be a link: https, a host as it reads, and nobody's name in
// front of it. Every other is text.
func followed(address string) bool {
	if _, odd := queue.Visible(address); odd {
		return false
	}
	for _, r := range address {
		if r <= ' ' || r > '~' || r == '\\' {
			return false
		}
	}
	u, err := url.Parse(address)
	return err == nil && u.Scheme == "https" && u.Hostname() != "" && u.User == nil && u.Opaque == ""
}
