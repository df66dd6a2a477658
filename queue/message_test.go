package queue_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

func agent() queue.Origin {
	return queue.Origin{Client: "claude-code", Host: "h", Cwd: "/src/shop", Agent: "7-1", PID: 7, Instance: "bridge"}
}

// sent returns a queue with one message in it.
func sent(t *testing.T, text string) (*queue.Queue, queue.Session) {
	t.Helper()
	q := queue.New(storetest.NewMemory())
	q.Now = func() time.Time { return noon }
	s, err := q.Create(t.Context(), queue.NewMessage(agent(), text))
	require.NoError(t, err)
	return q, s
}

func TestAMessageIsItsTextAndItsFirstLineTheTitle(t *testing.T) {
	t.Parallel()
	_, s := sent(t, "\n  fix the README\nin the same commit\n")
	require.Equal(t, "fix the README", s.Ask.Title)
	require.Equal(t, "\n  fix the README\nin the same commit\n", s.Ask.Prompt, "kept as typed")
	require.Equal(t, noon.Add(24*time.Hour), s.Deadline)
	require.Equal(t, queue.EventSent, s.Events[0].Kind)
	require.Equal(t, queue.ByHuman, s.Events[0].By)
	require.Equal(t, queue.MaxTitle, len([]rune(queue.NewMessage(agent(), strings.Repeat("é", 300)).Ask.Title)))
}

func TestALineToWhoAskedByItselfIsNoQuestionOfIts(t *testing.T) {
	t.Parallel()
	q := queue.New(storetest.NewMemory())
	q.Now = func() time.Time { return noon }
	o := agent()
	o.Dialect, o.Source, o.CallID, o.Thread = queue.DialectNative, "opencode:ses_1/que_1", "que_1", "ses_1"
	for _, text := range []string{"one", "two"} {
		s, err := q.Create(t.Context(), queue.NewMessage(o, text))
		require.NoError(t, err, "each line has an id of its own, also after the question")
		require.NotEqual(t, queue.SourceID(o.Source), s.ID)
		require.False(t, s.EndsWithCall(), "it does not end with who asked")
		require.Equal(t, "ses_1", s.Origin.Thread)
	}
}

func TestAMessageThatIsEmptyTooLongOrAQuestionIsRefused(t *testing.T) {
	t.Parallel()
	question := queue.NewMessage(agent(), "x")
	question.Ask.Questions = ask(nil).Questions
	broken := queue.NewMessage(agent(), "x\xff")
	for name, s := range map[string]queue.Session{
		"blank": queue.NewMessage(agent(), " \n\t"), "too long": queue.NewMessage(agent(), strings.Repeat("x", queue.MaxPromptBytes+1)),
		"question": question, "not UTF-8": broken,
	} {
		require.Len(t, slices.DeleteFunc(s.Ask.Check(), func(p queue.Problem) bool { return p.Path == "title" }), 1, "%s: once", name)
	}
	require.Empty(t, queue.NewMessage(agent(), strings.Repeat("x", queue.MaxPromptBytes)).Ask.Check())
}

func TestAMessageCanNeverBeAnsweredAsAQuestion(t *testing.T) {
	t.Parallel()
	q, s := sent(t, "hello")
	for _, a := range []queue.Action{settle, queue.Settle{}, queue.Settle{Confirmed: true}, queue.Move{By: time.Minute},
		queue.Attach{Instance: "x"}, collect} {
		_, err := q.Do(t.Context(), s.ID, queue.Command{Do: a})
		var bad *queue.Invalid
		require.ErrorAs(t, err, &bad, "%T", a)
	}
	require.False(t, s.Joins("", agent(), runs("bridge"), noon))
	s.Key = "k"
	require.False(t, s.Joins("k", agent(), runs(), noon))
}

