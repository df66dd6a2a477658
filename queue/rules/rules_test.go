package rules_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/rules"
)

var noon = time.Date(2026, 11, 20, 14, 2, 0, 0, time.UTC)

// approval returns a session in which an agent wants to run npm test.
func approval(change func(s *queue.Session, a *queue.Approval)) queue.Session {
	a := &queue.Approval{Tool: "Bash", Dir: "/home/ana/shop",
		Parts: []queue.Part{{Kind: queue.PartCommand, Text: "npm test"}}}
	s := queue.Session{ID: "k7f3m2qx", AskedAt: noon, Origin: queue.Origin{Client: "claude-code", Cwd: a.Dir,
		Thread: "t1", Source: "claude:t1/1"}, Ask: queue.Ask{Kind: queue.KindApproval, Approval: a,
		Questions: []queue.Question{{ID: "approval", Mode: queue.ModeSingle, Min: 1, Max: 1, Options: []queue.Option{
			{ID: "once", Label: "Allow", Act: queue.ActOnce},
			{ID: "session-1", Label: "For the session", Act: queue.ActSession},
			{ID: "refuse", Label: "Refuse", Act: queue.ActRefuse}}}}}}
	if change != nil {
		change(&s, a)
	}
	return s
}

func made(t *testing.T) rules.Rule {
	t.Helper()
	r, err := rules.New(approval(nil), "/home/ana/shop", noon)
	require.NoError(t, err)
	require.NoError(t, r.Check())
	return r
}

// later returns the same approval, asked a while after the rule was made.
func later(change func(s *queue.Session, a *queue.Approval)) queue.Session {
	return approval(func(s *queue.Session, a *queue.Approval) {
		s.ID, s.AskedAt, s.Origin.Source = "w3xk9a2p", noon.Add(time.Minute), "claude:t1/2"
		if change != nil {
			change(s, a)
		}
	})
}

func TestARuleAllowsTheSameThingOnceInItsName(t *testing.T) {
	t.Parallel()
	r := made(t)
	s := later(nil)
	got, ok := rules.Match(s, "/home/ana/shop", []rules.Rule{r}, s.AskedAt)
	require.True(t, ok)
	require.Equal(t, r, got)
	settle := got.Settle(s)
	require.Equal(t, r.ID, settle.Rule)
	require.False(t, settle.Confirmed)
	require.Equal(t, []string{"once"}, settle.Answer.Replies[0].Selected, "this once, whatever else the agent offers")
}

func TestWhatIsNotExactlyTheSameIsAskedAnew(t *testing.T) {
	t.Parallel()
	command := func(text string) func(*queue.Session, *queue.Approval) {
		return func(_ *queue.Session, a *queue.Approval) { a.Parts[0].Text = text }
	}
	for name, change := range map[string]func(s *queue.Session, a *queue.Approval){
		"one space more":     command("npm  test"),
		"a space behind it":  command("npm test "),
		"another case":       command("npm Test"),
		"an argument more":   command("npm test --force"),
		"a second command":   command("npm test; rm -rf ~"),
		"a hidden character": command("npm test\u200b"),
		"another agent":      func(s *queue.Session, _ *queue.Approval) { s.Origin.Client = "codex" },
		"another session":    func(s *queue.Session, _ *queue.Approval) { s.Origin.Thread = "t2" },
		"another tool":       func(_ *queue.Session, a *queue.Approval) { a.Tool = "Write" },
		"a change":           func(_ *queue.Session, a *queue.Approval) { a.Parts[0].Kind = queue.PartDiff },
		"of a file":          func(_ *queue.Session, a *queue.Approval) { a.Parts[0].Label = "x.go" },
		"marked":             func(_ *queue.Session, a *queue.Approval) { a.Marks = []string{queue.MarkNetwork} },
		"to be confirmed":    func(s *queue.Session, _ *queue.Approval) { s.Ask.Confirm = true },
		"more than that": func(_ *queue.Session, a *queue.Approval) {
			a.Parts = append(a.Parts, queue.Part{Kind: queue.PartText, Text: "timeout: 1"})
		},
		"by a tool of ours": func(s *queue.Session, _ *queue.Approval) { s.Origin.Source = "" },
		"asked before the rule was made": func(s *queue.Session, _ *queue.Approval) {
			s.AskedAt = noon.Add(-time.Second)
		},
		"over already": func(s *queue.Session, _ *queue.Approval) { s.Outcome = &queue.Outcome{} },
	} {
		t.Run(name, func(t *testing.T) {
			s := later(change)
			_, ok := rules.Match(s, "/home/ana/shop", []rules.Rule{made(t)}, noon.Add(time.Minute))
			require.False(t, ok)
		})
	}
}

