package plain

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

func TestLinesSayForWhomAQuestionIsAndWhoAnswersItByTheirNames(t *testing.T) {
	b := newBench(t, func(o *Options) { o.Queue.Person = "ben" })
	a := database()
	a.Audience = []string{"ben"}
	s := b.ask(a)
	require.Contains(t, b.news(), "\nFor ben.\n")
	require.NoError(t, b.Disk.SaveDraft(t.Context(), queue.Draft{Session: s.ID, Instance: "anas-1", Person: "ana", At: b.Clock.T}))
	b.settle()
	require.Contains(t, b.news(), "ana is answering.\n")

	alone := newBench(t, nil)
	alone.ask(a)
	require.NotContains(t, alone.news(), "For ben", "one person has the queue: all is theirs")
}

func TestLinesSayThatWhatWasSentCameTooLate(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask(database())
	b.news()
	b.wait(time.Second) // the guard
	b.types("1")
	_, err := b.o.Queue.Do(t.Context(), s.ID, queue.Command{By: queue.ByHuman, Person: "ana", Surface: queue.SurfaceDashboard,
		Do: queue.Settle{Answer: queue.Answer{Replies: []queue.Reply{{Question: "q1", Selected: []string{"lite"}}}}}})
	require.NoError(t, err)
	said := b.types("") // the desk has not heard of the other answer yet
	require.Contains(t, said, "was answered by ana: SQLite.")
	require.Contains(t, said, "! You had sent “PostgreSQL”. It came too late and does not count.")
	require.NotContains(t, said, "Sent:")
}

func TestAnAgentThatNeedsThePersonIsToldOnceAndListed(t *testing.T) {
	b := newBench(t, nil)
	b.news()
	needs := queue.Presence{Instance: "n", Role: queue.RoleNotice, Origin: &queue.Origin{Client: "claude-code", Cwd: "/src/shop"},
		Notice: &queue.Notice{Says: "Claude needs your\x1b[31m permission", At: b.Clock.T}}
	who := []queue.Presence{{Instance: "bridge"}, {Instance: "me"}, needs}
	b.desk.Take(queue.Changes{Presence: true}, who)
	require.Contains(t, b.news(), "shop · claude needs you in its own pane since "+b.Clock.T.Local().Format("15:04")+": Claude needs your")
	b.desk.Take(queue.Changes{Presence: true}, who)
	require.NotContains(t, b.news(), "needs you", "it was told")
	out := b.types("list")
	require.Contains(t, out, "Nothing to answer.")
	require.Contains(t, out, "needs you in its own pane")
	require.NotContains(t, out, "\x1b")
	b.desk.Take(queue.Changes{Presence: true}, who[:2])
	require.NotContains(t, b.types("list"), "needs you")
}

func TestAQuestionOfOneCallEndsWithItsCaller(t *testing.T) {
	b := newBench(t, nil)
	create := func(dialect, title string) queue.Session {
		a := database()
		a.Title = title
		s, err := b.o.Queue.Create(t.Context(), queue.Session{Ask: a, Claim: &queue.Claim{Instance: "bridge", Conn: "1"},
			Origin: queue.Origin{Client: "bar", Dialect: dialect, Instance: "bridge"}})
		require.NoError(t, err)
		b.settle()
		return s
	}
	bound := create(queue.DialectBound, "Drop it?")
	stays := create("provide_choice", "Which one?")
	b.news()

	b.desk.Take(queue.Changes{Presence: true}, []queue.Presence{{Instance: "me", Role: queue.RoleDashboard}})
	b.settle()
	got := b.get(bound.ID)
	require.NotNil(t, got.Outcome, "nobody could collect an answer")
	require.Equal(t, queue.ByCaller, got.Outcome.By)
	require.True(t, b.get(stays.ID).Pending(), "another ask of the same kind collects it")
	over, next, _ := strings.Cut(b.news(), "\n")
	require.Equal(t, `Closed: "Drop it?" was withdrawn by the agent: its agent disconnected.`, over)
	require.Contains(t, next, "bar disconnected; if it asks again within 10 minutes, it gets this answer.", "the other one, now on view")
}

func TestLinesSayThatAQuestionIsNoLongerInTheQueue(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask(database())
	b.news()
	b.Memory.Lose(s.ID)
	b.settle()
	require.Equal(t, "Closed: \"Which database?\" is no longer in the queue.\nNothing is waiting.\n", b.news())
	require.NotContains(t, b.types("1", ""), "Sent:")
}