func TestOnlyTheHolderOfItsClaimDeliversAMessageAndOnce(t *testing.T) {
	t.Parallel()
	q, s := sent(t, "hello")
	deliver := queue.Deliver{Claim: mine, Surface: queue.SurfaceTmux, Detail: "2:1"}
	_, err := q.Do(t.Context(), s.ID, queue.Command{Do: deliver})
	require.ErrorIs(t, err, queue.ErrUsed, "nobody took it")
	_, err = q.Do(t.Context(), s.ID, queue.Command{Do: take})
	require.NoError(t, err)
	_, err = q.Do(t.Context(), s.ID, queue.Command{Do: queue.Take{Claim: queue.Claim{Instance: "other"}}})
	require.ErrorIs(t, err, queue.ErrUsed)
	done, err := q.Do(t.Context(), s.ID, queue.Command{By: queue.ByHuman, Do: deliver})
	require.NoError(t, err)
	require.True(t, done.Final, "nobody collects a message")
	require.Equal(t, queue.StatusDelivered, done.Status())
	require.Equal(t, queue.SurfaceTmux, done.Outcome.Surface)
	require.False(t, done.Outcome.Answered(), "it counts as no answer")
	require.Equal(t, "sent to shop · claude, pasted into its tmux pane (2:1)", done.Summary())
	for _, again := range []queue.Action{deliver, cancel, take, settle} {
		_, err = q.Do(t.Context(), s.ID, queue.Command{Do: again})
		require.ErrorIs(t, err, queue.ErrFinal, "%T", again)
	}
	require.NoError(t, q.Store.Archive(t.Context(), done))
}

func TestAMessageThatMayNotHaveArrivedSaysWhy(t *testing.T) {
	t.Parallel()
	for where, want := range map[string]string{"2:1": "2:1, perhaps: hiccup", "": "perhaps: hiccup"} {
		q, s := sent(t, "hello")
		deliver := queue.Deliver{Claim: mine, Surface: queue.SurfaceTmux, Detail: where, Doubt: "hiccup"}
		_, err := q.Do(t.Context(), s.ID, queue.Command{Do: take})
		require.NoError(t, err)
		done, err := q.Do(t.Context(), s.ID, queue.Command{By: queue.ByHuman, Do: deliver})
		require.NoError(t, err)
		require.Equal(t, "sent to shop · claude, pasted into its tmux pane ("+want+")", done.Summary())
	}
}

func TestAQuestionIsNeverDelivered(t *testing.T) {
	t.Parallel()
	_, err := do(t, asked(nil), take, queue.Deliver{Claim: mine, Surface: queue.SurfaceMCP})
	var bad *queue.Invalid
	require.ErrorAs(t, err, &bad)
}

func TestAMessageTakenBackOrNeverFetchedIsClosedAndSaysSo(t *testing.T) {
	t.Parallel()
	q, s := sent(t, "hello")
	back, err := q.Do(t.Context(), s.ID, queue.Command{By: queue.ByHuman, Do: queue.Cancel{}})
	require.NoError(t, err)
	require.True(t, back.Final)
	require.Equal(t, "not sent to shop · claude: taken back", back.Summary())
	q, s = sent(t, "hello")
	q.Now = func() time.Time { return noon.Add(25 * time.Hour) }
	require.Equal(t, "not sent to shop · claude: it never fetched it", s.At(q.Now()).Summary())
	require.NoError(t, q.Sweep(t.Context(), []queue.Session{s}))
	s, err = q.Store.Get(t.Context(), s.ID)
	require.NoError(t, err)
	require.Equal(t, queue.StatusTimeout, s.Status())
	require.NoError(t, q.Sweep(t.Context(), []queue.Session{s}), "and archived")
	page, _, err := q.Store.History(t.Context(), "", 10, queue.Whole)
	require.NoError(t, err)
	require.Len(t, page, 1)
}

func TestMessagesStandInNoQueueAndCloseNothing(t *testing.T) {
	t.Parallel()
	_, s := sent(t, "hello")
	require.Empty(t, queue.WaitingOrder([]queue.Session{s}, runs("bridge"), "", noon))
	require.False(t, s.ClosesChat(runs("bridge"), queue.Session.GoneSince, noon))
}

func TestAMessageIsForTheAgentItIsAddressedTo(t *testing.T) {
	t.Parallel()
	change := func(f func(o *queue.Origin)) queue.Origin { o := agent(); f(&o); return o }
	twin := change(func(o *queue.Origin) { o.Agent, o.Instance = "8-2", "bridge2" })
	for name, c := range map[string]struct {
		asks  queue.Origin
		alive []string
		want  bool
	}{
		"itself":                    {agent(), []string{"bridge"}, true},
		"itself, over a new bridge": {change(func(o *queue.Origin) { o.Instance = "b2" }), nil, true},
		"its neighbour in its process, in another directory": {change(func(o *queue.Origin) { o.Cwd = "/src" }), nil, false},
		"its neighbour in its process, of another client":    {change(func(o *queue.Origin) { o.Client = "beta" }), nil, false},
		"its twin beside it":           {twin, []string{"bridge", "bridge2"}, false},
		"its successor":                {twin, []string{"bridge2"}, true},
		"another client":               {change(func(o *queue.Origin) { o.Client, o.Agent = "codex", "9-1" }), nil, false},
		"another directory":            {change(func(o *queue.Origin) { o.Cwd, o.Agent = "/src/web", "9-1" }), nil, false},
		"the same pid on another host": {change(func(o *queue.Origin) { o.Host = "h2" }), nil, false},
	} {
		_, s := sent(t, "hello")
		require.Equal(t, c.want, s.MessageFor(c.asks, runs(c.alive...)), name)
	}
	require.False(t, asked(nil).MessageFor(queue.Origin{}, runs()), "a question is no message")
}

