package desk_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

// unsteady is a store that fails to confirm a number of new sessions. It may have stored them all the same.
type unsteady struct {
	queue.Store
	fail   error
	stores bool          // it stores the sessions that it does not confirm
	ids    []string      // the ids of all attempts
	late   queue.Session // the last session that was not stored
	doubt  error         // the error of Sync
}

func (u *unsteady) Create(ctx context.Context, s queue.Session) (queue.Session, error) {
	u.ids = append(u.ids, s.ID)
	if u.fail == nil {
		return u.Store.Create(ctx, s)
	}
	if u.stores {
		if _, err := u.Store.Create(ctx, s); err != nil {
			return queue.Session{}, err
		}
	}
	u.late = s
	return queue.Session{}, fmt.Errorf("failed to keep session %q: %w", s.ID, u.fail)
}

func (u *unsteady) Sync(ctx context.Context, id string) error {
	if u.doubt != nil {
		return u.doubt
	}
	return u.Store.Sync(ctx, id)
}

// unsteadyLines does the same as newLines, on a store that confirms no line. mode is the setting for delivering lines.
func unsteadyLines(t *testing.T, mode string, fail error, stores bool) (*lines, *unsteady) {
	l := newLines(t)
	l.set.S.Chat.Deliver = mode
	l.SetSettings(l.set.S)
	disk := &unsteady{Store: l.q.Store, fail: fail, stores: stores}
	if stores {
		disk.doubt = fail
	}
	l.q.Store = disk
	return l, disk
}

// leftLine sends a line that the store does not confirm, and closes the composer.
func leftLine(t *testing.T) (*lines, *unsteady) {
	l, disk := unsteadyLines(t, config.DeliverMCP, queue.ErrUnreachable, false)
	l.write("frozen chat")
	require.NoError(t, l.send())
	l.close()
	return l, disk
}

// steady makes the store confirm again.
func (u *unsteady) steady() { u.fail, u.doubt = nil, nil }

// messages returns all lines that the queue ever had.
func (l *lines) messages() (list []queue.Session) {
	l.t.Helper()
	live, _, err := l.q.Store.Live(l.t.Context())
	require.NoError(l.t, err)
	for _, s := range append(live, l.archive()...) {
		if s.IsMessage() {
			list = append(list, s)
		}
	}
	return list
}

func TestALineThatWasStoredUnconfirmedIsTriedAgainAndNotDoubled(t *testing.T) {
	for _, mode := range []string{config.DeliverMCP, config.DeliverAuto, config.DeliverTmux} {
		t.Run(mode, func(t *testing.T) {
			l, disk := unsteadyLines(t, mode, queue.ErrInDoubt, true)
			l.write("frozen chat")
			require.NoError(t, l.send())
			require.True(t, l.chat.TryingAgain())
			require.Zero(t, happened[desk.LineSent](l.bench))
			require.Equal(t, "frozen chat", l.chat.Text())
			require.Empty(t, l.ways.pasted, "nothing is given to an agent that the queue may not have")
			require.ErrorIs(t, l.send(), desk.ErrBusy, "it is the same line")
			l.pass(desk.RetryIn)
			require.True(t, l.chat.TryingAgain())
			disk.steady()
			require.False(t, l.NextTick().IsZero())
			l.pass(desk.RetryIn)
			require.NoError(t, last[desk.LineSent](t, l.bench).Err)
			require.False(t, l.chat.Busy())
			require.False(t, l.chat.Open())
			require.Empty(t, l.chat.Text())
			require.Len(t, l.messages(), 1)
			if mode == config.DeliverMCP {
				require.Len(t, l.unfetched(), 1)
			} else {
				require.Equal(t, []string{"claude-code: frozen chat"}, l.ways.pasted)
			}
		})
	}
}

func TestALineIsSentOnceTheQueueCanBeReachedAgain(t *testing.T) {
	for _, mode := range []string{config.DeliverMCP, config.DeliverAuto} {
		l, disk := unsteadyLines(t, mode, queue.ErrUnreachable, false)
		l.write("frozen chat")
		require.NoError(t, l.send())
		l.pass(desk.RetryIn)
		require.Len(t, disk.ids, 2)
		require.Empty(t, l.messages())
		require.True(t, l.chat.TryingAgain())
		disk.steady()
		l.pass(desk.RetryIn)
		require.NoError(t, last[desk.LineSent](t, l.bench).Err)
		require.Len(t, l.messages(), 1)
		require.Empty(t, l.chat.Text())
		l.pass(desk.RetryIn)
		require.Len(t, disk.ids, 3)
		require.Equal(t, disk.ids[0], disk.ids[2])
	}
}

