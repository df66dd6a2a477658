package portal

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
)

func TestAQuestionIsAnsweredOverTheSocket(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.ask(one(queue.ModeSingle, nil))
	page := b.open("/choice/" + s.ID)
	page.shows("main", "Which database?")
	page.shows("main", "PostgreSQL")
	page.shows("foot", "Send")
	page.clicks("digit", 2)
	page.shows("foot", ">SQLite<")
	page.clicks("send", 0)
	over := b.settled(s.ID)
	require.Equal(t, []string{"lite"}, over.Outcome.Answer.Replies[0].Selected)
	require.Equal(t, queue.SurfaceWeb, over.Outcome.Surface)
	page.shows("main", "Answered: SQLite")
	page.shows("main", "in the browser")
}

func TestEveryModeIsAnsweredByClicksAndByKeys(t *testing.T) {
	t.Parallel()
	max1 := func(q *queue.Question) { q.Max = 1 }
	for name, c := range map[string]struct {
		ask  queue.Ask
		does func(*tab)
		want queue.Reply
	}{
		"single by click": {one(queue.ModeSingle, nil), func(c *tab) { c.clicks("digit", 3); c.clicks("send", 0) },
			queue.Reply{Selected: []string{"dynamo"}}},
		"single by key": {one(queue.ModeSingle, nil), func(c *tab) { c.presses("down", "enter") },
			queue.Reply{Selected: []string{"lite"}}},
		"single on its recommendation": {one(queue.ModeSingle, nil), func(c *tab) { c.presses("enter") },
			queue.Reply{Selected: []string{"pg"}}},
		"multi by click": {one(queue.ModeMulti, nil),
			func(c *tab) { c.clicks("digit", 3); c.clicks("digit", 1); c.clicks("send", 0) },
			queue.Reply{Selected: []string{"pg", "dynamo"}}},
		"multi by key": {one(queue.ModeMulti, nil), func(c *tab) { c.presses("space", "j", "space", "enter") },
			queue.Reply{Selected: []string{"pg", "lite"}}},
		"multi all": {one(queue.ModeMulti, nil), func(c *tab) { c.clicks("all", 0); c.presses("enter") },
			queue.Reply{Selected: []string{"pg", "lite", "dynamo"}}},
		"multi recommended": {one(queue.ModeMulti, nil), func(c *tab) { c.presses("r", "enter") },
			queue.Reply{Selected: []string{"pg"}}},
		"multi of none": {one(queue.ModeMulti, func(q *queue.Question) { q.Min = 0 }),
			func(c *tab) { c.presses("enter", "enter") }, queue.Reply{}},
		"defaults stay": {one(queue.ModeMulti, func(q *queue.Question) { q.Defaults = []string{"lite"} }),
			func(c *tab) { c.clicks("send", 0) }, queue.Reply{Selected: []string{"lite"}}},
		"text by mouse": {one(queue.ModeText, nil), func(c *tab) { c.types("own", "my words"); c.clicks("send", 0) },
			queue.Reply{Text: "my words"}},
		"text by key": {one(queue.ModeText, nil), func(c *tab) {
			c.presses("t")
			c.types("own", "my words")
			c.presses("enter", "enter")
		}, queue.Reply{Text: "my words"}},
		"hybrid of both": {one(queue.ModeHybrid, nil),
			func(c *tab) { c.clicks("digit", 2); c.types("own", "and this"); c.clicks("send", 0) },
			queue.Reply{Selected: []string{"lite"}, Text: "and this"}},
		"hybrid of one takes the words": {one(queue.ModeHybrid, max1),
			func(c *tab) { c.clicks("digit", 2); c.types("own", "instead"); c.clicks("send", 0) },
			queue.Reply{Text: "instead"}},
		"hybrid of one takes the option": {one(queue.ModeHybrid, max1),
			func(c *tab) {
				c.types("own", "instead")
				c.does(pageEvent{Do: "done", Field: "own"})
				c.clicks("digit", 2)
				c.clicks("send", 0)
			},
			queue.Reply{Selected: []string{"lite"}}},
		"one press submits": {one(queue.ModeSingle, func(q *queue.Question) { q.SingleSubmit = true }),
			func(c *tab) { c.presses("2") }, queue.Reply{Selected: []string{"lite"}}},
		"one click submits": {one(queue.ModeSingle, func(q *queue.Question) { q.SingleSubmit = true }),
			func(c *tab) { c.clicks("digit", 2) }, queue.Reply{Selected: []string{"lite"}}},
		"a note by key": {one(queue.ModeSingle, nil), func(c *tab) {
			c.presses("2", "n")
			c.types("note", "mind the size")
			c.presses("enter", "enter")
		}, queue.Reply{Selected: []string{"lite"}, Notes: map[string]string{"lite": "mind the size"}}},
		"a note by mouse": {one(queue.ModeMulti, nil), func(c *tab) {
			c.clicks("digit", 1)
			c.clicks("note", 2)
			c.does(pageEvent{Do: "text", Field: "note", N: 2, Value: "no"})
			c.clicks("send", 0)
		}, queue.Reply{Selected: []string{"pg"}, Notes: map[string]string{"lite": "no"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			s := b.ask(c.ask)
			page := b.open("/choice/" + s.ID)
			c.does(page)
			t.Cleanup(func() {
				if t.Failed() {
					t.Log(page.part("status"), page.part("foot"), page.part("main"))
				}
			})
			got := b.settled(s.ID).Outcome.Answer.Replies[0]
			c.want.Question = "q1"
			require.Equal(t, c.want, got)
		})
	}
}

func TestMinimumAndMaximumAreShownAndHeld(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.ask(one(queue.ModeMulti, func(q *queue.Question) { q.Min, q.Max = 2, 2 }))
	page := b.open("/choice/" + s.ID)
	page.shows("main", "Mark 2 of 3. 0 marked.")
	page.clicks("digit", 1)
	page.shows("foot", `aria-disabled="true"`)
	page.shows("foot", "mark 2 (1 marked)")
	page.clicks("send", 0)
	require.True(t, b.get(s.ID).Pending())
	page.clicks("digit", 2)
	page.clicks("digit", 3)
	page.shows("status", "2 of 2 are marked; unmark one first")
	page.shows("main", "2 marked.")
}

func TestAFormHasTabsAndAReviewAndIsSentFromThere(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	a := asking("Set up", question("q1", queue.ModeSingle), question("q2", queue.ModeMulti), question("q3", queue.ModeText))
	a.Questions[0].Header, a.Questions[1].Header, a.Questions[2].Header = "Database", "Checks", "Name"
	s := b.ask(a)
	page := b.open("/choice/" + s.ID)
	page.shows("main", `role="tablist"`)
	page.presses("2", "enter") // Database: SQLite, on to Checks
	page.shows("main", `id="t-2" data-do="tab" data-n="2" aria-selected="true"`)
	page.shows("main", `<p class="sub">1 of 3 answered</p>`)
	page.clicks("tab", 3)
	page.types("own", "orders")
	page.clicks("send", 0)
	page.shows("main", `id="t-2" data-do="tab" data-n="2" aria-selected="true"`) // the one that is still open
	page.clicks("digit", 1)
	page.clicks("send", 0)
	page.shows("main", "“orders”")
	page.shows("foot", "3 answers")
	page.clicks("change_one", 1)
	page.presses("3", "enter")
	page.types("comment", "go on")
	page.clicks("send", 0)
	got := b.settled(s.ID).Outcome.Answer
	require.Equal(t, []string{"dynamo"}, got.Replies[0].Selected)
	require.Equal(t, []string{"pg"}, got.Replies[1].Selected)
	require.Equal(t, "orders", got.Replies[2].Text)
	require.Equal(t, "go on", got.Comment)
}

func TestAllThatIsRecommendedIsTakenAtOnceAndTheReviewStartsOver(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.ask(asking("Set up", question("q1", queue.ModeSingle), question("q2", queue.ModeMulti)))
	page := b.open("/choice/" + s.ID)
	page.clicks("all_recommended", 0)
	page.shows("main", "data-do=\"start_over\"")
	page.clicks("start_over", 0)
	page.shows("foot", "Reset all")
	page.clicks("offer", 0)
	page.shows("main", `id="t-1" data-do="tab" data-n="1" aria-selected="true"`)
	require.True(t, b.get(s.ID).Pending())
}

func TestAConfirmationIsGivenByHandAndThenSent(t *testing.T) {
	t.Parallel()
	for name, does := range map[string]func(*tab){
		"keys":   func(c *tab) { c.presses("enter"); c.shows("main", "Please confirm"); c.presses("enter", "y") },
		"clicks": func(c *tab) { c.clicks("send", 0); c.clicks("send", 0); c.clicks("confirm", 0) },
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			a := one(queue.ModeSingle, nil)
			a.Confirm, a.ConfirmMessage = true, "It deletes 14 GB."
			s := b.ask(a)
			page := b.open("/choice/" + s.ID)
			does(page)
			require.Equal(t, queue.StatusSelected, b.settled(s.ID).Outcome.Status)
		})
	}
	b := newBench(t)
	a := one(queue.ModeSingle, nil)
	a.Confirm, a.ConfirmMessage = true, "It deletes 14 GB."
	s := b.ask(a)
	page := b.open("/choice/" + s.ID)
	page.presses("enter")
	page.shows("main", "It deletes 14 GB.")
	page.shows("main", "~/src/shop (main)")
	page.presses("enter")
	page.shows("foot", "Press y to confirm")
	page.presses("n")
	page.shows("main", `role="radiogroup"`)
	require.True(t, b.get(s.ID).Pending())
}

