package say

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestEverySurfaceOfAPersonHasWordsForEveryFrontend(t *testing.T) {
	for _, surface := range []string{queue.SurfaceDashboard, queue.SurfaceAttach, queue.SurfaceWeb,
		queue.SurfaceCLI} {
		for _, f := range []Frontend{frontendHistory, OnScreen, OnCommand, InLines, OnPage} {
			require.NotEmpty(t, throughSurface(surface, f), surface)
		}
	}
	require.Equal(t, "elsewhere", throughSurface(queue.SurfaceMCP, OnScreen))
	require.Equal(t, "elsewhere", throughSurface(queue.SurfaceMCP, OnPage))
	require.Equal(t, "in the dashboard", throughSurface(queue.SurfaceDashboard, OnPage), "a page is none")
	require.Empty(t, throughSurface(queue.SurfaceMCP, InLines))
	require.Equal(t, "by a person, with choicetui attach", Settler(queue.Outcome{By: queue.ByHuman,
		Surface: queue.SurfaceAttach}))
}

func TestARuleSaysHowAndWhenItsQuestionEnded(t *testing.T) {
	at := time.Date(2026, 11, 20, 14, 2, 0, 0, time.Local)
	for want, o := range map[string]queue.Outcome{
		"answered 14:02":  {Status: queue.StatusSelected, By: queue.ByHuman},
		"cancelled 14:02": {Status: queue.StatusCancelled, By: queue.ByHuman},
		"timed out 14:02": {Status: queue.StatusTimeout, By: queue.ByClock},
		"withdrawn 14:02": {Status: queue.StatusCancelled, By: queue.ByCaller},
		"gone 14:02":      {Status: queue.StatusLost},
	} {
		o.At = at
		long, short := EndedAt(o)
		require.Equal(t, want, long)
		require.Equal(t, want, short)
	}
	there := queue.Outcome{Status: queue.StatusElsewhere, By: queue.ByCaller, Reason: "in codex", At: at}
	long, short := EndedAt(there)
	require.Equal(t, "answered in codex 14:02", long)
	require.Equal(t, "answered 14:02", short)
	own := queue.Outcome{Status: queue.StatusCustom, By: queue.ByHuman, At: at}
	long, _ = EndedAt(own)
	require.Equal(t, "answered 14:02", long)
}

func TestACommandThatComesTooLateIsToldHowItEnded(t *testing.T) {
	s := queue.Session{Ask: queue.Ask{Questions: []queue.Question{{ID: "q", Options: []queue.Option{{ID: "a",
		Label: "SQLite"}}}}}}
	for want, o := range map[string]queue.Outcome{
		"was already answered: SQLite": {Status: queue.StatusSelected, By: queue.ByHuman,
			Answer: queue.Answer{Replies: []queue.Reply{{Question: "q", Selected: []string{"a"}}}}},
		"was already cancelled: not now": {Status: queue.StatusCancelled, By: queue.ByHuman, Reason: "not now"},
		"was already cancelled: more detail is wanted": {Status: queue.StatusCancelled, By: queue.ByHuman,
			ReasonCode: queue.ReasonMoreDetail},
		"was already withdrawn by the agent":      {Status: queue.StatusCancelled, By: queue.ByCaller},
		"has already ended: timed out, no answer": {Status: queue.StatusTimeout, By: queue.ByClock},
	} {
		s.Outcome = &o
		require.Equal(t, want, AlreadyEnded(s))
	}
	line := queue.Session{Ask: queue.Ask{Kind: queue.KindMessage}, Outcome: &queue.Outcome{
		Status: queue.StatusCancelled, By: queue.ByHuman}}
	require.Contains(t, AlreadyEnded(line), "cannot be taken back any more: not sent to")
}

func TestTheHomeDirectoryIsWrittenAsATilde(t *testing.T) {
	for dir, want := range map[string]string{"/home/me": "~", "/home/me/shop": "~/shop", "/home/meg": "/home/meg",
		"": ""} {
		require.Equal(t, want, Tilde(dir, "/home/me"))
	}
	require.Equal(t, "/srv", Tilde("/srv", ""), "no home is known")
}

