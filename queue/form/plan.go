package form

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// Step names the effect of Enter.
type Step int

// Steps of Enter.
const (
	StepNothing Step = iota // Enter has no effect; the reason is in Plan.WhyNot
	StepSend
	StepType    // begin typing the own words
	StepArm     // nothing is marked, so only a second Enter sends the empty answer
	StepEnd     // end typing
	StepTake    // take this answer and continue with another question
	StepOpen    // go from the review to the first question without an answer
	StepConfirm // bring the confirmation on view
	StepCancel
)

// Kind names the subject of a Piece.
type Kind int

// Kinds of pieces. The comment behind a kind explains the fields of its Piece.
const (
	PieceMarked  Kind = iota + 1 // N options are sent: the plan's Object
	PieceWords                   // own words are sent, with options or alone: Text
	PieceNotes                   // N notes are sent; Text is the note if N is 1
	PieceComment                 // a comment is sent
	PieceNothing                 // nothing is marked, and an empty answer is sent
	PieceAgain                   // this is the second Enter, which sends although nothing is marked
	PieceAnswers                 // N answers to several questions
	PieceMissing                 // N questions have no answer yet
	PieceBefore                  // the answer to an earlier question of the form: Text, with N options

	PieceTooLong     // the text being typed is too long by N; at most Of are allowed (for the unit see Field.Limit)
	PieceRoom        // the text being typed may still grow by N; at most Of are allowed
	PieceMatches     // N of Of options match the text that narrows them
	PieceWordsStay   // own words were typed but are not sent
	PieceNotesStay   // notes are not sent, because they are turned off
	PieceUnseenHere  // N lines of the confirmation were not seen
	PieceUnseen      // N lines of the prompt were not seen
	PieceCut         // the title or the option under the cursor was not seen in full
	PieceClockEnds   // when the time is up, the question ends without an answer
	PieceClockSends  // when the time is up, Text is sent as the answer
	PieceGone        // nobody waits for the answer
	PieceUntold      // the agent is told nothing and shows its own prompt
	PieceRefuses     // the agent takes the words as a refusal
	PieceNext        // afterwards question N, counted from 0, comes on view; Text is its name
	PieceReview      // afterwards the review comes on view
	PieceThenConfirm // afterwards the confirmation comes on view
	PieceAllows      // the confirmed answer allows the request, once; a frontend may name it as the Object
	PieceCloses      // afterwards the frontend closes
	PieceEndsAll     // this Enter ends all N questions of the form
)

// Piece is one fact about the effect of Enter. Text is cleaned by queue.VisibleLine.
type Piece struct {
	Kind  Kind
	N, Of int
	Text  string
}

// Plan describes the effect of Enter. The frontend words it for the person, and the key carries out the same Step, so
// that the words and the effect cannot differ.
type Plan struct {
	Step   Step
	Object string  // agent's name of the thing that is sent, taken or opened, cleaned by VisibleLine
	Pieces []Piece // most important first
	WhyNot WhyNot  // reason, if Step is StepNothing
	// Decides reports that Object alone says what is done, such as Allow once in an approval.
	Decides bool
}

// Has returns the first piece of this kind. ok is false if there is none.
func (p Plan) Has(k Kind) (piece Piece, ok bool) {
	for _, piece := range p.Pieces {
		if piece.Kind == k {
			return piece, true
		}
	}
	return Piece{}, false
}

// with returns the plan with more pieces.
func (p Plan) with(pieces ...Piece) Plan {
	p.Pieces = append(p.Pieces, pieces...)
	return p
}

