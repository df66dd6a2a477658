package desk_test

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/rules"
)

// pocket is a rulebook in memory. Its links map a directory to the real one.
type pocket struct {
	sync.Mutex
	list  []rules.Rule
	links map[string]string
	err   error
}

func (p *pocket) Rules() ([]rules.Rule, error) {
	p.Lock()
	defer p.Unlock()
	return p.list, p.err
}

func (p *pocket) Add(r rules.Rule) error {
	p.Lock()
	defer p.Unlock()
	p.list = append(p.list, r)
	return p.err
}

func (p *pocket) Real(dir string) (string, error) {
	p.Lock()
	defer p.Unlock()
	if to := p.links[dir]; to != "" {
		return to, nil
	}
	return dir, p.err
}

// ruled returns a desk that applies the rules of a pocket.
func ruled(t *testing.T) (*bench, *pocket) {
	p := &pocket{links: map[string]string{}}
	return newBench(t, func(o *desk.Options) { o.Rules = p }), p
}

// wants asks for approval of a command, as an agent.
func (b *bench) wants(source, command string, change func(s *queue.Session)) queue.Session {
	b.t.Helper()
	dir := "/src/shop"
	draft := queue.Session{Origin: queue.Origin{Dialect: queue.DialectNative, Client: "claude-code", Cwd: dir,
		Thread: "t1", Source: source, Instance: "bridge"}, Claim: &queue.Claim{Instance: "bridge", Conn: "1"},
		Ask: queue.Ask{Kind: queue.KindApproval, Title: "Allow Bash: " + command, TimeoutSeconds: 600,
			OnTimeout: queue.OnTimeoutNone, Approval: &queue.Approval{Tool: "Bash", Dir: dir,
				Parts: []queue.Part{{Kind: queue.PartCommand, Text: command}}},
			Questions: []queue.Question{{ID: "approval", Text: "May it do this?", Mode: queue.ModeSingle, Min: 1,
				Max: 1, Options: []queue.Option{{ID: "once", Label: "Allow once", Act: queue.ActOnce},
					{ID: "refuse", Label: "Refuse", Act: queue.ActRefuse}}}}}}
	if change != nil {
		change(&draft)
	}
	s, err := b.q.Create(b.t.Context(), draft)
	require.NoError(b.t, err)
	return s
}

// makesRule asks for approval of npm test; the person makes a rule of it and allows it.
func (b *bench) makesRule() rules.Rule {
	b.t.Helper()
	s := b.wants("claude:t1/0", "npm test", nil)
	b.calm()
	r, err := b.Rule(b.stored(s.ID))
	require.NoError(b.t, err)
	var added error = errors.New("not called")
	b.AddRule(r, func(err error) { added = err })
	b.calm()
	require.NoError(b.t, added)
	b.answers(s.ID)
	b.events = nil
	b.rig.Clock.Pass(time.Minute)
	return r
}

// answers allows an approval in another process.
func (b *bench) answers(id string) {
	b.t.Helper()
	_, err := b.q.Do(b.t.Context(), id, queue.Command{By: queue.ByHuman, Do: queue.Settle{Answer: queue.Answer{
		Replies: []queue.Reply{{Question: "approval", Selected: []string{"once"}}}}}})
	require.NoError(b.t, err)
	b.calm()
}

func TestTheSameThingIsAllowedByRuleAndNobodyIsAsked(t *testing.T) {
	t.Parallel()
	b, _ := ruled(t)
	view := view(b)
	r := b.makesRule()
	view.Leave()
	s := b.wants("claude:t1/1", "npm test", nil)
	b.calm()
	o := b.stored(s.ID).Outcome
	require.NotNil(t, o)
	require.Equal(t, queue.ByRule, o.By)
	require.Equal(t, r.ID, o.Rule)
	require.Equal(t, []string{"once"}, o.Answer.Replies[0].Selected)
	require.Empty(t, b.Waiting())
	for _, e := range b.events {
		shown, ok := e.(desk.Shown)
		require.False(t, ok && shown.ID == s.ID, "it never came on view")
	}
	require.Equal(t, 1, happened[desk.Ended](b))
	require.NotNil(t, b.Last().Lost)
	require.Equal(t, s.ID, b.Last().Lost.ID)
	require.Len(t, b.Today().Took(b.rig.Clock.T), 1, "the time of a rule is no person's")
}