func TestARuleHoldsWhereItWasMadeWhateverTheDirectoryIsCalled(t *testing.T) {
	t.Parallel()
	link := later(func(_ *queue.Session, a *queue.Approval) { a.Dir = "/tmp/link" })
	_, ok := rules.Match(link, "/home/ana/shop", []rules.Rule{made(t)}, link.AskedAt)
	require.True(t, ok, "a link to the same directory")
	same := later(nil)
	_, ok = rules.Match(same, "/home/ana/evil", []rules.Rule{made(t)}, same.AskedAt)
	require.False(t, ok, "the same name, which now leads elsewhere")
	_, ok = rules.Match(same, "", []rules.Rule{made(t)}, same.AskedAt)
	require.False(t, ok, "a directory that is not there")
}

func TestARuleEndsWithTheDay(t *testing.T) {
	t.Parallel()
	r := made(t)
	require.Equal(t, rules.MaxLife, r.Until.Sub(r.MadeAt))
	s := later(nil)
	for at, holds := range map[time.Duration]bool{-time.Second: false, time.Minute: true,
		rules.MaxLife - time.Second: true, rules.MaxLife: false} {
		_, ok := rules.Match(s, "/home/ana/shop", []rules.Rule{r}, noon.Add(at))
		require.Equal(t, holds, ok, at)
	}
	r.Until = r.Until.Add(time.Second)
	require.ErrorIs(t, r.Check(), rules.ErrInvalid)
	_, ok := rules.Match(s, "/home/ana/shop", []rules.Rule{r}, s.AskedAt)
	require.False(t, ok, "a line that claims more than a day is none of ours")
}

func TestNotEverythingCanBecomeARule(t *testing.T) {
	t.Parallel()
	type change = func(s *queue.Session, a *queue.Approval)
	for name, c := range map[string]struct {
		change change
		want   error
	}{
		"marked":    {func(_ *queue.Session, a *queue.Approval) { a.Marks = []string{queue.MarkDestroys} }, rules.ErrMarked},
		"confirmed": {func(s *queue.Session, _ *queue.Approval) { s.Ask.Confirm = true }, rules.ErrMarked},
		"a plan":    {func(_ *queue.Session, a *queue.Approval) { a.Parts[0].Kind = queue.PartPlan }, rules.ErrParts},
		"an address": {func(_ *queue.Session, a *queue.Approval) {
			a.Parts[0].Kind = queue.PartAddress
		}, rules.ErrParts},
		"two changes": {func(_ *queue.Session, a *queue.Approval) {
			a.Parts = []queue.Part{{Kind: queue.PartDiff, Text: "+a"}, {Kind: queue.PartDiff, Text: "+b"}}
		}, rules.ErrParts},
		"hidden in the tool": {func(_ *queue.Session, a *queue.Approval) { a.Tool = "Ba\u202esh" }, rules.ErrHidden},
		"no directory":       {func(_ *queue.Session, a *queue.Approval) { a.Dir = "shop" }, rules.ErrNowhere},
		"no agent":           {func(s *queue.Session, _ *queue.Approval) { s.Origin.Client = "" }, rules.ErrNobody},
		"no allowing once": {func(s *queue.Session, _ *queue.Approval) {
			s.Ask.Questions[0].Options[0].Act = queue.ActAlways
		}, rules.ErrNoOnce},
		"two ways to allow once": {func(s *queue.Session, _ *queue.Approval) {
			s.Ask.Questions[0].Options[1].Act = queue.ActOnce
		}, rules.ErrNoOnce},
		"a choice": {func(s *queue.Session, _ *queue.Approval) { s.Ask.Kind = queue.KindChoice }, rules.ErrNoApproval},
	} {
		_, err := rules.New(approval(c.change), "/home/ana/shop", noon)
		require.ErrorIs(t, err, c.want, name)
	}
	for _, text := range []string{"a; b", "a & b", "a && b", "a | b", "a > b", "a < b", "echo $HOME", "a `b`", "a\nb",
		"a\rb"} {
		err := rules.May(approval(func(_ *queue.Session, a *queue.Approval) { a.Parts[0].Text = text }))
		require.ErrorIs(t, err, rules.ErrShell, text)
	}
	for _, text := range []string{"ls\u00a0-l", "ls\u2003-l", "ls\u202f-l", "ls\u205f-l", "ls\u3000-l"} {
		err := rules.May(approval(func(_ *queue.Session, a *queue.Approval) { a.Parts[0].Text = text }))
		require.ErrorIs(t, err, rules.ErrHidden, "%q", text)
	}
	diff := approval(func(_ *queue.Session, a *queue.Approval) {
		a.Tool, a.Parts[0] = "Edit", queue.Part{Kind: queue.PartDiff, Label: "a.sh", Text: "-x\n+x | y; z"}
		a.Request = strings.Repeat("ab", 32)
	})
	require.NoError(t, rules.May(diff), "a change is no shell line")
	_, err := rules.New(approval(nil), "", noon)
	require.ErrorIs(t, err, rules.ErrNowhere)
}