func TestCancelIsInSightOnEveryStepAndTakesAReason(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	a := asking("Set up", question("q1", queue.ModeHybrid), question("q2", queue.ModeMulti))
	a.Confirm = true
	s := b.ask(a)
	page := b.open("/choice/" + s.ID)
	cancel := `data-do="cancel"`
	page.shows("foot", cancel)
	page.types("own", "while typing")
	require.Contains(t, page.part("foot"), cancel)
	page.does(pageEvent{Do: "done", Field: "own"})
	page.clicks("all_recommended", 0)
	page.shows("main", "start_over")
	require.Contains(t, page.part("foot"), cancel)
	page.presses("enter")
	page.shows("main", "Please confirm")
	require.Contains(t, page.part("foot"), cancel)
	page.clicks("cancel", 0)
	page.shows("foot", `id="f-reason"`)
	page.presses("down", "down")
	page.until(func(m message) bool { return strings.HasPrefix(m.Values["f-reason"], "none of these") })
	page.types("reason", "not today")
	page.presses("enter")
	over := b.settled(s.ID)
	require.Equal(t, queue.StatusCancelled, over.Outcome.Status)
	require.Equal(t, "not today", over.Outcome.Reason)
	page.shows("main", "Cancelled: “not today”")
}

func TestAReasonThatMayBeTypingForAnotherWindowIsAskedAboutOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.ask(one(queue.ModeSingle, nil))
	page := b.open("/choice/" + s.ID)
	page.calm()
	b.wait(time.Second)
	goOn := b.stand()
	page.does(pageEvent{Do: "key", Key: "x"})
	page.does(pageEvent{Do: "text", Field: "reason", Value: "ample"}) // within the same moment
	page.calm()
	page.presses("enter")
	page.shows("foot", "Was this meant for claude? Enter cancels with it")
	goOn()
	require.True(t, b.get(s.ID).Pending())
	page.presses("esc")
	page.shows("foot", ">PostgreSQL<")
	require.Empty(t, b.get(s.ID).Outcome)
	page.presses("x")
	page.types("reason", "meant so")
	page.presses("enter")
	require.Equal(t, "meant so", b.settled(s.ID).Outcome.Reason)
}

