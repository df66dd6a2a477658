package plain

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/deed"
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
	stands     spot                 // what the person was told is on view
}

// spot is which of several questions is on view, or their review.
type spot struct {
	session string
	at      int // their number: the review
}

func spotOf(f *form.Form) spot { return spot{f.Session(), f.At()} }

// complain says what is wrong, once a minute.
func (v *voice) complain(problem string) {
	now := v.desk.Now()
	if at, said := v.complaints[problem]; said && now.Sub(at) < time.Minute {
		return
	}
	v.complaints[problem] = now
	v.say(alarm + problem)
}

// speech is how things are said here, of the question on view if there is one.
func (v *voice) speech() say.Speech {
	in := say.Speech{Face: say.FaceLines, Command: v.words.command}
	if f := v.seat.Form(); f != nil {
		in.Wanted = say.Wanted(f.Here().Question)
	}
	in.AsksTeam = v.seat.Team.MayAsk() == nil
	return in
}

// refuses says why an action did nothing, and reports whether that is so.
func (v *voice) refuses(why form.WhyNot, a keys.Action) bool {
	if !why.OK() {
		v.say(say.WhyNot(why, a, form.StepSend, v.speech()))
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

// position returns a question's index in the queue; -1 if the question is not pending.
func (v *voice) position(id string) int {
	return slices.IndexFunc(v.desk.Waiting(), func(w queue.Waiting) bool { return w.ID == id })
}

// announce writes the question on view in full.
func (v *voice) announce() {
	f, s, now := v.seat.Form(), v.seat.Session(), v.desk.Now()
	v.write("")
	v.say(say.AskHeading(s))
	v.say(say.AskedFrom(v.desk.Name(s.Origin), s.Origin, v.home))
	if names := v.desk.MeantFor(s); len(names) > 0 {
		v.say(say.Sentence(say.MeantFor(names)))
	}
	if w, _ := v.waiting(s.ID); w.Standing == queue.StandingAttached && v.desk.Attach() == "" {
		v.say("It is " + say.Idle(w, say.FaceLines) + " elsewhere.")
	}
	if s.Ask.Odd() {
		v.say(alarm + "It holds hidden characters; they are written as <U+202E> and the like.")
	}
	v.asksFor(s.Ask.Approval)
	v.blockHinted(f.Ask().Prompt)
	if f.Reviewing() {
		v.announceReview()
	} else {
		v.announceQuestion()
	}
	v.say(timeLine(s, now, clockEnds(form.AtTheEnd(s.Ask))))
	if f.Changed() {
		role, _ := v.seat.Foreign()
		v.say(say.DraftLine(role, f))
	}
	if s.Widen != nil {
		for _, words := range teamPending(s, v.speech()) {
			v.say(words)
		}
	}
	v.say(typedHere(f, v.speech()))
	v.tellRound()
}

// teamPending says that a question is with the team, who was asked, and what can be typed.
func teamPending(s queue.Session, in say.Speech) []string {
	who, where := say.TeamPanel(s)
	lines := []string{"[pending-external-input] " + who}
	if where != "" {
		lines = append(lines, where)
	}
	return append(lines, lettered(in, deed.Fetch, "fetch", " & resolve")+" | [local answer]=type answer | "+
		lettered(in, deed.Defer, "defer", ""))
}

// asksFor writes what an agent wants to be allowed: all of it, then where.
func (v *voice) asksFor(a *queue.Approval) {
	if a == nil {
		return
	}
	if words := say.MarkedLine(a); words != "" {
		v.say(alarm + words)
	}
	for _, p := range a.Parts {
		p, _ = p.Shown()
		v.say(say.PartLine(p))
		v.block(bar, p.Text)
	}
	if words := say.ApprovalWhereLine(a, v.home); words != "" {
		v.say(words)
	}
}

// blockHinted writes a prompt with its hints above it.
func (v *voice) blockHinted(text string) {
	rest, hints := form.CutHints(text)
	v.block(bar, strings.Join(hints, "\n"))
	v.block(bar, rest)
}

// Headings of a text that somebody wrote, each of whose rows follows a bar.
const lineComment = "Comment"

// announceQuestion writes one question with its options.
func (v *voice) announceQuestion() {
	f := v.seat.Form()
	v.stands = spotOf(f)
	q := f.Here()
	if f.Several() {
		v.say(numbered(f, ": "))
		v.blockHinted(q.Text)
	}
	v.say(wantedHeading(q.Question))
	v.announceOptions(q)
	v.written("For your own words it suggests", q.Placeholder)
	v.written("Your own words so far", q.Words())
	v.written(lineComment, f.CommentText())
}

// wantedHeading heads the options, or says that there are none.
func wantedHeading(q queue.Question) string {
	if q.Mode == queue.ModeText {
		return "Your own words are wanted."
	}
	return say.Capital(say.Wanted(q)) + ":"
}

// announceOptions writes the options of a question, or those that were found.
func (v *voice) announceOptions(q *form.Question) {
	hidden := 0
	for i, o := range q.Options {
		switch {
		case q.Folded(o.ID) && !q.Marked(o.ID):
			hidden++
			continue
		case q.Narrowed() != "" && !slices.Contains(q.Rows(), i):
			continue
		}
		v.say(optionLine(i+1, o, q.Marked(o.ID)))
		v.block(underOption+bar, o.Description)
		v.written(underOption+"note", q.NoteOn(o.ID))
	}
	if hidden > 0 {
		v.say(fmt.Sprintf("  %d more by your settings not shown: the word hidden shows them.", hidden))
	}
}

// optionLine writes an option with its number. Our words come before the number's colon, so that no label can claim to
// be recommended or chosen.
func optionLine(n int, o queue.Option, chosen bool) string {
	words := fmt.Sprintf("  %d", n)
	if chosen {
		words += ", chosen"
	}
	if o.Recommended {
		words += ", recommended"
	}
	return words + ": " + say.OneLine(o.Label)
}

// underOption is how far what belongs to an option is indented.
const underOption = "     "

// written writes a text that somebody typed, behind what it is.
func (v *voice) written(what, text string) { v.block(what+" "+bar, text) }

// announceReview writes the answers to several questions before they go out.
func (v *voice) announceReview() {
	f := v.seat.Form()
	v.stands = spotOf(f)
	v.say("Review, all are answered:")
	for i := range f.Len() {
		v.say(reviewLine(i+1, f.Question(i)))
	}
	v.written(lineComment, f.CommentText())
}

// reviewLine returns an answer with its number, which changes it.
func reviewLine(n int, q *form.Question) string {
	return fmt.Sprintf("  %d: %s: %s", n, q.Name(), say.Heard(q.Summary(q.Sent())))
}
