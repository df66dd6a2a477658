// Package rules decides what the person need not be asked twice. It is pure: no files, no clock.
//
//	an approval ─► May: could a rule cover it? ─► New: the rule that the person makes of it
//	the next one ─► Match: is it exactly what a rule covers? ─► Settle: this one is allowed, in the rule's name
//
// A rule is exact and no pattern: the same agent, the same tool, the same command or diff to the byte, in the same real
// directory, in the same session of the agent, and for a day at most. Anything else is asked again.
package rules

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/choicetui/choicetui/queue"
)

const (
	// MaxLife limits the time for which a rule holds.
	MaxLife = 24 * time.Hour
	// MaxText limits the characters that a rule keeps of its command or diff, for people to read.
	MaxText = 400
	// shell are the characters by which a command line does more than run one program.
	shell = ";&|><$`\n\r"
)

// Reasons why something cannot become a rule, and is not answered by one.
var (
	ErrNoApproval = errors.New("it is no approval that an agent asks for by itself")
	ErrMarked     = errors.New("it destroys, leaves the project or goes to the network")
	ErrParts      = errors.New("it is not exactly one command or one change")
	ErrShell      = errors.New("its command runs more than one program, or is more than plain words")
	ErrHidden     = errors.New("it holds hidden characters")
	ErrNowhere    = errors.New("its directory is not known")
	ErrNobody     = errors.New("its agent is not known")
	ErrNoOnce     = errors.New("its agent does not offer to allow it once")
	ErrInvalid    = errors.New("it is no rule")
)

// Rule records one thing that the person allowed and does not want to be asked again. Its content never changes.
type Rule struct {
	ID     string    `json:"id"`
	Client string    `json:"client"` // the agent, by its own name
	Tool   string    `json:"tool"`
	Kind   string    `json:"kind"`            // queue.PartCommand or queue.PartDiff
	Label  string    `json:"label,omitempty"` // of a diff: the file, as the agent named it
	Hash   string    `json:"hash"`            // of the request, see queue.Approval; else of the command
	Text   string    `json:"text"`            // the same to be read, cut after MaxText characters
	Dir    string    `json:"dir"`             // the real one, without symbolic links
	Thread string    `json:"thread,omitempty"`
	MadeAt time.Time `json:"made_at"`
	Until  time.Time `json:"until"`      // at most MaxLife after MadeAt
	From   string    `json:"session_id"` // the question at which the person made it
}

// May says why no rule can cover what a session asks to be allowed; nil: one can, if its directory is a real one.
func May(s queue.Session) error {
	a := s.Ask.Approval
	switch {
	case s.Ask.Kind != queue.KindApproval || a == nil || !s.Origin.Native():
		return ErrNoApproval
	case len(a.Marks) > 0 || s.Ask.Confirm:
		return ErrMarked
	case len(a.Parts) != 1 || a.Parts[0].Kind != queue.PartCommand && a.Parts[0].Kind != queue.PartDiff:
		return ErrParts
	case a.Parts[0].Kind == queue.PartDiff && a.Request == "": // an older version asked; what is drawn is not all of it
		return ErrParts
	case a.Parts[0].Kind == queue.PartCommand && strings.ContainsAny(a.Parts[0].Text, shell):
		return ErrShell
	case a.Odd():
		return ErrHidden
	case !filepath.IsAbs(a.Dir):
		return ErrNowhere
	case queue.Blank(s.Origin.Client) || queue.Blank(a.Tool):
		return ErrNobody
	case once(s.Ask) == "":
		return ErrNoOnce
	}
	return nil
}

// isHidden reports whether any of the texts holds characters that would not be seen.
func isHidden(texts ...string) bool {
	return slices.ContainsFunc(texts, func(text string) bool { _, odd := queue.Visible(text); return odd })
}

// once returns the only option that allows this time and no more, or "" if no option does, or several do.
func once(a queue.Ask) (id string) {
	if len(a.Questions) != 1 || !a.Questions[0].Radio() {
		return ""
	}
	for _, o := range a.Questions[0].Options {
		switch {
		case o.Act != queue.ActOnce:
		case id != "":
			return ""
		default:
			id = o.ID
		}
	}
	return id
}

// New returns the rule that covers what a session asks to be allowed, from now on. dir is the session's directory
// without symbolic links. It holds for the agent's session where that has a name, and for MaxLife at most. The error is
// that of May, or ErrNowhere.
func New(s queue.Session, dir string, now time.Time) (Rule, error) {
	if err := May(s); err != nil {
		return Rule{}, err
	}
	if !filepath.IsAbs(dir) || isHidden(dir) {
		return Rule{}, ErrNowhere
	}
	r := covering(s, dir)
	r.ID, r.From, r.Text = queue.NewID(), s.ID, queue.Shorten(s.Ask.Approval.Parts[0].Text, MaxText-1, "…")
	r.MadeAt, r.Until = now.UTC(), now.UTC().Add(MaxLife)
	return r, nil
}

