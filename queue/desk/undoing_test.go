package desk_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

// holding makes a desk hold answers back for three seconds.
func holding(o *desk.Options) {
	s := config.Default()
	s.UndoSeconds = 3
	o.Settings = &roomtest.Settings{S: s}
}

func TestAnAnswerIsHeldBackAndGoesOutByItself(t *testing.T) {
	b := newBench(t, holding)
	one := view(b)
	s := b.ask("Which database?", 300)
	b.pass(time.Second)
	require.NoError(t, one.Send())
	b.calm()
	require.True(t, b.stored(s.ID).Pending())
	require.Equal(t, s.ID, one.Up(), "nothing else waits, so it stays on view")
	require.True(t, one.UndoableOn())
	require.Equal(t, b.rig.Clock.T.Add(3*time.Second), one.Undoable().Until())
	require.Equal(t, one.Undoable().Until(), b.NextTick(), "the clock wakes for it")
	b.pass(3*time.Second - time.Millisecond)
	require.True(t, b.stored(s.ID).Pending())
	b.pass(time.Millisecond)
	require.Equal(t, "PostgreSQL", b.stored(s.ID).Summary())
	require.Empty(t, one.Up())
	require.Nil(t, one.Undoable())
	require.Empty(t, drafts(b, s.ID), "what was sent is no draft any more")
}

func TestAHeldAnswerIsTakenBackAsItWas(t *testing.T) {
	b := newBench(t, holding)
	one := view(b)
	s := b.ask("Which database?", 300)
	other := b.ask("Deploy?", 600)
	b.pass(time.Second)
	one.Form().Here().Move(1)
	require.NoError(t, one.Send())
	b.calm()
	require.Equal(t, other.ID, one.Up(), "the next question comes up")
	require.ErrorIs(t, one.Guard.Refuses(desk.Press{Effect: desk.Sending}, b.rig.Clock.T), desk.ErrEarly)
	require.True(t, one.TakeBack())
	b.pass(time.Minute)
	require.True(t, b.stored(s.ID).Pending())
	require.Equal(t, s.ID, one.Up())
	require.Equal(t, []string{"lite"}, one.Form().Here().Selected())
	require.False(t, one.TakeBack(), "nothing is held any more")
	require.NoError(t, one.Send())
	b.pass(3 * time.Second)
	require.Equal(t, "SQLite", b.stored(s.ID).Summary())
}

func TestTheNextAnswerOrTheSameAgainSendsAHeldOne(t *testing.T) {
	b := newBench(t, holding)
	one := view(b)
	first, second := b.ask("Which database?", 300), b.ask("Deploy?", 600)
	b.pass(time.Second)
	require.NoError(t, one.Send())
	b.pass(time.Second)
	require.Equal(t, second.ID, one.Up())
	require.NoError(t, one.Send())
	b.calm()
	require.Equal(t, "PostgreSQL", b.stored(first.ID).Summary(), "the next answer sends it")
	require.True(t, b.stored(second.ID).Pending())
	require.NoError(t, one.Send())
	b.calm()
	require.Equal(t, "PostgreSQL", b.stored(second.ID).Summary(), "the same answer again sends it")
}

func TestACancelTakesThePlaceOfAHeldAnswer(t *testing.T) {
	b := newBench(t, holding)
	one := view(b)
	s := b.ask("Which database?", 300)
	require.NoError(t, one.Send())
	require.NoError(t, one.Cancel())
	b.pass(time.Minute)
	require.Equal(t, queue.StatusCancelled, b.stored(s.ID).Status())
}

func TestAHeldAnswerGoesOutBeforeTheDeadline(t *testing.T) {
	b := newBench(t, func(o *desk.Options) {
		s := config.Default()
		s.UndoSeconds = 60
		o.Settings = &roomtest.Settings{S: s}
	})
	one := view(b)
	s := b.ask("Which database?", 30)
	b.pass(time.Second)
	require.NoError(t, one.Send())
	require.Equal(t, s.Deadline.Add(-time.Second), one.Undoable().Until())
	_, err := b.q.Do(t.Context(), s.ID, queue.Command{Do: queue.Move{By: -10 * time.Second}})
	require.NoError(t, err)
	b.calm()
	require.Equal(t, s.Deadline.Add(-11*time.Second), one.Undoable().Until(), "also where somebody takes time from it")
	b.pass(18 * time.Second)
	require.Equal(t, "PostgreSQL", b.stored(s.ID).Summary())

	late := b.ask("Deploy?", 1)
	require.NoError(t, one.Send())
	b.calm()
	require.Equal(t, "PostgreSQL", b.stored(late.ID).Summary(), "in the last second nothing is held")
}

func TestConfirmationsAndApprovalsAreNeverHeldBack(t *testing.T) {
	for name, change := range map[string]func(*queue.Ask){
		"confirmation": func(a *queue.Ask) { a.Confirm = true },
		"approval":     func(a *queue.Ask) { a.Kind = queue.KindApproval },
	} {
		b := newBench(t, holding)
		one := view(b)
		s := b.ask("Which database?", 300)
		change(&s.Ask)
		s, err := b.q.Create(t.Context(), s)
		require.NoError(t, err)
		b.calm()
		one.Show(s.ID)
		one.Form().Here().Digit(1) // an approval has no mark at first
		one.Form().Enter()
		one.Form().Confirm()
		require.NoError(t, one.Send())
		b.calm()
		require.Equal(t, "PostgreSQL", b.stored(s.ID).Summary(), name)
	}
}

