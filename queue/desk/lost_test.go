package desk_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

// doubtful is a store that writes but, while doubt is set, cannot confirm that the data is on disk.
type doubtful struct {
	queue.Store
	doubt error
}

func (d *doubtful) Sync(context.Context, string) error { return d.doubt }

func (d *doubtful) Put(ctx context.Context, s queue.Session) (queue.Session, error) {
	stored, err := d.Store.Put(ctx, s)
	return stored, errors.Join(err, d.doubt)
}

// endings returns how sessions ended, according to the events.
func (b *bench) endings() (list []desk.Ended) {
	for _, e := range b.events {
		if ended, ok := e.(desk.Ended); ok {
			list = append(list, ended)
		}
	}
	return list
}

func TestAQuestionThatTheQueueLostIsOver(t *testing.T) {
	b := newBench(t, nil)
	one := view(b)
	s := b.ask("Which database?", 300)
	other := b.ask("Deploy?", 600)
	for _, lost := range []queue.Session{s, other} {
		b.rig.Memory.Lose(lost.ID)
	}
	b.calm()
	b.calm()
	require.Equal(t, s.ID, one.Up(), "what is over stays in view")
	require.NotNil(t, one.Session().Outcome)
	assert.Equal(t, "no longer in the queue", one.Session().Outcome.Reason)
	assert.ErrorIs(t, one.Send(), desk.ErrOver)
	assert.Len(t, b.endings(), 2, "the one that is not on view as well")
}

func TestAnAnswerThatTheDiskDidNotConfirmIsNotTakenForSent(t *testing.T) {
	disk := &doubtful{}
	b := newBench(t, func(o *desk.Options) {
		disk.Store = o.Queue.Store
		o.Queue.Store = disk
	})
	one := view(b)
	s := b.ask("Which database?", 300)
	disk.doubt = errors.New("input/output error")
	require.NoError(t, one.Send())
	b.calm()
	b.pass(desk.RetryIn)
	require.Empty(t, b.endings())
	require.Zero(t, happened[desk.Stored](b))
	require.Equal(t, s.ID, one.Up())
	require.NotZero(t, happened[desk.NotStored](b))
	disk.doubt = nil
	b.pass(desk.RetryIn)
	require.Len(t, b.endings(), 1)
	assert.True(t, b.endings()[0].Ours)
	assert.Equal(t, 1, happened[desk.Stored](b))
	assert.Empty(t, one.Up())
}

func TestAnAnswerIsOursAlsoWhereItsQuestionWasArchivedBeforeItWasSeenAnswered(t *testing.T) {
	b := newBench(t, nil)
	one := view(b)
	s := b.ask("Which database?", 300)
	b.ask("Deploy?", 600)
	require.NoError(t, one.Send())
	require.True(t, one.Step(1))
	require.True(t, b.Work())
	done, err := b.q.Do(t.Context(), s.ID, queue.Command{By: queue.ByCaller, Do: queue.Collect{Claim: *s.Claim}})
	require.NoError(t, err)
	require.NoError(t, b.q.Store.Archive(t.Context(), done))
	changes, err := b.rig.Watcher.Next(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{s.ID}, changes.Gone)
	b.Take(changes, nil)
	b.calm()
	b.calm()
	require.Len(t, b.endings(), 1, "told once")
	assert.True(t, b.endings()[0].Ours)
	assert.True(t, b.Last().Received)
}

func TestADeskThatDidNotReadTheQueueYetIsNotLoaded(t *testing.T) {
	b := newBench(t, nil)
	b.ask("Which database?", 300)
	o := usual(b.q)
	o.Instance = "other"
	d := desk.New(o)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := d.Open(ctx, queue.RoleDashboard)
	require.NoError(t, err)
	d.Start(ctx)
	for !d.Loaded() {
		<-d.Bell()
		d.Drain()
	}
	assert.Len(t, d.Waiting(), 1)
	cancel()
	d.Close()
}

// deaf is a store whose archive cannot be read while err is set.
type deaf struct {
	queue.Store
	err error
}

func (d *deaf) Get(ctx context.Context, id string) (queue.Session, error) {
	if d.err != nil {
		return queue.Session{}, d.err
	}
	return d.Store.Get(ctx, id)
}

func deafBench(t *testing.T) (*deaf, *bench) {
	disk := &deaf{}
	b := newBench(t, func(o *desk.Options) {
		disk.Store = o.Queue.Store
		o.Queue.Store = disk
	})
	return disk, b
}

func TestAnEndThatCannotBeReadIsReadLater(t *testing.T) {
	disk, b := deafBench(t)
	one := view(b)
	s := b.ask("Which database?", 300)
	disk.err = queue.ErrUnreachable
	elsewhere := queue.New(disk.Store)
	elsewhere.Now = b.q.Now
	for _, do := range []queue.Action{queue.Cancel{}, queue.Collect{Claim: *s.Claim}} {
		ended, err := elsewhere.Do(t.Context(), s.ID, queue.Command{By: queue.ByCaller, Do: do})
		require.NoError(t, err)
		if ended.Final {
			require.NoError(t, disk.Store.Archive(t.Context(), ended))
		}
	}
	b.calm()
	require.Equal(t, s.ID, one.Up())
	require.Nil(t, one.Session().Outcome)
	require.False(t, b.NextTick().IsZero())
	disk.err = nil
	b.pass(desk.RetryIn)
	b.calm()
	require.NotNil(t, one.Session().Outcome, "it does not stay on view as if it were pending")
	require.Len(t, b.endings(), 1)
}

func TestAnAnswerIsKeptWhereItsQuestionIsReportedAsGoneAndIsNot(t *testing.T) {
	b := newBench(t, nil)
	one := view(b)
	s := b.ask("Which database?", 300)
	other := b.ask("Deploy?", 600)
	b.rig.Disk.Err = errors.New("no space left on device")
	require.NoError(t, one.Send())
	b.calm()
	require.True(t, one.Step(1))
	require.Equal(t, other.ID, one.Up())
	b.rig.Disk.Err = nil
	b.Take(queue.Changes{Gone: []string{s.ID}}, nil)
	b.calm()
	b.pass(desk.RetryIn)
	require.Empty(t, b.endings())
	b.Take(queue.Changes{Sessions: []queue.Session{s}}, nil)
	b.pass(desk.RetryIn)
	require.NotNil(t, b.stored(s.ID).Outcome, "the answer was kept")
	require.Len(t, b.endings(), 1)
	assert.True(t, b.endings()[0].Ours)
}

func TestAQuestionWhoseEndOnlyANewerProgramCanReadIsOver(t *testing.T) {
	disk, b := deafBench(t)
	one := view(b)
	s := b.ask("Which database?", 300)
	disk.err = queue.ErrNewer
	b.Take(queue.Changes{Gone: []string{s.ID}}, nil)
	b.calm()
	require.Equal(t, s.ID, one.Up())
	require.NotNil(t, one.Session().Outcome)
	require.Len(t, b.endings(), 1)
}
