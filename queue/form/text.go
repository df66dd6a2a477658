package form

import (
	"unicode/utf8"

	"github.com/choicetui/choicetui/queue"
)

// Field names a text of the form.
type Field int

// Texts of a form.
const (
	FieldNone    Field = iota
	FieldText          // the answer in the person's own words
	FieldNote          // a note on one option
	FieldComment       // a comment on the whole
	FieldReason        // why the question is cancelled
	FieldDetail        // what the person wants to know before deciding: it ends the question too
	FieldFind          // narrows the options
	FieldRefusal       // why an approval is refused: a note on what refuses it, and Enter sends that
)

// Ends reports whether Enter in it ends the question: the text is told to its agent in place of an answer.
func (field Field) Ends() bool { return field == FieldReason || field == FieldDetail }

// Limit returns the largest size of a text, in bytes or in characters; 0 for a text that is not sent.
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

// tooLong returns the reason TooLong where the text is too long for its field, else none.
func (field Field) tooLong(text string) WhyNot {
	if most, _ := field.Limit(); most > 0 && field.Size(text) > most {
		return WhyNot{Reason: TooLong, Field: field, Have: field.Size(text), Most: most}
	}
	return WhyNot{}
}

// typing is the text that keys go to.
type typing struct {
	field   Field
	note    string // the option of FieldNote
	text    string // as the face has it
	instead bool   // the reason of a cancel, where own words were meant
	loose   bool   // it may be meant for another pane, and is not part of the answer
	marks   Marks  // of a loose text on an approval: as they are once it is attached
	before  Marks  // as they were before the field was opened
	agents  string // the agent's own text that typing began with, where it was made visible for that
}

// begun returns the typing of a field that begins with a text. An agent's own text is made visible first: once the
// person changes it, the visible text is sent; untouched, it stays as it came.
func begun(field Field, note, text, agents string) typing {
	t := typing{field: field, note: note, text: text}
	if shown, _ := queue.Visible(agents); text == agents && shown != agents {
		t.text, t.agents = shown, agents
	}
	return t
}

// written returns the text as it is kept: an agent's text that the person left alone stays as it came.
func (t typing) written() string {
	if shown, _ := queue.Visible(t.agents); t.text == shown {
		return t.agents
	}
	return t.text
}

// plan plans Enter while a text is typed: typing ends, and only a cancel is carried out.
func (t typing) plan(q *Question, facts Facts) Plan {
	p := Plan{Step: StepEnd}
	most, _ := t.field.Limit()
	left := most - t.field.Size(t.text)
	why := t.field.tooLong(t.text)
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
	case t.field == FieldReason && q.shared.approves && q.shared.native && q.shared.couldNote && queue.Blank(t.text):
		p = p.with(Piece{Kind: PieceUntold}) // who hears a refusal with words is told none without
	case t.field == FieldText && q.Mode == queue.ModeText:
		p = p.with(Piece{Kind: PieceThenSend})
	}
	if t.field.Ends() {
		p.Step = StepCancel
	}
	return p
}

// WantsWords reports whether the question on view takes nothing but words, has none yet, and no text is being typed.
func (f *Form) WantsWords() bool {
	q := f.Here()
	return q.Mode == queue.ModeText && queue.Blank(q.Words()) && !f.Reviewing() && !f.confirming &&
		f.typing.field == FieldNone
}
