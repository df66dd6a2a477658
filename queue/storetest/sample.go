package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// Ask returns a valid ask: one question with the options a, b (recommended and default) and c, five minutes to answer.
func Ask() queue.Ask {
	return queue.Ask{
		Kind: queue.KindChoice, Title: "Which database?", Prompt: "The service needs one store. Which?",
		Questions: []queue.Question{{
			ID: "db", Mode: queue.ModeSingle, Min: 1, Max: 1, Annotate: true, Defaults: []string{"b"},
			Options: []queue.Option{
				{ID: "a", Label: "SQLite"}, {ID: "b", Label: "PostgreSQL", Recommended: true}, {ID: "c", Label: "none"},
			},
		}},
		TimeoutSeconds: 300, OnTimeout: queue.OnTimeoutNone,
	}
}

// Answer selects options of Ask's only question.
func Answer(ids ...string) queue.Answer {
	return queue.Answer{Replies: []queue.Reply{{Question: "db", Selected: ids}}}
}

// Widen returns the command after which a question is with a team of two.
func Widen() queue.Widen {
	return queue.Widen{Widened: queue.Widened{
		Decision: "01KPXFGJ3T7Q2M9V5B8D0C4N6R", Mission: "shop", QuestionID: "provide_choice.db",
		Team:      []queue.Member{{UserID: "U1", Name: "Alice Johnson"}, {UserID: "U2", Name: "Carol Lee"}},
		ThreadURL: "https://chat.example/archives/1",
	}}
}

// Create puts Ask into the store.
func Create(t testing.TB, store queue.Store) queue.Session {
	t.Helper()
	s, err := queue.New(store).Create(context.Background(), queue.Session{
		Origin: queue.Origin{Dialect: "provide_choice", Client: "claude", Cwd: "/src/shop"}, Ask: Ask(),
	})
	require.NoError(t, err)
	return s
}

// Finish settles and collects a session, at the given time after it was asked.
func Finish(t testing.TB, store queue.Store, s queue.Session, after time.Duration) queue.Session {
	t.Helper()
	ctx, claim := context.Background(), queue.Claim{Instance: "i", Conn: "c"}
	q := queue.New(store)
	q.Now = func() time.Time { return s.AskedAt.Add(after) }
	actions := []queue.Action{queue.Settle{Answer: Answer("a")}, queue.Take{Claim: claim}, queue.Collect{Claim: claim}}
	for _, do := range actions {
		_, err := q.Do(ctx, s.ID, queue.Command{By: queue.ByHuman, Do: do})
		require.NoError(t, err)
	}
	s, err := store.Get(ctx, s.ID)
	require.NoError(t, err)
	require.True(t, s.Final)
	return s
}