func TestALineToAnAgentThatAskedByAHookIsForItsBridgeAndForNoOther(t *testing.T) {
	t.Parallel()
	_, s := sent(t, "hello")
	s.Origin.Dialect, s.Origin.Thread, s.Origin.Instance = queue.DialectNative, "s1", "a hook that is over"
	twin := agent()
	twin.Agent, twin.PID, twin.Instance = "8-2", 8, "bridge2"
	require.True(t, s.MessageFor(agent(), runs("bridge", "bridge2")))
	require.False(t, s.MessageFor(twin, runs("bridge", "bridge2")), "beside it in its directory")
}

func TestALineForOneThreadOfAnAgentsProcessIsNotForAnother(t *testing.T) {
	t.Parallel()
	on := func(thread, process string) queue.Origin {
		o := agent()
		o.Thread, o.Agent = thread, process
		return o
	}
	_, s := sent(t, "hello")
	s.Origin = on("t1", "7-1")
	for name, c := range map[string]struct {
		asks  queue.Origin
		alive []string
		want  bool
	}{
		"the thread itself":                      {on("t1", "7-1"), []string{"bridge"}, true},
		"another thread of the process":          {on("t2", "7-1"), []string{"bridge"}, false},
		"another thread of an unknown process":   {on("t2", ""), []string{"bridge"}, false},
		"another thread, once it runs no longer": {on("t2", "8-2"), nil, true},
		"one that gives no thread":               {on("", "7-1"), []string{"bridge"}, true},
	} {
		require.Equal(t, c.want, s.MessageFor(c.asks, runs(c.alive...)), name)
	}
}

func TestAMessageGivenToTheAgentsOwnSessionSaysSo(t *testing.T) {
	t.Parallel()
	q, s := sent(t, "hello")
	_, err := q.Do(t.Context(), s.ID, queue.Command{Do: take})
	require.NoError(t, err)
	deliver := queue.Deliver{Claim: mine, Surface: queue.SurfaceNative, Detail: "Codex"}
	s, err = q.Do(t.Context(), s.ID, queue.Command{By: queue.ByHuman, Do: deliver})
	require.NoError(t, err)
	require.Equal(t, "sent to shop · claude, delivered to its own session (Codex)", s.Summary())
}

func TestAQuestionWhoseCallerIsGoneForAMinuteClosesNothing(t *testing.T) {
	t.Parallel()
	s := asked(nil)
	s.Origin.Instance, s.Claim = "bridge", &queue.Claim{Instance: "bridge"}
	closes := func(s queue.Session, after time.Duration, alive ...string) bool {
		return s.ClosesChat(runs(alive...), queue.Session.GoneSince, noon.Add(after))
	}
	require.True(t, closes(s, 4*time.Minute, "bridge"))
	require.True(t, closes(s, 59*time.Second))
	require.False(t, closes(s, time.Minute))
	dropped, err := do(t, s, queue.Release{Claim: *s.Claim, Dropped: true}) // a second after noon
	require.NoError(t, err)
	require.True(t, closes(dropped, 60*time.Second, "bridge"))
	require.False(t, closes(dropped, 61*time.Second, "bridge"))
	over, err := do(t, asked(nil), settle)
	require.NoError(t, err)
	require.False(t, closes(over, time.Second, "bridge"))
}

func runs(alive ...string) func(string) bool {
	return func(instance string) bool {
		for _, a := range alive {
			if a == instance {
				return true
			}
		}
		return false
	}
}

func TestAMessageIsCalledByItsFirstLineThatIsNoQuote(t *testing.T) {
	for text, want := range map[string]string{
		"hello\nthere": "hello",
		"> “Which?” → Yes\n\n  no, the other": "no, the other",
		"\n> only a quote\n> and more":        "> only a quote",
		"old words\n> quote\nnew words":       "old words",
	} {
		require.Equal(t, want, queue.NewMessage(queue.Origin{}, text).Ask.Title, text)
	}
}