func TestWhatNoRuleCoversIsAsked(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		command string
		change  func(*queue.Session)
		before  func(b *bench, p *pocket)
	}{
		"one space more": {command: "npm  test"},
		"marked": {"npm test", func(s *queue.Session) {
			s.Ask.Approval.Marks, s.Ask.Confirm = []string{queue.MarkNetwork}, true
		}, nil},
		"another agent":   {"npm test", func(s *queue.Session) { s.Origin.Client = "codex" }, nil},
		"another session": {"npm test", func(s *queue.Session) { s.Origin.Thread = "t2" }, nil},
		"expired":         {"npm test", nil, func(b *bench, _ *pocket) { b.rig.Clock.Pass(rules.MaxLife) }},
		"revoked":         {"npm test", nil, func(_ *bench, p *pocket) { p.list = nil }},
		"the directory's name leads elsewhere now": {"npm test", nil, func(_ *bench, p *pocket) {
			p.links["/src/shop"] = "/src/evil"
		}},
		"the rules cannot be read": {"npm test", nil, func(_ *bench, p *pocket) { p.err = errors.New("unsafe") }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, p := ruled(t)
			view := view(b)
			b.makesRule()
			view.Leave()
			if c.before != nil {
				c.before(b, p)
			}
			s := b.wants("claude:t1/1", c.command, c.change)
			b.calm()
			require.Nil(t, b.stored(s.ID).Outcome)
			require.Len(t, b.Waiting(), 1)
			require.Equal(t, s.ID, view.Session().ID)
		})
	}
}

func TestWithoutADashboardOfItsOwnADeskAppliesNoRule(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	s := b.wants("claude:t1/1", "npm test", nil)
	b.calm()
	require.Len(t, b.Waiting(), 1)
	_, err := b.Rule(b.stored(s.ID))
	require.ErrorIs(t, err, rules.ErrNoApproval)
}

func TestTwoDashboardsAllowItOnce(t *testing.T) {
	t.Parallel()
	b, p := ruled(t)
	r := b.makesRule()
	o := usual(b.q)
	o.Instance, o.Rules = "other", p
	other := desk.New(o)
	s := b.wants("claude:t1/1", "npm test", nil)
	other.Take(queue.Changes{Sessions: []queue.Session{s}}, nil)
	b.Take(queue.Changes{Sessions: []queue.Session{s}}, nil)
	for other.Work() || b.Work() {
		other.Drain()
		b.Drain()
	}
	b.calm()
	now := b.stored(s.ID)
	require.Equal(t, r.ID, now.Outcome.Rule)
	settled := 0
	for _, e := range now.Events {
		if e.Kind == queue.EventSettled {
			settled++
		}
	}
	require.Equal(t, 1, settled)
	require.Empty(t, other.Waiting())
	require.Empty(t, b.Waiting())
}

func TestAnApprovalIsShownWhereTheRulesAreNotReadInTime(t *testing.T) {
	t.Parallel()
	b, _ := ruled(t)
	view := view(b)
	b.makesRule()
	view.Leave()
	s := b.wants("claude:t1/1", "npm test", nil)
	b.Take(queue.Changes{Sessions: []queue.Session{s}}, nil)
	require.Empty(t, b.Waiting(), "it is looked up")
	require.Equal(t, b.rig.Clock.T.Add(500*time.Millisecond), b.NextTick())
	b.rig.Clock.Pass(500 * time.Millisecond)
	b.Tick()
	require.Len(t, b.Waiting(), 1)
	b.calm()
	require.Nil(t, b.stored(s.ID).Outcome, "the person has it before them")
}

