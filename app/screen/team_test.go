package screen

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/widen"
)

// teamBench is a screen whose team answers at once.
type teamBench struct {
	*bench
	team *roomtest.Team
}

func newTeamBench(t *testing.T, w, h int) *teamBench {
	t.Helper()
	b := &teamBench{team: &roomtest.Team{Said: roomtest.Talk(), Summary: roomtest.Agreed()}}
	b.bench = newBenchWith(t, w, h, withTeam(b.team))
	return b
}

// withTeam gives a screen a team.
func withTeam(team *roomtest.Team) func(*Options) {
	return func(o *Options) { o.Team, team.Queue = team, o.Queue }
}

// toWho asks a question, and has the person asked who of the team is asked about it.
func toWho(b *bench) {
	b.ask(database(), shop())
	b.calm()
	b.press("w")
	b.lay() // rows of the prompt count as seen once they were laid out
	b.asksOfTeam(widen.Asking)
	b.calm()
}

// toMessage continues with what the team will read.
func toMessage(b *bench) {
	toWho(b)
	b.press("enter")
	b.calm()
	require.Equal(b.t, 1, b.view.Form().At())
}

// toUntil continues with what the person does until they reply.
func toUntil(b *bench) {
	toMessage(b)
	b.press("enter")
	b.calm()
	require.Equal(b.t, 2, b.view.Form().At())
}

// toTeam asks the team, and waits for it.
func toTeam(b *bench) {
	toUntil(b)
	b.press("enter")
	b.reached(action.PlaceQuestion)
	require.False(b.t, b.view.OfTeam())
	b.calm()
}

// toReview fetches what it said.
func toReview(b *bench) {
	toTeam(b)
	b.press("f")
	b.calm()
	b.press("enter")
	b.settle() // the summary
	b.asksOfTeam(widen.Reviewing)
	b.calm()
}

// asksOfTeam fails with a picture unless the person is asked what belongs to a stage of the consultation.
func (b *bench) asksOfTeam(stage widen.Stage) {
	b.t.Helper()
	if !b.view.OfTeam() || b.view.Team.On().Stage != stage {
		require.Equal(b.t, stage, b.view.Team.On().Stage, b.picture())
		require.True(b.t, b.view.OfTeam(), b.picture())
	}
}

// pick chooses the n-th option, and gives that answer.
func (b *bench) pick(n int) {
	b.t.Helper()
	b.press(fmt.Sprint(n))
	b.calm()
	b.press("enter")
}

func TestScreensOfTheTeam(t *testing.T) {
	then := func(reach func(*bench), do func(*teamBench)) func(*teamBench) {
		return func(b *teamBench) { reach(b.bench); do(b) }
	}
	as := func(reach func(*bench)) func(*teamBench) { return then(reach, func(*teamBench) {}) }
	differs := func(b *teamBench) {
		b.team.Summary.Answer = "SQLite"
		toReview(b.bench)
		b.pick(2)
		b.calm()
	}
	for name, reach := range map[string]func(*teamBench){
		"team-who": as(toWho),
		"team-who-names": func(b *teamBench) {
			b.team.ByName = true
			toWho(b.bench)
			b.press("1", "t")
			b.write("Zed")
		},
		"team-message": func(b *teamBench) {
			b.team.Doing = "What the agent was doing when it asked (claude transcript):\n> ✓ go test ./cart\n" +
				"> ✎ cart/store.go +2 −1\n> @@ -3,3 +3,4 @@\n>  line 3\n> -line 4\n> +line four\n" +
				"> “Carts are done. Payments need a store that can roll back with them.”"
			toMessage(b.bench)
		},
		"team-until":   as(toUntil),
		"team-blocked": as(toTeam),
		"team-parked": then(toTeam, func(b *teamBench) {
			b.press("c")
			b.calm()
			b.press("enter")
			b.clock.Pass(10 * time.Second)
		}),
		"team-review": as(toReview),
		"team-fallback": func(b *teamBench) {
			b.team.Summary = nil
			toReview(b.bench)
		},
		"team-edit": differs,
		"team-why": func(b *teamBench) {
			differs(b)
			b.view.Form().Here().Write("PostgreSQL")
			b.calm()
			b.press("enter")
			b.calm()
		},
		"team-defer": then(toTeam, func(b *teamBench) { b.press("d"); b.calm() }),
		"team-summing": then(toTeam, func(b *teamBench) {
			b.team.Said = roomtest.Talk()
			b.stays(widen.Summing)
		}),
	} {
		sizes := [][2]int{{40, 12}, {80, 24}, {120, 40}}
		if name == "team-message" || name == "team-review" {
			sizes = append(sizes, [2]int{200, 60})
		}
		for _, size := range sizes {
			t.Run(fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), func(t *testing.T) {
				b := newTeamBench(t, size[0], size[1])
				reach(b)
				b.golden(fmt.Sprintf("%s-%dx%d", name, size[0], size[1]))
			})
		}
	}
}

