package plain

import (
	"slices"
	"strings"
	"time"

	"github.com/choicetui/choicetui/app/desk"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/form"
)

// voice puts what is at the seat into lines. All parts of the face speak with it.
type voice struct {
	printer
	desk       *desk.Desk
	seat       *desk.Seat
	words      vocabulary
	home       string
	complaints map[string]time.Time // when each was made, so that none is made twice a second
}

// complain says what is wrong, once a minute.
func (v *voice) complain(problem string) {
	now := v.desk.Now()
	if at, said := v.complaints[problem]; said && now.Sub(at) < time.Minute {
		return
	}
	v.complaints[problem] = now
	v.say("! %s", problem)
}

// speech is how things are said of the question on view.
func (v *voice) speech() say.Speech {
	return say.Speech{Face: say.FaceLines, Command: v.words.command, Wanted: say.Wanted(v.seat.Form().Here().Question)}
}

// refuses says why an action did nothing, and reports whether that is so.
func (v *voice) refuses(why form.WhyNot, a keys.Action) bool {
	if !why.OK() {
		v.say("%s", say.WhyNot(why, a, form.StepSend, v.speech()))
	}
	return !why.OK()
}

// waiting is a question as the queue has it, and whether it is there.
func (v *voice) waiting(id string) (w queue.Waiting, ok bool) {
	list := v.desk.Waiting()
	if at := v.position(id); at >= 0 {
		return list[at], true
	}
	return w, false
}

// position is where a question stands in the queue; -1: it does not.
func (v *voice) position(id string) int {
	return slices.IndexFunc(v.desk.Waiting(), func(w queue.Waiting) bool { return w.ID == id })
}

// announce writes the question on view in full.
func (v *voice) announce() {
	f, s := v.seat.Form(), v.seat.Session()
	v.write("")
	v.say("%s %s: %s", kindWord(s.Ask), s.ID, say.OneLine(s.Ask.Title))
	v.say("From %s.", v.origin(s.Origin))
	if w, _ := v.waiting(s.ID); w.Standing == queue.StandingAttached && v.desk.Attach() == "" {
		v.say("It is %s elsewhere.", say.Idle(w, say.FaceLines))
	}
	if s.Ask.Odd() {
		v.say("! %s", say.HoldsHidden)
	}
	v.block("| ", s.Ask.Prompt)
	if f.Reviewing() {
		v.announceReview()
	} else {
		v.announceQuestion()
	}
	v.say("Time: %s.%s", v.timeLeft(s), then(s))
	if f.Changed() {
		role, _ := v.seat.Foreign()
		v.say("%s: %s.", say.Drafted(role, say.FaceLines), say.Heard(say.Sent(f)))
	}
	v.say("%s", v.hint())
}

func kindWord(a queue.Ask) string {
	if a.Kind == queue.KindApproval {
		return "Approval"
	}
	return "Question"
}

// origin is who asks, and where from.
func (v *voice) origin(o queue.Origin) string {
	words := v.desk.Name(o)
	dir := say.Tilde(say.OneLine(o.Cwd), v.home)
	if dir != "" {
		words += ", " + dir
	}
	if o.Branch != "" {
		words += " (" + say.OneLine(o.Branch) + ")"
	}
	return words
}

// announceQuestion writes one question with its options. What is ours stands before the number's colon, so that no
// label can claim to be recommended or chosen.
func (v *voice) announceQuestion() {
	f := v.seat.Form()
	q := f.Here()
	if f.Several() {
		v.say("%d of %d%s", f.At()+1, f.Len(), headed(q.Question, ": "))
		v.block("| ", q.Text)
	}
	if q.Mode == queue.ModeText {
		v.say("Your own words are wanted.")
	} else {
		v.say("%s:", say.Capital(say.Wanted(q.Question)))
	}
	hidden := 0
	for i, o := range q.Options {
		if q.Folded(o.ID) && !q.Marked(o.ID) {
			hidden++
			continue
		}
		mark := ""
		if q.Marked(o.ID) {
			mark += ", chosen"
		}
		if o.Recommended {
			mark += ", recommended"
		}
		v.say("  %d%s: %s", i+1, mark, say.OneLine(o.Label))
		v.block("     | ", o.Description)
		v.block("     note | ", q.NoteOn(o.ID))
	}
	if hidden > 0 {
		v.say("  %d more by your settings not shown: the word hidden shows them.", hidden)
	}
	if q.Placeholder != "" {
		v.block("For your own words it suggests | ", q.Placeholder)
	}
	v.block("Your own words so far | ", q.Words())
	v.block("Comment | ", f.CommentText())
}

func headed(q queue.Question, before string) string {
	if q.Header == "" {
		return ""
	}
	return before + say.OneLine(q.Header)
}

// announceReview writes the answers to several questions before they go out.
func (v *voice) announceReview() {
	f := v.seat.Form()
	v.say("Review, all are answered:")
	for i, q := range f.Ask().Questions {
		name := say.OneLine(q.Header)
		if name == "" {
			name = say.OneLine(q.Text)
		}
		v.say("  %d: %s: %s", i+1, name, say.Heard(q.Summary(f.Question(i).Sent())))
	}
	v.block("Comment | ", f.CommentText())
}

// hint says what can be typed, the most useful first.
func (v *voice) hint() string {
	f, w := v.seat.Form(), v.words
	q := f.Here()
	var parts []string
	switch {
	case f.Reviewing():
		parts = append(parts, "Enter sends after a last look, a number changes one")
	case q.Mode == queue.ModeMulti || q.Mode == queue.ModeHybrid && !q.Question.Radio():
		parts = append(parts, "Type the numbers of all you choose, such as 1 3")
	case q.Mode != queue.ModeText:
		parts = append(parts, "Type a number")
	}
	if q.TakesText() && !f.Reviewing() {
		parts = append(parts, w.short("text")+" and your own words")
	}
	if q.Annotate && len(q.Options) > 0 && !f.Reviewing() {
		parts = append(parts, w.short("note")+" 1 and a note on option 1")
	}
	if f.MayComment().OK() {
		parts = append(parts, w.short("comment")+" and a comment")
	}
	parts = append(parts, w.short("cancel")+" to cancel", "help for the rest")
	return strings.Join(parts, "; ") + "."
}

// timeLeft is the deadline in words.
func (v *voice) timeLeft(s queue.Session) string { return say.Deadline(s, v.desk.Now()) }

// then says what the clock does at the end.
func then(s queue.Session) string {
	if s.Deadline.IsZero() {
		return ""
	}
	return " Then " + atTheEnd(s) + "."
}

func atTheEnd(s queue.Session) string { return say.ClockEnds(form.AtTheEnd(s.Ask)) }
