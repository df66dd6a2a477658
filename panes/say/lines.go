package say

import (
	"fmt"
	"strings"
	"time"

	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/form"
)

// A question in lines, from its heading to what can be typed.

// LinesBegin is the first line of the dashboard in lines.
const LinesBegin = "choicetui, the plain mode. help says what can be typed."

// Headings of a text that somebody wrote, each of whose rows follows a bar.
const (
	LineNote      = "note"
	LineComment   = "Comment"
	LineOwnWords  = "Your own words so far"
	LineSuggested = "For your own words it suggests"
)

// AskHeading begins a question: its kind, its id and its title.
func AskHeading(s queue.Session) string {
	kind := "Question"
	if s.Ask.Kind == queue.KindApproval {
		kind = "Approval"
	}
	return fmt.Sprintf("%s %s: %s", kind, s.ID, Title(s.Ask))
}

// AskedFrom says who asks and where; agent is what the agent is called beside others.
func AskedFrom(agent string, o queue.Origin, home string) string {
	return "From " + placed(agent, o, home) + "."
}

// placed returns an agent's name with where it works.
func placed(agent string, o queue.Origin, home string) string {
	if dir := Tilde(OneLine(o.Cwd), home); dir != "" {
		agent += ", " + dir
	}
	if o.Branch != "" {
		agent += " (" + OneLine(o.Branch) + ")"
	}
	return agent
}

// OpenElsewhere says that a question is open in a form of its own.
func OpenElsewhere(w queue.Waiting) string { return "It is " + Idle(w, FaceLines) + " elsewhere." }

// TimeLine returns the time that a question has left, and what is said to happen then; then may be empty.
func TimeLine(s queue.Session, now time.Time, then string) string {
	words := "Time: " + Deadline(s, now) + "."
	if then == "" || !s.HasClock() {
		return words
	}
	return words + " Then " + then + "."
}

// QuestionHeading begins one of several questions.
func QuestionHeading(f *form.Form) string { return numbered(f, ": ") }

// FormAnswered says how many of several questions are answered, longest form first; done is the sign for an answered
// one.
func FormAnswered(f *form.Form, done string) []string {
	n := 0
	for i := range f.Len() {
		if f.Question(i).Taken() {
			n++
		}
	}
	return []string{fmt.Sprintf("%d of %d answered", n, f.Len()), fmt.Sprintf("%d answered", n),
		fmt.Sprintf("%s %d", done, n)}
}

// numbered says which of several questions is on view, and adds its header.
func numbered(f *form.Form, before string) string {
	words := fmt.Sprintf("%d of %d", f.At()+1, f.Len())
	if header := f.Here().Header; header != "" {
		words += before + OneLine(header)
	}
	return words
}

// WantedHeading heads the options, or says that there are none.
func WantedHeading(q queue.Question) string {
	if q.Mode == queue.ModeText {
		return "Your own words are wanted."
	}
	return Capital(Wanted(q)) + ":"
}

// OptionLine writes an option with its number. Our words come before the number's colon, so that no label can claim to
// be recommended or chosen.
func OptionLine(n int, o queue.Option, chosen bool) string {
	words := fmt.Sprintf("  %d", n)
	if chosen {
		words += ", chosen"
	}
	if o.Recommended {
		words += ", recommended"
	}
	return words + ": " + OneLine(o.Label)
}

// NotShown says how many options the person's settings hide.
func NotShown(n int) string {
	return fmt.Sprintf("  %d more by your settings not shown: the word hidden shows them.", n)
}

// ReviewHeading heads the answers to several questions before they are sent, and ReviewLine writes one of them.
const ReviewHeading = "Review, all are answered:"

// ReviewLine returns an answer with its number, which changes it.
func ReviewLine(n int, q *form.Question) string {
	return fmt.Sprintf("  %d: %s: %s", n, q.Name(), Heard(q.Summary(q.Sent())))
}

// DraftCame says what a draft that came from elsewhere has made of the question on view.
func DraftCame(role string, f *form.Form) string {
	if draftedIn[role] == "" {
		return "Drafted elsewhere: " + Heard(Sent(f)) + "."
	}
	return DraftLine(role, f)
}

// OnViewNow says which of several questions has come on view, without writing it.
func OnViewNow(f *form.Form) string {
	return fmt.Sprintf("Question %d of %d is on view now: show writes it.", f.At()+1, f.Len())
}

// DraftLine says what is drafted for the question on view, and where that was, by the role of the process that keeps
// the draft.
func DraftLine(role string, f *form.Form) string {
	return Drafted(role, FaceLines) + ": " + Heard(Sent(f)) + "."
}

// TypedHere says what can be typed at the question on view, the most useful first.
func TypedHere(f *form.Form, in Speech) string {
	q := f.Here()
	var parts []string
	switch {
	case f.Reviewing():
		parts = append(parts, "Enter sends after a last look, a number changes one")
	case f.Ask().Grants():
		parts = append(parts, "Type allow, refuse and why, or the numbers of all you choose, such as 1 3")
	case q.Mode == queue.ModeMulti || q.Mode == queue.ModeHybrid && !q.Question.Radio():
		parts = append(parts, "Type the numbers of all you choose, such as 1 3")
	case f.Approves():
		parts = append(parts, "Type allow, refuse and why, or a number")
	case q.Mode != queue.ModeText:
		parts = append(parts, "Type a number")
	}
	if q.TakesText() && !f.Reviewing() {
		parts = append(parts, in.Key(keys.ActText)+" and your own words")
	}
	if q.Annotate && len(q.Options) > 0 && !f.Reviewing() {
		parts = append(parts, in.Key(keys.ActNote)+" 1 and a note on option 1")
	}
	if f.Takes(form.FieldComment).OK() {
		parts = append(parts, in.Key(keys.ActComment)+" and a comment")
	}
	if in.AsksTeam {
		parts = append(parts, widensWith(in))
	}
	parts = append(parts, in.Key(keys.ActCancel)+" to cancel", "help for the rest")
	return strings.Join(parts, "; ") + "."
}

// ListLine returns a question among all that wait. agent is what its agent is called; begun: the person has chosen or
// typed something there.
func ListLine(w queue.Waiting, agent string, onView, begun bool, now time.Time) string {
	mark := ""
	if idle := Idle(w, FaceLines); idle != "" {
		mark = ", " + idle
	}
	switch {
	case onView && (w.Standing == queue.StandingLater || w.Widen != nil): // nothing else in these lines says so
		mark += ", on view"
	case onView:
		mark = ", on view"
	case begun:
		mark += ", begun"
	}
	return fmt.Sprintf("%s%s: %s from %s, %s", w.ID, mark, ShortQuoted(Title(w.Ask), 200), agent,
		Deadline(*w.Session, now))
}

// AndMore says how many of a list are left out.
func AndMore(n int) string { return fmt.Sprintf("and %d more", n) }
