package queue_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

// native returns an agent's own prompt.
func native(change func(a *queue.Ask, q *queue.Question)) queue.Session {
	s := asked(change)
	s.Origin.Source, s.Origin.Instance = "codex:t1/i1/0", "watcher"
	return s
}

func TestTheSameSourceAsksOnce(t *testing.T) {
	t.Parallel()
	q := queue.New(storetest.NewMemory())
	draft := native(nil)
	first, err := q.Create(t.Context(), draft)
	require.NoError(t, err)
	require.True(t, queue.ValidID(first.ID))
	require.Equal(t, queue.SourceID("codex:t1/i1/0"), first.ID)
	_, err = q.Create(t.Context(), draft)
	require.ErrorIs(t, err, queue.ErrExists)
	draft.Origin.Source = "codex:t1/i1/1"
	second, err := q.Create(t.Context(), draft)
	require.NoError(t, err)
	require.NotEqual(t, first.ID, second.ID)
}

func TestWhatIsAnsweredAtTheAgentEndsSo(t *testing.T) {
	t.Parallel()
	there := queue.Elsewhere{Where: "in codex"}
	s, err := do(t, native(nil), there)
	require.NoError(t, err)
	require.Equal(t, queue.StatusElsewhere, s.Status())
	require.Equal(t, "in codex", s.Outcome.Reason)
	require.False(t, s.Outcome.Answered())
	_, err = do(t, native(nil), settle, there)
	require.ErrorIs(t, err, queue.ErrSettled, "the first answer wins")
	_, err = do(t, asked(nil), there)
	require.ErrorContains(t, err, "own prompt")
	_, err = do(t, native(nil), queue.Elsewhere{Where: " "})
	require.ErrorContains(t, err, "where")
}

func TestWhatWasPerhapsAnsweredAtItsAgentHurriesNobody(t *testing.T) {
	t.Parallel()
	alive, gone := func(string) bool { return true }, queue.Session.GoneSince
	s, err := do(t, native(nil), queue.Presume{Where: "in claude"})
	require.NoError(t, err)
	require.True(t, s.Pending(), "it can still be answered")
	require.False(t, s.ClosesChat(alive, gone, noon))
	require.Equal(t, queue.StandingPerhaps, queue.WaitingOrder([]queue.Session{s}, alive, "", noon)[0].Standing)

	s, err = do(t, native(nil), queue.Presume{Where: "in claude"}, queue.Presume{})
	require.NoError(t, err)
	require.True(t, s.ClosesChat(alive, gone, noon), "its dialog is open after all")
	_, err = do(t, native(nil), settle, queue.Presume{Where: "in claude"})
	require.ErrorIs(t, err, queue.ErrSettled)
	_, err = do(t, asked(nil), queue.Presume{Where: "in claude"})
	require.ErrorContains(t, err, "own prompt")
}

func TestAnAnswerBesideADialogIsDeliveredOnceTheAgentSaysSo(t *testing.T) {
	t.Parallel()
	claim := queue.Claim{Instance: "watcher", Conn: "pipe"}
	sent := native(nil)
	sent.Ask.NoClock, sent.Claim = true, &claim
	for name, c := range map[string]struct {
		collect                        queue.Collect
		received, untaken, unconfirmed bool
	}{
		"taken":               {queue.Collect{Claim: claim}, true, false, false},
		"nobody knows":        {queue.Collect{Claim: claim, Doubt: "it did not say"}, false, false, false},
		"it had an answer":    {queue.Collect{Claim: claim, Untaken: "answered in claude before"}, false, true, false},
		"nobody has said yet": {unconfirmed: true},
	} {
		steps := []queue.Action{settle, c.collect}
		if c.unconfirmed {
			steps = steps[:1]
		}
		s, err := do(t, sent, steps...)
		require.NoError(t, err, name)
		_, received := s.Received()
		_, untaken := s.Untaken()
		require.Equal(t, []bool{c.received, c.untaken, c.unconfirmed}, []bool{received, untaken, s.Unconfirmed()}, name)
		require.Equal(t, !c.unconfirmed, s.Final, name)
	}
	sent.Ask.NoClock = false
	s, err := do(t, sent, settle)
	require.NoError(t, err)
	require.False(t, s.Unconfirmed(), "there is no dialog")
}

