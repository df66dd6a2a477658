package queue_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

var widen = queue.Widen{Widened: queue.Widened{
	Decision: "01JD7ZQ5W8A3B4C5D6E7F8G9H0", Mission: "shop", QuestionID: "provide_choice.k7f3m2qx",
	Team:     []queue.Member{{UserID: "U1", Name: "Alice Johnson"}, {UserID: "U2", Name: "Carol\u202e Lee"}},
	Response: json.RawMessage(`{"decision_id":"01JD7ZQ5W8A3B4C5D6E7F8G9H0","widened_at":"2026-11-20T12:00:01Z","more":[1]}`),
}}

func TestTheClockStandsStillWhileTheTeamIsAsked(t *testing.T) {
	t.Parallel()
	s, err := do(t, asked(nil), queue.Later{}, widen)
	require.NoError(t, err)
	require.True(t, s.Deadline.IsZero())
	require.True(t, s.At(noon.Add(1000*time.Hour)).Pending(), "no clock ends it")
	require.Equal(t, (5*time.Minute + 10*time.Minute - 2*time.Second).Milliseconds(), s.Widen.LeftMS)
	require.Equal(t, queue.WidenBlocked, s.Widen.State)
	_, aside := s.AsideUntil(noon.Add(3 * time.Second))
	require.False(t, aside)
	e, told := s.Last(queue.EventWidened)
	require.True(t, told)
	require.Equal(t, "Alice Johnson, Carol<U+202E> Lee", e.Detail)

	raw, err := json.Marshal(s)
	require.NoError(t, err)
	var again queue.Session
	require.NoError(t, json.Unmarshal(raw, &again))
	require.True(t, same(t, s, again))
	require.JSONEq(t, string(widen.Widened.Response), string(again.Widen.Response))
}

func TestWhatNeverGoesToTheTeam(t *testing.T) {
	t.Parallel()
	approval := asked(func(a *queue.Ask, _ *queue.Question) { a.Kind = queue.KindApproval })
	_, err := do(t, approval, widen)
	require.ErrorIs(t, err, queue.ErrWidenApproval)
	call := asked(nil)
	call.Origin.Dialect = queue.DialectBound
	_, err = do(t, call, widen)
	require.ErrorIs(t, err, queue.ErrWidenCall)
	_, err = do(t, asked(nil), widen, widen)
	require.ErrorIs(t, err, queue.ErrWidened)
	_, err = do(t, asked(nil), cancel, widen)
	require.ErrorIs(t, err, queue.ErrSettled)
	nobody := widen
	nobody.Widened.Decision, nobody.Widened.Team = " ", []queue.Member{{UserID: "U1"}}
	_, err = do(t, asked(nil), nobody)
	require.ErrorContains(t, err, "decision_id")
	require.ErrorContains(t, err, "participants[0].display_name")
}

func TestAParkedQuestionClosesNothingAndABlockedOneDoes(t *testing.T) {
	t.Parallel()
	alive := func(string) bool { return true }
	since := func(queue.Session) time.Time { return noon }
	s, err := do(t, asked(nil), widen)
	require.NoError(t, err)
	require.True(t, s.ClosesChat(alive, since, noon.Add(time.Minute)))
	s, err = do(t, s, queue.Regroup{State: queue.WidenParked})
	require.NoError(t, err)
	require.False(t, s.ClosesChat(alive, since, noon.Add(time.Minute)))
	require.NotNil(t, s.Widen.ParkedAt)
	again, err := do(t, s, queue.Regroup{State: queue.WidenParked})
	require.NoError(t, err)
	require.Len(t, again.Events, len(s.Events), "parked twice is parked once")
	s, err = do(t, s, queue.Regroup{State: queue.WidenBlocked})
	require.NoError(t, err)
	require.Nil(t, s.Widen.ParkedAt)
	_, err = do(t, s, queue.Regroup{State: "elsewhere"})
	require.ErrorContains(t, err, "blocked or parked")
	_, err = do(t, asked(nil), queue.Regroup{State: queue.WidenParked})
	require.ErrorIs(t, err, queue.ErrNotWidened)
}

func TestASummaryIsTakenForThirtySecondsAfterTheAgentWasGivenTheDiscussion(t *testing.T) {
	t.Parallel()
	given := queue.GiveSummary{Request: "r1", Candidate: queue.Candidate{
		Summary: "They agree.", Answer: "A", SourceHint: queue.SourceTeam}}
	s, err := do(t, asked(nil), widen, queue.AskSummary{ID: "r1", Block: "talk"})
	require.NoError(t, err)
	require.Equal(t, "r1", s.SummaryWanted().ID)
	_, err = do(t, s, given)
	require.ErrorIs(t, err, queue.ErrNoSummary, "the agent cannot know the discussion yet")

	written, _, err := queue.Transition(s, queue.Command{ID: "w", Do: queue.WriteSummary{ID: "r1"}}, noon.Add(time.Hour))
	require.NoError(t, err)
	require.Nil(t, written.SummaryWanted(), "it is given once")
	due, wanted := written.SummaryDue()
	require.True(t, wanted)
	require.Equal(t, noon.Add(time.Hour+30*time.Second), due)
	_, _, err = queue.Transition(written, queue.Command{ID: "late", Do: given}, due.Add(time.Millisecond))
	require.ErrorIs(t, err, queue.ErrNoSummary)
	wrong := given
	wrong.Request = "r0"
	_, _, err = queue.Transition(written, queue.Command{ID: "wrong", Do: wrong}, due)
	require.ErrorIs(t, err, queue.ErrNoSummary)
	bad := given
	bad.Candidate.SourceHint = "the moon"
	_, _, err = queue.Transition(written, queue.Command{ID: "bad", Do: bad}, due)
	require.ErrorContains(t, err, "source_hint")

	done, _, err := queue.Transition(written, queue.Command{ID: "good", Do: given}, due)
	require.NoError(t, err)
	require.Equal(t, "A", done.Widen.Candidate.Answer)
	require.Nil(t, written.Widen.Candidate, "the session before shares nothing with it")
	_, _, err = queue.Transition(done, queue.Command{ID: "twice", Do: given}, due)
	require.ErrorIs(t, err, queue.ErrNoSummary)
	require.True(t, done.Pending(), "a summary answers nothing")
}

