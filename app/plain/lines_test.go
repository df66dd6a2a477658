package plain

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
)

func TestAQuestionIsWrittenInFullWithNumbersMarksAndItsTime(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask(database())
	require.Equal(t, strings.TrimLeft(`

Question `+s.ID+`: Which database?
From shop · claude, ~/src/shop (main).
| The order service needs transactions.
| So I ask.
Choose one:
  1, recommended: PostgreSQL
     | Transactions,
     | the team knows it
  2: SQLite
     | One file
  3: DynamoDB
Time: 5 minutes left, until 14:07:00. Then no answer is given.
Type a number. "n 1 NOTE" adds a note to option 1, "a COMMENT" a comment; "x" cancels, "help" lists the rest.
`, "\n"), strings.TrimLeft(b.news(), "\n"))
}

func TestANumberIsSaidBackAndEnterSendsIt(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask(database())
	b.news()
	require.Equal(t, "Send SQLite to shop · claude? Press Enter to send it, or type something else to change it.\n", b.types("2"))
	require.True(t, b.get(s.ID).Pending())
	require.Contains(t, b.types(""), "Sent: SQLite to shop · claude.\n")
	got := b.get(s.ID)
	require.Equal(t, []string{"lite"}, got.Outcome.Answer.Replies[0].Selected)
	require.Equal(t, queue.SurfaceDashboard, got.Outcome.Surface)
	require.Equal(t, queue.ByHuman, got.Outcome.By)
}

func TestAnythingButEnterTakesTheOfferBack(t *testing.T) {
	for _, other := range []string{"no", "ls -la", "list", "+", "n 1 note", "2", "x"} {
		t.Run(other, func(t *testing.T) {
			b := newBench(t, nil)
			s := b.ask(database())
			b.types("1", other)
			if other != "n 1 note" && other != "2" && other != "x" { // these ask something else
				b.types("")
			}
			require.True(t, b.get(s.ID).Pending(), "that Enter asked again")
		})
	}
}

func TestALineThatCameBeforeTheQuestionOrJustAfterIsNotTaken(t *testing.T) {
	b := newBench(t, nil)
	before := b.Clock.T
	s := b.askNow(database())
	b.news()
	for _, text := range []string{"1", "r", "x not now", "t mine", "n 1 note", "a comment", "yes", "all"} {
		for _, at := range []time.Time{before.Add(-time.Second), before.Add(desk.Settle - time.Millisecond)} {
			b.handleLine(line{text, at})
			said := b.news()
			require.True(t, strings.Contains(said, "\" came too soon.") || strings.Contains(said, "was not taken"), said)
		}
	}
	require.Equal(t, asksNothing, b.answer.asked)
	require.False(t, b.view.Form().Changed())
	b.Clock.T = before.Add(desk.Settle)
	require.Contains(t, b.types("1"), "Send PostgreSQL")
	require.True(t, b.get(s.ID).Pending())
}

func TestASecondLineOfAPasteDoesNotSend(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask(database())
	b.handleLine(line{"1", b.Clock.T})
	b.handleLine(line{"", b.Clock.T.Add(40 * time.Millisecond)})
	b.settle()
	require.Contains(t, b.news(), "Not yet: that Enter came too soon.")
	require.True(t, b.get(s.ID).Pending())
	require.Contains(t, b.types("", ""), "Sent")
}

func TestAnAnswerNeverReachesTheNextQuestion(t *testing.T) {
	b := newBench(t, nil)
	first := b.ask(database())
	second := b.ask(one(queue.ModeSingle, func(q *queue.Question) { q.SingleSubmit = true }))
	b.types("1")
	b.handleLine(line{"", b.Clock.T})
	b.handleLine(line{"2", b.Clock.T}) // typed before the next question was written
	b.settle()
	require.False(t, b.get(first.ID).Pending())
	require.True(t, b.get(second.ID).Pending())
	require.Equal(t, second.ID, b.view.Up())
}

