package form

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// three returns a single and a hybrid with max 1, each with a recommended option, and a multi without one.
func three() queue.Session {
	return asked(question("q1", queue.ModeSingle, recommendsB),
		question("q2", queue.ModeHybrid, func(q *queue.Question) { q.Max = 1; recommendsB(q) }),
		question("q3", queue.ModeMulti, bounds(0, 2)))
}

func TestOneQuestionHasNeitherTabsNorReview(t *testing.T) {
	f := pointing(one(queue.ModeSingle, nil))
	assert.False(t, f.Several())
	assert.False(t, f.Next())
	assert.False(t, f.Back())
	assert.False(t, f.Reviewing())
	taken, of := f.Progress()
	assert.Equal(t, [2]int{0, 1}, [2]int{taken, of})
}

func TestOneAnswerIsTakenAfterTheOtherAndReviewedBeforeItIsSent(t *testing.T) {
	f := pointing(three())
	assert.Equal(t, 3, f.Len())
	require.Equal(t, []Step{StepTake, StepTake}, f.enters(2))
	assert.Equal(t, 2, f.At())
	require.Equal(t, []Step{StepArm, StepTake}, f.enters(2), "nothing is marked in the last one")
	require.True(t, f.Reviewing())
	assert.Same(t, f.Question(2), f.Here())
	require.True(t, f.GoTo(1).OK())
	require.True(t, f.Question(1).Taken(), "it may still be changed")
	f.MoveLast()
	require.Equal(t, []Step{StepType}, f.enters(1))
	f.Type("yescrypt")
	require.Equal(t, []Step{StepTake}, f.enters(1))
	require.True(t, f.Reviewing())
	require.Equal(t, []Step{StepSend}, f.enters(1))
	a := f.Settle().Answer
	assert.Equal(t, []string{"b"}, a.Replies[0].Selected)
	assert.Equal(t, "yescrypt", a.Replies[1].Text)
	assert.Empty(t, a.Replies[1].Selected)
	assert.Empty(t, a.Replies[2].Selected)
	assert.Equal(t, WhyNot{Reason: NoSuchQuestion, Have: 4, Of: 3}, f.GoTo(3))
	assert.Equal(t, WhyNot{Reason: NoSuchQuestion, Have: 0, Of: 3}, f.GoTo(-1))
}

func TestTheNextOpenQuestionIsLookedForAroundTheEnd(t *testing.T) {
	f := pointing(three())
	f.GoTo(1)
	f.Take()
	assert.Equal(t, 2, f.At())
	f.Take()
	assert.Equal(t, 0, f.At())
	assert.Equal(t, 0, f.FirstOpen())
	f.Take()
	assert.True(t, f.Reviewing())
	assert.Equal(t, -1, f.FirstOpen())
}

func TestTheReviewGoesToWhatIsOpenAndDoesNotSend(t *testing.T) {
	f := pointing(three())
	require.True(t, f.Next())
	require.True(t, f.Next())
	require.True(t, f.Next())
	require.False(t, f.Next())
	require.True(t, f.Reviewing())
	p := f.Plan(Facts{Unseen: 3})
	assert.Equal(t, Plan{Step: StepOpen, Object: "q1", Pieces: []Piece{{Kind: PieceMissing, N: 3}}}, p)
	require.Equal(t, []Step{StepOpen}, f.enters(1))
	assert.Equal(t, 0, f.At())
	assert.False(t, f.Back())
}

func TestTheReviewHasACursorOfItsOwn(t *testing.T) {
	f := pointing(three())
	f.RecommendAll()
	f.GoTo(2)
	f.enters(2)
	require.True(t, f.Reviewing())
	require.True(t, f.MoveLast())
	assert.Equal(t, 2, f.Row())
	assert.False(t, f.Move(1))
	require.True(t, f.MoveFirst())
	assert.Equal(t, 0, f.Row())
	assert.Equal(t, []string{"b"}, selected(f), "which moves no dot")
}

func TestEachQuestionKeepsItsCursorWordsAndNarrowing(t *testing.T) {
	f := pointing(three())
	f.GoTo(1)
	f.types(FieldText, "mine")
	f.Next()
	f.types(FieldFind, "c")
	f.GoTo(1)
	assert.True(t, f.Here().OnWords())
	assert.Empty(t, f.Here().Narrowed())
	f.Next()
	assert.Equal(t, "c", f.Here().Narrowed())
}

func TestRecommendedForAllLeavesTheQuestionsWithoutOneOpen(t *testing.T) {
	f := pointing(three())
	f.Move(1)
	assert.Equal(t, 1, f.RecommendAll())
	taken, of := f.Progress()
	assert.Equal(t, [2]int{2, 3}, [2]int{taken, of})
	assert.Equal(t, 0, f.At())
	assert.Equal(t, []string{"b"}, selected(f))
	f.GoTo(2)
	f.Here().Mark("a")
	f.Take()
	f.GoTo(0)
	f.MoveLast()
	assert.Zero(t, f.RecommendAll())
	assert.Equal(t, []string{"c"}, selected(f), "what is answered is left alone")
	assert.True(t, f.Reviewing(), "nothing is open")

	f = pointing(asked(question("q1", queue.ModeSingle, recommendsB), question("q2", queue.ModeSingle, recommendsB)))
	assert.Zero(t, f.RecommendAll())
	assert.True(t, f.Reviewing())
	f.Move(1)
	f.RecommendAll()
	assert.Equal(t, 1, f.Row(), "nothing was open")
}

