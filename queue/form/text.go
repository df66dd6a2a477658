package form

import (
	"slices"
	"unicode/utf8"

	"github.com/choicetui/choicetui/queue"
)

// Field names a text that the person can type.
type Field int

// Fields of a form.
const (
	FieldNone    Field = iota
	FieldText          // the answer in the person's own words
	FieldNote          // a note on one option
	FieldComment       // a comment on the whole ask
	FieldReason        // the reason for cancelling the question
	FieldDetail        // the detail that the person wants to know before deciding; it ends the question too
	FieldFind          // the text that narrows the options
	FieldRefusal       // the reason for refusing an approval: a note on the refusal; Enter sends both
)

// Ends reports whether Enter in this field ends the question: the agent gets the text in place of an answer.
func (field Field) Ends() bool { return field == FieldReason || field == FieldDetail }

// Limit returns the largest size of a text, in bytes or in characters. It returns 0 for a text that is never sent.
func (field Field) Limit() (most int, bytes bool) {
	switch field {
	case FieldText:
		return queue.MaxPromptBytes, true
	case FieldNote, FieldComment, FieldReason, FieldDetail, FieldRefusal:
		return queue.MaxNote, false
	}
	return 0, false
}

// Size returns the size of a text in the unit of Limit.
func (field Field) Size(text string) int {
	if _, bytes := field.Limit(); bytes {
		return len(text)
	}
	return utf8.RuneCountInString(text)
}

// checkLength returns TooLong with the sizes if the text is too long for its field.
func (field Field) checkLength(text string) WhyNot {
	if most, _ := field.Limit(); most > 0 && field.Size(text) > most {
		return WhyNot{Reason: TooLong, Field: field, Have: field.Size(text), Most: most}
	}
	return WhyNot{}
}

// typing is the state of the text field that is open.
type typing struct {
	field       Field
	note        string // option id of a FieldNote or FieldRefusal
	text        string // text in the frontend's text field
	was         string // the text of the answer before the field was opened
	instead     bool   // the field is the reason of a cancel, though the person wanted to type own words
	unconfirmed bool   // the text may be meant for another pane and is not part of the answer
	marks       Marks  // marks to restore when an unconfirmed text on an approval is attached
	before      Marks  // marks before the field was opened
	agents      string // original of the agent's text with which typing began, if cleaning changed it
}

// beginTyping returns the typing of a field that starts with a text. The agent's own text is cleaned by queue.Visible
// first: if the person changes it, the cleaned text is sent, else the original stays.
func beginTyping(field Field, note, text, agents string) typing {
	t := typing{field: field, note: note, text: text}
	if shown, _ := queue.Visible(agents); text == agents && shown != agents {
		t.text, t.agents = shown, agents
	}
	return t
}

// keptText returns the text to store: the agent's original if the person left it unchanged.
func (t typing) keptText() string {
	if shown, _ := queue.Visible(t.agents); t.text == shown {
		return t.agents
	}
	return t.text
}

// planTyping plans Enter while a text is typed: typing ends, or, in the field of a reason, the cancel is carried out.
func (t typing) planTyping(q *Question, facts Facts) Plan {
	p := Plan{Step: StepEnd}
	most, _ := t.field.Limit()
	left := most - t.field.Size(t.text)
	why := t.field.checkLength(t.text)
	acceptsRefusal := q.shared.approves && q.shared.native && q.shared.couldNote // a refusal with words, from a prompt
	switch {
	case t.field == FieldFind:
		return p.with(Piece{Kind: PieceMatches, N: q.OptionRows(), Of: len(q.Options)})
	case !why.OK() && t.field.Ends():
		return Plan{WhyNot: why}
	case !why.OK():
		p = p.with(Piece{Kind: PieceTooLong, N: -left, Of: most})
	case left <= most/10:
		p = p.with(Piece{Kind: PieceRoom, N: left, Of: most})
	}
	switch {
	case t.field.Ends() && facts.Gone:
		p = p.with(Piece{Kind: PieceGone})
	case t.field == FieldReason && acceptsRefusal && queue.Blank(t.text):
		p = p.with(Piece{Kind: PieceUntold}) // no refusal is sent without words, so the agent's own prompt continues
	case t.field == FieldReason && acceptsRefusal:
		p = p.with(Piece{Kind: PieceRefuses})
	}
	if t.field.Ends() {
		p.Step = StepCancel
	}
	return p
}

// planWords plans Enter in the field of the person's own words. Where the words are the whole answer, Enter has the
// effect that it has outside the field, on that answer. Where they are only a part of it, Enter ends typing.
func (f *Form) planWords(facts Facts) Plan {
	p, done := f.typing.planTyping(f.Here(), facts), f.typedOut()
	q, whole := done.Here(), done.planStep(facts)
	switch sends := whole.Step == StepSend || whole.Step == StepTake || whole.Step == StepConfirm; {
	case q.Mode == queue.ModeText && queue.Blank(q.reply.Text):
		return Plan{WhyNot: because(NothingTyped)}
	case q.Mode == queue.ModeText && !sends:
		return whole
	case queue.Blank(q.reply.Text) || len(q.Sent().Selected) > 0 || !sends:
		return p
	}
	if room, near := p.Has(PieceRoom); near {
		whole = whole.with(room)
	}
	return whole
}

// typedOut returns the form as it is behind the field of the person's own words, with the typed text in the answer.
func (f *Form) typedOut() *Form {
	done, q := *f, *f.Here()
	q.reply.Text = f.typing.keptText()
	done.questions = slices.Clone(f.questions)
	done.questions[f.at], done.typing = &q, typing{}
	return &done
}

// TextSends reports whether Enter sends the text in the open field, takes it as the answer, or ends the question with
// it, and does not only end typing.
func (f *Form) TextSends() bool {
	some := *f
	if f.typing.field == FieldText && queue.Blank(f.typing.text) {
		some.typing.text = "x" // what counts is what follows
	}
	step := some.Plan(Facts{}).Step
	return f.typing.field != FieldNone && step != StepEnd && step != StepNothing
}

// WantsWords reports whether the question on view accepts only text, the person has typed none yet, and its field is
// not open. It may have words already that the agent proposes.
func (f *Form) WantsWords() bool {
	q := f.Here()
	return q.Mode == queue.ModeText && (queue.Blank(q.Words()) || q.Words() == q.DefaultText) && !f.Reviewing() &&
		!f.confirming && f.typing.field == FieldNone
}
