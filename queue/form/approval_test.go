package form

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func approvalOf(change func(a *queue.Ask)) queue.Session {
	s := queue.Session{ID: "k7f3m2qx", Ask: queue.Ask{Kind: queue.KindApproval, Title: "Run?", Prompt: "Why.",
		Approval: &queue.Approval{Parts: []queue.Part{{Kind: queue.PartCommand, Text: "make"}}},
		Questions: []queue.Question{{ID: "q", Mode: queue.ModeSingle, Min: 1, Max: 1, Annotate: true,
			Defaults: []string{"once"}, SingleSubmit: true, Options: []queue.Option{
				{ID: "once", Label: "Yes", Act: queue.ActOnce, Recommended: true},
				{ID: "always", Label: "Always", Act: queue.ActAlways},
				{ID: "no", Label: "No", Act: queue.ActRefuse}}}}}}
	change(&s.Ask)
	return s
}

func TestNothingOfAnApprovalIsMarkedBeforeThePersonMarksIt(t *testing.T) {
	for _, points := range []bool{true, false} {
		s := approvalOf(func(*queue.Ask) {})
		marked := queue.Draft{Session: s.ID, Answer: queue.Answer{Replies: []queue.Reply{{Question: "q",
			Selected: []string{"always"}}}}}
		for _, draft := range []*queue.Draft{nil, &marked} {
			f := New(s, Options{Points: points, Draft: draft})
			f.Follow(Rules{})
			require.Empty(t, f.Here().Selected())
			require.Equal(t, NothingMarked, f.Plan(Facts{}).WhyNot.Reason)
			require.Equal(t, StepNothing, f.Enter())
		}
	}
}

func TestAMotionMarksOnlyWhereItArrives(t *testing.T) {
	for name, c := range map[string]struct {
		move func(q *Question)
		want string
	}{
		"down": {func(q *Question) { q.Move(1) }, "once"}, "up": {func(q *Question) { q.Move(-1) }, "no"},
		"twice down": {func(q *Question) { q.Move(1); q.Move(1) }, "always"},
		"first":      {func(q *Question) { q.MoveFirst() }, "once"},
		"last":       {func(q *Question) { q.MoveLast() }, "no"},
		"digit":      {func(q *Question) { q.Digit(2) }, "always"},
	} {
		f := New(approvalOf(func(*queue.Ask) {}), Options{Points: true})
		_, on := f.Here().Current()
		require.False(t, on)
		c.move(f.Here())
		require.Equal(t, []string{c.want}, f.Here().Selected(), name)
	}
}

func TestAllowAndRefuseMarkWhatTheAgentOffers(t *testing.T) {
	f := New(approvalOf(func(*queue.Ask) {}), Options{Points: true})
	require.True(t, f.Allow().OK())
	require.Equal(t, []string{"once"}, f.Here().Selected())
	require.True(t, f.Refuse().OK())
	require.Equal(t, []string{"no"}, f.Here().Selected())

	f = New(approvalOf(func(a *queue.Ask) {
		a.Questions[0].Options = a.Questions[0].Options[1:2]
		a.Questions[0].Defaults = nil
	}),
		Options{Points: true})
	require.Equal(t, NotOffered, f.Allow().Reason)
	require.Equal(t, NotOffered, f.Refuse().Reason)
	require.Empty(t, f.Here().Selected())
}

func TestARefusalIsSentWithItsWordsAndWithoutAConfirmation(t *testing.T) {
	f := New(approvalOf(func(a *queue.Ask) { a.Confirm = true }), Options{Points: true})
	f.Allow()
	require.Equal(t, StepConfirm, f.Plan(Facts{}).Step)
	f.Refuse()
	_, why := f.Begin(FieldRefusal)
	require.True(t, why.OK())
	f.Type("not here")
	require.Equal(t, StepSend, f.Enter())
	require.Equal(t, FieldNone, f.Typing())
	require.Equal(t, map[string]string{"no": "not here"}, f.Settle().Answer.Replies[0].Notes)

	f = New(approvalOf(func(*queue.Ask) {}), Options{Rules: Rules{NoNotes: true}})
	_, why = f.Begin(FieldRefusal)
	require.Equal(t, NotesOffInSettings, why.Reason)
}

func TestAnApprovalOfSeveralQuestionsIsAnsweredAsAFormIs(t *testing.T) {
	f := New(approvalOf(func(a *queue.Ask) { a.Questions = append(a.Questions, queue.Question{ID: "q2", Mode: queue.ModeText}) }),
		Options{Points: true})
	require.False(t, f.Approves())
}