func TestALineThatItsAgentFetchedBeforeItWasConfirmedIsSent(t *testing.T) {
	l, disk := unsteadyLines(t, config.DeliverMCP, queue.ErrInDoubt, true)
	l.write("frozen chat")
	require.NoError(t, l.send())
	disk.steady()
	l.fetch()
	l.pass(desk.RetryIn)
	require.NoError(t, last[desk.LineSent](t, l.bench).Err)
	require.Len(t, l.messages(), 1)
	require.Empty(t, l.chat.Text())
}

// fetch takes the one pending line as an agent's next_message does, so that it is archived.
func (l *lines) fetch() {
	l.t.Helper()
	s := l.messages()[0]
	claim := queue.Claim{Instance: "bridge", Conn: "9"}
	for _, do := range []queue.Action{queue.Take{Claim: claim}, queue.Deliver{Claim: claim, Surface: queue.SurfaceMCP}} {
		var err error
		s, err = l.q.Do(l.t.Context(), s.ID, queue.Command{By: queue.ByCaller, Do: do})
		require.NoError(l.t, err)
	}
	require.NoError(l.t, l.q.Store.Archive(l.t.Context(), s))
}

func TestALineThatThePersonChangedMeanwhileStays(t *testing.T) {
	l, disk := unsteadyLines(t, config.DeliverMCP, queue.ErrInDoubt, true)
	l.write("frozen chat")
	require.NoError(t, l.send())
	l.chat.Type("something else")
	disk.steady()
	l.pass(desk.RetryIn)
	require.True(t, l.chat.Open())
	require.Equal(t, "something else", l.chat.Text())
	require.Len(t, l.messages(), 1)
}

func TestALineThatWasLeftIsNotTriedAgainButIsTheSameWhenItIsSentAgain(t *testing.T) {
	l, disk := leftLine(t)
	require.False(t, l.chat.Busy())
	l.pass(desk.RetryIn)
	require.Len(t, disk.ids, 1)
	disk.steady()
	l.open()
	require.Equal(t, "frozen chat", l.chat.Text())
	require.NoError(t, l.send())
	require.Len(t, l.messages(), 1)
	require.Equal(t, disk.ids[0], l.messages()[0].ID)
	require.Empty(t, l.chat.Text())
}

func TestALineThatWasLeftAndArrivesLateIsTheSameWhenItIsSentAgain(t *testing.T) {
	l, disk := leftLine(t)
	disk.steady()
	_, err := disk.Store.Create(t.Context(), disk.late)
	require.NoError(t, err)
	l.chat.Compose()
	require.NoError(t, l.chat.Send(), "the watch has not told of it yet")
	l.calm()
	require.Len(t, l.messages(), 1)
	require.Empty(t, l.chat.Text())
}

func TestALineThatWasLeftAndChangedIsAnotherOne(t *testing.T) {
	l, disk := leftLine(t)
	disk.steady()
	l.write("something else")
	require.NoError(t, l.send())
	require.Len(t, l.messages(), 1)
	require.NotEqual(t, disk.ids[0], l.messages()[0].ID)
}

func TestALineThatWasLeftAndIsInTheQueueAfterAllCountsAsSent(t *testing.T) {
	l, disk := unsteadyLines(t, config.DeliverMCP, queue.ErrInDoubt, true)
	l.write("frozen chat")
	require.NoError(t, l.chat.Send())
	l.Drain()
	l.close() // only after that the desk sees it in the queue
	disk.steady()
	l.open()
	require.Empty(t, l.chat.Text())
	require.Len(t, l.unfetched(), 1)
}

func TestALineForAPaneThatWasLeftIsTakenOutOfTheQueueAndIsANewOneWhenItIsSentAgain(t *testing.T) {
	l, disk := unsteadyLines(t, config.DeliverTmux, queue.ErrInDoubt, true)
	l.write("frozen chat")
	require.NoError(t, l.chat.Send())
	l.Drain()
	l.close()
	disk.steady()
	l.calm()
	require.Empty(t, l.unfetched())
	l.open()
	require.Equal(t, "frozen chat", l.chat.Text())
	require.NoError(t, l.send())
	require.Equal(t, []string{"claude-code: frozen chat"}, l.ways.pasted)
}

func TestALineIsNotTriedAgainWhileAQuestionWaits(t *testing.T) {
	l, disk := unsteadyLines(t, config.DeliverTmux, queue.ErrUnreachable, false)
	l.write("frozen chat")
	require.NoError(t, l.send())
	disk.steady()
	l.askAs("Deploy?", 300, infra())
	l.pass(desk.RetryIn)
	require.Empty(t, l.ways.pasted)
	require.False(t, l.chat.Busy())
	require.ErrorIs(t, l.send(), desk.ErrClosed)
	require.NoError(t, l.view.Send())
	l.calm()
	require.Empty(t, l.ways.pasted, "nothing is sent by itself when it opens")
	require.Equal(t, "frozen chat", l.chat.Text())
	require.NoError(t, l.send())
	assert.Equal(t, []string{"claude-code: frozen chat"}, l.ways.pasted)
}