// stays fetches what the team said, and stays at a stage on the way.
func (b *bench) stays(stage widen.Stage) {
	b.t.Helper()
	require.NoError(b.t, b.view.Team.Do(func(c *widen.Consult) (widen.Want, error) {
		_, err := c.FetchAgain()
		c.Stage = stage
		return widen.Want{}, err
	}))
	b.asksOfTeam(stage)
	b.calm()
}

func TestWithoutATeamNothingOffersIt(t *testing.T) {
	b := newBench(t, 200, 40)
	b.ask(database(), shop())
	b.calm()
	require.NotContains(t, b.picture(), "ask the team")
	b.press("w")
	require.Equal(t, "no team is set up yet: s, more, “ask the team”", b.said())
	b.press("f")
	require.Equal(t, "f does nothing here", b.said())
}

func TestATeamThatCannotBeReachedIsNotOfferedAndTheReasonStandsInFull(t *testing.T) {
	for _, size := range sizes {
		b := newTeamBench(t, size[0], size[1])
		b.team.Down = errors.New("The server team.example.org cannot be reached. " +
			"Check the network and the address, then try again.")
		b.ask(database(), shop())
		b.calm()
		require.NotContains(t, b.picture(), "ask the team")
		b.press("w")
		require.Equal(t, "not possible: see the line below the title", b.said(), size)
		for word := range strings.FieldsSeq(b.team.Down.Error()) {
			require.Contains(t, b.picture(), word, size)
		}
		require.Empty(t, b.team.Calls)
		b.press("down")
		require.NotContains(t, b.picture(), "team.example.org", "the next key takes it away")
	}
}

func TestADiscussionThatCannotBeFetchedLeavesTheQuestionAsItWas(t *testing.T) {
	b := newTeamBench(t, 80, 24)
	b.team.Untold = errors.New("The server team.example.org did not answer in time. Try again.")
	toTeam(b.bench)
	b.press("f")
	b.calm()
	b.press("enter")
	require.Equal(t, action.PlaceQuestion, b.room().Place())
	require.Contains(t, b.picture(), "! The server team.example.org did not answer in time. Try again.")
	require.True(t, b.get(b.shown()).Pending())
}

func TestTheWayToTheTeamAndBack(t *testing.T) {
	b := newTeamBench(t, 120, 40)
	s := b.ask(database(), shop())
	b.calm()
	require.Contains(t, b.picture(), "w ask the team")
	b.press("w")
	b.calm()
	b.press("2", "4", "enter")
	b.calm()
	require.Contains(t, b.footer(), "Next: Meanwhile")
	b.press("enter", "enter")
	require.Empty(t, b.team.Calls, "the question had just come up")
	b.calm()
	require.Equal(t, "⏎ Ask the team · 2: Alice Johnson, Carol Lee · The question", b.footer())
	b.press("enter")
	require.Len(t, b.team.Calls, 1)
	require.Len(t, b.team.Calls[0].Invited, 2)
	require.False(t, b.team.Calls[0].WithPrompt)
	require.Equal(t, action.PlaceQuestion, b.room().Place())
	require.Contains(t, b.picture(), "With the team since 14:02: Alice Johnson, Carol Lee; you are waiting for them")
	require.Contains(t, b.picture(), "with the team · clock paused")
	require.Contains(t, b.footer(), "and tell the team")
	b.calm()
	b.press("f")
	b.calm()
	require.Contains(t, b.footer(), "⏎ Get what the team said and sum it up")
	b.press("enter")
	b.settle()
	b.calm()
	require.NotContains(t, b.footer(), "⏎", "nothing is marked")
	b.press("1")
	require.Contains(t, b.footer(), "⏎ Accept “PostgreSQL”")
	b.calm()
	b.press("enter")
	now := b.get(s.ID)
	require.Equal(t, queue.StatusSelected, now.Status())
	require.Equal(t, queue.SourceTeam, now.Outcome.Team.Summary.Source)
	require.Equal(t, action.PlaceEmpty, b.room().Place())
	require.Contains(t, b.picture(), "PostgreSQL")
}

