package form

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// typesUnconfirmed types a text that may be meant for another pane.
func (f *Form) typesUnconfirmed(t *testing.T, field Field, text string) {
	t.Helper()
	_, why := f.Begin(field)
	require.True(t, why.OK(), field)
	f.Doubt()
	f.Type(text)
}

// unconfirmedFields are the fields whose text may be meant for another pane, and how a draft names it.
var unconfirmedFields = map[Field]queue.Aside{
	FieldText:    {Question: "q1", Field: "text", Text: "stray"},
	FieldNote:    {Question: "q1", Field: "note", Option: "a", Text: "stray"},
	FieldComment: {Field: "comment", Text: "stray"},
	FieldReason:  {Field: "reason", Text: "stray"},
	FieldDetail:  {Field: "detail", Text: "stray"},
}

func TestAnUnconfirmedTextIsInNothingThatIsSentAndInAllThatIsKept(t *testing.T) {
	for field, want := range unconfirmedFields {
		t.Run(want.Field, func(t *testing.T) {
			f := pointing(one(queue.ModeHybrid, radioText))
			before := f.Answer()
			kept := func(when string) {
				require.NotContains(t, fmt.Sprint(f.Answer(), f.Settle().Answer, f.Cancel()), "stray", when)
				d := f.Draft()
				require.Equal(t, []queue.Aside{want}, d.Aside, when)
				require.NotContains(t, fmt.Sprint(d.Answer, d.Reason), "stray", when)
				require.Equal(t, []string{"stray"}, f.Typed(), when)
			}
			f.typesUnconfirmed(t, field, "stray")
			require.True(t, f.Changed() && f.Touched(), "else the draft is not saved")
			require.True(t, f.Unconfirmed())
			kept("while it is typed")
			f.EndTyping()
			require.False(t, f.Unconfirmed())
			kept("behind its field")
			require.Equal(t, before, f.Answer())

			d := f.Draft()
			f = New(one(queue.ModeHybrid, radioText), Options{Points: true, Draft: &d})
			kept("in a form made from its draft")
			require.Equal(t, before, f.Answer())
			text, why := f.Begin(field)
			require.True(t, why.OK())
			require.Equal(t, "stray", text, "the next time its field is opened it is there again")
			require.True(t, f.Unconfirmed())
			kept("brought back")
		})
	}
}

func TestAttachMakesAnUnconfirmedTextPartOfTheAnswer(t *testing.T) {
	sent := map[Field]func(f *Form) string{
		FieldText:    func(f *Form) string { return f.Answer().Replies[0].Text },
		FieldNote:    func(f *Form) string { return f.Answer().Replies[0].Notes["a"] },
		FieldComment: func(f *Form) string { return f.Answer().Comment },
		FieldReason:  func(f *Form) string { return f.Cancel().Reason },
		FieldDetail:  func(f *Form) string { return f.Cancel().Reason },
	}
	for field, of := range sent {
		t.Run(fieldNames[field], func(t *testing.T) {
			f := pointing(one(queue.ModeHybrid, radioText))
			f.typesUnconfirmed(t, field, "mine")
			f.EndTyping()
			f.Begin(field)
			f.Type("mine after all")
			f.Attach()
			require.False(t, f.Unconfirmed())
			require.Equal(t, "mine after all", of(f))
			require.Empty(t, f.Draft().Aside)
			require.Equal(t, []string{"mine after all"}, f.Typed())
		})
	}
}

func TestEnterAttachesAnUnconfirmedText(t *testing.T) {
	f := pointing(one(queue.ModeSingle, nil))
	f.typesUnconfirmed(t, FieldNote, "before Friday")
	require.Equal(t, StepEnd, f.Enter())
	require.Equal(t, map[string]string{"a": "before Friday"}, f.Answer().Replies[0].Notes)

	f = pointing(one(queue.ModeSingle, nil))
	f.typesUnconfirmed(t, FieldReason, "no longer needed")
	require.Equal(t, StepCancel, f.Enter())
	require.Equal(t, "no longer needed", f.Cancel().Reason)
}

