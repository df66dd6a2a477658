package codex

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestAQuestionOfCodexIsAnsweredInItsOwnForm(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"question", "question_recommended", "question_text", "question_hostile"} {
		s := newAppServer(t).start()
		w := watch(t, s.home, newQueue())
		require.Eventually(t, func() bool { return s.joined(recordedThread, 1) }, patience, 5*time.Millisecond)
		s.asks(recorded(t, name, "stdin"))
		q := w.asked()
		require.Equal(t, "codex", q.Origin.Client)
		require.Equal(t, "/src/work2", q.Origin.Cwd)
		require.Equal(t, recordedThread, q.Origin.Thread)
		require.Equal(t, os.Getpid(), q.Origin.PID, "the app-server is the agent's process, not what started us")
		require.Empty(t, q.Origin.Pane)
		w.does(q.ID, answerOf(t, name))
		_, collected := w.ended(q.ID).Last(queue.EventCollected)
		require.True(t, collected)
		require.Equal(t, []string{string(recorded(t, name, "stdout"))}, s.responses())
	}
}

func TestASessionIsJoinedByItsIdAndNothingElse(t *testing.T) {
	t.Parallel()
	s := newAppServer(t).start()
	watch(t, s.home, newQueue())
	require.Eventually(t, func() bool { return len(s.called("thread/loaded/list")) > 3 }, patience, 5*time.Millisecond)
	require.Equal(t, []string{`{"threadId":"` + recordedThread + `"}`}, s.called("thread/resume"), "once, and by its id")
	s.mu.Lock()
	s.threads["t2"] = "/src/b"
	s.mu.Unlock()
	require.Eventually(t, func() bool { return s.joined("t2", 1) }, patience, 5*time.Millisecond)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.calls {
		method, _, _ := strings.Cut(c, " ")
		require.Contains(t, []string{"initialize", "thread/loaded/list", "thread/resume"}, method)
	}
}

func TestANewSessionIsJoinedAsSoonAsCodexSaysSo(t *testing.T) {
	t.Parallel()
	s := newAppServer(t).start()
	w := watch(t, s.home, newQueue())
	require.Eventually(t, func() bool { return s.joined(recordedThread, 1) }, patience, 5*time.Millisecond)
	s.tell(recordedThread, `{"method":"thread/started","params":{"thread":{"id":"t9","cwd":"/src/nine"}}}`)
	require.Eventually(t, func() bool { return s.joined("t9", 1) }, patience, 5*time.Millisecond)
	s.asks([]byte(strings.ReplaceAll(string(recorded(t, "question", "stdin")), recordedThread, "t9")))
	require.Equal(t, "t9", w.asked().Origin.Thread)
}

func TestWhatIsAnsweredInCodexFirstEndsHere(t *testing.T) {
	t.Parallel()
	s := newAppServer(t).start()
	w := watch(t, s.home, newQueue())
	request := recorded(t, "question", "stdin")
	s.asks(request)
	q := w.asked()
	s.answeredThere(request)
	q = w.ended(q.ID)
	require.Equal(t, queue.StatusElsewhere, q.Status())
	require.Equal(t, "in codex", q.Outcome.Reason)
	require.Empty(t, s.responses(), "and Codex is told nothing")
}

func TestAWatcherThatComesLateSeesWhatIsAskedAlready(t *testing.T) {
	t.Parallel()
	s := newAppServer(t).start()
	s.asks(recorded(t, "question", "stdin"))
	w := watch(t, s.home, newQueue())
	q := w.asked()
	require.Equal(t, "/src/work2", q.Origin.Cwd)
	w.does(q.ID, answerOf(t, "question"))
	w.ended(q.ID)
	require.Len(t, s.responses(), 1)
}