func TestMoreDetailIsToldFromACancelWhereverItIsSaid(t *testing.T) {
	for reason, more := range map[string]string{"": "", "what does it cost": ": “what does it cost”"} {
		o := queue.Outcome{Status: queue.StatusCancelled, By: queue.ByHuman, Surface: queue.SurfaceDashboard,
			ReasonCode: queue.ReasonMoreDetail, Reason: reason}
		s := queue.Session{Ask: queue.Ask{Title: "Which store?"}, Outcome: &o}
		e := queue.Event{Kind: queue.EventSettled, By: queue.ByHuman, Surface: queue.SurfaceDashboard}
		asked := "asked for more detail" + more

		long, short := EndedAt(o)
		at := o.At.Local().Format(" 15:04")
		require.Equal(t, []string{"asked for more detail" + at, "more detail" + at}, []string{long, short})
		over := OverOf(s, OnScreen)
		require.Contains(t, over.Head+over.What, "Asked for more detail"+more)
		what, how := Trail{Session: s}.Told(e)
		require.Equal(t, "cancelled by a person, in the dashboard; "+asked, what+" "+how)
		_, words := Trail{Session: s, Frontend: frontendHistory}.Event(e)
		require.Contains(t, words, "; "+asked)
	}
}

func TestAScriptIsCalledSoInWordsWithVerbs(t *testing.T) {
	require.Equal(t, "the script", Who(queue.Origin{Client: queue.ClientAsk}))
	require.Equal(t, "claude", Who(queue.Origin{Client: "claude-code"}))
}

func TestTheReasonOfACommandThatWasStoppedIsNotQuoted(t *testing.T) {
	s := queue.Session{Origin: queue.Origin{Client: queue.ClientAsk}, Outcome: &queue.Outcome{Status: queue.StatusCancelled,
		By: queue.ByCaller, Reason: "the command that asked was stopped"}}
	require.Equal(t, Over{"Withdrawn: ", "the command that asked was stopped", ""}, OverOf(s, OnScreen))
	s.Origin.Client = "claude-code"
	require.Equal(t, Over{"Withdrawn: ", "“the command that asked was stopped”", "by claude"}, OverOf(s, OnScreen))
}

func TestADeferralIsToldAsOneInEveryPlace(t *testing.T) {
	s := queue.Session{Ask: queue.Ask{Title: "Store"}, Outcome: &queue.Outcome{Status: queue.StatusDeferred, By: queue.ByHuman,
		Surface: queue.SurfaceWeb, Reason: "the audit\x1b first", At: time.Date(2026, 11, 20, 14, 2, 0, 0, time.Local)}}
	require.Equal(t, "put off: the audit<U+001B> first", Result(s))
	require.Equal(t, "was already put off: the audit<U+001B> first", AlreadyEnded(s))
	require.Equal(t, Over{"Put off: ", "“the audit<U+001B> first”", "in the browser"}, OverOf(s, OnScreen))
	long, short := EndedAt(*s.Outcome)
	require.Equal(t, "put off 14:02", long)
	require.Contains(t, short, "put off")
	require.Equal(t, "put off", s.Outcome.Ending().Word)
}

func TestOverOf_SaysHowAPromptEndedAtItsAgent(t *testing.T) {
	for code, words := range map[string]string{"": "Answered ", queue.ReasonInterrupted: "Interrupted ",
		queue.ReasonDecided: "Decided ", queue.ReasonPerhaps: "Perhaps answered "} {
		s := queue.Session{Origin: queue.Origin{Client: "claude-code", Source: "claude:1"}, Outcome: &queue.Outcome{
			Status: queue.StatusElsewhere, By: queue.ByCaller, Reason: "in claude", ReasonCode: code}}
		require.Equal(t, Over{words, "in claude", ""}, OverOf(s, OnScreen))
	}
	s := queue.Session{Origin: queue.Origin{Client: "claude-code"}, Ask: queue.Ask{Title: "Which?"}, Outcome: &queue.Outcome{
		Status: queue.StatusCancelled, By: queue.ByCaller, Reason: "AbortError: user-cancel"}}
	require.Equal(t, Over{"Interrupted in ", "claude", ""}, OverOf(s, OnScreen))
	require.Equal(t, "interrupted in claude: Which?", lastLost(s).Lost)
}

