package screen

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// holding returns a screen of a team that proposes an answer, where answers are held back for so many seconds.
func holding(t *testing.T, seconds int, proposes string) *teamBench {
	b := newTeamBench(t, 120, 40)
	b.team.Summary.Answer = proposes
	b.settings.S.UndoSeconds = seconds
	b.desk.SetSettings(b.settings.S)
	toReview(b.bench)
	b.press("a")
	b.calm()
	b.press("enter")
	return b
}

func TestTheEnterLineNamesTheHeldAnswerAndNotWhatTheFormHolds(t *testing.T) {
	b := holding(t, 6, "SQLite")
	id := b.shown()
	require.Contains(t, b.picture(), "sends SQLite in 6 s")
	require.Contains(t, b.foot(), "⏎ send SQLite now")
	require.NotContains(t, b.foot(), "PostgreSQL")
	b.calm()
	b.press("enter")
	require.Equal(t, []string{"lite"}, b.get(id).Outcome.Answer.Replies[0].Selected)
	require.Equal(t, queue.SourceTeam, b.get(id).Outcome.Team.Summary.Source)
}
