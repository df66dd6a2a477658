package queue_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

// written is an answer that the person had begun: a mark, own words, a note and a comment.
func written() queue.Answer {
	return queue.Answer{Comment: "ask again on Monday", Replies: []queue.Reply{{Question: "db", Selected: []string{"a"},
		Text: "half a thought", Notes: map[string]string{"b": "too dear", "nobody": "lost", "a": " "}}}}
}

// kept is what of it goes back to the agent where it is not answered.
func kept() queue.Answer {
	return queue.Answer{Comment: "ask again on Monday",
		Replies: []queue.Reply{{Question: "db", Notes: map[string]string{"b": "too dear"}}}}
}

func TestACancelTakesTheNotesAndTheCommentAlong(t *testing.T) {
	t.Parallel()
	known := written()
	delete(known.Replies[0].Notes, "nobody")
	s, err := do(t, asked(nil), queue.Cancel{Reason: "no", Said: known})
	require.NoError(t, err)
	require.Equal(t, kept(), s.Outcome.Said)
	require.Equal(t, kept(), s.Outcome.Annotated())
	require.Empty(t, s.Outcome.Answer, "what was marked and typed is no answer")

	s, err = do(t, asked(nil), queue.Cancel{Said: queue.Answer{Replies: written().Replies}})
	require.NoError(t, err)
	require.Empty(t, s.Outcome.Said, "a note on an option that does not exist: a form writes none")

	off := func(_ *queue.Ask, q *queue.Question) { q.Annotate = false }
	s, err = do(t, asked(off), queue.Cancel{Said: known})
	require.NoError(t, err)
	require.Empty(t, s.Outcome.Said, "annotations are off")
}

func TestATimeoutTakesTheNotesOfTheDraftAlong(t *testing.T) {
	t.Parallel()
	for _, policy := range []string{queue.OnTimeoutNone, queue.OnTimeoutDefaults} {
		store := storetest.NewMemory()
		q := queue.New(store)
		q.Now = time.Now
		s, err := q.Create(t.Context(), queue.Session{Ask: ask(func(a *queue.Ask, q *queue.Question) {
			a.OnTimeout, q.Defaults = policy, []string{"b"}
		})})
		require.NoError(t, err)
		draft := written()
		delete(draft.Replies[0].Notes, "nobody")
		require.NoError(t, store.SaveDraft(t.Context(), queue.Draft{Session: s.ID, Instance: "dash", Answer: draft}))
		q.Now = func() time.Time { return s.Deadline.Add(time.Second) }
		live, _, err := store.Live(t.Context())
		require.NoError(t, err)
		require.NoError(t, q.Sweep(t.Context(), live))
		s, err = store.Get(t.Context(), s.ID)
		require.NoError(t, err)
		require.Equal(t, queue.StatusTimeout, s.Outcome.Status)
		require.Equal(t, kept().Comment, s.Outcome.Annotated().Comment)
		reply, _ := s.Outcome.Annotated().Reply("db")
		require.Equal(t, kept().Replies[0].Notes, reply.Notes)
		require.Empty(t, reply.Text)
		if policy == queue.OnTimeoutDefaults {
			require.Equal(t, []string{"b"}, s.Outcome.Answer.Replies[0].Selected, "the defaults, not what was marked")
		} else {
			require.Empty(t, s.Outcome.Answer)
		}
	}
}