func TestLeavingAFieldPutsAnUnconfirmedTextAsideAndTheMarksBack(t *testing.T) {
	f := pointing(one(queue.ModeHybrid, radioText))
	f.Move(1)
	f.typesUnconfirmed(t, FieldText, "stray")
	f.EndTyping()
	require.Equal(t, []string{"b"}, selected(f), "own words would have taken the mark")
	require.False(t, f.Here().OnWords())
	require.Empty(t, f.Answer().Replies[0].Text)

	f = New(approvalOf(func(*queue.Ask) {}), Options{Points: true})
	_, why := f.BeginRefusal()
	require.True(t, why.OK())
	require.Equal(t, []string{"no"}, f.Here().Selected())
	f.Doubt()
	f.Type("o, rename it")
	f.EndTyping()
	require.Empty(t, f.Here().Selected(), "nothing was marked before")
	require.Equal(t, NothingMarked, f.Plan(Facts{}).WhyNot.Reason)
	text, _ := f.BeginRefusal()
	require.Equal(t, "o, rename it", text)
	require.Equal(t, StepSend, f.Enter())
	require.Equal(t, map[string]string{"no": "o, rename it"}, f.Settle().Answer.Replies[0].Notes)
}

func TestATextThatIsNotUnconfirmedKeepsItsMarks(t *testing.T) {
	f := New(approvalOf(func(*queue.Ask) {}), Options{Points: true})
	f.BeginRefusal()
	f.Type("not here")
	f.EndTyping()
	require.Equal(t, []string{"no"}, f.Here().Selected())
	require.Empty(t, f.Draft().Aside)
}

func TestWhatWasInAFieldBeforeStaysInTheAnswer(t *testing.T) {
	f := pointing(one(queue.ModeSingle, nil))
	f.types(FieldNote, "before Friday")
	f.typesUnconfirmed(t, FieldNote, "before Fridaygit status")
	f.EndTyping()
	require.Equal(t, map[string]string{"a": "before Friday"}, f.Answer().Replies[0].Notes)
	require.Equal(t, []string{"before Friday", "before Fridaygit status"}, f.Typed())
}

func TestAnUnconfirmedTextIsBroughtBackOnlyWhereItWasTyped(t *testing.T) {
	f := pointing(three())
	f.typesUnconfirmed(t, FieldNote, "stray")
	f.EndTyping()
	f.Move(1)
	text, _ := f.Begin(FieldNote)
	assert.Empty(t, text, "another option")
	f.EndTyping()
	f.Move(-1)
	f.Take()
	text, _ = f.Begin(FieldNote)
	assert.Empty(t, text, "another question")
	f.EndTyping()
	f.GoTo(0)
	text, _ = f.Begin(FieldNote)
	assert.Equal(t, "stray", text)
}

func TestAnUnconfirmedTextThatWasDeletedIsForgotten(t *testing.T) {
	f := pointing(one(queue.ModeSingle, nil))
	f.typesUnconfirmed(t, FieldNote, "stray")
	f.EndTyping()
	f.Begin(FieldNote)
	f.Type("")
	f.EndTyping()
	require.Empty(t, f.Draft().Aside)
	require.Empty(t, f.Typed())
	text, _ := f.Begin(FieldNote)
	require.Empty(t, text)
	require.False(t, f.Unconfirmed())
}

func TestWhatNarrowsTheOptionsIsNeverUnconfirmed(t *testing.T) {
	f := pointing(one(queue.ModeSingle, nil))
	f.typesUnconfirmed(t, FieldFind, "B")
	require.False(t, f.Unconfirmed())
	f.EndTyping()
	require.Empty(t, f.Draft().Aside)
}

func TestADraftWithAnUnknownFieldAsideIsTakenWithoutIt(t *testing.T) {
	d := queue.Draft{Session: "s", Aside: []queue.Aside{{Field: "of a later release", Text: "x"},
		{Question: "q1", Field: "note", Option: "a", Text: "stray"}}}
	f := New(one(queue.ModeSingle, nil), Options{Points: true, Draft: &d})
	require.Equal(t, []string{"stray"}, f.Typed())
}
