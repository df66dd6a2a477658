package form

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestInARadioItIsTheOptionOrTheWords(t *testing.T) {
	f := pointing(one(queue.ModeHybrid, radioText))
	f.types(FieldText, "CockroachDB")
	assert.True(t, f.Here().OnWords())
	assert.Equal(t, queue.Reply{Question: "q1", Text: "CockroachDB", Notes: map[string]string{}}, f.Answer().Replies[0])
	f.Move(-1)
	assert.Equal(t, []string{"c"}, selected(f))
	assert.Empty(t, f.Answer().Replies[0].Text, "the words stay behind")
	assert.Equal(t, "CockroachDB", f.Here().Words())
	assert.Equal(t, "CockroachDB", f.Draft().Answer.Replies[0].Text)

	f = listing(one(queue.ModeHybrid, radioText))
	f.Here().Choose(1)
	f.Here().Write("  \n")
	assert.Equal(t, []string{"a"}, selected(f), "blank text is no answer")
	f.Here().Write("mine")
	assert.Empty(t, selected(f))
	assert.True(t, f.Here().OnWords())
	f.Here().Choose(2)
	assert.False(t, f.Here().OnWords())
	assert.Equal(t, "mine", f.Here().Words())
}

func TestWordsJoinTheMarksWhereSeveralMayBeMarked(t *testing.T) {
	f := pointing(one(queue.ModeHybrid, nil))
	f.Here().Mark("b")
	f.types(FieldText, "and mine")
	r := f.Answer().Replies[0]
	assert.Equal(t, []string{"b"}, r.Selected)
	assert.Equal(t, "and mine", r.Text)
}

func TestTextsAreRefusedWhereNoneIsTaken(t *testing.T) {
	quiet := func(q *queue.Question) { q.Annotate = false }
	off := Options{Points: true, Rules: Rules{NoNotes: true}}
	onWords := pointing(one(queue.ModeHybrid, radioText))
	onWords.MoveLast()
	review := pointing(asked(question("q1", queue.ModeSingle, nil), question("q2", queue.ModeHybrid, nil)))
	review.enters(1)
	review.Next()
	require.True(t, review.Reviewing())
	for name, c := range map[string]struct {
		form  *Form
		field Field
		want  Reason
	}{
		"own words, options only":   {pointing(one(queue.ModeSingle, nil)), FieldText, OptionsOnly},
		"a note, none wanted":       {pointing(one(queue.ModeSingle, quiet)), FieldNote, NotesOff},
		"a note, off":               {New(one(queue.ModeSingle, nil), off), FieldNote, NotesOffInSettings},
		"a note, none wanted, off":  {New(one(queue.ModeSingle, quiet), off), FieldNote, NotesOff},
		"a note on own words":       {onWords, FieldNote, NothingHere},
		"a note, without a cursor":  {listing(one(queue.ModeSingle, nil)), FieldNote, NothingHere},
		"a comment, none wanted":    {pointing(one(queue.ModeSingle, quiet)), FieldComment, NotesOff},
		"a comment, off":            {New(one(queue.ModeSingle, nil), off), FieldComment, NotesOffInSettings},
		"narrowing without options": {pointing(one(queue.ModeText, nil)), FieldFind, NoOptions},
		"own words in the review":   {review, FieldText, NothingHere},
		"nothing":                   {pointing(one(queue.ModeSingle, nil)), FieldNone, NothingHere},
	} {
		_, why := c.form.Begin(c.field)
		assert.Equal(t, because(c.want), why, name)
		assert.Equal(t, FieldNone, c.form.Typing(), name)
	}
}

func TestNotesAndCommentGoWithTheAnswer(t *testing.T) {
	f := pointing(one(queue.ModeSingle, nil))
	_, why := f.Begin(FieldNote)
	require.True(t, why.OK())
	assert.Equal(t, "a", f.TypingNote())
	f.Type("managed only")
	f.EndTyping()
	f.types(FieldComment, "ship on Friday")
	f.Here().Note("b", " ")
	a := f.Answer()
	assert.Equal(t, map[string]string{"a": "managed only"}, a.Replies[0].Notes, "a blank note is none")
	assert.Equal(t, "ship on Friday", a.Comment)
	assert.Equal(t, []string{"managed only", "ship on Friday"}, f.Typed())
}

func TestTheCallersNotesAndCommentStayUntilThePersonTakesThemAway(t *testing.T) {
	s := one(queue.ModeSingle, func(q *queue.Question) { q.Options[0].Note = "as elsewhere" })
	s.Ask.Comment = "from the caller"
	f := listing(s)
	assert.Equal(t, map[string]string{"a": "as elsewhere"}, f.Answer().Replies[0].Notes)
	assert.Equal(t, "from the caller", f.Answer().Comment)
	assert.Empty(t, f.Typed(), "the person wrote none of it")
	f.Here().Note("a", "")
	f.Comment("")
	assert.Empty(t, f.Answer().Replies[0].Notes)
	assert.Empty(t, f.Answer().Comment)
}

