package cli

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/widen"
	"github.com/choicetui/choicetui/app/widen/contractserver"
	"github.com/choicetui/choicetui/app/widen/httpapi"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
	rules "github.com/choicetui/choicetui/queue/widen"
)

// told is a service with the server of a team, while tellingTeam runs on it.
type told struct {
	*testing.T
	q       *queue.Queue
	server  *contractserver.Server
	service *widen.Service
	done    func() int
}

func newTold(t *testing.T) told {
	server := contractserver.New()
	t.Cleanup(server.Close)
	token := filepath.Join(t.TempDir(), "token")
	require.NoError(t, os.WriteFile(token, []byte(contractserver.Token), 0o600))
	way, err := httpapi.New(config.Widen{Backend: config.WidenHTTP, BaseURL: server.URL, TokenFile: token})
	require.NoError(t, err)
	q := queue.New(storetest.NewMemory())
	service := widen.New(widen.Options{Queue: q, Backend: func() (widen.Backend, error) { return way, nil }})
	return told{t, q, server, service, tellingTeam(t.Context(), service, nil)}
}

// widened returns a question that the team is asked about.
func (o told) widened() queue.Session {
	asked, err := o.q.Create(o.Context(), queue.Session{Ask: queue.Ask{Kind: queue.KindChoice, Title: "Database",
		Prompt: "Choose.", TimeoutSeconds: 300, OnTimeout: queue.OnTimeoutNone,
		Questions: []queue.Question{{ID: "db", Text: "Which?", Mode: queue.ModeText}}}})
	require.NoError(o, err)
	s, err := o.service.Ask(o.Context(), asked.ID,
		rules.Call{Invited: []queue.Member{{UserID: "u1", Name: "Alice Johnson"}}}, rules.Actor{})
	require.NoError(o, err)
	return s
}

// telling returns a service whose one question is with the team and answered. The server answers the calls that tell
// how it ended by these orders; the first is under way.
func telling(t *testing.T, orders ...contractserver.Order) (server *contractserver.Server, done func() int) {
	o := newTold(t)
	asked := o.widened()
	o.server.Misbehave(contractserver.Resolve, orders...)
	_, err := o.service.Do(t.Context(), asked.ID, queue.Settle{
		Answer: queue.Answer{Replies: []queue.Reply{{Question: "db", Text: "PostgreSQL"}}}}, rules.Actor{})
	require.NoError(t, err)
	require.Eventually(t, func() bool { return len(o.server.Requests(contractserver.Resolve)) > 0 }, 5*time.Second,
		time.Millisecond)
	return o.server, o.done
}

func TestACommandThatEndsWhileTheTeamIsToldTellsItOnce(t *testing.T) {
	server, done := telling(t, contractserver.Order{Delay: 200 * time.Millisecond})
	require.Zero(t, done())
	require.Len(t, server.Requests(contractserver.Resolve), 1)
}

func TestACommandThatEndsKeepsTheTimeThatTheTeamNames(t *testing.T) {
	t.Parallel()
	server, done := telling(t, contractserver.Order{Status: 429, RetryAfter: "1"})
	began := time.Now()
	time.Sleep(50 * time.Millisecond) // the first call has its answer by now
	require.Zero(t, done())
	require.GreaterOrEqual(t, time.Since(began), 900*time.Millisecond)
	require.Len(t, server.Requests(contractserver.Resolve), 2)
}

func TestWhatTheTeamWantsToHearMuchLaterIsLeftToTheNextProcessAndCounted(t *testing.T) {
	t.Parallel()
	late := contractserver.Order{Status: 429, RetryAfter: "20"}
	server, done := telling(t, late, late)
	time.Sleep(50 * time.Millisecond)
	require.Equal(t, 1, done())
	require.Len(t, server.Requests(contractserver.Resolve), 1)
}

func TestAQuestionThatIsStillWithTheTeamIsNoDecisionThatItWasNotTold(t *testing.T) {
	o := newTold(t)
	o.widened()
	require.Zero(t, o.done())
}