func TestMoreDetailEndsTheQuestionWithWhatIsWanted(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.ask(one(queue.ModeSingle, nil))
	page := b.open("/choice/" + s.ID)
	page.presses("m")
	b.wait(time.Second)
	page.clicks("reason", 2)
	page.until(func(m message) bool { return m.Values["f-detail"] == "how each of them can be undone" })
	page.clicks("enter", 0)
	over := b.settled(s.ID)
	require.Equal(t, queue.ReasonMoreDetail, over.Outcome.ReasonCode)
	require.Equal(t, "how each of them can be undone", over.Outcome.Reason)
}

func TestAQuestionIsSetAsideOnceItWasAskedAbout(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.ask(one(queue.ModeSingle, nil))
	page := b.open("/choice/" + s.ID)
	page.presses("L")
	page.shows("foot", "set it aside until")
	page.presses("esc")
	page.shows("foot", ">PostgreSQL<")
	require.Nil(t, b.get(s.ID).LaterUntil)
	page.clicks("later", 0)
	page.clicks("offer", 0)
	require.Eventually(t, func() bool { return b.get(s.ID).LaterUntil != nil }, 3*time.Second, 5*time.Millisecond)
	page.shows("main", "later ")
	page.presses("L")
	require.Eventually(t, func() bool { return b.get(s.ID).LaterUntil == nil }, patience, 5*time.Millisecond)
	page.shows("foot", ">PostgreSQL<")
	require.True(t, b.get(s.ID).Pending())
}