func TestAnAgentsNoteIsSeenAsItIsAndUntouchedStaysAsItCame(t *testing.T) {
	const came, shown = "safe\u202e", "safe<U+202E>"
	s := one(queue.ModeSingle, func(q *queue.Question) { q.Options[0].Note = came })
	s.Ask.Comment = came
	for _, field := range []Field{FieldNote, FieldComment} {
		text := func(f *Form) string {
			if field == FieldNote {
				return f.Here().NoteOn("a")
			}
			return f.CommentText()
		}
		f := pointing(s)
		start, _ := f.Begin(field)
		assert.Equal(t, shown, start)
		f.Type(shown + "!")
		assert.Equal(t, shown+"!", text(f))
		f.Type(shown)
		assert.Equal(t, came, text(f), "back as it was")
		f.Type(shown + "!")
		f.EndTyping()
		start, _ = f.Begin(field)
		assert.Equal(t, shown+"!", start, "the person's own now")
	}
}

func TestNotesThatAreOffStayBehindAndAreKept(t *testing.T) {
	s := one(queue.ModeSingle, func(q *queue.Question) { q.Options[1].Note = "the caller's" })
	s.Ask.Comment = "from the caller"
	f := pointing(s)
	_, why := f.Begin(FieldNote)
	require.True(t, why.OK())
	f.Type("mine")
	f.Comment("my comment")
	f.Follow(Rules{NoNotes: true})
	assert.Equal(t, FieldNone, f.Typing(), "the field closes, its text is kept")
	assert.Equal(t, map[string]string{"b": "the caller's"}, f.Answer().Replies[0].Notes)
	assert.Equal(t, "from the caller", f.Answer().Comment)
	assert.Equal(t, "mine", f.Draft().Answer.Replies[0].Notes["a"])
	_, stay := f.Plan(Facts{}).Has(PieceNotesStay)
	assert.True(t, stay)
	f.Follow(Rules{})
	assert.Equal(t, "mine", f.Answer().Replies[0].Notes["a"])
	_, stay = f.Plan(Facts{}).Has(PieceNotesStay)
	assert.False(t, stay)
}

func TestOtherTypingGoesOnWhenNotesGoOff(t *testing.T) {
	f := pointing(one(queue.ModeHybrid, nil))
	f.Begin(FieldText)
	f.Follow(Rules{NoNotes: true, NoPlaceholder: true})
	assert.Equal(t, FieldText, f.Typing())
}

func TestAPlaceholderIsThereUnlessTheSettingsTurnItOff(t *testing.T) {
	s := one(queue.ModeText, func(q *queue.Question) { q.Placeholder = "such as" })
	f := listing(s)
	assert.Equal(t, "such as", f.Here().Placeholder)
	f.Follow(Rules{NoPlaceholder: true})
	assert.Empty(t, f.Here().Placeholder)
	assert.True(t, f.Rules().NoPlaceholder)
	assert.Equal(t, "such as", f.Ask().Questions[0].Placeholder)
}

func TestACancelCarriesTheReasonUnlessItIsBlank(t *testing.T) {
	f := pointing(one(queue.ModeSingle, nil))
	f.Begin(FieldReason)
	f.Type(" \n")
	assert.Equal(t, queue.Cancel{}, f.Cancel())
	f.Type("not now")
	require.Equal(t, StepCancel, f.Enter())
	assert.Equal(t, queue.Cancel{Reason: "not now"}, f.Cancel())
	f.EndTyping()
	assert.Equal(t, "not now", f.ReasonText(), "kept for the next time")
	assert.Equal(t, []string{"not now"}, f.Typed())
	f.GiveReason("")
	assert.Equal(t, queue.Cancel{}, f.Cancel())
}

func TestATextIsMeasuredInTheUnitOfItsLimit(t *testing.T) {
	most, bytes := FieldText.Limit()
	assert.True(t, bytes && most == queue.MaxPromptBytes)
	assert.Equal(t, 2, FieldText.Size("é"))
	assert.Equal(t, 1, FieldNote.Size("é"))
	most, _ = FieldFind.Limit()
	assert.Zero(t, most)
	f := pointing(one(queue.ModeText, nil))
	f.Begin(FieldText)
	f.Type(strings.Repeat("é", queue.MaxPromptBytes/2))
	room, ok := f.Plan(Facts{}).Has(PieceRoom)
	assert.True(t, ok)
	assert.Equal(t, Piece{Kind: PieceRoom, N: 0, Of: queue.MaxPromptBytes}, room)
}
