package say

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestTheLastEventSaysWhatBecameOfWhatWasSent(t *testing.T) {
	at := time.Date(2026, 11, 20, 14, 2, 0, 0, time.Local)
	o := queue.Origin{Client: "claude-code", Cwd: "/src/shop"}
	answer := queue.Session{ID: "a", Origin: o, Outcome: &queue.Outcome{Status: queue.StatusSelected, By: queue.ByHuman, At: at}}
	cancelled := answer
	cancelled.Outcome = &queue.Outcome{Status: queue.StatusCancelled, By: queue.ByHuman, At: at, Reason: "no"}
	line := queue.NewMessage(o, "fix the README\nplease")
	pasted := line
	pasted.Outcome = &queue.Outcome{Status: queue.StatusDelivered, Surface: queue.SurfaceTmux, At: at}
	for _, c := range []struct {
		s    queue.Session
		f    fate
		want string
	}{
		{answer, fate{}, "sent"},
		{answer, fate{Kept: true}, "not delivered yet"},
		{answer, fate{Kept: true, Received: true, At: at}, "delivered 14:02"},
		{answer, fate{Unconfirmed: true}, "sent to claude, not confirmed yet"},
		{answer, fate{Doubt: true}, "perhaps delivered"},
		{line, fate{}, "delivered when it next asks"},
		{line, fate{TakenBack: true}, "taken back"},
		{line, fate{Doubt: true}, "perhaps delivered"},
		{line, fate{Unfetched: true}, "never delivered"},
		{line, fate{Received: true, At: at}, "delivered 14:02"},
		{pasted, fate{}, "sent"},
	} {
		l := lastSent(c.s, c.f)
		require.Equal(t, c.s.IsMessage(), l.Quoted)
		longest := l.Forms("->")[0]
		require.Equal(t, " -> shop · claude: "+c.want, longest.To+longest.Who+longest.Behind)
	}
	require.Equal(t, "cancelled", lastSent(cancelled, fate{}).What)
	cancelled.Outcome.ReasonCode = queue.ReasonMoreDetail
	require.Equal(t, "asked for more detail", lastSent(cancelled, fate{}).What)
	require.Equal(t, "fix the README", lastSent(line, fate{}).What)
}

func TestAQuestionThatEndedWithoutThePersonIsTheLastEvent(t *testing.T) {
	s := queue.Session{Ask: queue.Ask{Title: "Rename\u202e it?"}, Outcome: &queue.Outcome{Status: queue.StatusTimeout, By: queue.ByClock}}
	require.Equal(t, "timed out: Rename<U+202E> it?", lastLost(s).Lost)
	s.Events = []queue.Event{{Kind: queue.EventExpired, Detail: "answered in claude before"}}
	require.Equal(t, "too late, answered in claude before: Rename<U+202E> it?", lastTooLate(s).Lost)
	s.Events = nil
	s.Outcome.Status, s.Outcome.By = queue.StatusCancelled, queue.ByCaller
	require.Equal(t, "withdrawn: Rename<U+202E> it?", lastLost(s).Lost)
	require.True(t, lastLost(s).Warns)
	s.Outcome = &queue.Outcome{Status: queue.StatusSelected, By: queue.ByHuman, Surface: queue.SurfaceDashboard}
	require.Equal(t, Last{Lost: "answered in another dashboard: Rename<U+202E> it?"}, lastLost(s))
	s.Outcome.Status, s.Outcome.ReasonCode = queue.StatusCancelled, queue.ReasonMoreDetail
	require.Equal(t, Last{Lost: "asked for more detail in another dashboard: Rename<U+202E> it?"}, lastLost(s))
}

func TestWhatWasMissedIsCountedByHowItEnded(t *testing.T) {
	out := queue.Session{Outcome: &queue.Outcome{Status: queue.StatusTimeout, By: queue.ByClock}}
	back := queue.Session{Outcome: &queue.Outcome{Status: queue.StatusCancelled, By: queue.ByCaller}}
	assert.Equal(t, "! 1 timed out unanswered", MissedOf([]queue.Session{out}))
	assert.Equal(t, "! 2 withdrawn unanswered", MissedOf([]queue.Session{back, back}))
	assert.Equal(t, "! 1 timed out, 2 withdrawn unanswered", MissedOf([]queue.Session{back, out, back}))
}
