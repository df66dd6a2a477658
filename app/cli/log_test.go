package cli

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
	"github.com/choicetui/choicetui/queue/trail"
)

func TestTailOfTheTrailIsOldestFirst(t *testing.T) {
	now := time.Date(2026, 11, 20, 14, 0, 0, 0, time.UTC)
	var live []queue.Session
	for i := range 3 {
		at := now.Add(-time.Duration(i+1) * time.Hour)
		live = append(live, queue.Session{ID: fmt.Sprint(i), Events: []queue.Event{{ID: "a", Kind: queue.EventAsked, At: at},
			{ID: "b", Kind: queue.EventSettled, At: at.Add(time.Minute)}, {ID: "c", Kind: queue.EventCollected, At: at.Add(time.Hour)}}})
	}
	printed := printedEvents{from: now.Add(-time.Hour), ids: map[string]bool{}}
	reader := trail.Reader{Store: storetest.NewMemory(), Live: live, Wants: func(queue.Origin) bool { return true }}
	run := logRun{wish: logWish{most: 4}}
	events, err := run.lastEvents(t.Context(), reader, printed)
	require.NoError(t, err)
	require.Len(t, events, 4)
	for i, kind := range []string{queue.EventCollected, queue.EventAsked, queue.EventSettled, queue.EventCollected} {
		assert.Equal(t, kind, events[i].Told().Kind)
	}
	assert.False(t, printed.addEvent(events[3]), "what was printed is not new")
}

func TestStatsTableFitsAnEightyColumnTerminal(t *testing.T) {
	tally := trail.NewTally(time.Time{}, time.UTC)
	at := time.Date(2026, 11, 20, 14, 0, 0, 0, time.UTC)
	for i := range 40 {
		agent := fmt.Sprintf("agent-%d-with-a-long-name\x1b[31m", i)
		s := queue.Session{
			AskedAt: at.AddDate(0, 0, -i),
			Origin:  queue.Origin{Client: agent, Cwd: "/src/a-directory-with-a-long-name"},
		}
		s.Outcome = &queue.Outcome{Status: queue.StatusSelected, At: s.AskedAt.Add(time.Duration(i) * 10 * time.Minute)}
		tally.Add(s)
	}
	var p page
	statsTable(&p, tally.Stats())
	assert.Contains(t, p.String(), "40 asked, 40 answered, 0 waiting")
	assert.Contains(t, p.String(), "and 20 more")
	assert.Contains(t, p.String(), "\nthe last 14 of 40 days with a question; --json lists all\nby day ")
	for l := range bytes.Lines(p.Bytes()) {
		_, odd := queue.Visible(string(l))
		assert.False(t, odd)
		assert.LessOrEqual(t, len([]rune(string(l))), 81, string(l))
	}
}

func TestStatsTableOfFewDaysIsAllOfThemAndTimesAreRoundedDown(t *testing.T) {
	tally := trail.NewTally(time.Time{}, time.UTC)
	at := time.Date(2026, 11, 20, 14, 0, 0, 0, time.UTC)
	answered := queue.Outcome{Status: queue.StatusSelected, At: at.Add(61*time.Second + 900*time.Millisecond)}
	tally.Add(queue.Session{AskedAt: at, Outcome: &answered})
	var p page
	statsTable(&p, tally.Stats())
	assert.NotContains(t, p.String(), "the last")
	assert.Contains(t, p.String(), "median 1:01, 90%")
	assert.Contains(t, p.String(), "under 1:00            0    0.0%\n  under 2:00            1  100.0%\n\n", "no longer ones")
}

func TestADayIsFoundByEveryNameThatPeopleGiveIt(t *testing.T) {
	now := time.Date(2026, 11, 20, 14, 2, 0, 0, time.Local) // a Friday
	for name, want := range map[string]time.Time{
		"today":      time.Date(2026, 11, 20, 0, 0, 0, 0, time.Local),
		"Yesterday":  time.Date(2026, 11, 19, 0, 0, 0, 0, time.Local),
		"mon":        time.Date(2026, 11, 16, 0, 0, 0, 0, time.Local),
		"Friday":     time.Date(2026, 11, 13, 0, 0, 0, 0, time.Local),
		"2026-10-31": time.Date(2026, 10, 31, 0, 0, 0, 0, time.Local),
	} {
		at, ok := startOfDay(name, now)
		require.True(t, ok, name)
		require.True(t, want.Equal(at), "%s: %s", name, at)
	}
	for _, name := range []string{"", "mo", "tomorrow", "2026-13-01", "may"} {
		_, ok := startOfDay(name, now)
		require.False(t, ok, name)
	}
}

func TestWhatThePersonWroteBesideAnAnswerFollowsItsSummary(t *testing.T) {
	s := queue.Session{Ask: queue.Ask{Comment: "from the agent", Questions: []queue.Question{{ID: "q", Options: []queue.Option{
		{ID: "a", Label: "A", Note: "from the agent"}, {ID: "b", Label: "B"}}}}}}
	require.Empty(t, writtenBeside(s))
	s.Outcome = &queue.Outcome{Status: queue.StatusSelected, Answer: queue.Answer{Comment: "in all\nfine",
		Replies: []queue.Reply{{Question: "q", Notes: map[string]string{"a": "from the agent", "b": "mine"}}}}}
	require.Equal(t, "; note on B: “mine”; comment: “in all fine”", writtenBeside(s))
	s.Ask.Kind, s.Outcome.Answer.Comment = queue.KindApproval, "from the agent"
	require.Equal(t, ", “mine”", writtenBeside(s))
}