func TestStartingOverIsAskedTwice(t *testing.T) {
	s := three()
	s.Ask.Comment = "from the caller"
	f := pointing(s)
	f.Next()
	f.Next()
	f.Next()
	assert.Equal(t, because(NothingAnswered), f.StartOver())
	f.GoTo(0)
	f.Here().Note("a", "kept")
	f.Comment("mine")
	f.Take()
	f.GoTo(1)
	f.Next()
	f.Next()
	require.True(t, f.Reviewing())
	assert.True(t, f.MayStartOver().OK())
	assert.Contains(t, f.Typed(), "kept")
	require.True(t, f.StartOver().OK())
	assert.Empty(t, f.Typed())
	taken, _ := f.Progress()
	assert.Zero(t, taken)
	assert.Equal(t, 0, f.At())
	assert.Equal(t, "from the caller", f.CommentText())
	assert.True(t, f.Changed(), "the draft must go too")
}

func TestChoosingIsNotConfirming(t *testing.T) {
	s := one(queue.ModeSingle, nil)
	s.Ask.Confirm = true
	f := pointing(s)
	assert.Equal(t, because(ConfirmationNotShown), f.Confirm())
	require.Equal(t, []Step{StepConfirm}, f.enters(1))
	require.True(t, f.Confirming())
	require.Equal(t, []Step{StepNothing, StepNothing}, f.enters(2))
	assert.False(t, f.Settle().Confirmed)
	require.True(t, f.Decline())
	assert.False(t, f.Decline())
	assert.False(t, f.Confirming())
	f.Move(1)
	f.enters(1)
	require.True(t, f.Confirm().OK())
	require.Equal(t, []Step{StepSend}, f.enters(1))
	assert.Equal(t, queue.Settle{Answer: f.Answer(), Confirmed: true}, f.Settle())
	f.Unconfirm()
	assert.True(t, f.Confirming())
	require.Equal(t, []Step{StepNothing}, f.enters(1), "a confirmation that was taken back is asked for again")
	require.True(t, f.Confirm().OK())
	f.Decline()
	assert.False(t, f.Settle().Confirmed)
	require.Equal(t, []Step{StepConfirm, StepNothing}, f.enters(2), "a confirmation that was declined is asked for again")
}

func TestSeveralQuestionsAreConfirmedAfterTheReview(t *testing.T) {
	s := asked(question("q1", queue.ModeSingle, nil), question("q2", queue.ModeSingle, nil))
	s.Ask.Confirm = true
	f := pointing(s)
	require.Equal(t, []Step{StepTake, StepTake, StepConfirm, StepNothing}, f.enters(4))
	require.True(t, f.Confirm().OK())
	require.Equal(t, []Step{StepSend}, f.enters(1))
	f.Decline()
	assert.True(t, f.Reviewing())
}

func TestAnAskWithoutQuestionsCanBeShownAndCancelled(t *testing.T) {
	f := pointing(asked())
	assert.Equal(t, StepType, f.Plan(Facts{}).Step)
	f.Follow(Rules{NoNotes: true})
	f.types(FieldReason, "what is asked?")
	assert.Equal(t, queue.Cancel{Reason: "what is asked?"}, f.Cancel())
	assert.False(t, f.Here().Taken())
	assert.Equal(t, "s", f.Session())
}

func TestAQuestionIsCalledByItsHeaderElseItsTextElseItsID(t *testing.T) {
	f := listing(asked(
		question("q1", queue.ModeText, func(q *queue.Question) { q.Header, q.Text = "Store", "Which?" }),
		question("q2", queue.ModeText, func(q *queue.Question) { q.Header, q.Text = " ", "Which\none?" }),
		question("q3", queue.ModeText, nil),
		question("q4", queue.ModeText, func(q *queue.Question) { q.Text = "Which hash?\n\nOld ones stay." })))
	for i, want := range []string{"Store", "Which one?", "q3", "Which hash?"} {
		assert.Equal(t, want, f.Question(i).Name())
	}
}

func TestMoreDetailEndsTheQuestionWithItsCode(t *testing.T) {
	f := pointing(one(queue.ModeSingle, nil))
	_, why := f.Begin(FieldDetail)
	require.True(t, why.OK())
	require.Equal(t, StepCancel, f.Plan(Facts{}).Step)
	f.Type("what it costs")
	require.Equal(t, queue.Cancel{Reason: "what it costs", Code: queue.ReasonMoreDetail}, f.Cancel())
	f.EndTyping()
	f.Begin(FieldReason)
	require.Equal(t, queue.Cancel{Reason: "what it costs"}, f.Cancel(), "a cancel is none")

	approval := one(queue.ModeSingle, nil)
	approval.Ask.Kind = queue.KindApproval
	_, why = pointing(approval).Begin(FieldDetail)
	require.Equal(t, NotForApprovals, why.Reason)
}

func TestACancelThatWasOpenedForOwnWordsSaysSo(t *testing.T) {
	f := pointing(one(queue.ModeSingle, nil))
	f.BeginInstead()
	require.True(t, f.Instead())
	f.Type("neither of them")
	require.Equal(t, StepCancel, f.Enter())
	require.Equal(t, "neither of them", f.Cancel().Reason)
}