func TestWhatWasAnsweredAtTheAgentIsSaidWithThePlaceEverywhere(t *testing.T) {
	at := time.Date(2026, 11, 20, 14, 2, 0, 0, time.Local)
	s := queue.Session{Origin: queue.Origin{Client: "codex", Source: "codex:1"}, AskedAt: at.Add(-3 * time.Second),
		Ask:     queue.Ask{Title: "Which?"},
		Outcome: &queue.Outcome{Status: queue.StatusElsewhere, By: queue.ByCaller, Reason: "in codex", At: at}}
	require.Equal(t, "was already answered in codex", AlreadyEnded(s))
	require.Equal(t, Over{"Answered ", "in codex", ""}, OverOf(s, OnScreen))
	require.Equal(t, "at its agent", Settler(*s.Outcome), "its result says which")
	require.Equal(t, Last{Lost: "answered in codex: Which?"}, lastLost(s))
	require.Equal(t, "elsewhere", s.Outcome.Ending().Word)
	what, how := Trail{Session: s}.Told(queue.Event{Kind: queue.EventSettled, By: queue.ByCaller})
	require.Equal(t, []string{"answered", "in codex"}, []string{what, how})
	what, _ = Trail{Session: s}.Told(queue.Event{Kind: queue.EventCollected, By: queue.ByCaller})
	require.Equal(t, "closed", what, "the agent had its answer before")
}

func TestAConfirmationSaysWhatANativeAgentDoesWithoutAnAnswer(t *testing.T) {
	o := queue.Origin{Client: "claude-code"}
	require.Equal(t, "nothing is confirmed; claude is told the time ran out", NothingConfirmed(o))
	require.Equal(t, "cancel and tell claude no", CancelsConfirmation(o))
	o.Source = "claude:1/2"
	require.Equal(t, "nothing is confirmed; claude asks with its own prompt", NothingConfirmed(o))
	require.Equal(t, "cancel: claude asks with its own prompt", CancelsConfirmation(o))
}

func TestAnAnswerByALinkThatAnAgentWasGivenSaysSo(t *testing.T) {
	now := time.Date(2026, 11, 20, 14, 2, 0, 0, time.UTC)
	s := queue.Session{ID: "k7f3m2qx", AskedAt: now, Deadline: now.Add(time.Minute), Ask: queue.Ask{
		Questions: []queue.Question{{ID: "q", Mode: queue.ModeSingle, Min: 1, Max: 1,
			Options: []queue.Option{{ID: "a", Label: "A"}, {ID: "b", Label: "B"}}}}}}
	by := queue.Command{ID: "1", By: queue.ByHuman, Surface: queue.SurfaceWeb, Given: "cla\x1bude",
		Do: queue.Settle{Answer: queue.Answer{Replies: []queue.Reply{{Question: "q", Selected: []string{"a"}}}}}}
	s, changed, err := queue.Transition(s, by, now)
	require.NoError(t, err)
	require.True(t, changed)
	_, words := Trail{Session: s}.Event(s.Events[0])
	require.Contains(t, words, " by the link given to cla<U+001B>ude, in the browser")
	require.Equal(t, "by the link given to cla<U+001B>ude, in the browser", Settler(*s.Outcome))
	require.Equal(t, "by the link given to cla<U+001B>ude", OverOf(s, OnScreen).How)
	_, told := Trail{Session: s}.Told(s.Events[0])
	require.Contains(t, told, "by the link given to cla<U+001B>ude")
}

