package codex

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestACommandIsAllowedOrRefusedAsCodexOffersIt(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"command_once", "command_always", "command_session", "network_always"} {
		s := newAppServer(t).start()
		w := watch(t, s.home, newQueue())
		s.asks(recorded(t, name, "stdin"))
		q := w.asked()
		require.Equal(t, queue.KindApproval, q.Ask.Kind)
		require.Equal(t, "/src/work2", q.Ask.Approval.Dir)
		w.does(q.ID, answerOf(t, name))
		w.ended(q.ID)
		require.Equal(t, []string{string(recorded(t, name, "stdout"))}, s.responses())
		require.Empty(t, s.called("turn/start"), "nothing else is said")
	}
}

func TestARefusalsWordsReachTheSessionThatAsked(t *testing.T) {
	t.Parallel()
	s := newAppServer(t).start()
	s.threads["t2"] = "/src/b"
	w := watch(t, s.home, newQueue())
	s.asks(recorded(t, "command_refused", "stdin"))
	q := w.asked()
	w.does(q.ID, answerOf(t, "command_refused"))
	w.ended(q.ID)
	require.Equal(t, []string{string(recorded(t, "command_refused", "stdout"))}, s.responses())
	require.Eventually(t, func() bool { return len(s.called("turn/start")) > 0 }, patience, 5*time.Millisecond)
	require.Equal(t, []string{`{"input":[{"text":"use make test","type":"text"}],"threadId":"` + recordedThread + `"}`},
		s.called("turn/start"))
}

func TestAnApprovalThatIsDecidedInCodexEndsHere(t *testing.T) {
	t.Parallel()
	s := newAppServer(t).start()
	w := watch(t, s.home, newQueue())
	request := recorded(t, "command_once", "stdin")
	s.asks(request)
	q := w.asked()
	s.answeredThere(request)
	require.Equal(t, queue.StatusElsewhere, w.ended(q.ID).Status())
	require.Empty(t, s.responses())
}

// changesOf returns what a change of files was recorded to do.
func changesOf(t *testing.T, request []byte) string {
	var m struct{ Changes json.RawMessage }
	require.NoError(t, json.Unmarshal(request, &m))
	return `{"type":"fileChange","id":"call_30","status":"inProgress","changes":` + string(m.Changes) + `}`
}

func TestAChangeOfFilesIsAskedWithWhatItsSessionSaidBefore(t *testing.T) {
	t.Parallel()
	request := recorded(t, "files_session", "stdin")
	told := `{"method":"item/started","params":{"threadId":"` + recordedThread + `","item":` + changesOf(t, request) + `}}`
	for name, play := range map[string]func(s *appServer, join func()){
		"said before":    func(s *appServer, join func()) { join(); s.tell(recordedThread, told); s.asks(request) },
		"said behind it": func(s *appServer, join func()) { join(); s.asks(request); s.tell(recordedThread, told) },
		"before anybody watched": func(s *appServer, join func()) {
			s.history = `{"items":[` + changesOf(t, request) + `]}`
			s.asks(request)
			join()
		},
	} {
		s := newAppServer(t).start()
		var w *watched
		play(s, func() {
			w = watch(t, s.home, newQueue())
			require.Eventually(t, func() bool { return s.joined(recordedThread, 1) }, patience, 5*time.Millisecond)
		})
		q := w.asked()
		require.Len(t, q.Ask.Approval.Parts, 5, name)
		w.does(q.ID, answerOf(t, "files_session"))
		w.ended(q.ID)
		require.Equal(t, []string{string(recorded(t, "files_session", "stdout"))}, s.responses())
	}
}

func TestAChangeOfFilesThatNobodySawStaysWithCodex(t *testing.T) {
	t.Parallel()
	s := newAppServer(t).start()
	w := watch(t, s.home, newQueue())
	require.Eventually(t, func() bool { return s.joined(recordedThread, 1) }, patience, 5*time.Millisecond)
	request := recorded(t, "files_session", "stdin")
	s.asks(request)
	s.answeredThere(request)
	s.tell(recordedThread, `{"method":"item/started","params":{"threadId":"`+recordedThread+`","item":`+
		changesOf(t, request)+`}}`) // too late
	s.asks([]byte(strings.Replace(string(recorded(t, "question", "stdin")), `"id":0,`, `"id":9,`, 1)))
	require.True(t, strings.HasSuffix(w.asked().Origin.Source, "/9"))
}

func TestPermissionsAndFormsAreAnsweredOverTheSocketToo(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"permissions_turn", "permissions_refused", "form", "form_consent"} {
		s := newAppServer(t).start()
		w := watch(t, s.home, newQueue())
		s.asks(recorded(t, name, "stdin"))
		q := w.asked()
		w.does(q.ID, answerOf(t, name))
		w.ended(q.ID)
		require.Equal(t, []string{string(recorded(t, name, "stdout"))}, s.responses())
	}
}

func TestWhatTheProgramWasRecordedToAskIsAnsweredOverItsSocket(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"recorded_permissions", "recorded_form", "recorded_command_more", "recorded_files"} {
		s := newAppServer(t)
		request := recorded(t, name, "stdin")
		if name == "recorded_files" {
			s.history = `{"items":[` + strings.Replace(changesOf(t, request), "call_30", "call_1", 1) + `]}`
		}
		s.start()
		s.asks(request)
		w := watch(t, s.home, newQueue())
		q := w.asked()
		w.does(q.ID, answerOf(t, name))
		w.ended(q.ID)
		require.Equal(t, []string{string(recorded(t, name, "stdout"))}, s.responses(), name)
	}
}
