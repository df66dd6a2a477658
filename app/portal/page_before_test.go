package portal

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/portal/door"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// tells has the pages tell what an agent was doing. reads counts how often that was read.
func (b *bench) tells(lines ...say.BeforeLine) (reads *atomic.Int32) {
	return b.tellsAs(func(int32) ([]say.BeforeLine, error) { return lines, nil })
}

// tellsAs has the pages tell what read returns for the n-th reading, counted from 1.
func (b *bench) tellsAs(read func(n int32) ([]say.BeforeLine, error)) (reads *atomic.Int32) {
	reads = &atomic.Int32{}
	b.pages.o.Before = func(context.Context, queue.Session) (say.Before, error) {
		lines, err := read(reads.Add(1))
		return say.Before{Where: "claude transcript", Lines: lines}, err
	}
	return reads
}

func TestThePageShowsWhatTheAgentWasDoing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	reads := b.tells(say.NewBeforeLine("too long ago", 0), say.NewBeforeLine("", 0), say.NewBeforeLine("ran it", 0),
		say.NewBeforeLine("<b>Payments</b> \x1b[2Jneed a store.", 0), say.NewBeforeLine("+one", '+'))
	list := b.open("/")
	s := b.ask(one(queue.ModeSingle, nil))
	list.shows("main", s.ID)
	require.Zero(t, reads.Load(), "nothing is read while no question is on view")

	c := b.open("/choice/" + s.ID)
	for _, text := range []string{"Before this · claude transcript", ">ran it<",
		">&lt;b&gt;Payments&lt;/b&gt; &lt;U&#43;001B&gt;[2Jneed a store.<", `<p class="said add">&#43;one</p>`} {
		c.shows("main", text)
	}
	require.NotContains(t, c.part("main"), "too long ago", "there are three rows")
	require.Eventually(t, func() bool { return reads.Load() == 2 }, patience, 5*time.Millisecond,
		"once more, for what was written late")
	c.presses("P")
	for _, text := range []string{"claude transcript", "too long ago",
		"&lt;b&gt;Payments&lt;/b&gt; &lt;U&#43;001B&gt;[2Jneed a store.", `<span class="add">&#43;one</span>`} {
		c.shows("panel", text)
	}
	c.presses("P")
	require.Empty(t, c.part("panel"))
	require.Equal(t, int32(3), reads.Load(), "the rows are not read again")
	require.NoError(t, b.settings.Update(func(s *config.Settings) { s.Peek = false }))
	b.owned(func() { b.d.SetSettings(b.settings.Settings()) })
	c.until(func(m message) bool { return !strings.Contains(m.Parts["main"], "Before this") })
}

func TestWhatIsWrittenAMomentLaterIsShownOnThePageToo(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.tellsAs(func(n int32) ([]say.BeforeLine, error) {
		if n == 1 {
			return nil, say.ErrBeforeUnknown
		}
		return []say.BeforeLine{say.NewBeforeLine("Carts are done.", 0)}, nil
	})
	c := b.open("/choice/" + b.ask(one(queue.ModeSingle, nil)).ID)
	c.shows("main", "PostgreSQL")
	require.NotContains(t, c.part("main"), "Before this", "an unknown turn has no place")
	c.shows("main", ">Carts are done.<")
}

func TestAnAgentElsewhereHasOneRowThatNamesItsMachine(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.tellsAs(func(int32) ([]say.BeforeLine, error) { return nil, errors.New(say.BeforeElsewhere("build-7")) })
	c := b.open("/choice/" + b.ask(one(queue.ModeSingle, nil)).ID)
	c.shows("main", "Before this · It runs on build-7, and what it was doing can be read only there.")
	require.NotContains(t, c.part("main"), `data-do="peek"`)
}

func TestALinkToOneQuestionDoesNotShowWhatTheAgentWasDoing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	reads := b.tells(say.NewBeforeLine("secret", 0))
	s := b.ask(one(queue.ModeSingle, nil))
	b.web = door.Session{May: door.RightsQuestion, Question: s.ID}
	c := b.open("/choice/" + s.ID)
	require.NotContains(t, c.part("main"), "Before this")
	c.presses("P")
	c.shows("status", "not by this link")
	require.Zero(t, reads.Load())
}

func TestAPageReadsAgainUntilTheAgentsWordsAreThere(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		awaits      bool
		until       time.Duration // the last read
		least, most int
	}{{true, time.Minute, 20, 40}, {false, time.Second, 2, 2}} {
		age, reads := time.Duration(0), 1
		for pause := beforePause(age, c.awaits); pause > 0; pause = beforePause(age, c.awaits) {
			age += pause
			reads++
		}
		require.GreaterOrEqual(t, reads, c.least)
		require.LessOrEqual(t, reads, c.most)
		require.GreaterOrEqual(t, age, c.until)
	}
	b := newBench(t)
	reads := &atomic.Int32{}
	b.pages.o.Before = func(context.Context, queue.Session) (say.Before, error) {
		if reads.Add(1) < 4 { // a page to which nothing more is promised has left it by then
			return say.Before{Awaits: true}, say.ErrBeforeUnknown
		}
		return say.Before{Where: "claude transcript", Lines: []say.BeforeLine{say.NewBeforeLine("Carts are done.", 0)}}, nil
	}
	b.open("/choice/"+b.ask(one(queue.ModeSingle, nil)).ID).shows("main", ">Carts are done.<")
}