func TestLinesSayAnAnswerIsSentOnlyOnceTheDiskConfirmedIt(t *testing.T) {
	b := newBench(t, nil)
	b.ask(database())
	b.news()
	b.wait(time.Second) // the guard
	b.Disk.Doubt = errors.New("input/output error")
	said := b.types("1", "")
	require.Contains(t, said, "! not saved yet, trying again: not confirmed by the disk")
	require.NotContains(t, said, "Sent:")
	b.wait(desk.RetryIn)
	require.NotContains(t, b.news(), "Sent:")
	b.Disk.Doubt = nil
	b.wait(desk.RetryIn)
	require.Contains(t, b.news(), "Sent: PostgreSQL")
}

func TestALineSaysHowAQuestionEndedAndByWhom(t *testing.T) {
	at := time.Date(2026, 11, 20, 14, 2, 0, 0, time.Local)
	options := []queue.Question{{ID: "q", Options: []queue.Option{{ID: "a", Label: "A"}}}}
	picked := queue.Answer{Replies: []queue.Reply{{Question: "q", Selected: []string{"a"}}}}
	for _, c := range []struct {
		o            queue.Outcome
		closed, sent string
	}{
		{queue.Outcome{Status: queue.StatusCancelled, By: queue.ByHuman, ReasonCode: queue.ReasonMoreDetail,
			Surface: queue.SurfaceDashboard, Reason: "what does it cost"},
			`Closed: "Which?" ended in a dashboard: asked for more detail: “what does it cost”.`,
			`Asked shop for more detail on "Which?".`},
		{queue.Outcome{Status: queue.StatusCancelled, By: queue.ByHuman, Surface: queue.SurfaceDashboard, Reason: "hi"},
			`Closed: "Which?" was cancelled in a dashboard: hi.`, `Cancelled "Which?" and told shop.`},
		{queue.Outcome{Status: queue.StatusCancelled, By: queue.ByHuman, Surface: queue.SurfaceCLI},
			`Closed: "Which?" was cancelled on the command line.`, `Cancelled "Which?" and told shop.`},
		{queue.Outcome{Status: queue.StatusDeferred, By: queue.ByHuman, Surface: queue.SurfaceWeb, Reason: "the audit\x1b first"},
			`Closed: "Which?" was put off in the browser: the audit<U+001B> first.`, `Put off "Which?" and told shop.`},
		{queue.Outcome{Status: "handed_over", By: queue.ByHuman, Surface: queue.SurfaceWeb, Reason: "to\x1b[31m legal"},
			`Closed: "Which?" was handed over in the browser: to<U+001B>[31m legal.`, `Handed over "Which?" and told shop.`},
		{queue.Outcome{Status: "handed_over", By: queue.ByCaller, Reason: "to\x1b legal"},
			`Closed: "Which?" was handed over: to<U+001B> legal.`, `Handed over "Which?" and told shop.`},
		{queue.Outcome{Status: queue.StatusElsewhere, By: queue.ByCaller, Reason: "in codex"},
			`Closed: "Which?" was answered in codex.`, ""},
		{queue.Outcome{Status: queue.StatusSelected, By: queue.ByHuman, Surface: queue.SurfaceWeb, Given: "cla\x1bude", Answer: picked},
			`Closed: "Which?" was answered by the link given to cla<U+001B>ude: A.`, "Sent: A to shop."},
	} {
		c.o.At = at
		s := queue.Session{Ask: queue.Ask{Title: "Which?", Questions: options}, Outcome: &c.o}
		require.Equal(t, c.closed, closedLine(s))
		if c.sent != "" {
			require.Equal(t, c.sent, sentLine(s, "shop"))
		}
	}
}

func TestALineSaysThatARuleAnswered(t *testing.T) {
	s := queue.Session{Ask: queue.Ask{Title: "Allow Bash: npm test", Questions: []queue.Question{{ID: "q",
		Options: []queue.Option{{ID: "once", Label: "Allow once"}}}}},
		Outcome: &queue.Outcome{Status: queue.StatusSelected, By: queue.ByRule, Rule: "w3xk9a2p",
			Answer: queue.Answer{Replies: []queue.Reply{{Question: "q", Selected: []string{"once"}}}}}}
	require.Equal(t, `By rule w3xk9a2p: Allow once to shop · claude, for "Allow Bash: npm test".`,
		ruledLine(s, "shop · claude"))
	s.Outcome.Person = "ana"
	require.Contains(t, ruledLine(s, "claude"), "By rule w3xk9a2p of ana: ")
}

func TestASentenceForAScreenReaderIsShortenedAndSaysSo(t *testing.T) {
	long := strings.Repeat("ä", 301)
	require.Equal(t, long[2:], heard(long[2:]))
	require.Equal(t, long[2:]+"… (301 characters in all)", heard(long))
}
