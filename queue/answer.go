package queue

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Parties that act on a session.
const (
	ByHuman  = "human"
	ByClock  = "clock"
	ByCaller = "caller"
)

// Surfaces through which a person or a client acts.
const (
	SurfaceDashboard = "dashboard"
	SurfaceAttach    = "attach"
	SurfaceWeb       = "web"
	SurfaceCLI       = "cli"
	SurfaceClient    = "client"
)

// Answer holds the person's replies, one per question in its order, and one comment on the whole.
type Answer struct {
	Replies []Reply `json:"replies,omitempty"`
	Comment string  `json:"comment,omitempty"`
}

// Reply answers one question. Selected has the order of the question's options.
type Reply struct {
	Question string            `json:"question"`
	Selected []string          `json:"selected,omitempty"`
	Text     string            `json:"text,omitempty"`
	Notes    map[string]string `json:"notes,omitempty"`
}

// Reply finds the reply to a question. ok is false if the answer has no reply to it.
func (a Answer) Reply(question string) (r Reply, ok bool) {
	for _, r := range a.Replies {
		if r.Question == question {
			return r, true
		}
	}
	return Reply{}, false
}

// StartAnswer returns the answer that the form starts with: defaults selected, with the caller's notes and comment.
func StartAnswer(a Ask) Answer {
	ans := Answer{Comment: a.Comment}
	for _, q := range a.Questions {
		r := Reply{Question: q.ID, Text: q.DefaultText}
		for _, o := range q.Options {
			if slices.Contains(q.Defaults, o.ID) {
				r.Selected = append(r.Selected, o.ID)
			}
			if o.Note != "" {
				if r.Notes == nil {
					r.Notes = map[string]string{}
				}
				r.Notes[o.ID] = o.Note
			}
		}
		ans.Replies = append(ans.Replies, r)
	}
	return ans
}

// ClockAnswer returns the answer for a timeout: an empty answer, or the StartAnswer if the ask says so. A question
// with fewer defaults than its minimum gets no selection, since a person could not send that selection either.
func ClockAnswer(a Ask) Answer {
	if a.OnTimeout != OnTimeoutDefaults {
		return Answer{}
	}
	ans := StartAnswer(a)
	for i, q := range a.Questions {
		if r := &ans.Replies[i]; len(r.Selected) < q.Min {
			r.Selected = nil
		}
	}
	return ans
}

// Accept checks an answer against the ask and returns it in normal form: one reply per question in the ask's order,
// ids in option order, without blank text and blank notes. The error is *Invalid and lists every problem with its
// path (`replies[0].selected[1]`). Every surface has its answers checked here and nowhere else.
func (a Ask) Accept(ans Answer) (Answer, error) {
	var c checker
	byID := map[string]Reply{}
	for i, r := range ans.Replies {
		at := fmt.Sprintf("replies[%d]", i)
		if !slices.ContainsFunc(a.Questions, func(q Question) bool { return q.ID == r.Question }) {
			c.addProblem(at+".question", "is "+Quote(r.Question)+", which is not a question of this ask",
				"one of its question ids")
		} else if _, dup := byID[r.Question]; dup {
			c.addProblem(at+".question", Quote(r.Question)+" is answered twice", "one reply for each question")
		}
		byID[r.Question] = r
	}
	out := Answer{Comment: a.acceptComment(&c, ans.Comment)}
	for i, q := range a.Questions {
		r := byID[q.ID]
		r.Question = q.ID
		out.Replies = append(out.Replies, q.acceptReply(&c, fmt.Sprintf("replies[%d]", i), r))
	}
	if a.Grants() {
		a.checkGrants(&c, out.Replies[0])
	}
	if len(c.problems) > 0 {
		return Answer{}, &Invalid{Problems: c.problems}
	}
	return out, nil
}

// WantsConfirmation reports whether the person must confirm this answer before it is accepted.
func (a Ask) WantsConfirmation(answer Answer) bool { return a.Confirm && !a.Refuses(answer) }