func TestTwoWatchersAskOnceAndCodexHearsOneAnswer(t *testing.T) {
	t.Parallel()
	s := newAppServer(t).start()
	q := newQueue()
	w := watch(t, s.home, q)
	watch(t, s.home, q)
	require.Eventually(t, func() bool { return s.joined(recordedThread, 2) }, patience, 5*time.Millisecond)
	s.asks(recorded(t, "question", "stdin"))
	one := w.asked()
	w.does(one.ID, answerOf(t, "question"))
	w.ended(one.ID)
	require.Len(t, s.responses(), 1)
	live, _, err := q.Store.Live(t.Context())
	require.NoError(t, err)
	require.Empty(t, live)
}

func TestAQuestionOutlivesItsConnectionWhereItIsAskedAgain(t *testing.T) {
	t.Parallel()
	s := newAppServer(t).start()
	w := watch(t, s.home, newQueue())
	s.asks(recorded(t, "question", "stdin"))
	q := w.asked()
	s.stop()
	w.connected(false)
	s.start()
	w.connected(true) // and no timer is left that gives it up
	require.Equal(t, q.ID, w.asked().ID, "it is the same question, and waits")
	w.does(q.ID, answerOf(t, "question"))
	w.ended(q.ID)
	require.Equal(t, []string{string(recorded(t, "question", "stdout"))}, s.responses())
}

func TestAnAnswerThatIsGivenWhileTheConnectionIsLostIsSentOnceItIsBack(t *testing.T) {
	t.Parallel()
	s := newAppServer(t).start()
	w := watch(t, s.home, newQueue())
	s.asks(recorded(t, "question", "stdin"))
	q := w.asked()
	s.stop()
	w.connected(false)
	w.does(q.ID, answerOf(t, "question"))
	s.start()
	w.ended(q.ID)
	require.Len(t, s.responses(), 1)
}

func TestAQuestionWhoseServerDoesNotComeBackIsGone(t *testing.T) {
	t.Parallel()
	for name, restart := range map[string]bool{"the server stays away": false, "it comes back without it": true} {
		s := newAppServer(t).start()
		w := watchUntilLost(t, s.home, newQueue(), 200*time.Millisecond)
		s.asks(recorded(t, "question", "stdin"))
		q := w.asked()
		s.stop()
		if s.forgets(); restart {
			s.start()
		}
		q = w.ended(q.ID)
		require.Equal(t, queue.StatusCancelled, q.Status(), name)
		require.Equal(t, queue.CallerGone, q.Outcome.Reason, name)
	}
}

func TestAServerThatIsStartedAnewIsWatched(t *testing.T) {
	t.Parallel()
	s := newAppServer(t)
	w := watch(t, s.home, newQueue())
	time.Sleep(120 * time.Millisecond)
	s.start()
	s.asks(recorded(t, "question", "stdin"))
	w.asked()
}

func TestASessionThatIsClosedTakesItsQuestionsAlong(t *testing.T) {
	t.Parallel()
	s := newAppServer(t).start()
	w := watch(t, s.home, newQueue())
	s.asks(recorded(t, "question", "stdin"))
	q := w.asked()
	s.closes(recordedThread)
	require.Equal(t, queue.CallerGone, w.ended(q.ID).Outcome.Reason)
}

func TestWithTheLastDashboardTheQuestionIsLeftToCodexAndAskedAgainLater(t *testing.T) {
	t.Parallel()
	s := newAppServer(t).start()
	q := newQueue()
	w := watch(t, s.home, q)
	s.asks(recorded(t, "question", "stdin"))
	one := w.asked()
	w.stop()
	require.Equal(t, "left to the agent because no dashboard is open any more", w.ended(one.ID).Outcome.Reason)
	require.Empty(t, s.responses())
	later := watch(t, s.home, q)
	again := later.asked()
	require.Equal(t, one.ID, again.ID, "its source is the same")
	later.does(again.ID, answerOf(t, "question"))
	require.Eventually(t, func() bool { return len(s.responses()) == 1 }, patience, 5*time.Millisecond)
}

