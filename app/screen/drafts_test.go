package screen

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/form"
)

// answered returns the one option that a session was answered with, empty while it waits.
func (b *bench) answered(id string) string {
	if s := b.get(id); s.Outcome != nil {
		return s.Outcome.Answer.Replies[0].Selected[0]
	}
	return ""
}

func TestTwoDashboardsShowTheNewestDraftUntilAKeyIsPressedThere(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	other := b.beside("other")
	b.calm()
	both := func() {
		b.view.SaveDraft()
		b.settle()
		other.settle()
		b.settle()
	}
	b.press("3")
	both()
	require.Equal(t, "⏎ Send DynamoDB · drafted in another dashboard", other.footer())
	b.clock.Pass(time.Second)
	b.press("2")
	both()
	require.Equal(t, "⏎ Send SQLite", b.footer())
	require.Equal(t, "⏎ Send SQLite · drafted in another dashboard", other.footer())
	other.press("enter")
	require.True(t, b.get(s.ID).Pending())
	b.calm()
	other.press("k")
	require.Equal(t, "⏎ Send PostgreSQL", other.footer())
	b.press("3")
	both()
	require.Equal(t, "⏎ Send PostgreSQL", other.footer(), "it is its own now")
	other.press("enter")
	require.Equal(t, []string{"pg"}, b.get(s.ID).Outcome.Answer.Replies[0].Selected)
}

func TestADraftNeverReplacesAnAnswerThatIsBeingSent(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.calm()
	b.Key(event("enter")) // the worker has not come to it
	drafted := queue.Draft{Session: s.ID, Instance: "form", At: b.clock.Now()}
	drafted.Answer.Replies = []queue.Reply{{Question: "q1", Selected: []string{"lite"}}}
	b.desk.Take(queue.Changes{Drafts: []queue.Draft{drafted}}, nil)
	require.Equal(t, form.StepSend, b.form().Plan(form.Facts{}).Step)
	require.Equal(t, "⏎ Send PostgreSQL", b.footer())
	b.settle()
	require.Equal(t, "pg", b.answered(s.ID))
}
