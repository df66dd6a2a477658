package screen

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
	allowed "github.com/choicetui/choicetui/queue/rules"
)

// pocket keeps rules in memory.
type pocket struct {
	list []allowed.Rule
	err  error // of writing
}

func (p *pocket) Rules() ([]allowed.Rule, error)  { return p.list, nil }
func (p *pocket) Real(dir string) (string, error) { return dir, nil }
func (p *pocket) Add(r allowed.Rule) error {
	if p.err == nil {
		p.list = append(p.list, r)
	}
	return p.err
}

// allowsBefore has the person allow the same thing so many times, and an agent ask for it once more.
func allowsBefore(t *testing.T, w, h, times int) (*bench, *pocket, queue.Session) {
	t.Helper()
	p := &pocket{}
	b := newBenchWith(t, w, h, func(o *Options) { o.Rules = p })
	for i := range times {
		b.askNative(roomtest.ApproveTest(), fmt.Sprint("claude:t1/", i))
		b.clock.Pass(time.Second)
		b.press("y")
		b.clock.Pass(time.Second)
		b.press("enter")
		b.clock.Pass(time.Minute)
	}
	s := b.askNative(roomtest.ApproveTest(), "claude:t1/again")
	b.clock.Pass(time.Second)
	return b, p, s
}

func TestAnApprovalSaysHowOftenTheSameWasAllowed(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 40}} {
		b, _, _ := allowsBefore(t, size[0], size[1], 6)
		b.golden(fmt.Sprintf("approval-again-%dx%d", size[0], size[1]))
	}
	b, _, _ := allowsBefore(t, 80, 24, 0)
	require.NotContains(t, b.picture(), "allowed")
	require.Regexp(t, "M (make a )?rule", b.picture(), "a key that works is offered")
}

func TestARuleIsShownBeforeEnterMakesItAndAllowsThisOne(t *testing.T) {
	b, p, s := allowsBefore(t, 120, 40, 1)
	b.press("M")
	require.Contains(t, b.footer(), "⏎ Allow npm test in ~/src/shop for codex until ")
	require.Empty(t, p.list, "nothing is made by a letter")
	b.press("enter")
	require.True(t, b.get(s.ID).Pending(), "deaf just after it came up")
	b.clock.Pass(time.Second)
	b.press("enter")
	require.Equal(t, []string{"once"}, b.get(s.ID).Outcome.Answer.Replies[0].Selected)
	require.Equal(t, queue.ByHuman, b.get(s.ID).Outcome.By)
	require.Len(t, p.list, 1)
	require.Equal(t, s.ID, p.list[0].From)

	b.clock.Pass(time.Minute)
	next := b.askNative(roomtest.ApproveTest(), "claude:t1/next")
	require.Equal(t, p.list[0].ID, b.get(next.ID).Outcome.Rule)
	require.NotEmpty(t, b.rowWith("✓ by rule: Bash: npm test"), b.picture())
}

func TestAnyOtherKeyLeavesTheRuleUnmade(t *testing.T) {
	for _, key := range []string{"esc", "a", "j", "y", "M", "space"} {
		b, p, s := allowsBefore(t, 80, 24, 1)
		b.press("M")
		b.clock.Pass(time.Second)
		b.press(key)
		require.True(t, b.get(s.ID).Pending(), key)
		require.Empty(t, p.list, key)
		if key != "M" {
			require.NotContains(t, b.footer(), "lways allow", key)
		}
	}
}

func TestWhatCannotBecomeARuleSaysWhy(t *testing.T) {
	for want, ask := range map[string]queue.Ask{
		"is asked about each time":     roomtest.ApproveCommand(),
		"a rule covers one command or": roomtest.ApproveDiff(),
	} {
		p := &pocket{}
		b := newBenchWith(t, 120, 40, func(o *Options) { o.Rules = p })
		s := b.askNative(ask, "claude:t1/1")
		b.clock.Pass(time.Second)
		b.press("M")
		require.Contains(t, b.said(), want)
		b.clock.Pass(time.Second)
		b.press("enter")
		require.True(t, b.get(s.ID).Pending())
		require.Empty(t, p.list)
	}
}

func TestARuleThatCannotBeWrittenAllowsOnceAndSaysSo(t *testing.T) {
	b, p, s := allowsBefore(t, 120, 40, 1)
	p.err = errors.New("no space left on device")
	b.press("M")
	b.clock.Pass(time.Second)
	b.press("enter")
	require.True(t, b.get(s.ID).Outcome.Answered())
	require.True(t, strings.HasPrefix(b.said(), "allowed this once, but no rule was made"), b.said())
}

func TestNoRuleIsMadeWhereTheAgentOffersExactlyThat(t *testing.T) {
	for name, change := range map[string]func(a *queue.Ask){
		"exact":  func(*queue.Ask) {},
		"wider":  func(a *queue.Ask) { a.Questions[0].Options[1].Exact = false },
		"marked": func(a *queue.Ask) { a.Approval.Marks, a.Confirm = []string{queue.MarkNetwork}, true },
	} {
		p := &pocket{}
		b := newBenchWith(t, 120, 40, func(o *Options) { o.Rules = p })
		a := approveOwn()
		change(&a)
		s := b.askNative(a, "claude:t1/1")
		b.clock.Pass(time.Second)
		require.Equal(t, name == "wider", strings.Contains(b.picture(), "M make a rule"), b.picture())
		b.press("M")
		if name == "exact" {
			require.Contains(t, b.said(), "the agent itself offers to allow exactly this again; choose that")
		}
		b.clock.Pass(time.Second)
		b.press("enter")
		require.Equal(t, name == "wider", len(p.list) == 1, name)
		require.Equal(t, name != "wider", b.get(s.ID).Pending(), name)
	}
}

func TestScreensOfARuleThatIsOffered(t *testing.T) {
	asks := map[string]func() queue.Ask{"rule": roomtest.ApproveTest, "own-offer": approveOwn}
	for name, ask := range asks {
		for _, size := range [][2]int{{40, 12}, {50, 20}, {80, 24}, {120, 40}} {
			b := newBenchWith(t, size[0], size[1], func(o *Options) { o.Rules = &pocket{} })
			b.askNative(ask(), "claude:t1/1")
			b.clock.Pass(time.Second)
			b.press("M")
			b.golden(fmt.Sprintf("approval-%s-%dx%d", name, size[0], size[1]))
		}
	}
}
