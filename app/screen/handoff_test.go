package screen

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// newHandOff returns a screen that attach opened on a question, while others wait.
func newHandOff(t *testing.T, w, h int, stay bool, others ...queue.Ask) (*bench, queue.Session) {
	t.Helper()
	var own queue.Session
	b := newBenchWith(t, w, h, func(o *Options) {
		put := func(a queue.Ask, from queue.Origin) queue.Session {
			from.Instance = "bridge"
			s, err := o.Queue.Create(t.Context(), queue.Session{Ask: a, Origin: from,
				Claim: &queue.Claim{Instance: "bridge", Conn: "1"}})
			require.NoError(t, err)
			return s
		}
		for _, a := range others {
			put(a, infra())
		}
		s := put(database(), shop())
		var err error
		own, err = o.Queue.Do(t.Context(), s.ID, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceAttach,
			Do: queue.Attach{Instance: "me"}})
		require.NoError(t, err)
		o.Attach, o.Stay = own.ID, stay
	})
	b.runs("me", queue.RoleAttach)
	b.settle()
	b.calm()
	return b, own
}

// left reports whether the screen has been told to end.
func (b *bench) left() *bool {
	left := false
	b.stop = func() { left = true }
	return &left
}

// lowerRow returns the rule over the footer.
func (b *bench) lowerRow() string {
	b.t.Helper()
	return b.rowWith("attach", "")
}

func TestAHandOffIsTheDashboardOnItsQuestion(t *testing.T) {
	for size, wh := range map[string][2]int{"40x12": {40, 12}, "80x24": {80, 24}, "120x40": {120, 40}} {
		t.Run(size, func(t *testing.T) {
			b, s := newHandOff(t, wh[0], wh[1], false, small("Sooner?", 60), small("Later?", 600))
			b.settings.S.Notify.WarnSeconds = 10
			require.Equal(t, s.ID, b.shown())
			require.NotEmpty(t, b.lowerRow())
			if wh[0] >= 80 {
				require.Contains(t, b.lowerRow(), "attach "+s.ID+" · 2 more waiting")
			}
			beside := wh[0] >= 100
			require.Equal(t, beside, b.rowWith("Sooner?") != "", "the queue stands beside it or nowhere")
			require.Equal(t, beside, b.rowWith("time limit") != "", "and so do the settings")

			b.press("K")
			require.Equal(t, "Sooner?", b.title())
			require.NotEmpty(t, b.lowerRow(), "the rule still says what this is")
			b.press("J")
			require.Equal(t, s.ID, b.shown())
			b.press("s")
			require.NotEmpty(t, b.rowWith("settings"))
			b.press("esc", "h")
			require.NotEmpty(t, b.rowWith("history"))
			b.press("esc")
			require.Equal(t, s.ID, b.shown())
			b.press("tab")
			require.Equal(t, beside, b.frame.ground.area != areaQuestion, "no area is entered that is not on screen")
		})
	}
}

func TestAHandOffLeavesWithItsOwnAnswerAlone(t *testing.T) {
	b, s := newHandOff(t, 80, 24, false, small("Sooner?", 60))
	left := b.left()
	require.Contains(t, b.footer(), "and close")
	b.press("K")
	require.NotContains(t, b.footer(), "closes", "an answer to another question closes nothing")
	b.calm()
	b.press("enter")
	b.settle()
	require.False(t, *left)
	require.Equal(t, s.ID, b.shown())
	b.calm()
	b.press("enter")
	require.True(t, *left)
	require.Equal(t, queue.SurfaceAttach, b.get(s.ID).Outcome.Surface)
}

func TestAHandOffWhoseQuestionEndedElsewhereSaysSoAndEscLeaves(t *testing.T) {
	for name, key := range map[string]string{"on view": "", "another on view": "K"} {
		t.Run(name, func(t *testing.T) {
			b, s := newHandOff(t, 80, 24, false, small("Sooner?", 60))
			left := b.left()
			if key != "" {
				b.press(key)
			}
			_, err := b.o.Queue.Do(t.Context(), s.ID, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceCLI, Do: queue.Cancel{}})
			require.NoError(t, err)
			b.settle()
			require.NotEmpty(t, b.rowWith("this question ended · Esc leaves"))
			require.False(t, *left)
			b.press("esc")
			require.True(t, *left)
		})
	}
}