// covering returns the part of a rule that identifies the request of a session.
func covering(s queue.Session, dir string) Rule {
	part, hash := s.Ask.Approval.Parts[0], s.Ask.Approval.Request
	if hash == "" { // a command: it is drawn as it is
		sum := sha256.Sum256([]byte(part.Text))
		hash = hex.EncodeToString(sum[:])
	}
	return Rule{Client: s.Origin.Client, Tool: s.Ask.Approval.Tool, Kind: part.Kind, Label: part.Label,
		Hash: hash, Dir: dir, Thread: s.Origin.Thread}
}

// covers reports whether a rule covers what other, made by covering, says.
func (r Rule) covers(other Rule) bool {
	return r.Client == other.Client && r.Tool == other.Tool && r.Kind == other.Kind && r.Label == other.Label &&
		r.Hash == other.Hash && r.Dir == other.Dir && (r.Thread == "" || r.Thread == other.Thread)
}

// Live reports whether a rule holds at a time.
func (r Rule) Live(now time.Time) bool { return !now.Before(r.MadeAt) && now.Before(r.Until) }

// Check says why a person could not have made this rule; nil: they could. Every error is ErrInvalid.
func (r Rule) Check() error {
	sum, err := hex.DecodeString(r.Hash)
	life := r.Until.Sub(r.MadeAt)
	if err != nil || len(sum) != sha256.Size || !queue.ValidID(r.ID) || !filepath.IsAbs(r.Dir) ||
		filepath.Clean(r.Dir) != r.Dir || r.MadeAt.IsZero() || life <= 0 || life > MaxLife ||
		queue.Blank(r.Client) || queue.Blank(r.Tool) || queue.Blank(r.Text) ||
		r.Kind != queue.PartCommand && r.Kind != queue.PartDiff {
		return ErrInvalid
	}
	return nil
}

// Match returns the rule that covers what a session asks to be allowed, and whether a rule does. dir is the session's
// directory without symbolic links, looked up now. A rule covers requests that came after it was made, while it holds.
func Match(s queue.Session, dir string, list []Rule, now time.Time) (Rule, bool) {
	if May(s) != nil || s.Outcome != nil {
		return Rule{}, false
	}
	wanted := covering(s, dir)
	for _, r := range list {
		if r.Check() == nil && r.Live(now) && !s.AskedAt.Before(r.MadeAt) && r.covers(wanted) {
			return r, true
		}
	}
	return Rule{}, false
}

// Settle allows what a session asks for, this once, in the name of a rule that matches it.
func (r Rule) Settle(s queue.Session) queue.Settle {
	return queue.Settle{Rule: r.ID, Answer: queue.Answer{Replies: []queue.Reply{
		{Question: s.Ask.Questions[0].ID, Selected: []string{once(s.Ask)}}}}}
}

// Own returns the option by which an agent keeps a rule of its own that covers what a session asks to be allowed and
// nothing more; false: it offers no such option. A request that no rule of the person's may cover is not covered by the
// agent's either. Of several such options it returns the one that ends with the agent's session.
func Own(s queue.Session) (own queue.Option, ok bool) {
	if s.Outcome != nil || May(s) != nil || s.Ask.Approval.Parts[0].Kind != queue.PartCommand {
		return own, false
	}
	for _, o := range s.Ask.Questions[0].Options {
		lasts := o.Act == queue.ActSession || o.Act == queue.ActAlways
		if o.Exact && lasts && (!ok || own.Act == queue.ActAlways && o.Act == queue.ActSession) {
			own, ok = o, true
		}
	}
	return own, ok
}

// Alike reports whether two approvals are of one kind: the same agent wants to use the same tool in the same directory.
// The exact request may differ each time, and so may its marks; see Plain.
func Alike(a, b queue.Session) bool {
	if a.Ask.Kind != queue.KindApproval || b.Ask.Kind != queue.KindApproval { // most sessions are no approvals
		return false
	}
	x, y := a.Ask.Approval, b.Ask.Approval
	return x != nil && y != nil && a.Origin.Native() && b.Origin.Native() && !queue.Blank(x.Tool) && x.Tool == y.Tool &&
		a.Origin.Client != "" && a.Origin.Client == b.Origin.Client &&
		filepath.IsAbs(x.Dir) && filepath.Clean(x.Dir) == filepath.Clean(y.Dir)
}

// Plain reports whether an approval is decided by one choice and has no marks: an approval with marks is confirmed
// separately.
func Plain(s queue.Session) bool {
	a := s.Ask
	return a.Kind == queue.KindApproval && a.Approval != nil && len(a.Approval.Marks) == 0 && !a.Confirm &&
		len(a.Questions) == 1 && a.Questions[0].Mode == queue.ModeSingle
}

// Key holds the fields that are equal in two approvals where the person would say that they allow the same thing again.
type Key struct{ client, tool, hash, dir string }

// KeyOf returns the key of everything that a session asks to be allowed. It returns false unless that is a single
// choice of a known agent in a known directory. A rule may not cover every session that has a key: the key also serves
// to tell the person that they allowed the same before.
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

// Of returns how often the person has allowed requests with this key, and when last.
func (b Before) Of(k Key) Allowed { return b.counts[k] }