func TestSweepEndsAnAnswerWhoseHookDied(t *testing.T) {
	t.Parallel()
	store := storetest.NewMemory()
	q, at := queue.New(store), noon
	q.Now = func() time.Time { return at }
	s := native(nil)
	s.Claim, s.Origin.Instance = &queue.Claim{Instance: "hook", Conn: "pipe"}, "hook"
	s, err := q.Create(t.Context(), s)
	require.NoError(t, err)
	s, err = q.Do(t.Context(), s.ID, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceDashboard, Do: settle})
	require.NoError(t, err)
	require.NoError(t, q.Sweep(t.Context(), []queue.Session{s}))
	s, err = store.Get(t.Context(), s.ID)
	require.NoError(t, err)
	require.False(t, s.Final, "another process may be about to take it over")
	at = at.Add(queue.GoneGrace)
	require.NoError(t, q.Sweep(t.Context(), []queue.Session{s}))
	s, err = store.Get(t.Context(), s.ID)
	require.NoError(t, err)
	e, ok := s.Last(queue.EventCollected)
	require.True(t, ok)
	require.Equal(t, "its hook ended at that moment", e.Detail)
}

func TestANativeQuestionGoesWithItsAgentAndMayGoToTheTeam(t *testing.T) {
	t.Parallel()
	s := native(nil)
	require.True(t, s.EndsWithCall())
	require.NoError(t, s.MayWiden())
	gone, _, err := queue.Transition(s, queue.Command{ID: "x", By: queue.ByCaller,
		Do: queue.Abandon{Alive: func(string) bool { return false }}}, noon.Add(time.Second))
	require.NoError(t, err)
	require.Equal(t, queue.StatusCancelled, gone.Status())
	require.Equal(t, queue.CallerGone, gone.Outcome.Reason)
}

func TestAnApprovalSaysWhatWouldBeAllowed(t *testing.T) {
	t.Parallel()
	approval := ask(func(a *queue.Ask, q *queue.Question) {
		a.Kind = queue.KindApproval
		a.Approval = &queue.Approval{Tool: "Bash", Dir: "/home/ana/shop", Marks: []string{queue.MarkDestroys},
			Parts: []queue.Part{{Kind: queue.PartCommand, Text: "rm -rf build"}}}
		q.Options[0].Act = queue.ActOnce
	})
	require.Empty(t, approval.Check())
	require.False(t, approval.Odd())
	approval.Approval.Parts[0].Text = "rm -rf \u202ebuild"
	require.True(t, approval.Odd(), "what is hidden in a command is warned of")

	approval.Questions[0].Options[0].Act = "perhaps"
	approval.Approval.Marks = []string{"nice"}
	approval.Approval.Parts = []queue.Part{{Kind: "rumour", Text: ""}}
	var paths []string
	for _, p := range approval.Check() {
		paths = append(paths, p.Path)
	}
	require.ElementsMatch(t, []string{"approval.parts[0].kind", "approval.parts[0].text", "approval.marks[0]",
		"questions[0].options[0].act"}, paths)
}

func TestARuleSettlesOnlyInItsOwnName(t *testing.T) {
	t.Parallel()
	byRule := settle
	byRule.Rule = "r1"
	_, err := do(t, native(nil), byRule)
	require.ErrorContains(t, err, "rule", "a person is no rule")
	_, _, err = queue.Transition(native(nil), queue.Command{ID: "r", By: queue.ByRule, Do: settle}, noon.Add(time.Second))
	require.ErrorContains(t, err, "rule", "a rule has a name")
	s, _, err := queue.Transition(native(nil), queue.Command{ID: "r", By: queue.ByRule, Do: byRule}, noon.Add(time.Second))
	require.NoError(t, err)
	require.Equal(t, "r1", s.Outcome.Rule)
	require.Equal(t, queue.ByRule, s.Outcome.By)
}