// Refuses reports whether an answer to an approval does nothing but refuse. A refusal needs no confirmation.
func (a Ask) Refuses(answer Answer) bool {
	refused := false
	for _, r := range answer.Replies {
		at := slices.IndexFunc(a.Questions, func(q Question) bool { return q.ID == r.Question })
		if at < 0 || a.Kind != KindApproval {
			return false
		}
		for _, id := range r.Selected {
			if o, _ := a.Questions[at].Option(id); o.Act != ActRefuse {
				return false
			}
			refused = true
		}
	}
	return refused
}

// Grants reports whether an approval can be allowed in part, such as some of the requested paths. Such an approval has
// one question, which accepts several options. Some of these are decisions and have an Act; the others are rows without
// an Act, and the person allows each of them or does not.
func (a Ask) Grants() bool {
	if a.Kind != KindApproval || len(a.Questions) != 1 || a.Questions[0].Mode != ModeMulti {
		return false
	}
	rows, decisions := 0, 0
	for _, o := range a.Questions[0].Options {
		if o.Act == "" {
			rows++
		} else {
			decisions++
		}
	}
	return rows > 0 && decisions > 0
}

// checkGrants lists the problems of a reply to an approval that Grants. The reply must have exactly one decision: an
// allowing one with at least one row, or a refusal without rows.
func (a Ask) checkGrants(c *checker, r Reply) {
	rows, decisions, refuses := 0, 0, false
	for _, id := range r.Selected {
		o, _ := a.Questions[0].Option(id)
		if o.Act == "" {
			rows++
		} else {
			decisions++
		}
		refuses = refuses || o.Act == ActRefuse
	}
	if decisions != 1 || refuses != (rows == 0) {
		c.addProblem("replies[0].selected", "decides nothing",
			"one decision with what it allows, or the refusal alone")
	}
}

// acceptComment checks the comment on the whole, and returns it, or "" if it is blank.
func (a Ask) acceptComment(c *checker, s string) string {
	c.checkText("comment", s, MaxNote, optional)
	if Blank(s) {
		return ""
	}
	if s != a.Comment && !a.Annotates() {
		c.addProblem("comment", "is not wanted: annotations are off for this ask", "leave it out")
	}
	return s
}

// KeepNotes returns the notes and the comment of an answer that is not sent, in the normal form of Accept. It leaves
// out what the ask does not take, and is empty for an approval, whose notes are words for a decision that was not made.
func (a Ask) KeepNotes(ans Answer) (kept Answer) {
	if a.Kind == KindApproval {
		return Answer{}
	}
	var c checker
	if comment := a.acceptComment(&c, ans.Comment); len(c.problems) == 0 {
		kept.Comment = comment
	}
	for _, q := range a.Questions {
		r, _ := ans.Reply(q.ID)
		var c checker
		if notes := q.acceptNotes(&c, "", r.Notes); len(c.problems) == 0 && len(notes) > 0 {
			kept.Replies = append(kept.Replies, Reply{Question: q.ID, Notes: notes})
		}
	}
	return kept
}

// Check lists the problems that keep this reply from being sent, worded for the person. The list is empty if the
// reply may be sent.
func (q Question) Check(r Reply) []Problem {
	var c checker
	q.acceptReply(&c, "", r)
	return c.problems
}

// acceptReply checks one reply, and returns it in the normal form of Ask.Accept. at is the reply's path in problems.
func (q Question) acceptReply(c *checker, at string, r Reply) Reply {
	out := Reply{Question: q.ID, Text: r.Text, Notes: q.acceptNotes(c, at, r.Notes)}
	if Blank(out.Text) {
		out.Text = ""
	}
	if !utf8.ValidString(out.Text) {
		c.addProblem(at+".text", "is not valid UTF-8", "UTF-8 text")
	}
	if len(out.Text) > MaxPromptBytes {
		c.addProblem(at+".text", fmt.Sprintf("takes %d bytes", len(out.Text)),
			fmt.Sprintf("at most %d bytes", MaxPromptBytes))
	}
	if out.Text != "" && !q.TakesText() {
		c.addProblem(at+".text", "is not possible: this question does not accept free text",
			"choose one of its options, or cancel with a reason")
	}
	if out.Text != "" && q.Format != nil && !q.Format.Fits(out.Text) {
		c.addProblem(at+".text", "is not in the format that is wanted", q.Format.Want())
	}
	known := len(c.problems)
	taken := q.checkIDs(c, at+".selected", r.Selected)
	for _, o := range q.Options {
		if taken[o.ID] {
			out.Selected = append(out.Selected, o.ID)
		}
	}
	if len(c.problems) == known { // wrong ids would be reported a second time as a wrong count
		q.acceptCounts(c, at, out)
	}
	return out
}