func TestAHandOffWhoseQuestionEndedElsewhereCallsEscByWhatItDoes(t *testing.T) {
	b, s := newHandOff(t, 80, 24, false, small("Sooner?", 60))
	left := b.left()
	b.press("q")
	require.NotEmpty(t, b.rowWith("press q again to leave"))
	_, err := b.o.Queue.Do(t.Context(), s.ID, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceCLI, Do: queue.Cancel{}})
	require.NoError(t, err)
	b.settle()
	require.Empty(t, b.rowWith("press q again to leave"), "the question stays nowhere any more")
	require.NotEmpty(t, b.rowWith("this question is closed: Esc leaves"))
	require.NotEmpty(t, b.rowWith("Esc leave"))
	require.NotContains(t, b.picture(), "go on")
	b.press("x")
	require.NotEmpty(t, b.rowWith("x does nothing, Esc leaves"))
	require.False(t, *left)
	b.press("esc")
	require.True(t, *left)
}

func TestAHandOffWhoseQuestionEndedElsewhereLeavesWhenNobodyTypes(t *testing.T) {
	for name, keys := range map[string][]string{"the question": nil, "the settings": {"s"}, "a setting typed": {"s", "j", "enter"},
		"the queue narrowed": {"tab", "/"}} {
		t.Run(name, func(t *testing.T) {
			b, s := newHandOff(t, 120, 40, false, small("Sooner?", 60))
			left := b.left()
			for _, k := range keys {
				b.press(k)
				b.calm()
			}
			_, err := b.o.Queue.Do(t.Context(), s.ID, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceCLI, Do: queue.Cancel{}})
			require.NoError(t, err)
			b.settle()
			b.clock.Pass(2*time.Second + time.Millisecond)
			b.desk.Tick()
			require.Equal(t, b.room().Field() == nil, *left)
			require.Equal(t, len(keys) > 1, b.room().Field() != nil)
		})
	}
}

func TestAHandOffThatStaysGoesOnAsTheDashboard(t *testing.T) {
	b, s := newHandOff(t, 80, 24, true, small("Sooner?", 60), small("Later?", 600))
	left := b.left()
	require.Contains(t, b.lowerRow(), "attach "+s.ID+" · 2 more waiting")
	require.NotContains(t, b.footer(), "closes")
	b.press("enter")
	require.False(t, *left)
	require.Equal(t, "Sooner?", b.title())
	require.Empty(t, b.lowerRow())
	require.NotEmpty(t, b.rowWith("Later?"), "the strip is back")
}

func TestAHandOffCountsForTmuxOnlyIfItStays(t *testing.T) {
	for name, stay := range map[string]bool{"leaves": false, "stays": true} {
		t.Run(name, func(t *testing.T) {
			b, _ := newHandOff(t, 80, 24, stay)
			c := &countFake{}
			b.o.Count = c
			b.ask(small("Another?", 300), infra())
			assert.Equal(t, stay, len(c.shown) > 0)
		})
	}
}

func TestAPageSaysThatTheQuestionOfItsHandOffEndedAndLeaves(t *testing.T) {
	for name, key := range map[string]string{"settings": "s", "history": "h", "help": "?"} {
		t.Run(name, func(t *testing.T) {
			b, s := newHandOff(t, 80, 24, false, small("Later?", 600))
			left := b.left()
			b.press(key)
			require.NotNil(t, b.frame.page())
			require.NotContains(t, b.picture(), "question answered")
			b.settleElsewhere(s, queue.SurfaceCLI, "lite")
			require.Contains(t, b.picture(), "question answered 14:0")
			require.False(t, *left, "a key may still be under way")
			next := b.Screen.nextTick()
			require.False(t, next.IsZero() || next.After(b.clock.T.Add(2*time.Second)), "the clock leaves it")
			b.clock.Pass(2 * time.Second)
			b.tick()
			require.True(t, *left)
		})
	}
}

func TestAPopupHasTheGuard(t *testing.T) {
	var s queue.Session
	b := newBenchWith(t, 80, 24, func(o *Options) {
		var err error
		s, err = o.Queue.Create(t.Context(), queue.Session{Ask: database(), Origin: shop(),
			Claim: &queue.Claim{Instance: "bridge", Conn: "1"}})
		require.NoError(t, err)
		o.Visit = s.ID
	})
	b.picture()
	b.press("2", "enter")
	require.True(t, b.get(s.ID).Pending(), "the keys may have been typed for the pane below")
	b.calm()
	b.press("2")
	b.calm()
	b.press("enter")
	require.Equal(t, []string{"lite"}, b.get(s.ID).Outcome.Answer.Replies[0].Selected)
}
