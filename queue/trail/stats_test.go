package trail

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func asked(at time.Time, client string, status, by string, took time.Duration) queue.Session {
	s := queue.Session{AskedAt: at, Origin: queue.Origin{Client: client, Cwd: "/src/shop"}}
	if status != "" {
		s.Outcome = &queue.Outcome{Status: status, By: by, At: at.Add(took)}
	}
	return s
}

func TestStatsCountByTheDaysOfThePlaceTheyAreReadIn(t *testing.T) {
	seoul := time.FixedZone("KST", 9*3600)
	lateUTC := time.Date(2026, 11, 19, 16, 0, 0, 0, time.UTC) // already the 20th in Seoul
	for place, want := range map[*time.Location]string{time.UTC: "2026-11-19", seoul: "2026-11-20"} {
		tally := NewTally(time.Time{}, place)
		tally.Add(asked(lateUTC, "claude-code", queue.StatusSelected, queue.ByHuman, time.Second))
		days := tally.Stats().Days
		require.Len(t, days, 1)
		assert.Equal(t, want, days[0].Date)
	}
}

func TestStatsTellAgentsOfOtherHostsApart(t *testing.T) {
	day := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	tally := NewTally(time.Time{}, time.UTC)
	here, remote := asked(day, "claude-code", queue.StatusSelected, queue.ByHuman, time.Second), asked(day, "claude-code", "", "", 0)
	remote.Origin.Host, remote.Origin.Remote = "build1", true
	for _, s := range []queue.Session{here, here, remote} {
		tally.Add(s)
	}
	agents := tally.Stats().Agents
	require.Len(t, agents, 2)
	assert.Equal(t, "shop · claude", agents[0].Agent)
	assert.Equal(t, "shop · claude @build1", agents[1].Agent)
}

func TestStatsTellHowSessionsEndedAndHowLongAnswersTook(t *testing.T) {
	day := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	tally := NewTally(day.Add(-time.Hour), time.UTC)
	for i := range 10 {
		tally.Add(asked(day, "claude-code", queue.StatusSelected, queue.ByHuman, time.Duration(i+1)*time.Second))
	}
	tally.Add(asked(day.AddDate(0, 0, 1), "codex-mcp-client", queue.StatusCustom, queue.ByHuman, time.Hour))
	tally.Add(asked(day, "codex-mcp-client", queue.StatusCancelled, queue.ByHuman, time.Minute))
	tally.Add(asked(day, "codex-mcp-client", queue.StatusCancelled, queue.ByCaller, time.Minute))
	tally.Add(asked(day, "codex-mcp-client", queue.StatusTimeout, queue.ByClock, 5*time.Minute))
	tally.Add(asked(day, "codex-mcp-client", "", "", 0))
	tally.Add(asked(day.Add(-2*time.Hour), "codex-mcp-client", queue.StatusSelected, queue.ByHuman, time.Second)) // before the time

	v := tally.Stats()
	assert.Equal(t, 15, v.Asked)
	assert.Equal(t, 1, v.Waiting)
	counts := map[string]int{}
	share := 0.0
	for _, o := range v.Outcomes {
		counts[o.Outcome] = o.Count
		share += o.Share
	}
	assert.Equal(t, map[string]int{"selected": 10, "custom_input": 1, "cancelled": 1, "withdrawn": 1, "timeout": 1, "deferred": 0, "answered_elsewhere": 0, "interrupted": 0, "by_rule": 0},
		counts)
	assert.InDelta(t, 1, share, 0.01)
	assert.Equal(t, 11, v.Answer.Answered)
	assert.Equal(t, Seconds(6*time.Second), v.Answer.Median)
	assert.Equal(t, Seconds(10*time.Second), v.Answer.P90)
	assert.Equal(t, SpanStats{Under: Seconds(5 * time.Second), Count: 4}, v.Answer.Spread[0], "five seconds are not under five seconds")
	assert.Equal(t, SpanStats{Count: 1}, v.Answer.Spread[len(v.Answer.Spread)-1])
	require.Len(t, v.Days, 2)
	assert.Equal(t, DayStats{"2026-11-20", 14, 10, Seconds(5 * time.Second), Seconds(9 * time.Second)}, v.Days[0])
	require.Len(t, v.Agents, 2)
	assert.Equal(t, "shop · claude", v.Agents[0].Agent)
	assert.Equal(t, 5, v.Agents[1].Asked)
}

func TestStatsOfNothingAreEmptyListsAndZeros(t *testing.T) {
	raw, err := json.Marshal(NewTally(time.Time{}, time.UTC).Stats())
	require.NoError(t, err)
	assert.Contains(t, string(raw), `"days":[],"agents":[]`)
	assert.Contains(t, string(raw), `"median_seconds":0`)
}

func TestSecondsAreNumbersToTheMillisecond(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "0", 11 * time.Second: "11", 250 * time.Millisecond: "0.25", 90*time.Minute + 1500*time.Microsecond: "5400.001"} {
		raw, err := json.Marshal(Seconds(d))
		require.NoError(t, err)
		assert.Equal(t, want, string(raw))
	}
}

func BenchmarkTallyOf100000(b *testing.B) {
	day := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	for b.Loop() {
		tally := NewTally(time.Time{}, time.UTC)
		for i := range 100_000 {
			tally.Add(asked(day.Add(time.Duration(i)*time.Minute), "claude-code", queue.StatusSelected, queue.ByHuman, time.Duration(i%900)*time.Second))
		}
		tally.Stats()
	}
}

func TestWhatARuleAnsweredIsCountedApartAndTookNobodyAnyTime(t *testing.T) {
	tally := NewTally(time.Time{}, time.UTC)
	tally.Add(asked(time.Now(), "claude-code", queue.StatusSelected, queue.ByRule, time.Second))
	tally.Add(asked(time.Now(), "claude-code", queue.StatusElsewhere, queue.ByCaller, time.Second))
	v := tally.Stats()
	for _, o := range v.Outcomes {
		want := 0
		if o.Outcome == queue.StatusByRule || o.Outcome == queue.StatusElsewhere {
			want = 1
		}
		assert.Equal(t, want, o.Count, o.Outcome)
	}
	assert.Zero(t, v.Answer.Answered)
}

func TestStatsListAnEndingThatThisProgramDoesNotKnow(t *testing.T) {
	tally := NewTally(time.Time{}, time.UTC)
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	tally.Add(asked(at, "claude-code", "handed_over", queue.ByHuman, time.Second))
	tally.Add(asked(at, "claude-code", queue.StatusSelected, queue.ByHuman, time.Second))
	v := tally.Stats()
	assert.Equal(t, OutcomeStats{Outcome: "handed_over", Count: 1, Share: 0.5}, v.Outcomes[len(v.Outcomes)-1])
	assert.Equal(t, 1, v.Answer.Answered)
}
