package spool

import (
	"context"
	"os"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

// waiting returns a queue with n pending questions.
func waiting(t testing.TB, n int) (*Store, []queue.Session) {
	t.Helper()
	s := open(t)
	var all []queue.Session
	for range n {
		all = append(all, storetest.Create(t, s))
	}
	return s, all
}

func TestLive_NamesAndLeavesWhatItCannotRead(t *testing.T) {
	for name, content := range map[string]string{
		"garbage": "garbage", "empty": "", "cut off": `{"schema":1,"id":"`, "a list": "[]", "a number": "1",
		"another's":  `{"schema":1,"id":"x","revision":999,"ask":{"questions":[{}]}}`,
		"unbalanced": `{"schema":1,"ask":{]}}`, "something behind": `{} {}`, "nothing asked": `{"schema":1}`,
		"newer and bare": `{"schema":99}`,
	} {
		t.Run(name, func(t *testing.T) {
			s, all := waiting(t, 2)
			bad := s.path(liveDir, all[0].ID, revisionName(999))
			require.NoError(t, os.WriteFile(bad, []byte(content), 0o600))
			seen, broken, err := s.Live(t.Context())
			require.NoError(t, err)
			require.Len(t, seen, 1)
			require.Equal(t, all[1].ID, seen[0].ID)
			require.Len(t, broken, 1)
			require.Equal(t, all[0].ID, broken[0].Name)
			require.FileExists(t, bad)
			require.NoDirExists(t, s.path(asideDir))
		})
	}
}

// brief is a context that ends after it was checked that many times.
type brief struct {
	context.Context
	left atomic.Int64
}

func (b *brief) Err() error {
	if b.left.Add(-1) < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

func TestLive_ReturnsWhatItReadInTime(t *testing.T) {
	s, _ := waiting(t, 100)
	ctx := &brief{Context: t.Context()}
	ctx.left.Store(40 + 1) // once before it begins
	seen, _, err := s.Live(ctx)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.Len(t, seen, 40)
}

func BenchmarkLive(b *testing.B) {
	s, _ := waiting(b, 1000)
	for b.Loop() {
		if seen, _, err := s.Live(b.Context()); err != nil || len(seen) != 1000 {
			b.Fatal(err, len(seen))
		}
	}
}