func TestWhatTheSamePersonAllowedBeforeIsCounted(t *testing.T) {
	t.Parallel()
	ended := func(id, option, by string, at time.Time) queue.Session {
		s := approval(nil)
		s.ID, s.Origin.Thread = id, id
		s.Outcome = &queue.Outcome{Status: queue.StatusSelected, By: by, At: at, Answer: queue.Answer{
			Replies: []queue.Reply{{Question: "approval", Selected: []string{option}}}}}
		return s
	}
	b := rules.NewBefore()
	b.Add(ended("a", "once", queue.ByHuman, noon.Add(time.Hour)))
	b.Add(ended("a", "once", queue.ByHuman, noon.Add(time.Hour)))
	b.Add(ended("b", "session-1", queue.ByHuman, noon))
	b.Add(ended("c", "refuse", queue.ByHuman, noon.Add(2*time.Hour)))
	b.Add(ended("d", "once", queue.ByRule, noon.Add(3*time.Hour)))
	b.Add(approval(nil))
	require.Equal(t, rules.Allowed{Times: 2, Last: noon.Add(time.Hour)}, b.Of(key(t, later(nil))))
	require.Zero(t, b.Of(key(t, later(func(_ *queue.Session, a *queue.Approval) { a.Dir = "/home/ana/other" }))))
	require.Zero(t, b.Of(key(t, later(func(_ *queue.Session, a *queue.Approval) { a.Parts[0].Text = "npm  test" }))))
}

func TestWhatNoRuleMayCoverIsCountedAllTheSame(t *testing.T) {
	t.Parallel()
	type change = func(s *queue.Session, a *queue.Approval)
	for name, change := range map[string]change{
		"a shell line": func(_ *queue.Session, a *queue.Approval) { a.Parts[0].Text = "npm test && ls" },
		"marked": func(s *queue.Session, a *queue.Approval) {
			a.Parts[0].Text, a.Marks, s.Ask.Confirm = "rm -rf build", []string{queue.MarkDestroys}, true
		},
		"two parts": func(_ *queue.Session, a *queue.Approval) {
			a.Parts = append(a.Parts, queue.Part{Kind: queue.PartText, Label: "with", Text: "timeout: 5"})
		},
	} {
		allowed := approval(change)
		allowed.Outcome = &queue.Outcome{Status: queue.StatusSelected, By: queue.ByHuman, At: noon,
			Answer: queue.Answer{Replies: []queue.Reply{{Question: "approval", Selected: []string{"once"}}}}}
		b := rules.NewBefore()
		b.Add(allowed)
		require.Equal(t, 1, b.Of(key(t, later(change))).Times, name)
		require.Error(t, rules.May(later(change)), name)
		require.Zero(t, b.Of(key(t, later(func(s *queue.Session, a *queue.Approval) {
			change(s, a)
			a.Parts[len(a.Parts)-1].Text += " "
		}))), "%s, but for a blank", name)
	}
}

func key(t *testing.T, s queue.Session) rules.Key {
	t.Helper()
	k, ok := rules.KeyOf(s)
	require.True(t, ok)
	return k
}

