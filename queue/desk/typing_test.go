package desk_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

// shared returns a bench of Ana's on a queue that several people share.
func shared(t *testing.T) *bench {
	return newBench(t, func(o *desk.Options) { o.Queue.Person = "ana@laptop" })
}

func TestWhoElseIsAnsweringIsToldAndTheirWordsStayTheirs(t *testing.T) {
	b := shared(t)
	s, mine := b.ask("Which database?", 300), view(b)
	b.pass(time.Second)
	told := happened[desk.Ordered](b)
	theirs := queue.Draft{Session: s.ID, Instance: "bobs", Person: "bob@desk", At: b.rig.Clock.T.Add(-20 * time.Second),
		Answer: queue.Answer{Replies: []queue.Reply{{Question: "q1", Selected: []string{"lite"}}}}}
	require.NoError(t, b.q.Store.SaveDraft(t.Context(), theirs))
	b.calm()

	require.Equal(t, []string{"bob@desk"}, b.Answering(s.ID), "his clock is 20 s behind")
	require.Greater(t, happened[desk.Ordered](b), told, "the screen is drawn anew")
	require.NotEqual(t, []string{"lite"}, mine.Form().Here().Selected(), "what he marked is his")
	require.False(t, mine.Drafted(s.ID))

	next := b.NextTick()
	require.False(t, next.After(b.rig.Clock.T.Add(time.Minute)), "it ends without anybody pressing a key")
	b.pass(61 * time.Second)
	require.Empty(t, b.Answering(s.ID))
}

func TestTheScreenIsDrawnAnewOnlyWhereWhoIsAnsweringChanges(t *testing.T) {
	b := shared(t)
	s := b.ask("Which database?", 300)
	b.pass(time.Second)
	told := happened[desk.Ordered](b)
	draws := func(person string, ago time.Duration) int {
		before := happened[desk.Ordered](b)
		b.Take(queue.Changes{Drafts: []queue.Draft{{Session: s.ID, Instance: person, Person: person, At: b.rig.Clock.T.Add(-ago)}}}, nil)
		b.calm()
		return happened[desk.Ordered](b) - before
	}
	require.Zero(t, draws("bob@desk", 10*time.Minute), "he stopped long ago")
	require.Equal(t, 1, draws("bob@desk", 0))
	b.pass(30 * time.Second)
	require.Zero(t, draws("bob@desk", 0), "he goes on")
	require.Equal(t, 1, draws("carol@desk", 0))
	b.pass(45 * time.Second)
	require.Equal(t, []string{"bob@desk", "carol@desk"}, b.Answering(s.ID), "his time began anew")
	require.Equal(t, told+2, happened[desk.Ordered](b))
	b.pass(16 * time.Second)
	require.Empty(t, b.Answering(s.ID))
	require.Greater(t, happened[desk.Ordered](b), told+2, "they stopped")
	require.Equal(t, 1, draws("bob@desk", 0), "he is back")
}

func TestAnOldDraftOfAnotherPersonSaysNothing(t *testing.T) {
	b := shared(t)
	s := b.ask("Which database?", 300)
	require.NoError(t, b.q.Store.SaveDraft(t.Context(), queue.Draft{Session: s.ID, Instance: "bobs", Person: "bob@desk",
		At: b.rig.Clock.T.Add(-10 * time.Minute)}))
	b.calm()
	require.Empty(t, b.Answering(s.ID))
}

func TestWhatIsTypedHereIsSavedUnderThePersonsName(t *testing.T) {
	b := shared(t)
	s, mine := b.ask("Which database?", 300), view(b)
	b.pass(time.Second)
	mine.Form().Here().Move(1)
	b.typing(mine)
	drafts, err := b.q.Store.Drafts(t.Context(), s.ID)
	require.NoError(t, err)
	require.Len(t, drafts, 1)
	require.Equal(t, "ana@laptop", drafts[0].Person)
	require.Empty(t, b.Answering(s.ID), "nobody else does")
}