// acceptCounts applies the rules of docs/design.md section 4. Text never counts towards min and max. In a hybrid
// question with max 1, the text is one of the radio's rows, so the reply is an option or the text, never both.
func (q Question) acceptCounts(c *checker, at string, r Reply) {
	n := len(r.Selected)
	switch {
	case q.Mode == ModeText:
		if r.Text == "" {
			c.addProblem(at+".text", "is missing or blank", WantsText)
		}
	case q.Mode == ModeHybrid && n == 0 && r.Text == "":
		c.addProblem(at+".selected", "is empty and there is no text", WantsEither)
	case q.Mode == ModeHybrid && q.Max == 1:
		if n > 1 {
			c.addProblem(at+".selected", fmt.Sprintf("has %d options", n), "at most one")
		} else if n == 1 && r.Text != "" {
			c.addProblem(at+".text", "comes with an option", "either the option or text, not both")
		}
	case n < q.Min, n > q.Max:
		c.addProblem(at+".selected", fmt.Sprintf("must name %s, not %d", q.wantedCount(), n), "")
	}
}

// wantedCount says how many options an answer must have, for an error message.
func (q Question) wantedCount() string {
	switch {
	case q.Min == q.Max:
		return "exactly " + countOptions(q.Min)
	case q.Min == 0:
		return "at most " + countOptions(q.Max)
	}
	return fmt.Sprintf("%d to %s", q.Min, countOptions(q.Max))
}

// countOptions returns a number of options in words.
func countOptions(n int) string {
	if n == 1 {
		return "1 option"
	}
	return fmt.Sprintf("%d options", n)
}

// acceptNotes checks the notes of one reply, and returns those that are not blank.
func (q Question) acceptNotes(c *checker, at string, notes map[string]string) map[string]string {
	out := map[string]string{}
	for _, id := range slices.Sorted(maps.Keys(notes)) {
		note, p := notes[id], fmt.Sprintf("%s.notes[%s]", at, Quote(id))
		o, ok := q.Option(id)
		if !ok {
			c.addProblem(p, "belongs to no option", "one of "+q.optionIDs())
			continue
		}
		c.checkText(p, note, MaxNote, optional)
		if Blank(note) {
			continue
		}
		if note != o.Note && !q.Annotate {
			c.addProblem(p, "is not wanted: annotations are off for this question", "leave it out")
		}
		out[id] = note
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// Blank reports whether s contains nothing that a person can see. A blank text does not count as an answer.
func Blank(s string) bool {
	return strings.TrimFunc(s, func(r rune) bool {
		return isHidden(r) || unicode.IsSpace(r)
	}) == ""
}

// Summary names the chosen labels and quotes the typed text of all replies, on one line.
func (a Ask) Summary(ans Answer) string {
	a = a.Shown()
	var parts []string
	for i, r := range ans.Replies {
		if i >= len(a.Questions) {
			break
		}
		p := a.Questions[i].Summary(r)
		if h := a.Questions[i].Header; h != "" && len(a.Questions) > 1 {
			v, _ := VisibleLine(h)
			p = v + ": " + p
		}
		parts = append(parts, p)
	}
	return strings.Join(parts, "; ")
}

// Summary names the chosen labels and quotes the typed text of one reply, on one line.
func (q Question) Summary(r Reply) string {
	var parts []string
	for _, id := range r.Selected {
		label := id
		if o, ok := q.Option(id); ok {
			label = o.Label
		}
		v, _ := VisibleLine(label)
		parts = append(parts, v)
	}
	if r.Text != "" {
		v, _ := VisibleLine(r.Text)
		parts = append(parts, "“"+v+"”")
	}
	if len(parts) == 0 {
		return "nothing marked"
	}
	return strings.Join(parts, ", ")
}
