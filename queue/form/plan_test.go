package form

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestWhatEnterWouldDoByModeAndBounds(t *testing.T) {
	marks := func(ids ...string) func(*Form) { return func(f *Form) { f.Here().Select(ids...) } }
	writes := func(f *Form) { f.Here().Write("mine") }
	onWords := func(f *Form) { f.MoveLast() }
	wordsLeft := func(f *Form) { writes(f); f.Here().Mark("a") }
	noted := func(f *Form) { f.Here().Note("b", "n"); f.Here().Note("a", "n"); f.Comment("c") }
	both := func(f *Form) { marks("a", "c")(f); writes(f) }
	armed := func(f *Form) { f.Enter() }
	sendA := Plan{Step: StepSend, Object: "A", Pieces: []Piece{{Kind: PieceMarked, N: 1}}}
	sendAC := Plan{Step: StepSend, Object: "A, C", Pieces: []Piece{{Kind: PieceMarked, N: 2}}}
	sendWords := Plan{Step: StepSend, Pieces: []Piece{{Kind: PieceWords, Text: "mine"}}}
	counted := func(r Reason, have, least, most int) Plan {
		return Plan{WhyNot: WhyNot{Reason: r, Have: have, Least: least, Most: most, Of: 3}}
	}
	for _, c := range []struct {
		name   string
		mode   string
		change func(*queue.Question)
		points bool
		do     func(*Form)
		want   Plan
	}{
		{"single", queue.ModeSingle, nil, true, nil, sendA},
		{"single, nothing chosen", queue.ModeSingle, nil, false, nil, counted(NothingChosen, 0, 1, 1)},
		{"single, chosen", queue.ModeSingle, nil, false, marks("a"), sendA},
		{"multi of exactly one", queue.ModeMulti, bounds(1, 1), true, nil, sendA},
		{"multi of exactly one, nothing chosen", queue.ModeMulti, bounds(1, 1), false, nil,
			counted(NothingChosen, 0, 1, 1)},
		{"multi, nothing marked", queue.ModeMulti, nil, true, nil, counted(TooFew, 0, 1, 3)},
		{"multi below its minimum", queue.ModeMulti, bounds(2, 3), true, marks("a"),
			counted(TooFew, 1, 2, 3)},
		{"multi", queue.ModeMulti, bounds(2, 3), true, marks("a", "c"), sendAC},
		{"multi beyond its maximum", queue.ModeMulti, bounds(1, 1), false, marks("a", "c"),
			Plan{WhyNot: because(Unacceptable)}},
		{"multi beyond a maximum of several", queue.ModeMulti, bounds(0, 2), false, marks("a", "b", "c"),
			counted(TooMany, 3, 0, 2)},
		{"multi, none needed", queue.ModeMulti, bounds(0, 3), true, nil,
			Plan{Step: StepArm, Pieces: []Piece{{Kind: PieceNothing}}}},
		{"multi, none needed, again", queue.ModeMulti, bounds(0, 3), true, armed,
			Plan{Step: StepSend, Pieces: []Piece{{Kind: PieceNothing}, {Kind: PieceAgain}}}},
		{"multi, none needed, moved since", queue.ModeMulti, bounds(0, 3), true, func(f *Form) { armed(f); f.Move(1) },
			Plan{Step: StepArm, Pieces: []Piece{{Kind: PieceNothing}}}},
		{"multi, none needed, a default", queue.ModeMulti,
			func(q *queue.Question) { q.Min, q.Defaults = 0, []string{"a"} }, true, nil, sendA},
		{"hybrid, nothing yet", queue.ModeHybrid, nil, true, nil, counted(NothingYet, 0, 0, 3)},
		{"hybrid, nothing yet, no cursor", queue.ModeHybrid, nil, false, nil, counted(NothingYet, 0, 0, 3)},
		{"hybrid on its words", queue.ModeHybrid, nil, true, onWords, Plan{Step: StepType}},
		{"hybrid, words alone", queue.ModeHybrid, nil, true, writes, sendWords},
		{"hybrid, marks and words", queue.ModeHybrid, nil, true, both,
			Plan{Step: StepSend, Object: "A, C", Pieces: []Piece{{Kind: PieceMarked, N: 2}, {Kind: PieceWords, Text: "mine"}}}},
		{"hybrid, words do not count", queue.ModeHybrid, bounds(1, 3), true, writes,
			counted(TooFew, 0, 1, 3)},
		{"hybrid of one", queue.ModeHybrid, radioText, true, nil, sendA},
		{"hybrid of one, no cursor", queue.ModeHybrid, radioText, false, nil,
			counted(NothingChosen, 0, 0, 1)},
		{"hybrid of one on its words", queue.ModeHybrid, radioText, true, onWords, Plan{Step: StepType}},
		{"hybrid of one, words", queue.ModeHybrid, radioText, true, writes, sendWords},
		{"hybrid of one, words, no cursor", queue.ModeHybrid, radioText, false, writes, sendWords},
		{"hybrid of one, words left", queue.ModeHybrid, radioText, true, wordsLeft,
			Plan{Step: StepSend, Object: "A", Pieces: []Piece{{Kind: PieceMarked, N: 1}, {Kind: PieceWordsStay}}}},
		{"hybrid of one, words left, no cursor", queue.ModeHybrid, radioText, false, wordsLeft,
			Plan{Step: StepSend, Object: "A", Pieces: []Piece{{Kind: PieceMarked, N: 1}, {Kind: PieceWordsStay}}}},
		{"text", queue.ModeText, nil, true, nil, Plan{Step: StepType}},
		{"text, no cursor", queue.ModeText, nil, false, nil, Plan{Step: StepType}},
		{"text, blank", queue.ModeText, nil, false, func(f *Form) { f.Here().Write(" \u200b") },
			Plan{Step: StepType}},
		{"text, words", queue.ModeText, nil, true, writes, sendWords},
		{"single submit", queue.ModeSingle, func(q *queue.Question) { q.SingleSubmit = true }, true, nil, sendA},
		{"nothing matches", queue.ModeSingle, nil, true, func(f *Form) { f.types(FieldFind, "x") },
			Plan{WhyNot: because(NothingMatches)}},
		{"a note and a comment", queue.ModeSingle, nil, true, noted,
			Plan{Step: StepSend, Object: "A", Pieces: []Piece{
				{Kind: PieceMarked, N: 1}, {Kind: PieceNotes, N: 2}, {Kind: PieceComment}}}},
		{"a label that is not what it seems", queue.ModeSingle,
			func(q *queue.Question) { q.Options[0].Label = "A\u202e\nb" }, true, nil,
			Plan{Step: StepSend, Object: "A<U+202E> b", Pieces: []Piece{{Kind: PieceMarked, N: 1}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := New(one(c.mode, c.change), Options{Points: c.points})
			if c.do != nil {
				c.do(f)
			}
			require.Equal(t, c.want, f.Plan(Facts{}))
			if c.want.Step != StepSend {
				return
			}
			_, err := f.Ask().Accept(f.Answer())
			require.NoError(t, err, "what Enter would send is an answer")
		})
	}
}

func TestNothingMarkedWhereAllowedTakesEnterTwice(t *testing.T) {
	f := pointing(one(queue.ModeMulti, bounds(0, 3)))
	require.Equal(t, []Step{StepArm, StepSend}, f.enters(2))
	for name, between := range map[string]func(*Form){
		"a mark and back": func(f *Form) { f.Here().Toggle(); f.Here().Toggle() },
		"a text":          func(f *Form) { f.types(FieldComment, "x") },
		"a motion":        func(f *Form) { f.Move(1) },
	} {
		f = pointing(one(queue.ModeMulti, bounds(0, 3)))
		f.Enter()
		between(f)
		assert.Equal(t, StepArm, f.Plan(Facts{}).Step, name)
	}
}

func TestWhatEnterWouldDoWhileTyping(t *testing.T) {
	type plan = Plan
	long, nearlyFull := strings.Repeat("é", queue.MaxNote+3), strings.Repeat("x", queue.MaxPromptBytes-5)
	for _, c := range []struct {
		name  string
		mode  string
		field Field
		text  string
		facts Facts
		want  plan
	}{
		{"own words alone", queue.ModeHybrid, FieldText, "mine", Facts{Unseen: 3},
			plan{Step: StepSend, Pieces: []Piece{{Kind: PieceWords, Text: "mine"}, {Kind: PieceUnseen, N: 3}}}},
		{"a text question", queue.ModeText, FieldText, " mine ", Facts{},
			plan{Step: StepSend, Pieces: []Piece{{Kind: PieceWords, Text: "mine"}}}},
		{"a text question without a text", queue.ModeText, FieldText, " ", Facts{},
			plan{WhyNot: because(NothingTyped)}},
		{"nearly full", queue.ModeText, FieldText, nearlyFull, Facts{}, plan{Step: StepSend, Pieces: []Piece{
			{Kind: PieceWords, Text: nearlyFull[:mostShown] + "…"}, {Kind: PieceRoom, N: 5, Of: queue.MaxPromptBytes}}}},
		{"a note too long", queue.ModeSingle, FieldNote, long, Facts{},
			plan{Step: StepEnd, Pieces: []Piece{{Kind: PieceTooLong, N: 3, Of: queue.MaxNote}}}},
		{"a comment", queue.ModeSingle, FieldComment, "c", Facts{}, plan{Step: StepEnd}},
		{"narrowing", queue.ModeHybrid, FieldFind, "b", Facts{},
			plan{Step: StepEnd, Pieces: []Piece{{Kind: PieceMatches, N: 1, Of: 3}}}},
		{"a reason", queue.ModeSingle, FieldReason, "", Facts{Unseen: 3}, plan{Step: StepCancel}},
		{"a reason nobody waits for", queue.ModeSingle, FieldReason, "", Facts{Gone: true},
			plan{Step: StepCancel, Pieces: []Piece{{Kind: PieceGone}}}},
		{"a reason too long", queue.ModeSingle, FieldReason, long, Facts{},
			plan{WhyNot: WhyNot{Reason: TooLong, Field: FieldReason, Have: queue.MaxNote + 3, Most: queue.MaxNote}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := pointing(one(c.mode, nil))
			_, why := f.Begin(c.field)
			require.True(t, why.OK())
			f.Type(c.text)
			p := f.Plan(c.facts)
			require.Equal(t, c.want, p)
			require.Equal(t, c.want.Step, f.Enter())
			stays := c.want.Step == StepNothing || c.want.Step == StepCancel
			require.Equal(t, stays, f.Typing() == c.field, "the text ends, or stays open")
		})
	}
}

func TestATextTooLongIsNotSent(t *testing.T) {
	note, words := strings.Repeat("x", queue.MaxNote+1), strings.Repeat("x", queue.MaxPromptBytes+1)
	tooLong := func(field Field, most int) WhyNot {
		return WhyNot{Reason: TooLong, Field: field, Have: most + 1, Most: most}
	}
	for _, c := range []struct {
		do   func(*Form)
		want WhyNot
	}{
		{func(f *Form) { f.Here().Write(words) }, tooLong(FieldText, queue.MaxPromptBytes)},
		{func(f *Form) { f.Here().Note("b", note) }, tooLong(FieldNote, queue.MaxNote)},
		{func(f *Form) { f.Comment(note) }, tooLong(FieldComment, queue.MaxNote)},
	} {
		f := pointing(one(queue.ModeHybrid, radioText))
		c.do(f)
		assert.Equal(t, Plan{WhyNot: c.want}, f.Plan(Facts{}))
		assert.Equal(t, StepNothing, f.Enter())
	}
	f := pointing(asked(question("q1", queue.ModeSingle, nil), question("q2", queue.ModeSingle, nil)))
	f.enters(2)
	f.types(FieldComment, note)
	assert.Equal(t, tooLong(FieldComment, queue.MaxNote), f.Plan(Facts{}).WhyNot, "in the review too")
}

func TestWhatEnterWouldDoWithSeveralQuestions(t *testing.T) {
	s := three()
	s.Ask.Questions[1].Header = "Hashing"
	f := pointing(s)
	f.Comment("c")
	assert.Equal(t, Plan{Step: StepTake, Object: "B", Pieces: []Piece{
		{Kind: PieceMarked, N: 1}, {Kind: PieceUnseen, N: 2}, {Kind: PieceNext, N: 1, Text: "Hashing"},
	}}, f.Plan(Facts{Unseen: 2}), "the comment is on the whole")
	f.enters(2)
	f.Here().Mark("a")
	review := []Piece{{Kind: PieceMarked, N: 1}, {Kind: PieceReview}}
	assert.Equal(t, Plan{Step: StepTake, Object: "A", Pieces: review}, f.Plan(Facts{}))
	f.Enter()
	sent := []Piece{{Kind: PieceAnswers, N: 3}, {Kind: PieceComment}, {Kind: PieceCloses}}
	assert.Equal(t, Plan{Step: StepSend, Pieces: sent}, f.Plan(Facts{Closes: true}))
	f.Follow(Rules{NoNotes: true})
	sent = []Piece{{Kind: PieceAnswers, N: 3}, {Kind: PieceNotesStay}}
	assert.Equal(t, Plan{Step: StepSend, Pieces: sent}, f.Plan(Facts{}))
}

func TestWhatEnterWouldDoWhereAConfirmationIsWanted(t *testing.T) {
	s := one(queue.ModeHybrid, radioText)
	s.Ask.Confirm = true
	f := pointing(s)
	facts := Facts{UnseenHere: 4, Unseen: 2, Closes: true}
	first := []Piece{{Kind: PieceMarked, N: 1}, {Kind: PieceUnseen, N: 2}, {Kind: PieceThenConfirm}}
	assert.Equal(t, Plan{Step: StepConfirm, Object: "A", Pieces: first}, f.Plan(Facts{Unseen: 2, Closes: true}))
	f.types(FieldText, "mine")
	f.types(FieldComment, "c")
	f.Enter()
	unseen := []Piece{{Kind: PieceUnseenHere, N: 4}, {Kind: PieceUnseen, N: 2}}
	assert.Equal(t, Plan{Object: "“mine”", Pieces: unseen, WhyNot: because(ConfirmationWaits)}, f.Plan(facts))
	f.Confirm()
	unseen = append(unseen, Piece{Kind: PieceCloses})
	assert.Equal(t, Plan{Step: StepSend, Object: "“mine”", Pieces: unseen}, f.Plan(facts))
	f.Follow(Rules{NoNotes: true})
	_, stay := f.Plan(facts).Has(PieceNotesStay)
	assert.True(t, stay)
}

func TestWhatTheFrontendKnowsStandsBehindWhatIsSentAndBeforeWhatComesNext(t *testing.T) {
	s := one(queue.ModeMulti, bounds(1, 2))
	s.Ask.OnTimeout = queue.OnTimeoutDefaults
	all := Facts{Unseen: 84, Cut: true, Soon: true, Gone: true, Closes: true}
	warned := []Piece{{Kind: PieceUnseen, N: 84}, {Kind: PieceCut}, {Kind: PieceClockEnds}, {Kind: PieceGone}}
	f := pointing(s)
	assert.Equal(t, warned, f.Plan(all).Pieces, "also where it does nothing")
	f.Here().Mark("a")
	want := append(append([]Piece{{Kind: PieceMarked, N: 1}}, warned...), Piece{Kind: PieceCloses})
	assert.Equal(t, want, f.Plan(all).Pieces)

	s.Ask.Questions[0].Defaults = []string{"b"}
	clock, ok := pointing(s).Plan(all).Has(PieceClockSends)
	assert.True(t, ok)
	assert.Equal(t, "B", clock.Text)
	s.Ask.OnTimeout = queue.OnTimeoutNone
	_, ok = pointing(s).Plan(all).Has(PieceClockEnds)
	assert.True(t, ok)
}

func TestEnterDoesWhatThePlanSays(t *testing.T) {
	f := pointing(one(queue.ModeText, nil))
	require.Equal(t, StepType, f.Enter())
	require.Equal(t, FieldText, f.Typing())
	f.Type("two words")
	require.Equal(t, StepSend, f.Enter())
	require.Equal(t, FieldNone, f.Typing())
	require.Equal(t, "two words", f.Settle().Answer.Replies[0].Text)
}

func TestAButtonThatStaysInSightSendsWhatIsBeingTyped(t *testing.T) {
	f := pointing(one(queue.ModeText, nil))
	_, why := f.Begin(FieldText)
	require.True(t, why.OK())
	f.Type("words")
	require.Equal(t, StepSend, f.PlanTyped(Facts{}).Step)
	require.Equal(t, FieldText, f.Typing(), "asking changes nothing")
	f.Type("")
	require.Equal(t, StepType, f.PlanTyped(Facts{}).Step)
	_, why = f.Begin(FieldReason)
	require.True(t, why.OK())
	require.Equal(t, StepCancel, f.PlanTyped(Facts{}).Step, "a reason is its own end")
}

func TestPlan_OfTheTeamSaysWhatIsDone(t *testing.T) {
	s := queue.Session{Ask: queue.Ask{Title: "Ask the team", Prompt: "[WIDEN-HINT] they read this\nand this",
		Questions: []queue.Question{{ID: "q", Mode: queue.ModeHybrid, Max: 1, Defaults: []string{"a"},
			Options: []queue.Option{{ID: "a", Label: "Accept it"}}}}}}
	f := New(s, Options{Points: true, OfTeam: true})
	p := f.Plan(Facts{})
	require.True(t, p.Decides)
	require.Equal(t, "Accept it", p.Object)
	require.Equal(t, s.Ask.Prompt, Text(f), "it is shown as they read it")
	require.Empty(t, Hints(f))
	f.Here().Write("words")
	require.False(t, f.Plan(Facts{}).Decides, "words are sent")

	s.Ask.Questions = append(s.Ask.Questions, queue.Question{ID: "r", Mode: queue.ModeSingle, Min: 1, Max: 1,
		Defaults: []string{"b"}, Options: []queue.Option{{ID: "b", Label: "B"}}})
	f = New(s, Options{Points: true, OfTeam: true})
	f.Next()
	require.Equal(t, StepTake, f.Plan(Facts{}).Step, "the first question is open")
	f.Back()
	f.Enter()
	p = f.Plan(Facts{})
	require.Equal(t, StepSend, p.Step)
	require.True(t, p.Decides)
	require.Equal(t, "Ask the team", p.Object)
	require.Equal(t, []Piece{{Kind: PieceBefore, N: 1, Text: "Accept it"}}, p.Pieces)

	f.Here().taken = true
	f.Next()
	p = f.Plan(Facts{})
	require.Equal(t, StepSend, p.Step, "the review sends it too")
	require.True(t, p.Decides)
	require.Equal(t, "Ask the team", p.Object)
	require.True(t, f.GoTo(0).OK())
	require.Equal(t, StepTake, f.Plan(Facts{}).Step, "a changed answer leads back to the review")
}