func TestWhatCouldNotBeSavedIsSavedOnceTheQueueIsThereAgain(t *testing.T) {
	b := newBench(t, nil)
	s, mine := b.ask("Which database?", 300), view(b)
	b.pass(time.Second)
	b.rig.Disk.Err = queue.ErrUnreachable
	mine.Form().Here().Move(1)
	b.typing(mine)
	require.ErrorIs(t, b.Trouble().Draft, queue.ErrUnreachable)

	b.rig.Disk.Err = nil
	b.Take(queue.Changes{}, nil) // the watch works again, without a key
	b.calm()
	require.NoError(t, b.Trouble().Draft)
	drafts, err := b.q.Store.Drafts(t.Context(), s.ID)
	require.NoError(t, err)
	require.Len(t, drafts, 1)
}

func TestAColleagueWhoLeavesIsNotSaidToBeAnswering(t *testing.T) {
	b := shared(t)
	s := b.ask("Which database?", 300)
	bob := queue.Presence{Instance: "bobs", Role: queue.RoleDashboard}
	types := func(at time.Time) {
		b.Take(queue.Changes{Drafts: []queue.Draft{{Session: s.ID, Instance: "bobs-1", Person: "bob@desk", At: at}}}, nil)
		b.calm()
	}
	b.Take(queue.Changes{Presence: true}, append(b.rig.Present, bob))
	types(b.rig.Clock.T)
	require.Equal(t, []string{"bob@desk"}, b.Answering(s.ID))
	b.Take(queue.Changes{Presence: true}, append(b.rig.Present, bob, queue.Presence{Instance: "x", Role: queue.RoleBridge}))
	require.Equal(t, []string{"bob@desk"}, b.Answering(s.ID))

	told := happened[desk.Ordered](b)
	b.Take(queue.Changes{Presence: true}, b.rig.Present)
	require.Empty(t, b.Answering(s.ID))
	require.Greater(t, happened[desk.Ordered](b), told, "the screen is drawn anew")
	types(b.rig.Clock.T)
	require.Empty(t, b.Answering(s.ID), "what he typed last is read after he left")

	b.Take(queue.Changes{Presence: true}, append(b.rig.Present, bob))
	types(b.rig.Clock.T)
	require.Equal(t, []string{"bob@desk"}, b.Answering(s.ID), "he is back")
}

func TestADraftThatIsNotNeededAnyMoreIsNoTrouble(t *testing.T) {
	b := newBench(t, nil)
	s, mine := b.ask("Which database?", 300), view(b)
	b.pass(time.Second)
	b.rig.Disk.Err = queue.ErrUnreachable
	mine.Form().Here().Move(1)
	b.typing(mine)
	require.NoError(t, mine.Send())
	b.calm()
	require.ErrorIs(t, b.Trouble().Draft, queue.ErrUnreachable)

	b.rig.Disk.Err = nil
	b.pass(desk.RetryIn)
	require.Equal(t, queue.StatusSelected, b.stored(s.ID).Status())
	require.NoError(t, b.Trouble().Draft, "it was answered, and nothing is left to save")
}

func TestADraftThatIsStillNotSavedStaysSaidWhenAnotherOneIsSaved(t *testing.T) {
	b := newBench(t, nil)
	b.ask("Which database?", 300)
	other, mine := b.ask("Which cache?", 600), view(b)
	b.pass(time.Second)
	b.rig.Disk.Err = queue.ErrUnreachable
	mine.Form().Here().Move(1)
	b.typing(mine)
	b.rig.Disk.Err = nil
	mine.Show(other.ID)
	mine.Form().Here().Move(1)
	mine.DraftSoon()
	mine.SaveDraft()
	for b.Work() {
		b.Drain()
	}
	require.ErrorIs(t, b.Trouble().Draft, queue.ErrUnreachable)
	b.Take(queue.Changes{}, nil)
	b.calm()
	require.NoError(t, b.Trouble().Draft)
}
