package rules

import (
	"path/filepath"
	"slices"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// Key is what is the same of two approvals where the person would say that they allow the same thing again.
type Key struct{ client, tool, kind, label, hash, dir string }

// KeyOf is the key of what a session asks to be allowed; false: it is nothing that a rule could cover.
func KeyOf(s queue.Session) (Key, bool) {
	if May(s) != nil {
		return Key{}, false
	}
	r := covering(s, filepath.Clean(s.Ask.Approval.Dir))
	return Key{r.Client, r.Tool, r.Kind, r.Label, r.Hash, r.Dir}, true
}

// Allowed says how often the person allowed something, and when last.
type Allowed struct {
	Times int
	Last  time.Time
}

// Before counts what the person themselves allowed, by what it was.
type Before struct {
	counts map[Key]Allowed
	seen   map[string]bool // by session
}

// NewBefore has counted nothing yet.
func NewBefore() Before { return Before{map[Key]Allowed{}, map[string]bool{}} }

// Add counts a session, once, if the person allowed what it asked for.
func (b Before) Add(s queue.Session) {
	if s.Outcome == nil || b.seen[s.ID] { // first, as the key is made of all that was asked for
		return
	}
	key, ok := KeyOf(s)
	if !ok || !allowed(s) {
		return
	}
	b.seen[s.ID] = true
	a := b.counts[key]
	a.Times++
	if s.Outcome.At.After(a.Last) {
		a.Last = s.Outcome.At
	}
	b.counts[key] = a
}

// allowed reports whether the person allowed what a session asked for.
func allowed(s queue.Session) bool {
	o := s.Outcome
	if o == nil || o.By != queue.ByHuman || !o.Answered() || len(o.Answer.Replies) != 1 {
		return false
	}
	for _, id := range o.Answer.Replies[0].Selected {
		option, _ := s.Ask.Questions[0].Option(id)
		return slices.Contains([]string{queue.ActOnce, queue.ActSession, queue.ActAlways}, option.Act)
	}
	return false
}

// Of says how often the person allowed before what has a key.
func (b Before) Of(k Key) Allowed { return b.counts[k] }