func TestWhatArrivesMeanwhileIsToldInOneLineAndNumbersStayWithTheQuestionOnView(t *testing.T) {
	b := newBench(t, nil)
	first := b.ask(database())
	b.news()
	late := database()
	late.Title, late.TimeoutSeconds = "Deploy?", 42
	second := b.ask(late)
	require.Equal(t, "Also waiting: \"Deploy?\" from shop · claude, 42 seconds left, until 14:02:42. "+second.ID+" shows it.\n", b.news())
	require.Contains(t, b.types("2"), `Send SQLite to shop · claude for "Which database?"?`)
	b.types("")
	require.False(t, b.get(first.ID).Pending())
	require.Contains(t, b.written.String(), "Question "+second.ID+": Deploy?")
}

func TestManyArrivalsAreOneLine(t *testing.T) {
	b := newBench(t, nil)
	b.ask(database())
	b.news()
	for range 9 {
		_, err := b.o.Queue.Create(t.Context(), queue.Session{Ask: database(), Claim: &queue.Claim{Instance: "bridge"}, Origin: queue.Origin{Instance: "bridge"}})
		require.NoError(t, err)
	}
	b.settle()
	require.Equal(t, "9 more questions are waiting: list shows them.\n", b.news())
	require.Equal(t, 10, strings.Count(b.types("list"), "\n"))
}

func TestSingleSubmitSendsWithTheNumber(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask(one(queue.ModeSingle, func(q *queue.Question) { q.SingleSubmit = true }))
	require.Contains(t, b.types("3"), "Sent: DynamoDB")
	require.False(t, b.get(s.ID).Pending())
}

func TestSeveralNumbersAreCheckedAgainstTheBounds(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask(one(queue.ModeMulti, func(q *queue.Question) { q.Min, q.Max = 2, 2 }))
	b.news()
	require.Contains(t, b.types("1"), "1 chosen: choose 2 of 3.")
	require.Contains(t, b.types("1 2 3"), "3 are too many: choose 2 of 3.")
	require.Contains(t, b.types("4"), "There is no option 4; choose 1 to 3.")
	require.Contains(t, b.types("3, 1"), "Send PostgreSQL, DynamoDB")
	b.types("")
	require.Equal(t, []string{"pg", "dynamo"}, b.get(s.ID).Outcome.Answer.Replies[0].Selected, "in the order of the options")
}

func TestNothingChosenIsSentOnlyWhereThatIsAnAnswer(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask(one(queue.ModeMulti, func(q *queue.Question) { q.Min, q.Defaults = 0, []string{"lite"} }))
	require.Contains(t, b.types(""), "Send SQLite", "an untouched default stays")
	require.Contains(t, b.types("none"), "Send nothing marked")
	b.types("")
	require.Empty(t, b.get(s.ID).Outcome.Answer.Replies[0].Selected)
	b.ask(database())
	require.Contains(t, b.types(""), "Nothing is chosen yet: choose one.")
}

