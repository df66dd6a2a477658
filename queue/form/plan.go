package form

import (
	"maps"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// Step names the effect of Enter.
type Step int

// Steps of Enter.
const (
	StepNothing Step = iota // the plan says why
	StepSend
	StepType    // begin typing the own words
	StepArm     // nothing is marked: remember that, a second Enter sends
	StepEnd     // end typing
	StepTake    // take this answer and go on
	StepOpen    // from the review to the first question without an answer
	StepConfirm // bring the confirmation on view
	StepCancel
)

// Kind says what a piece of a plan is about.
type Kind int

// Kinds of pieces. The comment behind each names the values of its Piece.
const (
	PieceMarked  Kind = iota + 1 // N options are chosen: the plan's object
	PieceWords                   // own words go along, or are all there is
	PieceNotes                   // N notes go along; Text is the note where it is one
	PieceComment                 // a comment goes along
	PieceNothing                 // nothing is marked, and that is the answer
	PieceAgain                   // it was asked for once; this Enter does it
	PieceAnswers                 // N answers to several questions
	PieceMissing                 // N questions have no answer yet

	PieceTooLong     // the text being typed: N too many, of Of at most; see Field.Limit
	PieceRoom        // the text being typed: N are left, of Of
	PieceMatches     // N of Of options match what narrows them
	PieceWordsStay   // own words stay behind, unsent
	PieceNotesStay   // notes stay behind, unsent, as they are off
	PieceUnseenHere  // N lines of the confirmation were not seen
	PieceUnseen      // N lines of the prompt were not seen
	PieceCut         // the title or the option under the cursor was not seen in full
	PieceClockEnds   // when the time is up no answer is given
	PieceClockSends  // when the time is up Text is sent
	PieceGone        // nobody waits for the answer
	PieceUntold      // the agent is told nothing and shows its own prompt
	PieceNext        // then question N, counted from 0, called Text
	PieceReview      // then the review
	PieceThenConfirm // then the confirmation
	PieceThenSend    // then Enter sends the words that are being typed
	PieceCloses      // then the face closes
	PieceEndsAll     // N questions end by it, all of the form
)

// Piece is one thing to say about what Enter would do. Text is visible and on one line.
type Piece struct {
	Kind  Kind
	N, Of int
	Text  string
}

// Plan describes the effect of Enter. A face puts it into words and shortens them; the key executes the step, so that
// the two cannot differ.
type Plan struct {
	Step   Step
	Object string  // what would be sent, taken or opened as the agent called it, visible and on one line
	Pieces []Piece // most important first
	WhyNot WhyNot  // where the step is nothing
}

// Has reports whether the plan has a piece of this kind, and which.
func (p Plan) Has(k Kind) (Piece, bool) {
	for _, piece := range p.Pieces {
		if piece.Kind == k {
			return piece, true
		}
	}
	return Piece{}, false
}

func (p Plan) with(pieces ...Piece) Plan {
	p.Pieces = append(p.Pieces, pieces...)
	return p
}

// Facts are known to the face, and the person should know them before pressing Enter. The zero Facts say nothing.
type Facts struct {
	UnseenHere int  // lines of the confirmation that were never on screen
	Unseen     int  // lines of the prompt that were never on screen
	Cut        bool // the title or the option under the cursor was not shown in full
	Soon       bool // the time is nearly up
	Gone       bool // no caller waits for the answer
	Closes     bool // the face closes once the answer is sent
}

// pieces returns the facts as pieces.
func (facts Facts) pieces(a queue.Ask) []Piece {
	var pieces []Piece
	if facts.UnseenHere > 0 {
		pieces = append(pieces, Piece{Kind: PieceUnseenHere, N: facts.UnseenHere})
	}
	if facts.Unseen > 0 {
		pieces = append(pieces, Piece{Kind: PieceUnseen, N: facts.Unseen})
	}
	if facts.Cut {
		pieces = append(pieces, Piece{Kind: PieceCut})
	}
	if facts.Soon {
		pieces = append(pieces, AtTheEnd(a))
	}
	if facts.Gone {
		pieces = append(pieces, Piece{Kind: PieceGone})
	}
	return pieces
}

// AtTheEnd says what happens when the time is up: PieceClockSends or PieceClockEnds.
func AtTheEnd(a queue.Ask) Piece {
	answer := queue.ClockAnswer(a)
	for _, r := range answer.Replies {
		if len(r.Selected) > 0 {
			return Piece{Kind: PieceClockSends, Text: a.Summary(answer)}
		}
	}
	return Piece{Kind: PieceClockEnds}
}

// Plan plans the effect of Enter. The step after it matters least, so it comes after the face's facts.
func (f *Form) Plan(facts Facts) Plan {
	p := f.plan(facts)
	switch p.Step {
	case StepSend, StepNothing, StepTake, StepConfirm:
		p = p.with(facts.pieces(f.ask)...)
	}
	switch p.Step {
	case StepTake:
		if next := f.NextOpen(); next < f.Len() {
			return p.with(Piece{Kind: PieceNext, N: next, Text: f.Question(next).Name()})
		}
		return p.with(Piece{Kind: PieceReview})
	case StepConfirm:
		return p.with(Piece{Kind: PieceThenConfirm})
	case StepSend:
		if facts.Closes {
			return p.with(Piece{Kind: PieceCloses})
		}
	}
	return p
}

// PlanTyped is Plan as it is once typing has ended, for a face whose button to send stays in sight beside the text.
// Where the text ends the question itself it is Plan.
func (f *Form) PlanTyped(facts Facts) Plan {
	if f.typing.field.Ends() {
		return f.Plan(facts)
	}
	done := *f
	done.typing = typing{}
	return done.Plan(facts)
}

func (f *Form) plan(facts Facts) Plan {
	switch {
	case f.typing.field != FieldNone && f.typing.field != FieldRefusal:
		p := f.typing.plan(f.Here(), facts)
		if f.typing.field == FieldDetail && f.Several() {
			p = p.with(Piece{Kind: PieceEndsAll, N: f.Len()})
		}
		return p
	case f.confirming:
		return f.planConfirmation()
	case f.Reviewing():
		return f.planReview()
	}
	p := f.planQuestion()
	if p.Step == StepSend {
		p.Step = f.StepWhole()
	}
	return p
}

// StepWhole returns the effect of Enter on a complete answer: take it and continue with another question, bring the
// confirmation on view, or send.
func (f *Form) StepWhole() Step {
	switch {
	case f.Several() && !f.Reviewing():
		return StepTake
	case !f.confirming && f.ask.WantsConfirmation(f.Answer()):
		return StepConfirm
	}
	return StepSend
}

// planConfirmation plans Enter in the confirmation: it does nothing before the person has confirmed.
func (f *Form) planConfirmation() Plan {
	p := Plan{Step: StepSend, Object: f.ask.Summary(f.Answer())}
	if !f.confirmed {
		p.Step, p.WhyNot = StepNothing, because(ConfirmationWaits)
	}
	if f.leavesNotes() {
		p = p.with(Piece{Kind: PieceNotesStay})
	}
	return p
}

// planReview plans Enter in the review: send, or go to what is still open.
func (f *Form) planReview() Plan {
	taken, of := f.Progress()
	if open := f.FirstOpen(); open >= 0 {
		return Plan{Step: StepOpen, Object: f.questions[open].Name()}.with(Piece{Kind: PieceMissing, N: of - taken})
	}
	for _, q := range f.questions {
		if why := unsendable(q, q.Sent(), f.Answer().Comment); !why.OK() {
			return Plan{Object: q.Name(), WhyNot: why}
		}
	}
	p := Plan{Step: f.StepWhole()}.with(Piece{Kind: PieceAnswers, N: of})
	if !queue.Blank(f.Answer().Comment) {
		p = p.with(Piece{Kind: PieceComment})
	}
	if f.leavesNotes() {
		p = p.with(Piece{Kind: PieceNotesStay})
	}
	return p
}

// planQuestion plans Enter on a question as if it were the only one.
func (f *Form) planQuestion() Plan {
	q := f.Here()
	words, n := !queue.Blank(q.reply.Text), len(q.reply.Selected)
	switch {
	case len(q.shown) == 0:
		return Plan{WhyNot: because(NothingMatches)}
	case f.shared.approves && q.Unmarked():
		return Plan{WhyNot: because(NothingMarked)}
	case q.OnWords() && !words:
		return Plan{Step: StepType}
	case q.Mode == queue.ModeText:
		return f.planSend()
	case q.Radio() && n == 0 && !q.OnWords():
		return Plan{WhyNot: q.counted(NothingChosen, 0)}
	case q.Radio():
		return f.planSend()
	case n < q.Min:
		return Plan{WhyNot: q.counted(TooFew, n)}
	case n > q.Max:
		return Plan{WhyNot: q.counted(TooMany, n)}
	case n > 0 || words && q.TakesText():
		return f.planSend()
	case q.Mode == queue.ModeHybrid:
		return Plan{WhyNot: q.counted(NothingYet, 0)}
	case !q.armed:
		return Plan{Step: StepArm}.with(Piece{Kind: PieceNothing})
	}
	return f.planSend()
}

// planSend plans what goes out: the options, what goes along with them, and what stays behind.
func (f *Form) planSend() Plan {
	q, r, comment := f.Here(), f.Here().Sent(), f.Answer().Comment
	if why := unsendable(q, r, comment); !why.OK() {
		return Plan{WhyNot: why}
	}
	p := Plan{Step: StepSend, Object: labels(q, r)}
	if n := len(r.Selected); q.grants() {
		p = p.with(Piece{Kind: PieceMarked, N: 1}) // the decision, and what it is about
	} else if n > 0 {
		p = p.with(Piece{Kind: PieceMarked, N: n})
	}
	if !queue.Blank(r.Text) {
		p = p.with(Piece{Kind: PieceWords})
	}
	if len(p.Pieces) == 0 {
		p = p.with(Piece{Kind: PieceNothing}, Piece{Kind: PieceAgain})
	}
	if n := len(r.Notes); n > 0 {
		piece := Piece{Kind: PieceNotes, N: n}
		if n == 1 {
			piece.Text, _ = queue.VisibleLine(slices.Collect(maps.Values(r.Notes))[0])
		}
		p = p.with(piece)
	}
	if !queue.Blank(comment) && !f.Several() {
		p = p.with(Piece{Kind: PieceComment})
	}
	if !queue.Blank(q.reply.Text) && queue.Blank(r.Text) {
		p = p.with(Piece{Kind: PieceWordsStay})
	}
	if f.leavesNotes() {
		p = p.with(Piece{Kind: PieceNotesStay})
	}
	return p
}

// labels joins the labels of the chosen options; a decision comes before its rows.
func labels(q *Question, r queue.Reply) string {
	var names []string
	decision := ""
	for _, id := range r.Selected {
		o, _ := q.Option(id)
		label, _ := queue.VisibleLine(o.Label)
		if q.grants() && o.Act != "" {
			decision = label
			continue
		}
		names = append(names, label)
	}
	if decision != "" {
		names = append([]string{decision}, names...)
	}
	return strings.Join(names, ", ")
}

// unsendable says what of a reply cannot be sent, though it is complete.
func unsendable(q *Question, r queue.Reply, comment string) WhyNot {
	if why := FieldText.tooLong(r.Text); !why.OK() {
		return why
	}
	for _, o := range q.Options {
		if why := FieldNote.tooLong(r.Notes[o.ID]); !why.OK() {
			return why
		}
	}
	if why := FieldComment.tooLong(comment); !why.OK() {
		return why
	}
	if len(q.Check(r)) > 0 {
		return because(Unacceptable)
	}
	return WhyNot{}
}