func TestAnAnswerThatIsNoOptionIsPickedInTheForm(t *testing.T) {
	b := newTeamBench(t, 120, 40)
	b.team.Summary.Answer = "PostgreSQL, with a migration from day 1"
	toReview(b.bench)
	id := b.shown()
	require.Contains(t, b.picture(), "It is none of the options: you pick one, and the summary goes along.")
	b.pick(1)
	require.False(t, b.view.OfTeam())
	require.Equal(t, "pick the option", b.said())
	require.Contains(t, b.footer(), "with the team's summary")
	b.calm()
	b.press("down")
	require.Contains(t, b.footer(), "⏎ Continue with SQLite, and say why you differ from the team")
	b.press("enter", "enter")
	require.True(t, b.get(id).Pending(), "the question why had just come up")
	require.Contains(t, b.picture(), "Why do you decide otherwise than the team?")
	b.calm()
	require.Contains(t, b.footer(), "⏎ Send it without a reason")
	b.press("t")
	b.write("one file is enough")
	require.Contains(t, b.footer(), "⏎ Send “one file is enough”")
	b.calm()
	b.press("enter")
	now := b.get(id)
	require.Equal(t, []string{"lite"}, now.Outcome.Answer.Replies[0].Selected)
	require.Equal(t, roomtest.Agreed().Summary, now.Outcome.Team.Summary.Text)
	require.Equal(t, queue.SourceOwner, now.Outcome.Team.Summary.Source)
	require.Equal(t, "one file is enough", now.Outcome.Team.Rationale)
	require.NotContains(t, b.said(), "closed meanwhile")
}

func TestPickingWhatTheTeamSaidAsksForNoReason(t *testing.T) {
	b := newTeamBench(t, 120, 40)
	b.team.Summary.Answer = "PostgreSQL, with a migration from day 1"
	toReview(b.bench)
	id := b.shown()
	b.pick(1)
	b.calm()
	require.Contains(t, b.footer(), "⏎ Send PostgreSQL")
	b.press("enter")
	require.Equal(t, queue.SourceTeam, b.get(id).Outcome.Team.Summary.Source)
}

func TestAReviewIsClosedWithASentenceWhenTheQuestionEndsElsewhere(t *testing.T) {
	b := newTeamBench(t, 80, 24)
	toReview(b.bench)
	b.settleElsewhere(b.get(b.shown()), queue.SurfaceWeb, "lite")
	require.Equal(t, action.PlaceOver, b.room().Place())
	require.Equal(t, "closed meanwhile: Answered: SQLite, in the browser", b.said())

	b = newTeamBench(t, 80, 24)
	toReview(b.bench)
	b.press("?")
	b.settleElsewhere(b.get(b.shown()), queue.SurfaceWeb, "lite")
	b.press("esc")
	require.Equal(t, action.PlaceOver, b.room().Place(), "also under the list of keys")
}

func TestWithoutAProposalTheAnswerIsWritten(t *testing.T) {
	b := newTeamBench(t, 120, 40)
	b.team.Summary = nil
	toReview(b.bench)
	id := b.shown()
	require.Contains(t, b.picture(), "There is no summary.")
	require.NotContains(t, b.picture(), "Accept")
	b.pick(1)
	b.write("SQLite")
	b.calm()
	b.press("enter")
	require.Equal(t, queue.SourceManual, b.get(id).Outcome.Team.Summary.Source)
}

func TestTheWordsThatDifferFromTheTeamsAreQuotedOnce(t *testing.T) {
	b := newTeamBench(t, 80, 24)
	a := database()
	a.Questions[0].Mode = queue.ModeHybrid
	toReviewOf(b.bench, a)
	b.pick(2)
	b.calm()
	b.view.Form().Here().Write("MariaDB")
	b.calm()
	b.press("enter")
	b.asksOfTeam(widen.Explaining)
	require.Contains(t, b.picture(), "You: “MariaDB”")
}

func TestAQuestionIsDeferredFromItsReview(t *testing.T) {
	b := newTeamBench(t, 120, 40)
	toReview(b.bench)
	id := b.shown()
	b.press("d")
	require.Contains(t, b.picture(), "Why does it have to wait? “Which database?”")
	b.calm()
	b.press("enter")
	require.True(t, b.get(id).Pending(), "there is no reason yet")
	b.write("after the load test")
	b.calm()
	b.press("enter")
	now := b.get(id)
	require.Equal(t, queue.StatusDeferred, now.Status())
	require.Equal(t, "after the load test", now.Outcome.Team.Rationale)
	require.Equal(t, roomtest.Agreed().Summary, now.Outcome.Team.Summary.Text)
}

func TestAParkedQuestionStandsBelowAndKeepsNoChatClosed(t *testing.T) {
	b := newTeamBench(t, 120, 40)
	toTeam(b.bench)
	other := b.ask(small("Deploy?", 900), infra())
	n, _ := b.desk.Closing()
	require.Equal(t, 2, n, "one that is waited for closes it")
	b.press("c")
	b.calm()
	require.Contains(t, b.footer(), "⏎ Answer other questions")
	b.press("enter")
	n, _ = b.desk.Closing()
	require.Equal(t, 1, n)
	require.Equal(t, other.ID, b.shown(), "the one that hurries comes up")
	require.NotEmpty(t, b.rowWith("shop", "team"), b.picture())
}