func TestWhatTheSocketSaysAndNobodyUnderstandsIsPassedOver(t *testing.T) {
	t.Parallel()
	s := newAppServer(t).start()
	s.history = `{"id":"turn","items":[{"text":"` + strings.Repeat("long ", 1<<20) + `"}]}`
	w := watch(t, s.home, newQueue())
	require.Eventually(t, func() bool { return s.joined(recordedThread, 1) }, patience, 5*time.Millisecond)
	request := string(recorded(t, "question", "stdin"))
	for _, text := range []string{`{"method":"half`, `[]`, `null`, `7`, `{"id":7,"result":{}}`, `{"id":{},"method":4}`,
		`{"method":"serverRequest/resolved","params":{"threadId":7}}`, `{"method":"thread/started","params":[]}`,
		`{"method":"item/tool/requestUserInput","id":8,"params":"` + recordedThread + `"}`,
		strings.Replace(request, `"threadId"`, `"x":"`+strings.Repeat("y", 3<<20)+`","threadId"`, 1),
		string(recorded(t, "unfit_secret", "stdin"))} {
		s.tell(recordedThread, text)
	}
	s.asks([]byte(request))
	q := w.asked()
	require.Equal(t, "/src/work2", q.Origin.Cwd, "also where a long history comes with the session")
	w.does(q.ID, answerOf(t, "question"))
	w.ended(q.ID)
	require.Len(t, s.responses(), 1, "nothing else was answered")
}

func TestWatcher_WhatIsTooLargeIsANotice(t *testing.T) {
	t.Parallel()
	s := newAppServer(t).start()
	q := newQueue()
	w := watch(t, s.home, q)
	large := func(times int) []byte {
		return []byte(strings.Replace(string(recorded(t, "command_once", "stdin")), "touch /src/proof-codex",
			strings.Repeat("touch /src/a; ", times), 1))
	}
	s.asks(large(80_000)) // what is decided takes more than a mebibyte
	n := w.notice(queue.UnfitLarge)
	require.Contains(t, n.Notice.Says, "Allow command: touch /src/a")
	require.Equal(t, "codex", n.Origin.Client)
	require.Equal(t, recordedThread, n.Origin.Thread)
	s.answeredThere(large(1))
	w.noNotice()
	s.asks(large(500_000)) // the message itself is cut
	require.Equal(t, "a command", w.notice(queue.UnfitLarge).Notice.Says)
	require.Empty(t, s.responses())
}

func TestWatcher_AChangeWhoseEditsDoNotComeIsANotice(t *testing.T) {
	t.Parallel()
	s := newAppServer(t).start()
	w := watch(t, s.home, newQueue())
	s.asks(recorded(t, "unfit_files", "stdin"))
	require.Equal(t, "a change", w.notice(queue.UnfitShown).Notice.Says)
}

func TestWatcher_AQuestionThatDoesNotStopCodexIsANotice(t *testing.T) {
	t.Parallel()
	s := newAppServer(t).start()
	w := watch(t, s.home, newQueue())
	require.Eventually(t, func() bool { return s.joined(recordedThread, 1) }, patience, 5*time.Millisecond)
	message := `{"method":"item/%s","params":{"threadId":"` + recordedThread + `","turnId":"u","item":{"type":"agentMessage",` +
		`"id":"m1","text":"I continue.","delivery":"async","questions":[{"title":"Which locale\nfirst?","options":["de","fr"]}]}}}`
	s.tell(recordedThread, fmt.Sprintf(message, "started"))
	s.tell(recordedThread, fmt.Sprintf(message, "completed"))
	n := w.notice(queue.UnfitAnswer)
	require.Equal(t, "Which locale\nfirst?", n.Notice.Says)
	require.Equal(t, "/src/work2", n.Origin.Cwd)
	answered := `{"method":"item/started","params":{"threadId":"` + recordedThread + `","turnId":"u","item":` +
		`{"type":"userMessage","id":"m2","content":[{"type":"text","text":"> %s\n\nde"}]}}}`
	s.tell(recordedThread, fmt.Sprintf(answered, "Another question?"))
	s.tell(recordedThread, fmt.Sprintf(answered, "Which locale first?"))
	w.noNotice()
}