func TestOwnWordsOfOneLineOfSeveralAndWithABackslash(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		want  string
	}{
		"one line":  {[]string{"t use what we have"}, "use what we have"},
		"a dot":     {[]string{"t", "first", "", "x cancel is text here", "..", "."}, "first\n\nx cancel is text here\n."},
		"backslash": {[]string{`text first\`, `second\`, "third"}, "first\nsecond\nthird"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, nil)
			s := b.ask(one(queue.ModeText, nil))
			b.types(c.lines...)
			require.True(t, b.get(s.ID).Pending())
			b.types("")
			require.Equal(t, c.want, b.get(s.ID).Outcome.Answer.Replies[0].Text)
			require.Equal(t, queue.StatusCustom, b.get(s.ID).Status())
		})
	}
}

func TestLinesSayThatOwnWordsStayUnsentBesideAnOption(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask(one(queue.ModeHybrid, func(q *queue.Question) { q.Max = 1 }))
	b.types("1")
	require.Contains(t, b.types("t CockroachDB"), "Send “CockroachDB” to")
	require.Contains(t, b.types("2"), "Your own words are kept but not sent: send either an option or your words.\nSend SQLite to")
	b.types("")
	r := b.get(s.ID).Outcome.Answer.Replies[0]
	require.Equal(t, []string{"lite"}, r.Selected)
	require.Empty(t, r.Text)
}

func TestOwnWordsAreRefusedWhereOnlyOptionsCount(t *testing.T) {
	b := newBench(t, nil)
	b.ask(database())
	require.Contains(t, b.types("t mine"), "Only the listed options are allowed; x cancels with a reason.")
}

func TestNotesCommentsAndTheRecommended(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask(database())
	require.Contains(t, b.types("n 2 one file only"), "Nothing is chosen yet")
	require.Contains(t, b.types("n lite"), "Which option is the note for?")
	b.types("r")
	require.Contains(t, b.types("a ship on Friday"), "Send PostgreSQL + note + comment to")
	b.types("")
	a := b.get(s.ID).Outcome.Answer
	require.Equal(t, "ship on Friday", a.Comment)
	require.Equal(t, "one file only", a.Replies[0].Notes["lite"])
}

func TestNotesThatAreOffInTheSettingsAreRefused(t *testing.T) {
	b := newBench(t, func(o *Options) { o.Settings.(*roomtest.Settings).S.AnnotationsEnabled = false })
	b.ask(database())
	require.NotContains(t, b.news(), "a note on option")
	require.Contains(t, b.types("n 1 x"), "Notes are off")
	require.Contains(t, b.types("a x"), "Comments are off")
}

func TestCancelAsksFirstAndEnterDoesIt(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask(database())
	b.news()
	require.Equal(t, "Cancel \"Which database?\" and tell claude, with the reason \"show me the cost\"? Enter cancels it, anything else keeps it.\n",
		b.types("x show me the cost"))
	b.types("no")
	b.types("")
	require.True(t, b.get(s.ID).Pending())
	b.types("x show me the cost")
	require.Equal(t, "Nothing was done.\n", b.types("n"))
	b.types("")
	require.True(t, b.get(s.ID).Pending())
	require.Contains(t, b.types("n"), "Which option is the note for?")
	text := b.types("x show me the cost", "")
	got := b.get(s.ID)
	require.Equal(t, queue.StatusCancelled, got.Status())
	require.Equal(t, "show me the cost", got.Outcome.Reason)
	require.Contains(t, text, "Cancelled \"Which database?\" and told shop · claude.")
}

func TestAConfirmationTakesOnlyTheWordYes(t *testing.T) {
	b := newBench(t, nil)
	a := database()
	a.Confirm, a.ConfirmMessage = true, "This cannot be undone.\nSent: not by us."
	a.Questions[0].SingleSubmit = true
	s := b.ask(a)
	b.news()
	b.handleLine(line{"1", b.Clock.T})
	text := b.news()
	require.Contains(t, text, "! Confirm "+s.ID+": Which database?\nYou chose: PostgreSQL.\nclaude says:\n| This cannot be undone.\n| Sent: not by us.\n")
	require.Contains(t, text, "Then nothing is confirmed.")
	b.handleLine(line{"yes", b.Clock.T.Add(100 * time.Millisecond)})
	b.settle()
	require.True(t, b.get(s.ID).Pending(), "just written")
	require.Contains(t, b.news(), "came too soon")
	b.wait(desk.Settle)
	require.Contains(t, b.types(""), "Enter does nothing here")
	require.Contains(t, b.types("y"), "\"y\" confirms nothing.\nNot confirmed yet: type the whole word yes")
	require.True(t, b.get(s.ID).Pending())
	require.Contains(t, b.types("yes"), "Sent: PostgreSQL")
	require.False(t, b.get(s.ID).Pending())
}

func TestACommandWithWordsAfterItIsNotThatCommand(t *testing.T) {
	b := newBench(t, nil)
	a := database()
	a.Confirm = true
	s := b.ask(a)
	b.types("1", "")
	require.Contains(t, b.types("yes but not the last one"), "\"yes but not the last one\" confirms nothing.")
	require.True(t, b.get(s.ID).Pending())
	require.Contains(t, b.types("yes"), "Sent: PostgreSQL")

	s = b.ask(approval(nil))
	require.Contains(t, b.types("allow only in staging"), "is not a command")
	require.Contains(t, b.types(""), "Nothing is chosen yet")

	s = b.ask(one(queue.ModeMulti, nil))
	require.Contains(t, b.types("next", "all tests pass"), "is not a command")
	require.NotContains(t, b.types("show"), "chosen")
	require.True(t, b.get(s.ID).Pending())
}

func TestNoAtAConfirmationGoesBackToTheOptions(t *testing.T) {
	b := newBench(t, nil)
	a := database()
	a.Confirm = true
	s := b.ask(a)
	require.Contains(t, b.types("1"), "Press Enter to continue to the confirmation")
	b.types("", "no", "yes")
	require.True(t, b.get(s.ID).Pending())
}

func TestSeveralQuestionsComeOneAfterTheOtherAndAreReviewed(t *testing.T) {
	b := newBench(t, nil)
	a := database()
	a.Questions = []queue.Question{question("q1", queue.ModeSingle), question("q2", queue.ModeText), question("q3", queue.ModeMulti)}
	a.Questions[0].Header, a.Questions[1].Header, a.Questions[2].Header = "Store", "Name", "Replicas"
	s := b.ask(a)
	require.Contains(t, b.news(), "1 of 3: Store\n")
	require.Contains(t, b.types("2"), "1 of 3, Store: SQLite. Press Enter to continue, or type something else to change it.")
	require.Contains(t, b.types(""), "2 of 3: Name\n")
	b.types("t orders", "")
	b.types("1 3")
	require.Contains(t, b.types(""), "Review; all questions are answered:\n  1: Store: SQLite\n  2: Name: “orders”\n  3: Replicas: PostgreSQL, DynamoDB\n"+
		"Send 3 answers to shop · claude? Press Enter to send them, or type a number to change that answer.\n")
	require.True(t, b.get(s.ID).Pending())
	require.Contains(t, b.types("1"), "1 of 3: Store\n")
	b.types("1", "")
	require.Contains(t, b.types(""), "Sent: Store: PostgreSQL; Name: “orders”; Replicas: PostgreSQL, DynamoDB to")
	require.Len(t, b.get(s.ID).Outcome.Answer.Replies, 3)
}

func TestAReviewSaysThatTheConfirmationComesBeforeAnythingIsSent(t *testing.T) {
	b := newBench(t, nil)
	a := database()
	a.Questions = []queue.Question{question("q1", queue.ModeSingle), question("q2", queue.ModeText)}
	a.Confirm = true
	s := b.ask(a)
	b.types("2", "", "t orders")
	require.Contains(t, b.types(""), "\n2 answers? Press Enter to continue to the confirmation, or type a number to change that answer.\n")
	require.Contains(t, b.types(""), "! Confirm "+s.ID)
	require.True(t, b.get(s.ID).Pending())
}

func TestHelpNamesEveryCommandOnce(t *testing.T) {
	b := newBench(t, nil)
	help := b.types("help")
	for _, c := range commands {
		if c.Word == "again" { // another name for show
			continue
		}
		require.Len(t, regexp.MustCompile(`(?m)^  (\S+ or )*`+c.Word+`( \S+)*: `).FindAllString(help, -1), 1,
			"%s has no help", c.Word)
	}
}

func TestTheClockIsMovedSaidAndHeldWhileTyping(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask(one(queue.ModeText, nil))
	b.news()
	require.Equal(t, "Time: 6 minutes left, until 14:08:00.\n", b.types("+"))
	require.Equal(t, noon.Add(6*time.Minute), b.get(s.ID).Deadline)
	b.wait(5*time.Minute + 30*time.Second)
	require.Contains(t, b.types("-"), "That needs more than a minute left.")
	b.types("t", "still writing")
	require.Greater(t, b.get(s.ID).Deadline.Sub(b.Clock.T), 50*time.Second)
}

func TestWhatEndsElsewhereIsSaidAndWhatWasTypedIsNotLost(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask(database())
	b.types("n 1 only the managed offering")
	b.elsewhere(s.ID, "lite")
	require.Contains(t, b.news(), "Closed: \"Which database?\" was answered in the browser: SQLite.\nWhat you wrote was not sent:\n| only the managed offering\nNothing is waiting.\n")
}

func TestLinesOfATextWhoseQuestionEndsGoNowhereElse(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask(one(queue.ModeHybrid, nil))
	next := b.ask(one(queue.ModeSingle, func(q *queue.Question) { q.SingleSubmit = true }))
	b.types("t", "first line")
	b.elsewhere(s.ID, "lite")
	b.wait(time.Minute / 2)
	b.types("1")
	require.True(t, b.get(next.ID).Pending(), "a line of the text, no answer")
	require.Contains(t, b.types("."), "This question is closed. What you wrote was not sent:\n| first line\n| 1\n")
	require.Equal(t, next.ID, b.view.Up())
}

func TestTheTimeIsWarnedOfOnceAndItsEndIsSaid(t *testing.T) {
	b := newBench(t, nil)
	a := database()
	a.TimeoutSeconds = 60
	b.ask(a)
	b.news()
	require.Equal(t, noon.Add(50*time.Second), b.next(noon.Add(time.Hour)))
	b.wait(49 * time.Second)
	b.wait(2 * time.Second)
	require.Equal(t, "! 9 seconds left for \"Which database?\". Then no answer is given. + gives it one more minute.\n", b.news())
	b.wait(8 * time.Second)
	b.wait(2 * time.Second)
	require.Equal(t, "Closed: \"Which database?\" timed out, no answer.\nNothing is waiting.\n", b.news())
	require.Equal(t, noon.Add(time.Hour), b.next(noon.Add(time.Hour)), "no timer of ours without anything pending")
	require.Equal(t, time.Hour, b.napFor(time.Hour))
}

func TestTheEndIsSaidSoonAfterASuspend(t *testing.T) {
	b := newBench(t, nil)
	a := database()
	a.TimeoutSeconds = 7200
	b.ask(a)
	b.news()
	require.Equal(t, desk.LookAgain, b.napFor(b.next(noon.Add(24*time.Hour)).Sub(b.Clock.T)), "the timer does not count meanwhile")
	require.Equal(t, time.Second, b.napFor(time.Second))
	b.Clock.Pass(3 * time.Hour)
	b.passTime()
	require.Contains(t, b.news(), "Closed:")
}

func TestAnAnswerThatIsNotSavedIsTriedAgain(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask(database())
	b.Disk.Err = errors.New("no space left on device")
	require.Contains(t, b.types("1", ""), "! your answer is not saved yet, trying again: the disk is full")
	require.Contains(t, b.types("2", ""), "It is being sent already.")
	b.wait(desk.RetryIn)
	require.Empty(t, b.news(), "said once")
	b.Disk.Err = nil
	b.wait(desk.RetryIn)
	require.Contains(t, b.news(), "Sent: PostgreSQL")
	require.False(t, b.get(s.ID).Pending())
}

func TestDraftsAreSavedAtOnceAndOfferedAgain(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask(database())
	b.types("2", "a because")
	kept, err := b.Disk.Drafts(t.Context(), s.ID)
	require.NoError(t, err)
	require.Len(t, kept, 1)
	require.Equal(t, "because", kept[0].Answer.Comment)

	again := newBench(t, func(o *Options) { o.Instance = "other" })
	again.o.Queue.Store = b.Disk
	again.Clock.T = b.Clock.T
	again.desk.Take(queue.Changes{Sessions: []queue.Session{s}, Drafts: kept}, nil)
	require.Contains(t, again.news(), "From your draft: SQLite + comment.\n")
	again.Clock.Pass(desk.Settle)
	require.Contains(t, again.types(""), "Send SQLite + comment")
}

func TestAReasonThatWasTypedElsewhereStaysInTheDraft(t *testing.T) {
	b := newBench(t, nil)
	s := b.put(database())
	require.NoError(t, b.Disk.SaveDraft(t.Context(), queue.Draft{Session: s.ID, Instance: "other", At: b.Clock.T, Reason: "not now",
		Answer: queue.StartAnswer(s.Ask)}))
	b.settle()
	b.wait(desk.Settle)
	b.types("2")
	kept, err := b.Disk.Drafts(t.Context(), s.ID)
	require.NoError(t, err)
	require.Equal(t, "not now", kept[0].Reason)
}

func TestHiddenOptionsKeepTheirNumbers(t *testing.T) {
	hide := func(o *Options) {
		hidden := config.HiddenOption{Client: "claude-code", ID: "lite", Label: "SQLite"}
		o.Settings.(*roomtest.Settings).S.HiddenOptions = []config.HiddenOption{hidden}
	}
	b := newBench(t, hide)
	b.ask(database())
	text := b.news()
	require.NotContains(t, text, "SQLite")
	require.Contains(t, text, "  3: DynamoDB\n  1 option hidden by your settings: type hidden to see all.\n")
	require.Contains(t, b.types("2"), "Option 2 is hidden")
	require.Contains(t, b.types("v"), "  2: SQLite\n")
	require.Contains(t, b.types("2"), "Send SQLite")
}

func TestKeysOfTheSettingsAreTheShortForms(t *testing.T) {
	b := newBench(t, func(o *Options) {
		o.Settings.(*roomtest.Settings).S.Keys = map[string][]string{"cancel": {"l"}, "note": {"ctrl+n"}}
	})
	s := b.ask(database())
	require.Contains(t, b.news(), `"note 1 NOTE" adds a note to option 1, "a COMMENT" a comment; "l" cancels,`)
	require.Contains(t, b.types("x"), "is not a command")
	require.Contains(t, b.types("CANCEL later"), "Cancel \"Which database?\"", "the word always works")
	b.types("l later", "")
	require.Equal(t, queue.StatusCancelled, b.get(s.ID).Status())
}

func TestAnotherQuestionIsReachedByItsIDAndByNext(t *testing.T) {
	b := newBench(t, nil)
	first := b.ask(database())
	late := database()
	late.Title, late.TimeoutSeconds = "Deploy?", 600
	second := b.ask(late)
	require.Contains(t, b.types(strings.ToUpper(second.ID)), "Question "+second.ID+": Deploy?")
	require.Contains(t, b.types("next"), "Question "+first.ID)
	require.Contains(t, b.types("J"), "Question "+second.ID)
	require.Contains(t, b.types("list"), second.ID+", current: \"Deploy?\" from")
	require.Contains(t, b.types("1"), `for "Deploy?"?`, "what was opened by the person needs no wait")
}

func TestNothingOfAnAgentIsActedOnOrPassesForOurs(t *testing.T) {
	b := newBench(t, nil)
	a := database()
	a.Title = "Run \x1b[2J?\nSent: nothing"
	a.Prompt = "safe\u202e txt\n  2: forged\x07"
	a.Questions[0].Options[1].Label = "no\nQuestion: forged"
	b.ask(a)
	text := b.news()
	require.NotRegexp(t, `[\x00-\x09\x0b-\x1f\x{202e}]`, text)
	require.Contains(t, text, "It has hidden characters")
	for l := range strings.Lines(text) {
		require.NotRegexp(t, `^(Sent:|  2: forged|Question: forged)`, l)
	}
}

func TestASCIITerminalsGetASCII(t *testing.T) {
	b := newBench(t, func(o *Options) { o.ASCII = true })
	a := database()
	a.Title = "Größe?"
	b.ask(a)
	text := b.types("1")
	require.NotRegexp(t, `[^\x00-\x7e]`, text)
	require.Contains(t, text, "Gr<U+00F6><U+00DF>e?")
	require.Contains(t, text, "to shop - claude?")
}

func TestArrowKeysInALineAreNotText(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask(one(queue.ModeText, nil))
	require.Contains(t, b.types("t abc\x1b[D"), "contains keys that are not text")
	require.Empty(t, b.view.Form().Here().Words())
	require.True(t, b.get(s.ID).Pending())
}

func TestQuitAsksOnceWhileSomethingWaits(t *testing.T) {
	b := newBench(t, nil)
	b.ask(database())
	require.Contains(t, b.types("q"), "Type q again to quit; 1 question stays in the queue.")
	b.types("list")
	require.Contains(t, b.types("q"), "Type q again to quit")
	b.types("q")
	require.True(t, b.over)
}

func TestTheBellRingsForSomebodyWhoHasNotTypedOncePerSecond(t *testing.T) {
	b := newBench(t, func(o *Options) { o.Rings = true })
	b.askNow(database())
	require.NotContains(t, b.news(), "\a", "the person has just started it")
	b.wait(11 * time.Second)
	b.askNow(database())
	b.askNow(database())
	require.Equal(t, 1, strings.Count(b.news(), "\a"))
}

func TestReceivedIsSaidOnceTheAgentHasTheAnswer(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask(database())
	b.types("1", "")
	claim := queue.Claim{Instance: "bridge", Conn: "1"}
	done, err := b.o.Queue.Do(t.Context(), s.ID, queue.Command{By: queue.ByCaller, Do: queue.Collect{Claim: claim}})
	require.NoError(t, err)
	require.NoError(t, b.Disk.Archive(t.Context(), done))
	b.settle()
	require.Contains(t, b.news(), "Delivered to shop · claude.\n")
}

func TestAHintStandsAboveThePromptBehindTheBarOfTheAgent(t *testing.T) {
	b := newBench(t, nil)
	a := database()
	a.Prompt += "\n[WIDEN-HINT] Ask the team — press w.\n"
	s := b.ask(a)
	require.Contains(t, b.news(), "(main).\n| Ask the team — press w.\n| The order service needs transactions.\n| So I ask.\nChoose one:")
	require.Equal(t, a.Prompt, b.get(s.ID).Ask.Prompt)

	a = queue.Ask{Kind: queue.KindChoice, Title: "Two", TimeoutSeconds: 300, OnTimeout: queue.OnTimeoutNone, Questions: []queue.Question{
		{ID: "a", Mode: queue.ModeText, Text: "[WIDEN-HINT] ask\nWhich name?"}, {ID: "b", Mode: queue.ModeText, Text: "And then?"}}}
	b = newBench(t, nil)
	b.ask(a)
	news := b.news()
	require.Contains(t, news, "| ask\n| Which name?\n")
	require.NotContains(t, news, "WIDEN-HINT")
}

func TestLinesHaveEachActionOrSayWhyNot(t *testing.T) {
	has := map[action.Name]bool{action.Choose: true, action.Enter: true, action.Back: true} // a line of numbers, an empty one
	for _, c := range commands {
		has[c.does] = true
	}
	for _, r := range action.Table {
		if r.Do != nil {
			assert.NotEqual(t, action.Lacks(action.Lines, r.Name), has[r.Name], "%s is there, or its row has a reason", r.Name)
		}
	}
}

// TestHandleLine_TakesNoLineThatTheTerminalCut types a line of which a terminal passes on only the beginning: in place of
// an answer, and as a line of a text.
func TestHandleLine_TakesNoLineThatTheTerminalCut(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask(database())
	b.news()
	require.Contains(t, b.types("2"), "Press Enter to send it")
	long := strings.Repeat("x", maxTyped)
	require.Contains(t, b.types("t "+long[2:]), "Not taken: only the first 4095 bytes of the line came")
	require.NotContains(t, b.types(""), "Sent", "what was asked before is taken back")
	require.True(t, b.get(s.ID).Pending())

	b = newBench(t, nil)
	s = b.ask(database())
	b.types("a", "first", long, "last", ".")
	require.Contains(t, b.types("2", ""), "Sent")
	require.Equal(t, "first\nlast", b.get(s.ID).Outcome.Answer.Comment)

	b = newBench(t, func(o *Options) { o.Typed = false })
	s = b.ask(database())
	require.NotContains(t, b.types("a "+long), "Not taken", "a script's line is whole")
}

func TestHandleLine_TakesWhatCanBeTyped(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask(database())
	b.types("a x\u202ey\ufeffz", "2", "")
	require.Equal(t, "xyz", b.get(s.ID).Outcome.Answer.Comment)
}

func TestReadLine_EndsNothingWithALineThatIsTooLong(t *testing.T) {
	lines := readLines(t.Context(), strings.NewReader("a\r\n"+strings.Repeat("x", maxLine+5)+"\nb"), newGate(), time.Now)
	require.Equal(t, "a", (<-lines).text)
	long := <-lines
	require.True(t, long.isCut(false))
	require.Len(t, long.text, maxLine)
	last := <-lines
	require.Equal(t, "b", last.text)
	require.False(t, last.isCut(true))
	_, more := <-lines
	require.False(t, more)
}
