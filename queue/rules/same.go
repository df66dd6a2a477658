package rules

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// Key holds the fields that are equal in two approvals where the person would say that they allow the same thing again.
type Key struct{ client, tool, hash, dir string }

// KeyOf returns the key of all that a session asks to be allowed; false: it is no single choice of a known agent's in a
// known directory. What has a key need not be what a rule may cover: that the person allowed it before is said of both.
func KeyOf(s queue.Session) (Key, bool) {
	a := s.Ask.Approval
	if s.Ask.Kind != queue.KindApproval || a == nil || !s.Origin.Native() || len(a.Parts) == 0 ||
		!filepath.IsAbs(a.Dir) || queue.Blank(s.Origin.Client) || queue.Blank(a.Tool) ||
		len(s.Ask.Questions) != 1 || !s.Ask.Questions[0].Radio() {
		return Key{}, false
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "%q\n", a.Request)
	for _, p := range a.Parts {
		fmt.Fprintf(sum, "%q %q %q\n", p.Kind, p.Label, p.Text) // quoted, so that no part runs into the next
	}
	return Key{s.Origin.Client, a.Tool, string(sum.Sum(nil)), filepath.Clean(a.Dir)}, true
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