func TestThePageGoesToTheNextQuestionOnceOneIsSetAside(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s, next := b.ask(one(queue.ModeSingle, nil)), b.ask(one(queue.ModeMulti, nil))
	page := b.open("/choice/" + s.ID)
	page.presses("L", "enter")
	page.until(func(m message) bool { return m.Path == "/choice/"+next.ID })
	page.presses("1", "enter")
	require.True(t, b.settled(next.ID).Outcome.Answered())
	require.True(t, b.get(s.ID).Pending())
	page = b.open("/choice/" + s.ID)
	page.clicks("later", 0)
	require.Eventually(t, func() bool { return b.get(s.ID).LaterUntil == nil }, patience, 5*time.Millisecond)
}

func TestPaused_TheOnlyQuestionIsAndEnterBringsItBack(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.ask(one(queue.ModeSingle, nil))
	page := b.open("/choice/" + s.ID)
	page.presses("L", "enter")
	page.shows("foot", "later, back at")
	page.presses("2", "t", "m")
	require.NotContains(t, page.part("main"), `id="o-2" role="radio" aria-checked="true"`)
	require.NotContains(t, page.part("foot"), `id="f-`)
	page.presses("enter")
	page.shows("foot", "m was ignored")
	require.Eventually(t, func() bool { return b.get(s.ID).LaterUntil == nil }, patience, 5*time.Millisecond)
	require.True(t, b.get(s.ID).Pending())
}

func TestAnAnswerThatIsHeldBackIsTakenBackOrSentAtOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	require.NoError(t, b.settings.Update(func(c *config.Settings) { c.UndoSeconds = 60 }))
	b.owned(func() { b.d.SetSettings(b.settings.Settings()) })
	s := b.ask(one(queue.ModeSingle, nil))
	page := b.open("/choice/" + s.ID)
	page.presses("2", "enter")
	page.shows("foot", "sends SQLite in")
	require.True(t, b.get(s.ID).Pending())
	page.presses("u")
	page.shows("status", "Taken back; nothing was sent")
	page.shows("foot", ">SQLite<")
	page.presses("enter")
	page.shows("foot", "sends SQLite in")
	page.clicks("cancel", 0)
	page.shows("foot", `id="f-reason"`)
	page.presses("esc", "enter")
	page.shows("foot", "sends SQLite in")
	page.clicks("send", 0)
	require.Equal(t, []string{"lite"}, b.settled(s.ID).Outcome.Answer.Replies[0].Selected)
}