func TestAnHourWithoutAKeyIsSaidInTheRule(t *testing.T) {
	b := newTeamBench(t, 120, 40)
	toTeam(b.bench)
	b.clock.Pass(time.Hour - time.Minute)
	require.NotContains(t, b.picture(), "still waiting")
	require.False(t, b.nextTick().After(b.now().Add(time.Minute)), "the clock wakes for it")
	b.clock.Pass(2 * time.Minute)
	require.Contains(t, b.picture(), "still waiting for the team after 1 hour")
	b.clock.Pass(time.Hour)
	require.Contains(t, b.picture(), "still waiting for the team after 2 hours")
	b.press("down")
	require.NotContains(t, b.picture(), "still waiting")
}

func TestAnAnswerThatWantsToBeConfirmedIsConfirmedInTheForm(t *testing.T) {
	b := newTeamBench(t, 120, 40)
	b.team.Summary.Answer = "no"
	a := dropTable()
	a.TimeoutSeconds = 600
	s := b.ask(a, infra())
	b.calm()
	for _, key := range []string{"w", "enter", "enter", "enter", "f", "enter"} {
		b.press(key)
		b.calm()
	}
	b.asksOfTeam(widen.Reviewing)
	require.Contains(t, b.picture(), "You confirm it in the form.")
	b.pick(1)
	require.True(t, b.get(s.ID).Pending())
	b.calm()
	require.Contains(t, b.footer(), "no, then confirm")
	b.press("enter")
	require.Equal(t, action.PlaceConfirm, b.room().Place())
	b.pass(time.Second)
	b.press("y")
	now := b.get(s.ID)
	require.Equal(t, []string{"no"}, now.Outcome.Answer.Replies[0].Selected)
	require.Equal(t, queue.SourceTeam, now.Outcome.Team.Summary.Source)
}

func TestAQuestionOfAnInterviewIsDeferredWithoutAReason(t *testing.T) {
	b := newTeamBench(t, 120, 40)
	o := shop()
	o.Dialect = queue.DialectInterview
	s := b.ask(one(queue.ModeText, func(q *queue.Question) { q.Options = nil }), o)
	b.calm()
	b.press("esc", "d") // a letter alone goes into the answer
	require.Equal(t, "⏎ Put it off without a reason", b.footer())
	b.calm()
	b.press("enter")
	require.Equal(t, queue.StatusDeferred, b.get(s.ID).Status())
}

// holding returns a screen of a team that proposes an answer, where answers are held back for so many seconds.
func holding(t *testing.T, seconds int, proposes string) *teamBench {
	b := newTeamBench(t, 120, 40)
	b.team.Summary.Answer = proposes
	b.settings.S.UndoSeconds = seconds
	b.desk.SetSettings(b.settings.S)
	toReview(b.bench)
	b.pick(1)
	return b
}

func TestATeamThatIsNotToldOfAnswersIsNotPromisedOne(t *testing.T) {
	b := newTeamBench(t, 120, 40)
	toTeam(b.bench)
	require.Contains(t, b.footer(), "Send PostgreSQL and tell the team")
	b.team.Unresolved = true
	b.press("x", "esc")
	b.calm()
	require.NotContains(t, b.footer(), "tell the team")
}

func TestTheEnterLineNamesTheHeldAnswerAndNotWhatTheFormHolds(t *testing.T) {
	b := holding(t, 6, "SQLite")
	id := b.shown()
	require.Contains(t, b.picture(), "sends SQLite in 6 s")
	require.Contains(t, b.footer(), "⏎ Send SQLite now")
	require.NotContains(t, b.footer(), "PostgreSQL")
	b.calm()
	b.press("enter")
	require.Equal(t, []string{"lite"}, b.get(id).Outcome.Answer.Replies[0].Selected)
	require.Equal(t, queue.SourceTeam, b.get(id).Outcome.Team.Summary.Source)
}

func TestAnInterviewThatWaitsForTheTeamAloneSaysHowManyAreLeft(t *testing.T) {
	for _, size := range [][2]int{{60, 20}, {120, 40}} {
		b := newTeamBench(t, size[0], size[1])
		o := shop()
		o.Dialect, o.Thread = queue.DialectInterview, "charter"
		b.ask(database(), o)
		b.calm()
		for _, key := range []string{"w", "enter", "enter", "enter"} {
			b.press(key)
			b.calm()
		}
		require.NotContains(t, b.picture(), "finish the interview")
		b.finishing = 3
		require.Contains(t, b.picture(), "1 of 3 with the team; decide them to finish the interview", size)
	}
}
