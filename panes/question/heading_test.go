package question

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestATitleThatOnlyListsTheQuestionsIsLeftToTheTabs(t *testing.T) {
	for title, said := range map[string]bool{"Sessions, Hashing, Rollout": false, "Sessions, Hashi…": false,
		"Auth rework": true, "Sessions, Hashing": true} {
		b := newBench(t, 80, 24)
		a := authRework()
		a.Title = title
		b.ask(a, web())
		rows := strings.Split(b.picture(), "\n")
		require.Equal(t, said, rows[1] == title, rows[1])
		if !said {
			require.Contains(t, rows[1], "▸ Sessions     Hashing")
			require.Equal(t, "Where do sessions live?", rows[3])
		}
	}
}