func TestAnOptionIsHiddenFromNowOnAndBroughtBack(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.ask(one(queue.ModeMulti, nil))
	page := b.open("/choice/" + s.ID)
	page.presses("j", "V")
	page.shows("foot", "hide “SQLite”")
	page.presses("enter")
	page.until(func(m message) bool { return !strings.Contains(m.Parts["main"], "One file") })
	require.Eventually(t, func() bool { return len(b.settings.Settings().HiddenOptions) == 1 }, 3*time.Second,
		5*time.Millisecond)
	page.shows("main", "Show what is hidden (1)")
	page.presses("v")
	page.shows("main", "One file")
	page.presses("v")
	page.until(func(m message) bool { return !strings.Contains(m.Parts["main"], "One file") })
	page.presses("u")
	page.shows("main", "One file")
	require.Eventually(t, func() bool { return len(b.settings.Settings().HiddenOptions) == 0 }, 3*time.Second,
		5*time.Millisecond)
}

func TestManyOptionsAreFiltered(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.ask(one(queue.ModeMulti, func(q *queue.Question) {
		for _, id := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
			q.Options = append(q.Options, queue.Option{ID: id, Label: "More " + id})
		}
		q.Max = len(q.Options)
	}))
	page := b.open("/choice/" + s.ID)
	page.shows("main", `id="f-find"`)
	page.types("find", "sql")
	page.until(func(m message) bool { return !strings.Contains(m.Parts["main"], "More a") })
	require.Contains(t, page.part("main"), "SQLite")
	page.presses("esc")
	page.shows("main", "More a")
}

func TestKeysWaitOnAQuestionThatHasJustComeUp(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.ask(one(queue.ModeSingle, nil))
	page := b.open("/choice/" + s.ID)
	page.does(pageEvent{Do: "key", Key: "enter"})
	page.shows("foot", "Not yet: press Enter again")
	page.does(pageEvent{Do: "send"})
	page.calm()
	require.True(t, b.get(s.ID).Pending())
	b.wait(time.Second)
	page.does(pageEvent{Do: "key", Key: "b"}) // means nothing here
	page.does(pageEvent{Do: "key", Key: "enter"})
	page.shows("status", "(typed too fast), press it again")
	require.True(t, b.get(s.ID).Pending())
}

func TestTimeIsGivenAndTakenAndALetterOfASentenceMovesNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.ask(one(queue.ModeSingle, nil))
	page := b.open("/choice/" + s.ID)
	page.clicks("more_time", 0)
	require.Eventually(t, func() bool { return b.get(s.ID).Deadline.Equal(s.Deadline.Add(time.Minute)) },
		3*time.Second, 5*time.Millisecond)
	page.clicks("less_time", 0)
	require.Eventually(t, func() bool { return b.get(s.ID).Deadline.Equal(s.Deadline) }, 3*time.Second, 5*time.Millisecond)
	page.does(pageEvent{Do: "key", Key: "+"})
	page.does(pageEvent{Do: "key", Key: "z"})
	time.Sleep(400 * time.Millisecond)
	assert.Equal(t, s.Deadline, b.get(s.ID).Deadline)
	page.does(pageEvent{Do: "key", Key: "+"})
	page.does(pageEvent{Do: "key", Key: "+"})
	require.Eventually(t, func() bool { return b.get(s.ID).Deadline.Equal(s.Deadline.Add(2 * time.Minute)) },
		3*time.Second, 5*time.Millisecond)
}

func TestAButtonThatDoesNothingYetSaysWhatItWillDo(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	several := asking("Two questions", question("q1", queue.ModeMulti), question("q2", queue.ModeMulti))
	confirmed := one(queue.ModeMulti, nil)
	confirmed.Confirm = true
	for _, c := range []struct {
		ask    queue.Ask
		button string
	}{{one(queue.ModeMulti, nil), "Send"}, {several, "Next"}, {confirmed, "Next"}} {
		s := b.ask(c.ask)
		page := b.open("/choice/" + s.ID)
		page.shows("foot", `id="send" data-do="send" aria-describedby="what" aria-disabled="true">`+c.button+" <kbd>")
		page.presses("1") // a mark
		page.shows("foot", `id="send" data-do="send" aria-describedby="what">`+c.button+" <kbd>")
	}
}