// A newer program on the same queue may end a question in a way that this one does not know.
func TestAnEndingThatThisProgramDoesNotKnowIsToldByItsNameAndNeverAsAnAnswer(t *testing.T) {
	at := time.Date(2026, 11, 20, 14, 2, 0, 0, time.Local)
	for _, by := range []string{queue.ByHuman, queue.ByCaller} {
		o := queue.Outcome{Status: "handed_over", By: by, Surface: queue.SurfaceWeb, Reason: "to\x1b[31m legal", At: at}
		s := queue.Session{Ask: queue.Ask{Title: "Ship it?"}, AskedAt: at, Outcome: &o,
			Events: []queue.Event{{Kind: queue.EventSettled, By: o.By, Surface: o.Surface, At: at}}}

		over := OverOf(s, OnScreen)
		long, short := EndedAt(o)
		label, words := Trail{Session: s, Frontend: frontendHistory}.Event(s.Events[0])
		for place, said := range map[string]string{
			"over": over.Head + over.What, "rule": long, "short rule": short, "trail": label + words,
			"already": AlreadyEnded(s), "summary": s.Summary(), "last": lastLost(s).Lost,
			"result": Result(s),
		} {
			assert.Contains(t, Capital(said), "anded over", "%s, %s", place, by)
			assert.NotContains(t, said, "nswered", "%s, %s", place, by)
			assert.NotContains(t, said, "\x1b", "%s, %s", place, by)
		}
	}
}

func TestWhatTheCallerEndedIsToldInTheWordOfItsEnding(t *testing.T) {
	s := queue.Session{Origin: queue.Origin{Client: "claude-code"}, Outcome: &queue.Outcome{By: queue.ByCaller}}
	for status, word := range map[string]string{queue.StatusCancelled: "withdrawn", "handed_over": "handed over"} {
		s.Outcome.Status = status
		assert.Equal(t, Capital(word)+" by claude", OverOf(s, OnScreen).Head+OverOf(s, OnScreen).What)
	}
}

func TestWhatWasAnsweredAtTheAgentOrByARuleSaysSoOnScreenAndInCommands(t *testing.T) {
	at := time.Date(2026, 11, 20, 14, 2, 0, 0, time.Local)
	s := queue.Session{Ask: queue.Ask{Title: "Run?", Questions: []queue.Question{{ID: "q", Mode: queue.ModeSingle,
		Options: []queue.Option{{ID: "once", Label: "Yes"}}}}}}
	s.Outcome = &queue.Outcome{Status: queue.StatusElsewhere, By: queue.ByCaller, Reason: "in codex", At: at}
	require.Equal(t, "was already answered in codex", AlreadyEnded(s))
	long, short := EndedAt(*s.Outcome)
	require.Equal(t, []string{"answered in codex 14:02", "answered 14:02"}, []string{long, short})

	s.Outcome = &queue.Outcome{Status: queue.StatusSelected, By: queue.ByRule, Rule: "r1", At: at, Answer: queue.Answer{
		Replies: []queue.Reply{{Question: "q", Selected: []string{"once"}}}}}
	require.Equal(t, Over{"Answered: ", "Yes", "by your rule"}, OverOf(s, OnScreen))
	long, short = EndedAt(*s.Outcome)
	require.Equal(t, []string{"answered by rule 14:02", "by rule 14:02"}, []string{long, short})
}

func TestTheTrailTellsWhoWroteALineWhereSeveralShareTheQueue(t *testing.T) {
	t.Parallel()
	e := queue.Event{Kind: queue.EventSent, By: queue.ByHuman, Person: "ana", Surface: queue.SurfaceCLI}
	what, how := Trail{}.Told(e)
	require.Equal(t, "written by ana, on the command line", what+" "+how)
	e.Person = ""
	_, how = Trail{}.Told(e)
	require.Empty(t, how)
}