func TestARefusalWantsNoConfirmationAndNothingElseIsSpared(t *testing.T) {
	for name, c := range map[string]struct {
		kind  string
		id    string
		wants bool
	}{"refused": {queue.KindApproval, "no", false}, "allowed": {queue.KindApproval, "yes", true},
		"no approval": {queue.KindChoice, "no", true}} {
		s := asked(func(a *queue.Ask, q *queue.Question) {
			a.Kind, a.Confirm = c.kind, true
			q.Options = []queue.Option{{ID: "yes", Label: "Yes", Act: queue.ActOnce},
				{ID: "no", Label: "No", Act: queue.ActRefuse}}
			q.Mode, q.Min, q.Max, q.Defaults = queue.ModeSingle, 1, 1, nil
		})
		_, err := do(t, s, queue.Settle{Answer: queue.Answer{Replies: []queue.Reply{
			{Question: s.Ask.Questions[0].ID, Selected: []string{c.id}}}}})
		if c.wants {
			require.ErrorContains(t, err, "confirm", name)
		} else {
			require.NoError(t, err, name)
		}
	}
}

func TestARuleNeverSettlesWhatIsMarked(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(a *queue.Ask, q *queue.Question){
		"marked": func(a *queue.Ask, _ *queue.Question) {
			a.Kind = queue.KindApproval
			a.Approval = &queue.Approval{Tool: "Bash", Marks: []string{queue.MarkNetwork},
				Parts: []queue.Part{{Kind: queue.PartCommand, Text: "curl x"}}}
		},
		"to be confirmed": func(a *queue.Ask, _ *queue.Question) { a.Confirm = true },
	} {
		for _, confirmed := range []bool{false, true} {
			byRule := settle
			byRule.Rule, byRule.Confirmed = "r1", confirmed
			s, _, err := queue.Transition(native(change), queue.Command{ID: "r", By: queue.ByRule, Do: byRule},
				noon.Add(time.Second))
			require.Error(t, err, name)
			require.True(t, s.Pending(), name)
		}
	}
}

func TestOnlyWhatMakesARuleAtTheAgentIsExact(t *testing.T) {
	t.Parallel()
	approval := func(act string, change func(a *queue.Ask)) []queue.Problem {
		return ask(func(a *queue.Ask, q *queue.Question) {
			a.Kind = queue.KindApproval
			a.Approval = &queue.Approval{Tool: "Bash", Parts: []queue.Part{{Kind: queue.PartCommand, Text: "npm test"}}}
			q.Options[0].Act, q.Options[0].Exact = act, true
			if change != nil {
				change(a)
			}
		}).Check()
	}
	require.Empty(t, approval(queue.ActSession, nil))
	require.Empty(t, approval(queue.ActAlways, nil))
	for name, problems := range map[string][]queue.Problem{"once": approval(queue.ActOnce, nil),
		"refuse": approval(queue.ActRefuse, nil), "nothing": approval("", nil),
		"no approval": approval(queue.ActSession, func(a *queue.Ask) { a.Approval = nil })} {
		require.Len(t, problems, 1, name)
		require.Equal(t, "questions[0].options[0].exact", problems[0].Path, name)
	}
}

