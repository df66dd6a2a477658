// Package rules decides which approvals the person is not asked again, because a permission rule of theirs, which the
// code calls a rule, allows them. It is pure: no files, no clock.
//
//	an approval        ─► May: could a rule cover it?           ─► New: the rule that the person makes of it
//	the next approval  ─► Match: does a rule cover exactly it?  ─► Settle: the answer that allows it, by that rule
//
// A rule is exact and not a pattern: the same agent, the same tool, the same command or diff to the byte, in the same
// real directory, in the same session of the agent, and for at most a day. Anything else is asked again.
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
	// MaxLife is the longest time for which a rule holds.
	MaxLife = 24 * time.Hour
	// MaxText limits the characters that a rule keeps of its command or diff, for people to read.
	MaxText = 400
	// shell lists the characters with which a command line does more than run one program.
	shell = ";&|><$`\n\r"
)

// Reasons why an approval cannot become a rule, and cannot be answered by one. ErrInvalid is the reason for refusing a
// rule that was read from a file.
var (
	ErrNoApproval = errors.New("it is not an agent's own approval")
	ErrMarked     = errors.New("it destroys, leaves the project or goes to the network")
	ErrParts      = errors.New("it is not exactly one command or one change")
	ErrShell      = errors.New("its command runs more than one program, or is more than plain words")
	ErrHidden     = errors.New("it has hidden characters")
	ErrNowhere    = errors.New("its directory is not known")
	ErrNobody     = errors.New("its agent is not known")
	ErrNoOnce     = errors.New("its agent does not offer to allow it once")
	ErrInvalid    = errors.New("it is not a rule")
)

// Rule records one action that the person allowed and does not want to be asked again. A rule never changes.
type Rule struct {
	ID     string    `json:"id"`
	Client string    `json:"client"` // the agent's own name
	Tool   string    `json:"tool"`
	Kind   string    `json:"kind"`            // queue.PartCommand or queue.PartDiff
	Label  string    `json:"label,omitempty"` // for a diff: the file, as the agent named it
	Leads  string    `json:"leads,omitempty"` // where that file's name led, if it is a link; see queue.Part
	Hash   string    `json:"hash"`            // queue.Approval.Request; if that is empty, the SHA-256 of the command
	Text   string    `json:"text"`            // the command or diff for people, cut after MaxText characters
	Dir    string    `json:"dir"`             // real directory, without symbolic links
	Thread string    `json:"thread,omitempty"`
	MadeAt time.Time `json:"made_at"`
	Until  time.Time `json:"until"`      // at most MaxLife after MadeAt
	From   string    `json:"session_id"` // id of the session in which the person made the rule
}

// May returns nil if a rule can cover the session's approval, provided that its directory exists, else the reason.
func May(s queue.Session) error {
	a := s.Ask.Approval
	switch {
	case s.Ask.Kind != queue.KindApproval || a == nil || !s.Origin.Native():
		return ErrNoApproval
	case len(a.Marks) > 0 || s.Ask.Confirm:
		return ErrMarked
	case len(a.Parts) != 1 || a.Parts[0].Kind != queue.PartCommand && a.Parts[0].Kind != queue.PartDiff:
		return ErrParts
	case a.Parts[0].Kind == queue.PartDiff && a.Request == "": // the Parts of an older version are not complete
		return ErrParts
	case a.Parts[0].Kind == queue.PartCommand && strings.ContainsAny(a.Parts[0].Text, shell):
		return ErrShell
	case a.Odd():
		return ErrHidden
	case !filepath.IsAbs(a.Dir):
		return ErrNowhere
	case queue.Blank(s.Origin.Client) || queue.Blank(a.Tool):
		return ErrNobody
	case onceOption(s.Ask) == "":
		return ErrNoOnce
	}
	return nil
}

// isHidden reports whether any of the texts contains characters that would not be seen.
func isHidden(texts ...string) bool {
	return slices.ContainsFunc(texts, func(text string) bool { _, odd := queue.Visible(text); return odd })
}