func TestWhatCannotBeSettledByRuleIsForThePerson(t *testing.T) {
	t.Parallel()
	b, _ := ruled(t)
	b.makesRule()
	s := b.wants("claude:t1/1", "npm test", nil)
	b.rig.Disk.Err = errors.New("no space left on device")
	b.calm()
	require.Len(t, b.Waiting(), 1)
	b.rig.Disk.Err = nil
	b.pass(time.Minute)
	require.Nil(t, b.stored(s.ID).Outcome)
}

func TestWhatWasAllowedBeforeIsCountedAMonthBack(t *testing.T) {
	t.Parallel()
	b, _ := ruled(t)
	for i, back := range []time.Duration{40 * 24 * time.Hour, 48 * time.Hour, time.Hour} {
		b.rig.Clock.T = noon.Add(-back)
		s := b.wants("claude:t1/"+strings.Repeat("x", i+1), "npm test", nil)
		b.answers(s.ID)
		closed, err := b.q.Do(t.Context(), s.ID, queue.Command{By: queue.ByCaller,
			Do: queue.Collect{Claim: queue.Claim{Instance: "bridge", Conn: "1"}}})
		require.NoError(t, err)
		require.NoError(t, b.q.Store.Archive(t.Context(), closed))
		b.calm()
	}
	b.rig.Clock.T = noon
	again := newBench(t, nil)
	o := usual(b.q)
	o.Instance, o.Rules = "again", &pocket{}
	again.Desk = desk.New(o)
	s := b.wants("claude:t1/1", "npm test", nil)
	again.Take(queue.Changes{Sessions: []queue.Session{s}}, nil)
	require.Eventually(t, func() bool {
		again.Work()
		again.Drain()
		return again.AllowedBefore(s).Times == 2
	}, 5*time.Second, time.Millisecond)
	require.Equal(t, noon.Add(-time.Hour), again.AllowedBefore(s).Last)
}

func TestWhatNoRuleCoversIsNotHeldBackAndSaysThatItWasAllowedBefore(t *testing.T) {
	t.Parallel()
	b, _ := ruled(t)
	s := b.wants("claude:t1/0", "npm test && ls", nil)
	b.Drain()
	b.answers(s.ID)
	b.rig.Clock.Pass(time.Minute)
	again := b.wants("claude:t1/1", "npm test && ls", nil)
	b.Take(queue.Changes{Sessions: []queue.Session{again}}, nil)
	require.Len(t, b.Waiting(), 1, "it is on view at once")
	require.Equal(t, 1, b.AllowedBefore(again).Times)
	_, err := b.Rule(again)
	require.ErrorIs(t, err, rules.ErrShell)
}

func TestWhoseRuleItWasStandsInTheTrailOfASharedQueue(t *testing.T) {
	t.Parallel()
	b, _ := ruled(t)
	view := view(b)
	b.makesRule()
	view.Leave()
	b.q.Person = "ana"
	s := b.wants("claude:t1/1", "npm test", nil)
	b.calm()
	over := b.stored(s.ID)
	require.Equal(t, "ana", over.Outcome.Person)
	e, ok := over.Last(queue.EventSettled)
	require.True(t, ok)
	require.Equal(t, []string{queue.ByRule, "ana"}, []string{e.By, e.Person})
}

func TestAMarkThatIsTakenBackLeavesTheDraftToo(t *testing.T) {
	b := newBench(t, nil)
	one := view(b)
	s := b.wants("claude", "go test", nil)
	b.pass(time.Second)
	g := desk.Press{Key: "g", Effect: desk.Marking, Decides: true, Letter: true}
	one.Take(g, b.rig.Clock.T, func() { one.Form().Here().MoveFirst() })
	b.typing(one)
	selected := func() []string {
		drafts, err := b.q.Store.Drafts(t.Context(), s.ID)
		require.NoError(t, err)
		require.Len(t, drafts, 1)
		return drafts[0].Answer.Replies[0].Selected
	}
	require.Len(t, selected(), 1)

	one.TakeBackMarks(b.rig.Clock.T.Add(100*time.Millisecond), true)
	one.SaveDraft()
	b.calm()
	require.Empty(t, selected())
}
