package screen

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

// pileUp is what comes up while a disk hangs.
func (b *bench) pileUp() {
	for range 1100 {
		b.desk.Later(func() {})
	}
}

func TestAnAnswerSentWhileTheDiskHangsIsStoredOnceItIsBack(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.calm()
	b.pileUp()
	b.Key(event("enter"))
	require.Equal(t, "not saved yet, trying again: the disk does not respond", b.footer())
	b.settle()
	require.Equal(t, queue.StatusSelected, b.get(s.ID).Status())
	require.Nil(t, b.form())
}

func TestAClockMovedWhileTheDiskHangsIsMovedOnceItIsBack(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.calm()
	b.pileUp()
	b.press("+")
	b.settle()
	require.Equal(t, s.Deadline.Add(time.Minute), b.get(s.ID).Deadline)
}

func TestWhileTheDiskHangsOnlyTheNewestDraftOfASessionWaits(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.calm()
	saves := &countedDrafts{Store: b.o.Queue.Store}
	b.o.Queue.Store = saves
	b.Key(event("a"))
	b.clock.Pass(desk.Pause)
	for _, r := range "because" {
		b.Key(event(string(r)))
		b.view.SaveDraft()
	}
	b.settle()
	require.Equal(t, 1, saves.n)
	drafts, err := saves.Drafts(t.Context(), s.ID)
	require.NoError(t, err)
	require.Equal(t, "because", drafts[0].Answer.Comment)
}

// countedDrafts counts the drafts that are written.
type countedDrafts struct {
	queue.Store
	n int
}

func (c *countedDrafts) SaveDraft(ctx context.Context, d queue.Draft) error {
	c.n++
	return c.Store.SaveDraft(ctx, d)
}

func TestAScreenThatStartsSaysHowManyFilesLieAside(t *testing.T) {
	b := newBenchWith(t, 80, 24, func(o *Options) { o.Aside = 2 })
	b.ask(database(), shop())
	require.Contains(t, b.picture(), "! 2 unreadable files: choicetui doctor ─")
	b = newBenchWith(t, 40, 24, func(o *Options) { o.Aside = 2 })
	b.ask(database(), shop())
	require.Contains(t, b.picture(), "! 2 unreadable files ─")
}

func TestTheWarningOfAFileSetAsideLeaves(t *testing.T) {
	broken := queue.Changes{Broken: []queue.Broken{{Name: "bbbbbbbb", Reason: "no question is in it"}}}
	words := "! bbbbbbbb cannot be read and was set aside: no question is in it"
	b := newBench(t, 100, 24)
	b.ask(database(), shop())
	b.desk.Take(broken, nil)
	require.Contains(t, b.picture(), words)
	b.press("j")
	require.Contains(t, b.picture(), words, "nobody has read it yet")
	b.clock.Pass(messageFor)
	b.press("k")
	require.NotContains(t, b.picture(), words)

	b.desk.Take(broken, nil)
	require.Contains(t, b.picture(), words)
	b.clock.Pass(time.Minute - time.Second)
	require.Contains(t, b.picture(), words)
	require.False(t, b.nextTick().After(b.now().Add(time.Second)), "the clock takes it away")
	b.clock.Pass(time.Second)
	require.NotContains(t, b.picture(), words)
}
