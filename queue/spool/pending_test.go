package spool

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// waiting is a queue with so many questions that wait.
func waiting(t testing.TB, n int) (*Store, []queue.Session) {
	t.Helper()
	s, err := Open(filepath.Join(t.TempDir(), "queue"))
	require.NoError(t, err)
	q := queue.New(s)
	var all []queue.Session
	for i := range n {
		v, err := q.Create(t.Context(), queue.Session{
			Origin: queue.Origin{Client: "claude-code", Cwd: "/src/shop", Instance: "one"}, Claim: &queue.Claim{Instance: "one", Conn: "1"},
			Ask: queue.Ask{Kind: queue.KindChoice, Title: `Say "\ {[` + strconv.Itoa(i), Prompt: strings.Repeat(`a "prompt" with \ and }] `, 50), TimeoutSeconds: 600, OnTimeout: queue.OnTimeoutDefaults,
				Questions: []queue.Question{{ID: "choice", Mode: queue.ModeSingle, Min: 1, Max: 1, Options: []queue.Option{{ID: "a", Label: "A"}}}}}})
		require.NoError(t, err)
		all = append(all, v)
	}
	return s, all
}

func TestPendingNamesWhatItCannotReadAndLeavesItWhereItIs(t *testing.T) {
	for name, content := range map[string]string{
		"garbage": "garbage", "empty": "", "cut off": `{"schema":1,"id":"`, "a list": "[]", "a number": "1", "another's": `{"schema":1,"id":"x","revision":999,"ask":{"questions":[{}]}}`,
		"unbalanced": `{"schema":1,"ask":{]}}`, "something behind": `{} {}`, "no colon": `{"a"}`, "no key": `{1:2}`, "no end": `{"a":1`, "a quote": `"`, "a backslash": `{"a\`,
	} {
		t.Run(name, func(t *testing.T) {
			s, all := waiting(t, 2)
			bad := s.path(liveDir, all[0].ID, revisionName(999))
			require.NoError(t, os.WriteFile(bad, []byte(content), 0o600))
			seen, broken, err := s.Pending(t.Context())
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

func BenchmarkPending(b *testing.B) {
	s, _ := waiting(b, 1000)
	for b.Loop() {
		if seen, _, err := s.Pending(b.Context()); err != nil || len(seen) != 1000 {
			b.Fatal(err, len(seen))
		}
	}
}