// onceOption returns the id of the only option that allows the request once. It is empty if no option does, or if
// several do.
func onceOption(a queue.Ask) (id string) {
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

// New returns the rule that covers a session's approval from now on. dir is the session's directory without symbolic
// links. The rule holds for at most MaxLife, and only in the same session of the agent, if that has a name. The error
// is that of May, or ErrNowhere.
func New(s queue.Session, dir string, now time.Time) (Rule, error) {
	if err := May(s); err != nil {
		return Rule{}, err
	}
	if !filepath.IsAbs(dir) || isHidden(dir) {
		return Rule{}, ErrNowhere
	}
	r := requestOf(s, dir)
	r.ID, r.From, r.Text = queue.NewID(), s.ID, queue.Shorten(s.Ask.Approval.Parts[0].Text, MaxText-1, "…")
	r.MadeAt, r.Until = now.UTC(), now.UTC().Add(MaxLife)
	return r, nil
}

// requestOf returns a rule with only the fields that identify a session's request.
func requestOf(s queue.Session, dir string) Rule {
	part, hash := s.Ask.Approval.Parts[0], s.Ask.Approval.Request
	if hash == "" { // May accepts that only for a command, which Parts contain unchanged
		sum := sha256.Sum256([]byte(part.Text))
		hash = hex.EncodeToString(sum[:])
	}
	return Rule{Client: s.Origin.Client, Tool: s.Ask.Approval.Tool, Kind: part.Kind, Label: part.Label,
		Leads: part.Leads, Hash: hash, Dir: dir, Thread: s.Origin.Thread}
}

// covers reports whether the rule covers a request, as returned by requestOf.
func (r Rule) covers(other Rule) bool {
	return r.Client == other.Client && r.Tool == other.Tool && r.Kind == other.Kind && r.Label == other.Label &&
		r.Leads == other.Leads && r.Hash == other.Hash && r.Dir == other.Dir &&
		(r.Thread == "" || r.Thread == other.Thread)
}

// Live reports whether the rule holds at a time.
func (r Rule) Live(now time.Time) bool { return !now.Before(r.MadeAt) && now.Before(r.Until) }

// Check returns nil if a person can have made this rule, else ErrInvalid.
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

// Match returns the rule that covers a session's approval. ok is false if none does. dir is the session's directory
// without symbolic links, looked up now. A rule covers only requests that came after it was made.
func Match(s queue.Session, dir string, list []Rule, now time.Time) (rule Rule, ok bool) {
	if May(s) != nil || s.Outcome != nil {
		return Rule{}, false
	}
	wanted := requestOf(s, dir)
	for _, r := range list {
		if r.Check() == nil && r.Live(now) && !s.AskedAt.Before(r.MadeAt) && r.covers(wanted) {
			return r, true
		}
	}
	return Rule{}, false
}

// Settle returns the answer that allows a session's request once, in the name of the rule.
func (r Rule) Settle(s queue.Session) queue.Settle {
	return queue.Settle{Rule: r.ID, Answer: Once(s.Ask)}
}

// Once returns the answer that allows a request once. The ask must have onceOption.
func Once(a queue.Ask) queue.Answer {
	return queue.Answer{Replies: []queue.Reply{{Question: a.Questions[0].ID, Selected: []string{onceOption(a)}}}}
}

// Offered reports whether the agent itself offers to allow exactly the session's request again. A rule of the person's
// would add nothing to that.
func Offered(s queue.Session) bool {
	return len(s.Ask.Questions) == 1 && slices.ContainsFunc(s.Ask.Questions[0].Options, func(o queue.Option) bool {
		return o.Exact && (o.Act == queue.ActSession || o.Act == queue.ActAlways)
	})
}

// Alike reports whether two approvals are similar: the same agent wants to use the same tool in the same directory. The
// exact requests may differ, and so may their warning marks; see Plain.
func Alike(a, b queue.Session) bool {
	if !isOwnApproval(&a) || !isOwnApproval(&b) {
		return false
	}
	one, other := a.Ask.Approval, b.Ask.Approval
	sameTool := one.Tool == other.Tool && !queue.Blank(one.Tool)
	sameAgent := a.Origin.Client == b.Origin.Client && a.Origin.Client != "" && a.Origin.Host == b.Origin.Host
	return sameTool && sameAgent && filepath.IsAbs(one.Dir) && filepath.Clean(one.Dir) == filepath.Clean(other.Dir)
}

// isOwnApproval reports whether a session is an approval that an agent asked for with its own prompt.
func isOwnApproval(s *queue.Session) bool {
	return s.Ask.Kind == queue.KindApproval && s.Ask.Approval != nil && s.Origin.Native()
}

// Plain reports whether an approval may be allowed together with others: one choice allows it once, and it has no red
// mark. An approval with a red mark has to be confirmed separately.
func Plain(s queue.Session) bool {
	a := s.Ask
	return a.Kind == queue.KindApproval && a.Approval != nil && len(a.Approval.Red()) == 0 && !a.Confirm &&
		len(a.Approval.Parts) > 0 && onceOption(a) != ""
}

// Key identifies a request. Two approvals have the same key if the person would say that they allow the same thing
// again.
type Key struct{ host, client, tool, hash, dir string }

// KeyOf returns the key of a session's request. ok is false unless the request is a single choice of a known agent in
// a known directory. A session with a key may not be covered by a rule: the key also serves to tell the person that
// they allowed the same before.
func KeyOf(s queue.Session) (key Key, ok bool) {
	a := s.Ask.Approval
	if s.Ask.Kind != queue.KindApproval || a == nil || !s.Origin.Native() || len(a.Parts) == 0 ||
		!filepath.IsAbs(a.Dir) || queue.Blank(s.Origin.Client) || queue.Blank(a.Tool) ||
		len(s.Ask.Questions) != 1 || !s.Ask.Questions[0].Radio() {
		return Key{}, false
	}
	host := "" // of this machine, whatever its name was then
	if s.Origin.Remote {
		host = s.Origin.Host
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "%q\n", a.Request)
	for _, p := range a.Parts {
		fmt.Fprintf(sum, "%q %q %q\n", p.Kind, p.Label, p.Text) // quoted, so that no part runs into the next
	}
	return Key{host, s.Origin.Client, a.Tool, string(sum.Sum(nil)), filepath.Clean(a.Dir)}, true
}

// Allowed counts how often the person allowed a request, and when last.
type Allowed struct {
	Times int
	Last  time.Time
}

// Before counts the requests that the person allowed before, by their key.
type Before struct {
	counts map[Key]Allowed
	seen   map[string]bool // ids of the sessions counted
}

// NewBefore returns an empty count.
func NewBefore() Before { return Before{map[Key]Allowed{}, map[string]bool{}} }

// Add counts a session, once, if the person allowed its request.
func (b Before) Add(s queue.Session) {
	if s.Outcome == nil || b.seen[s.ID] { // checked first, because computing a key reads the whole request
		return
	}
	key, ok := KeyOf(s)
	if !ok || !isAllowed(s) {
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

// isAllowed reports whether the person allowed a session's request.
func isAllowed(s queue.Session) bool {
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

// Of returns how often the person allowed requests with this key, and when last.
func (b Before) Of(k Key) Allowed { return b.counts[k] }