func TestAQuestionThatEndsOtherwiseTakesItsHeldAnswerAlong(t *testing.T) {
	b := newBench(t, holding)
	one := view(b)
	s := b.ask("Which database?", 300)
	require.NoError(t, one.Send())
	lite := queue.Answer{Replies: []queue.Reply{{Question: "q1", Selected: []string{"lite"}}}}
	_, err := b.q.Do(t.Context(), s.ID, queue.Command{By: queue.ByHuman, Do: queue.Settle{Answer: lite}})
	require.NoError(t, err)
	b.calm()
	require.Nil(t, one.Undoable())
	b.pass(3 * time.Second)
	require.Equal(t, "SQLite", b.stored(s.ID).Summary())
}

func TestAHeldAnswerIsADraftForWhoeverComesAfterAProcessThatDied(t *testing.T) {
	b := newBench(t, holding)
	one := view(b)
	s := b.ask("Which database?", 300)
	one.Form().Here().Move(1)
	require.NoError(t, one.Send())
	b.calm()
	kept := drafts(b, s.ID)
	require.Len(t, kept, 1)
	require.Equal(t, []string{"lite"}, kept[0].Answer.Replies[0].Selected)
}

func TestLeavingAndStandingStillSendAHeldAnswer(t *testing.T) {
	for name, leave := range map[string]func(*desk.Desk){"leaving": (*desk.Desk).Close, "standing still": (*desk.Desk).Flush} {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t, holding)
			one := view(b)
			s := b.ask("Which database?", 300)
			_, err := b.Open(t.Context(), queue.RoleDashboard)
			require.NoError(t, err, name)
			require.NoError(t, one.Send())
			ctx, end := context.WithCancel(t.Context())
			b.Start(ctx)
			if name == "leaving" {
				end()
			}
			leave(b.Desk)
			require.Equal(t, "PostgreSQL", b.stored(s.ID).Summary(), name)
			end()
		})
	}
}

func drafts(b *bench, id string) []queue.Draft {
	list, err := b.q.Store.Drafts(b.t.Context(), id)
	require.NoError(b.t, err)
	return list
}

func TestAQuestionIsSetAsideAndTheNextOneComesUp(t *testing.T) {
	b := newBench(t, nil)
	one := view(b)
	s, other := b.ask("Which database?", 300), b.ask("Deploy?", 600)
	b.pass(time.Second)
	require.NoError(t, one.Later())
	require.Equal(t, other.ID, one.Up())
	b.calm()
	require.Equal(t, other.ID, b.Waiting()[0].ID)
	require.Equal(t, queue.StandingLater, b.Waiting()[1].Standing)
	n, _ := b.Closing()
	require.Equal(t, 2, n, "it still closes chat")
	stored := b.stored(s.ID)
	require.Equal(t, s.Deadline.Add(10*time.Minute), stored.Deadline)
	event, there := stored.Last(queue.EventLater)
	require.True(t, there)
	require.Equal(t, queue.SurfaceDashboard, event.Surface)

	require.NoError(t, one.Later())
	require.Equal(t, other.ID, one.Up(), "there is no other that hurries")
	b.pass(9 * time.Minute)
	require.Equal(t, queue.StandingLater, b.Waiting()[0].Standing)
	b.pass(time.Minute)
	assert.Equal(t, s.ID, b.Waiting()[0].ID, "it is back by the clock alone")
	assert.Equal(t, queue.StandingOpen, b.Waiting()[0].Standing)
}

func TestSettingAsideIsRefusedWithAReason(t *testing.T) {
	b := newBench(t, nil)
	one := view(b)
	require.ErrorIs(t, one.Later(), desk.ErrOver, "nothing is on view")
	s := b.ask("Which database?", 300)
	_, err := b.q.Do(t.Context(), s.ID, queue.Command{Do: queue.Attach{Instance: "form"}})
	require.NoError(t, err)
	b.calm()
	_, _, err = one.LaterTimes()
	require.NoError(t, err, "its form has gone")
	b.TakePresence([]queue.Presence{{Instance: "bridge"}, {Instance: "form", Role: queue.RoleAttach}})
	require.ErrorIs(t, one.Later(), desk.ErrLaterAttached)
	b.TakePresence(b.rig.Present)
	require.NoError(t, one.Send())
	require.ErrorIs(t, one.Later(), desk.ErrSending)
}

func TestAQuestionIsBackBeforeItsAgentGivesUp(t *testing.T) {
	b := newBench(t, nil)
	one := view(b)
	s := b.ask("Which database?", 300)
	_, givesUp, _ := one.LaterTimes()
	require.Zero(t, givesUp, "it said nothing")
	s.Ask.WaitsSeconds = 300
	s, err := b.q.Create(t.Context(), s)
	require.NoError(t, err)
	b.calm()
	one.Show(s.ID)
	until, givesUp, _ := one.LaterTimes()
	require.Equal(t, s.AskedAt.Add(4*time.Minute), until)
	require.Equal(t, s.AskedAt.Add(5*time.Minute), givesUp)
	require.NoError(t, one.Later())
	b.calm()
	aside, _ := b.stored(s.ID).AsideUntil(b.rig.Clock.T)
	require.Equal(t, until, aside)
}