// Facts are known to the frontend only, and the person should know them before pressing Enter. The zero Facts add
// nothing.
type Facts struct {
	UnseenHere int  // lines of the confirmation that were never on screen
	Unseen     int  // lines of the prompt that were never on screen
	Cut        bool // the title or the option under the cursor was not shown in full
	Soon       bool // the time is nearly up
	Gone       bool // no caller waits for the answer
	Closes     bool // the frontend closes once the answer is sent
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

// AtTheEnd describes the effect of a timeout: PieceClockSends or PieceClockEnds.
func AtTheEnd(a queue.Ask) Piece {
	answer := queue.ClockAnswer(a)
	for _, r := range answer.Replies {
		if len(r.Selected) > 0 {
			return Piece{Kind: PieceClockSends, Text: a.Summary(answer)}
		}
	}
	return Piece{Kind: PieceClockEnds}
}

// Plan returns the effect of Enter. The pieces about the step after it come last, since they matter least.
func (f *Form) Plan(facts Facts) Plan {
	p := f.planStep(facts)
	_, marked := p.Has(PieceMarked)
	p.Decides = f.ask.Approval != nil || f.ofTeam && (marked || f.Several() && f.EndsHere())
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

// PlanTyped returns the Plan as it will be after typing has ended. It is for a frontend that shows its send button
// beside the text field. For a text that ends the question itself it returns Plan.
func (f *Form) PlanTyped(facts Facts) Plan {
	switch {
	case f.typing.field.Ends():
		return f.Plan(facts)
	case f.typing.field == FieldText:
		return f.typedOut().Plan(facts)
	}
	done := *f
	done.typing = typing{}
	return done.Plan(facts)
}

// planStep plans the step of Enter, without the frontend's facts and without what follows after the step.
func (f *Form) planStep(facts Facts) Plan {
	switch {
	case f.typing.field == FieldText:
		return f.planWords(facts)
	case f.typing.field != FieldNone && f.typing.field != FieldRefusal:
		p := f.typing.planTyping(f.Here(), facts)
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
	if p.Step != StepSend {
		return p
	}
	if p.Step = f.StepWhole(); p.Step == StepSend && f.Several() {
		return f.planLast()
	}
	return p
}

// EndsHere reports whether the answer on view ends the form: that of the only question, the review, or, where the
// person is asked about the team, that of the last question once all others are answered.
func (f *Form) EndsHere() bool {
	last := f.ofTeam && f.at == f.Len()-1 && f.NextOpen() == f.Len()
	return !f.Several() || f.Reviewing() || last
}

// planLast plans Enter on the last question of several about the team. It names the answers that are not on view.
func (f *Form) planLast() Plan {
	p := Plan{Step: StepSend, Object: f.ask.Title}
	for _, q := range f.questions[:f.at] {
		p = p.with(Piece{Kind: PieceBefore, N: len(q.Sent().Selected), Text: q.Summary(q.Sent())})
	}
	return p
}

// StepWhole returns the effect of Enter on a complete answer: take it and continue with another question, bring the
// confirmation on view, or send.
func (f *Form) StepWhole() Step {
	switch {
	case !f.EndsHere():
		return StepTake
	case !f.confirming && f.ask.WantsConfirmation(f.Answer()):
		return StepConfirm
	}
	return StepSend
}

// planConfirmation plans Enter in the confirmation. Enter has no effect before the person has confirmed.
func (f *Form) planConfirmation() Plan {
	p := Plan{Step: StepSend, Object: f.ask.Summary(f.Answer())}
	if o, why := f.optionWithAct(queue.ActOnce); why.OK() && f.Here().Marked(o.ID) {
		p = p.with(Piece{Kind: PieceAllows})
	}
	if !f.confirmed {
		p.Step, p.WhyNot = StepNothing, because(ConfirmationWaits)
	}
	if f.leavesNotes() {
		p = p.with(Piece{Kind: PieceNotesStay})
	}
	return p
}

// planReview plans Enter in the review: send, or go to the first open question.
func (f *Form) planReview() Plan {
	taken, of := f.Progress()
	if open := f.FirstOpen(); open >= 0 {
		return Plan{Step: StepOpen, Object: f.questions[open].Name()}.with(Piece{Kind: PieceMissing, N: of - taken})
	}
	for _, q := range f.questions {
		if why := checkReply(q, q.Sent(), f.Answer().Comment); !why.OK() {
			return Plan{Object: q.Name(), WhyNot: why}
		}
	}
	p := Plan{Step: f.StepWhole()}.with(Piece{Kind: PieceAnswers, N: of})
	if f.ofTeam {
		p = Plan{Step: p.Step, Object: f.ask.Title}
	}
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
		return Plan{WhyNot: q.countReason(NothingChosen, 0)}
	case q.Radio():
		return f.planSend()
	case n < q.Min:
		return Plan{WhyNot: q.countReason(TooFew, n)}
	case n > q.Max:
		return Plan{WhyNot: q.countReason(TooMany, n)}
	case n > 0 || words && q.TakesText():
		return f.planSend()
	case q.Mode == queue.ModeHybrid:
		return Plan{WhyNot: q.countReason(NothingYet, 0)}
	case !q.armed:
		return Plan{Step: StepArm}.with(Piece{Kind: PieceNothing})
	}
	return f.planSend()
}

// planSend plans the sending of a reply: the options, the words and notes with them, and the texts that are not sent.
func (f *Form) planSend() Plan {
	q, r, comment := f.Here(), f.Here().Sent(), f.Answer().Comment
	if why := checkReply(q, r, comment); !why.OK() {
		return Plan{WhyNot: why}
	}
	p := Plan{Step: StepSend, Object: chosenLabels(q, r)}
	if n := len(r.Selected); q.grants() {
		p = p.with(Piece{Kind: PieceMarked, N: 1}) // the decision; its rows are part of the Object
	} else if n > 0 {
		p = p.with(Piece{Kind: PieceMarked, N: n})
	}
	if !queue.Blank(r.Text) {
		text, _ := queue.VisibleLine(queue.Shorten(strings.TrimSpace(r.Text), mostShown, "…"))
		p = p.with(Piece{Kind: PieceWords, Text: text})
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

// mostShown is the most characters of the person's own words in a Piece, because a plan is made for each frame.
const mostShown = 500

// chosenLabels joins the labels of the chosen options. In an approval with rows to grant, the label of the decision
// comes before the labels of the rows.
func chosenLabels(q *Question, r queue.Reply) string {
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

// checkReply returns the reason if a complete reply cannot be sent, such as a text that is too long.
func checkReply(q *Question, r queue.Reply, comment string) WhyNot {
	if why := FieldText.checkLength(r.Text); !why.OK() {
		return why
	}
	for _, o := range q.Options {
		if why := FieldNote.checkLength(r.Notes[o.ID]); !why.OK() {
			return why
		}
	}
	if why := FieldComment.checkLength(comment); !why.OK() {
		return why
	}
	if len(q.Check(r)) > 0 {
		return because(Unacceptable)
	}
	return WhyNot{}
}

// Reason says why a verb, or Enter, has no effect.
type Reason int

// Reasons. The comment behind a reason lists the numbers in its WhyNot.
const (
	Free Reason = iota // the verb is possible

	NoSuchOption         // Have: the number that was given, Of: how many options there are
	OptionHidden         // Have: the number that was given
	NothingHere          // the cursor is on no option
	OnOwnWords           // the cursor is on the person's own words, which cannot be marked
	FollowsCursor        // the dot follows the cursor, so options cannot be marked separately
	OneAnswerOnly        // only one option can be marked
	WordsOnly            // the question has no options
	OptionsOnly          // the question does not accept own words
	NothingRecommended   // no option on screen is recommended
	TooManyRecommended   // more options are recommended than may be marked: Have, Most
	TooMany              // too many options would be marked: Have, Least, Most, Of: how many options there are
	Full                 // the maximum is marked already: Have, Most
	NotesOff             // the question or the whole ask accepts no notes
	NotesOffInSettings   // the ask accepts notes, but the person's settings turn them off
	NoOptions            // there are no options to find
	NothingIsHidden      // there are no hidden options to show
	NeverHiddenHere      // options of an approval or a confirmation are never hidden
	LastOptions          // options that an answer needs are never hidden
	NotForApprovals      // more detail cannot be requested for an approval
	NotOffered           // the agent's approval has no such choice
	NothingMarked        // the person has to mark a choice of the approval first
	NothingAnswered      // there is nothing to start over
	NoSuchQuestion       // Have: the number that was given, Of: how many questions there are
	NothingMatches       // no option matches the text that narrows them
	NothingChosen        // one answer is needed and none is chosen: Least, Most, Of
	TooFew               // too few options are marked: Have, Least, Most, Of
	NothingTyped         // the person's own words are needed, and none are typed
	NothingYet           // options or own words are needed, and neither is given
	TooLong              // a text is too long: Field, Have: how long it is, Most: see Field.Limit
	Unacceptable         // the reply has another problem; see Question.Problems
	ConfirmationWaits    // the person has to confirm first, with the verb Confirm
	ConfirmationNotShown // the confirmation is not on view
)

// WhyNot is a reason with its numbers. The zero WhyNot means that the verb is possible.
type WhyNot struct {
	Reason                Reason
	Field                 Field // the field that is TooLong
	Have, Least, Most, Of int
}

// OK reports whether the verb is possible.
func (w WhyNot) OK() bool { return w.Reason == Free }

// Error returns the reason by its number, for a log. panes/say words it for a person.
func (w WhyNot) Error() string {
	return fmt.Sprintf("not possible now: reason %d (field %d: %d; %d to %d of %d)", w.Reason, w.Field, w.Have, w.Least,
		w.Most, w.Of)
}

// because returns a reason that has no numbers.
func because(r Reason) WhyNot { return WhyNot{Reason: r} }