func TestTheOutcomeSaysWhatCameOfTheTeam(t *testing.T) {
	t.Parallel()
	s, err := do(t, asked(nil), widen)
	require.NoError(t, err)
	plain, err := do(t, s, settle)
	require.NoError(t, err)
	require.Equal(t, &queue.Resolution{Decision: widen.Widened.Decision, Summary: queue.Summary{Source: queue.SourceManual}},
		plain.Outcome.Team, "any face may answer, and then the person answered by themselves")

	with := settle
	with.Team = &queue.Resolution{Summary: queue.Summary{Text: "They agree.", Source: queue.SourceOwner}, Rationale: "cheaper"}
	told, err := do(t, s, with)
	require.NoError(t, err)
	require.Equal(t, "cheaper", told.Outcome.Team.Rationale)
	require.Equal(t, widen.Widened.Decision, told.Outcome.Team.Decision)
	_, err = do(t, asked(nil), with)
	require.ErrorIs(t, err, queue.ErrNotWidened)
	with.Team = &queue.Resolution{Summary: queue.Summary{Source: "rumour"}}
	_, err = do(t, s, with)
	require.ErrorContains(t, err, "source")
}

func TestDeferringNeverAnswers(t *testing.T) {
	t.Parallel()
	_, err := do(t, asked(nil), queue.Defer{Rationale: "not now"})
	require.ErrorIs(t, err, queue.ErrNotDeferred)
	s, err := do(t, asked(nil), widen)
	require.NoError(t, err)
	_, err = do(t, s, queue.Defer{Rationale: " \u200b"})
	require.ErrorContains(t, err, "rationale")
	_, err = do(t, s, queue.Defer{Rationale: strings.Repeat("x", queue.MaxNote+1)})
	require.ErrorContains(t, err, "rationale")
	s, err = do(t, s, queue.Defer{Rationale: "wait for Q3", Summary: "They want Q3."})
	require.NoError(t, err)
	require.Equal(t, queue.StatusDeferred, s.Status())
	require.Empty(t, s.Outcome.Answer.Replies)
	require.Equal(t, "wait for Q3", s.Outcome.Team.Rationale)
	require.Equal(t, widen.Widened.Decision, s.Outcome.Team.Decision)
	require.Equal(t, "put off: wait for Q3", s.Summary())
}

func TestAnInterviewsQuestionMayBeDeferredAndEndEmpty(t *testing.T) {
	t.Parallel()
	interview := asked(nil)
	interview.Origin.Dialect = queue.DialectInterview
	s, err := do(t, interview, queue.Defer{})
	require.NoError(t, err)
	require.Equal(t, queue.StatusDeferred, s.Status())

	empty := queue.Settle{Empty: true}
	_, err = do(t, interview, empty)
	require.Error(t, err, "only the empty candidate of a team is taken")
	s, err = do(t, interview, widen, empty)
	require.NoError(t, err)
	require.Equal(t, queue.StatusCustom, s.Status())
	_, err = do(t, asked(nil), widen, empty)
	require.Error(t, err, "an agent is never answered with nothing")
}

func TestWordsThatAnAnswerStartsWith(t *testing.T) {
	t.Parallel()
	hybrid := ask(func(_ *queue.Ask, q *queue.Question) {
		q.Mode, q.Min, q.Max, q.Defaults, q.DefaultText = queue.ModeHybrid, 0, 1, nil, "MySQL"
	})
	require.Empty(t, hybrid.Check())
	ans, err := hybrid.Accept(queue.StartAnswer(hybrid))
	require.NoError(t, err)
	require.Equal(t, "MySQL", ans.Replies[0].Text)
	hybrid.Questions[0].Defaults = []string{"a"}
	require.Contains(t, hybrid.Check()[0].Path, "default_text")
	hybrid.Questions[0].Mode = queue.ModeSingle
	require.NotEmpty(t, hybrid.Check())
}

func TestAnInterviewsQuestionStaysWhenItsProcessIsGone(t *testing.T) {
	t.Parallel()
	s := asked(nil)
	s.Origin = queue.Origin{Dialect: queue.DialectInterview, Instance: "run"}
	s.Claim, s.Key = &queue.Claim{Instance: "run"}, "of the interview"
	nobody := func(string) bool { return false }
	require.True(t, s.Gone(nobody))
	next, changed, err := queue.Transition(s, queue.Command{By: queue.ByCaller, Do: queue.Abandon{Alive: nobody}}, noon.Add(time.Minute))
	require.NoError(t, err)
	require.False(t, changed)
	require.True(t, next.Pending())
	gone := func(queue.Session) time.Time { return noon }
	require.True(t, s.ClosesChat(nobody, gone, noon.Add(queue.GoneGrace-time.Second)))
	require.False(t, s.ClosesChat(nobody, gone, noon.Add(queue.GoneGrace)))
	key := queue.Key(queue.Origin{Dialect: "provide_choice"}, s.Ask)
	require.False(t, s.Joins(key, queue.Origin{}, nobody, noon), "no tool's ask takes it over")
}