func TestWhatIsToBeAllowedHidesNoBlankThatIsNone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ kind, text, want string }{
		{queue.PartCommand, "ls\u00a0-l", "ls<U+00A0>-l"},
		{queue.PartCommand, "ls\u2007-l\u202f\u205f", "ls<U+2007>-l<U+202F><U+205F>"},
		{queue.PartCommand, "ls\u3000-l", "ls<U+3000>-l"},
		{queue.PartCommand, "ls\r\nrm x", "ls<U+000D>\nrm x"},
		{queue.PartCommand, "ls\xff\u00a0x", "ls<0xFF><U+00A0>x"},
		{queue.PartDiff, "+a\u00a0b\u3000c\r\n", "+a<U+00A0>b\u3000c<1 CR>\n"},
		{queue.PartDiff, "+\u3042\u3000\u3044\r\n", "+\u3042\u3000\u3044<1 CR>\n"},
		{queue.PartText, "{\"a\": \"\u00a0\"}", "{\"a\": \"<U+00A0>\"}"},
		{queue.PartPlan, "Done\u00a0?", "Done\u00a0?"},
		{queue.PartCommand, "ls -l\n\tcat x", "ls -l\n\tcat x"},
	} {
		shown, odd := queue.Part{Kind: c.kind, Text: c.text}.Shown()
		require.Equal(t, c.want, shown.Text, "%q", c.text)
		require.Equal(t, strings.Contains(c.want, "<U") || strings.Contains(c.want, "<0"), odd, "%q", c.text)
		a := queue.Ask{Approval: &queue.Approval{Parts: []queue.Part{{Kind: c.kind, Text: c.text}}}}
		require.Equal(t, odd, a.Odd(), "%q", c.text)
	}
	shown, odd := queue.Part{Kind: queue.PartDiff, Label: "a\u00a0b.go", Text: "+x"}.Shown()
	require.Equal(t, "a<U+00A0>b.go", shown.Label)
	require.True(t, odd)
	require.False(t, queue.Ask{Prompt: "vraiment\u00a0?"}.Odd(), "prose has such blanks")
}

func TestWhatTakesNoInkIsWrittenOutInAnApproval(t *testing.T) {
	t.Parallel()
	const plain, written = "rm ❤\ufe0f 👩\u200d💻 👍🏽 1\ufe0f\u20e3 a\u200db \U000e0041", "rm ❤<U+FE0F> 👩<U+200D>💻 " +
		"👍<U+1F3FD> 1<U+FE0F>\u20e3 a<U+200D>b <U+E0041>"
	for _, kind := range []string{queue.PartCommand, queue.PartDiff, queue.PartAddress, queue.PartPlan, queue.PartText} {
		p, odd := queue.Part{Kind: kind, Label: plain, Text: plain}.Shown()
		require.Equal(t, written, p.Text, kind)
		require.Equal(t, written, p.Label, kind)
		require.True(t, odd, kind)
	}
	a := ask(func(a *queue.Ask, q *queue.Question) {
		a.Kind, a.Title, a.Prompt, a.ConfirmMessage = queue.KindApproval, "❤\ufe0f", "❤\ufe0f", "❤\ufe0f"
		q.Header, q.Text, q.Options[0].Label, q.Options[0].Description = "❤\ufe0f", "❤\ufe0f", "❤\ufe0f", "❤\ufe0f"
		a.Approval = &queue.Approval{Tool: "Bash", Parts: []queue.Part{{Kind: queue.PartCommand, Text: "ls"}}}
	})
	require.True(t, a.Odd(), "it is warned of")
	raw, err := json.Marshal(a.Shown())
	require.NoError(t, err)
	require.Equal(t, 7, strings.Count(string(raw), `❤\u003cU+FE0F\u003e`), "%s", raw)
	require.NotContains(t, string(raw), "\ufe0f")
	require.Equal(t, "❤\ufe0f", a.Questions[0].Options[0].Label, "the ask itself stays as it came")
	require.Contains(t, a.Summary(queue.Answer{Replies: []queue.Reply{{Selected: []string{a.Questions[0].Options[0].ID}}}}),
		"❤<U+FE0F>")
	a.Approval.Dir, a.Title = "/❤\ufe0f", "x"
	_, dir := a.Approval.Shown()
	require.Equal(t, "/❤<U+FE0F>", dir)
	require.True(t, a.Approval.Odd())

	a.Kind, a.Approval = queue.KindChoice, nil
	require.False(t, a.Odd(), "in a question an emoji hides nothing")
	require.Equal(t, a, a.Shown())
}