func TestARuleCoversTheRequestAsItWasReceivedAndNotOnlyWhatIsDrawnOfIt(t *testing.T) {
	edit := func(request string) queue.Session {
		return approval(func(s *queue.Session, a *queue.Approval) {
			a.Tool, a.Parts[0] = "Edit", queue.Part{Kind: queue.PartDiff, Label: "a.py", Text: "-x = 1\n+x = 2"}
			a.Request, s.AskedAt = request, noon.Add(time.Minute)
		})
	}
	one, other := strings.Repeat("ab", 32), strings.Repeat("cd", 32)
	rule, err := rules.New(edit(one), "/home/ana/shop", noon)
	require.NoError(t, err)
	_, covered := rules.Match(edit(one), "/home/ana/shop", []rules.Rule{rule}, noon.Add(time.Hour))
	require.True(t, covered)
	_, covered = rules.Match(edit(other), "/home/ana/shop", []rules.Rule{rule}, noon.Add(time.Hour))
	require.False(t, covered, "it is drawn the same and is another change")
	linked := edit(one)
	linked.Ask.Approval.Parts[0].Leads = "/home/ana/shop/b.py"
	_, covered = rules.Match(linked, "/home/ana/shop", []rules.Rule{rule}, noon.Add(time.Hour))
	require.False(t, covered, "its name leads to another file now")
	require.ErrorIs(t, rules.May(edit("")), rules.ErrParts, "an older bridge asked")
}

func TestAnOfferOfTheAgentsCountsOnlyWhereItIsExact(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		act         string
		exact, want bool
	}{
		"exact, for the session": {queue.ActSession, true, true},
		"exact, from now on":     {queue.ActAlways, true, true},
		"not known to be exact":  {queue.ActSession, false, false},
		"once":                   {queue.ActOnce, true, false},
	} {
		offers := rules.Offered(approval(func(s *queue.Session, _ *queue.Approval) {
			o := &s.Ask.Questions[0].Options[1]
			o.Act, o.Exact = c.act, c.exact
		}))
		require.Equal(t, c.want, offers, name)
	}
}

func TestAlikeIsTheSameAgentToolAndDirectory(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(s *queue.Session, a *queue.Approval)
		want   bool
	}{
		"another command":        {func(_ *queue.Session, a *queue.Approval) { a.Parts[0].Text = "ls" }, true},
		"another session":        {func(s *queue.Session, _ *queue.Approval) { s.Origin.Thread = "t2" }, true},
		"the same directory":     {func(_ *queue.Session, a *queue.Approval) { a.Dir += "/." }, true},
		"another tool":           {func(_ *queue.Session, a *queue.Approval) { a.Tool = "Edit" }, false},
		"another agent":          {func(s *queue.Session, _ *queue.Approval) { s.Origin.Client = "codex" }, false},
		"another directory":      {func(_ *queue.Session, a *queue.Approval) { a.Dir += "/web" }, false},
		"no directory":           {func(_ *queue.Session, a *queue.Approval) { a.Dir = "" }, false},
		"not asked by the agent": {func(s *queue.Session, _ *queue.Approval) { s.Origin.Source = "" }, false},
		"a question":             {func(s *queue.Session, _ *queue.Approval) { s.Ask.Kind = queue.KindChoice }, false},
		"a plain approval":       {func(s *queue.Session, _ *queue.Approval) { s.Ask.Approval = nil }, false},
	} {
		require.Equal(t, c.want, rules.Alike(approval(nil), later(c.change)), name)
		require.Equal(t, c.want, rules.Alike(later(c.change), approval(nil)), name)
	}
}

func TestWhatIsMarkedOrAsksSeveralThingsIsNotPlain(t *testing.T) {
	t.Parallel()
	require.True(t, rules.Plain(approval(nil)))
	for name, change := range map[string]func(s *queue.Session, a *queue.Approval){
		"marked":          func(_ *queue.Session, a *queue.Approval) { a.Marks = []string{queue.MarkOutside} },
		"to be confirmed": func(s *queue.Session, _ *queue.Approval) { s.Ask.Confirm = true },
		"a form": func(s *queue.Session, _ *queue.Approval) {
			s.Ask.Questions = append(s.Ask.Questions, s.Ask.Questions[0])
		},
		"several rows": func(s *queue.Session, _ *queue.Approval) { s.Ask.Questions[0].Mode = queue.ModeMulti },
		"nothing allows it once": func(s *queue.Session, _ *queue.Approval) {
			for i := range s.Ask.Questions[0].Options {
				s.Ask.Questions[0].Options[i].Act = queue.ActAlways
			}
		},
	} {
		require.False(t, rules.Plain(approval(change)), name)
	}
	require.True(t, rules.Plain(approval(func(_ *queue.Session, a *queue.Approval) {
		a.Marks = []string{queue.MarkNetwork}
	})), "a grey mark needs no confirmation")
}
