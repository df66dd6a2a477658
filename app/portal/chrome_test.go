package portal

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
)

func TestInABrowserEachModeIsAnsweredByMouseAndByKeyboard(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	w := newBrowser(t, b)
	text := func(s string) func(*chrome) {
		return func(w *chrome) {
			w.rest()
			w.types(s)
		}
	}
	click := func(selector string) func(*chrome) { return func(w *chrome) { w.click(selector) } }
	press := func(keys ...string) func(*chrome) { return func(w *chrome) { w.press(keys...) } }
	for _, c := range []struct {
		name  string
		ask   queue.Ask
		steps []func(*chrome)
		want  queue.Reply
	}{
		{"single by mouse", one(queue.ModeSingle, nil), []func(*chrome){click("#o-2"), click("#send")},
			queue.Reply{Selected: []string{"lite"}}},
		{"single by keyboard", one(queue.ModeSingle, nil), []func(*chrome){press(kb.ArrowDown, "j", kb.Enter)},
			queue.Reply{Selected: []string{"dynamo"}}},
		{"multi by mouse", one(queue.ModeMulti, nil), []func(*chrome){click("#o-3"), click("#o-1"), click("#send")},
			queue.Reply{Selected: []string{"pg", "dynamo"}}},
		{"multi by keyboard", one(queue.ModeMulti, nil), []func(*chrome){press(" ", kb.ArrowDown, " ", "3", kb.Enter)},
			queue.Reply{Selected: []string{"pg", "lite", "dynamo"}}},
		{"text by mouse", one(queue.ModeText, nil), []func(*chrome){click("#f-own"), text("by mouse"), click("#send")},
			queue.Reply{Text: "by mouse"}},
		{"text by keyboard", one(queue.ModeText, nil), []func(*chrome){press(kb.Enter), text("two"),
			func(w *chrome) { w.key(kb.Enter, 8) }, text("lines"),
			press(kb.Enter, kb.Enter)}, queue.Reply{Text: "two\nlines"}},
		{"text without a pause", one(queue.ModeText, nil), []func(*chrome){text("hello sax"), press(kb.Enter, kb.Enter, kb.Enter)},
			queue.Reply{Text: "hello sax"}},
		{"hybrid by mouse", one(queue.ModeHybrid, nil), []func(*chrome){click("#o-2"), click("#f-own"), text("and so"),
			click("#send")}, queue.Reply{Selected: []string{"lite"}, Text: "and so"}},
		{"hybrid by keyboard", one(queue.ModeHybrid, func(q *queue.Question) { q.Max = 1 }),
			[]func(*chrome){press("2", "t"), text("instead"), press(kb.Enter, kb.Enter)}, queue.Reply{Text: "instead"}},
		{"a note by mouse", one(queue.ModeSingle, nil), []func(*chrome){click("#o-2"), click(`[data-do="note"]`),
			text("small"), click("#send")},
			queue.Reply{Selected: []string{"lite"}, Notes: map[string]string{"lite": "small"}}},
		{"a note by keyboard", one(queue.ModeSingle, nil), []func(*chrome){press("n"), text("big"), press(kb.Enter, kb.Enter)},
			queue.Reply{Selected: []string{"pg"}, Notes: map[string]string{"pg": "big"}}},
	} {
		s := b.ask(c.ask)
		w.to("/choice/" + s.ID)
		for _, step := range c.steps {
			step(w)
		}
		t.Log(c.name)
		w.shows("Answered: ")
		c.want.Question = "q1"
		require.Equal(t, c.want, b.settled(s.ID).Outcome.Answer.Replies[0], c.name)
	}
	require.Empty(t, w.complaints(), "the page keeps to its own policy")
}

func TestInABrowserAFormIsGoneThroughAndConfirmed(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	w := newBrowser(t, b)
	a := asking("Set up", question("q1", queue.ModeSingle), question("q2", queue.ModeMulti))
	a.Confirm, a.ConfirmMessage = true, "It writes to disk."
	for name, steps := range map[string]func(){
		"mouse": func() {
			w.click("#o-2")
			w.click("#send")
			w.click("#o-1")
			w.click("#send")
			w.shows("Review")
			w.click("#a-1 button")
			w.click("#t-3")
			w.click("#send")
			w.shows("It writes to disk.")
			w.click("#confirm")
		},
		"keyboard": func() { w.press("2", kb.Enter, " ", kb.Enter, kb.Enter, "y") },
	} {
		s := b.ask(a)
		w.to("/choice/" + s.ID)
		steps()
		w.shows("Answered: ")
		got := b.settled(s.ID).Outcome.Answer
		require.Equal(t, []string{"lite"}, got.Replies[0].Selected, name)
		require.Equal(t, []string{"pg"}, got.Replies[1].Selected, name)
	}
}

func TestInABrowserAQuestionIsCancelledWithAReason(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	w := newBrowser(t, b)
	s := b.ask(one(queue.ModeText, nil))
	w.to("/choice/" + s.ID)
	w.click("#f-own")
	w.types("half")
	w.click(`[data-do="cancel"]`)
	require.Eventually(t, func() bool { return js[string](w, "document.activeElement.id") == "f-reason" }, patience,
		10*time.Millisecond)
	w.types("not now")
	w.press(kb.Escape)
	w.shows("Cancel…")
	w.press("x", kb.ArrowDown)
	require.Eventually(t, func() bool {
		return js[string](w, `document.getElementById("f-reason").value`) == "not now, do something else first"
	}, patience, 10*time.Millisecond)
	w.click(`.main.bad`)
	require.Equal(t, "not now, do something else first", b.settled(s.ID).Outcome.Reason)
}

// sets changes a setting as the person does, with one message to the page.
func (w *chrome) sets(key, value string) {
	w.t.Helper()
	js[bool](w, fmt.Sprintf(`(() => { const el = document.getElementById("s-%s"); el.value = "%s";
		return el.dispatchEvent(new Event("change", {bubbles: true})); })()`, key, value))
}

func TestInABrowserTheCountdownKeepsInStepWithTheDesk(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	w := newBrowser(t, b)
	s := b.ask(one(queue.ModeSingle, nil))
	w.to("/choice/" + s.ID)
	inStep := func() {
		t.Helper()
		due := time.Now().Add(patience)
		for {
			var m, secs int
			_, err := fmt.Sscanf(js[string](w, `document.querySelector("time").textContent`), "%d:%d", &m, &secs)
			shown := time.Duration(m*60+secs) * time.Second
			off := b.get(s.ID).Deadline.Sub(b.q.Now()) - shown
			if err == nil && off.Abs() < 2*time.Second { // the seconds are rounded, and up to one second old
				return
			}
			require.True(t, time.Now().Before(due), "shown %s, off by %s", shown, off)
			time.Sleep(20 * time.Millisecond)
		}
	}
	inStep()
	w.click(`[data-do="more_time"]`)
	inStep()
	b.elsewhere(s.ID, queue.Move{By: 2 * time.Minute})
	inStep()
	w.press("s")
	w.sets("timeout_seconds", "90")
	require.Eventually(t, func() bool { return b.get(s.ID).Deadline.Sub(b.q.Now()) < 91*time.Second }, patience,
		10*time.Millisecond)
	inStep()
	w.sets("timeout_action", "defaults")
	require.Eventually(t, func() bool { return b.settings.Settings().TimeoutAction == "defaults" }, patience,
		10*time.Millisecond)
	require.NoError(t, b.settings.Update(func(c *config.Settings) { c.TimeoutAction = "none" }))
	b.owned(func() { b.d.SetSettings(b.settings.Settings()) })
	require.Eventually(t, func() bool { return js[string](w, `document.getElementById("s-timeout_action").value`) == "none" },
		patience, 10*time.Millisecond, "the panel follows the file")
}

func TestInABrowserAClosedTabIsEnteredAgainFromTheList(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.ask(one(queue.ModeText, nil))
	w := newBrowser(t, b)
	w.to("/choice/" + s.ID)
	w.click("#f-own")
	w.types("half a sentence")
	time.Sleep(200 * time.Millisecond)
	require.NoError(t, chromedp.Cancel(w.ctx))
	w = newBrowser(t, b)
	w.to("/")
	w.shows("Which database?")
	w.click("#r-" + s.ID)
	w.shows("Drafted in the browser.")
	require.Equal(t, "half a sentence", js[string](w, `document.getElementById("f-own").value`))
	require.Equal(t, "/choice/"+s.ID, js[string](w, "location.pathname"))
	w.do(chromedp.NavigateBack())
	w.shows("Waiting for you")
}

func TestInABrowserAServerThatStartsAgainFindsThePageAsItWas(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.ask(one(queue.ModeText, nil))
	w := newBrowser(t, b)
	w.to("/choice/" + s.ID)
	w.click("#f-own")
	w.types("before ")
	addr := b.server.Listener.Addr().String()
	b.stop()
	w.shows("Connection lost. Trying again…")
	w.key("and after", 0)
	b.serve(addr)
	w.gone("Connection lost")
	require.Equal(t, "before and after", js[string](w, `document.getElementById("f-own").value`))
	w.click("#send")
	require.Equal(t, "before and after", b.settled(s.ID).Outcome.Answer.Replies[0].Text)
}

func TestInABrowserAPersonWhoLooksElsewhereIsNotified(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.ask(one(queue.ModeSingle, nil))
	w := newBrowser(t, b)
	w.to("/choice/" + s.ID)
	const fake = `window.told = []; window.asked = 0;
		window.Notification = class { constructor(title, o) { told.push(title + "|" + o.body + "|" + o.tag); }
			static permission = "default";
			static requestPermission() { asked++; this.permission = "granted"; return Promise.resolve("granted"); } };
		document.hasFocus = () => window.focused; window.focused = false; true`
	js[bool](w, fake)
	b.wait(292 * time.Second)
	w.shows("0:0")
	time.Sleep(1200 * time.Millisecond)
	require.Zero(t, js[int](w, "asked"), "nothing is asked for by itself")
	require.Zero(t, js[int](w, "told.length"))
	b.elsewhere(s.ID, queue.Move{By: time.Minute}) // first: on a busy machine its time would run out meanwhile
	w.click("#ask")
	require.Equal(t, 1, js[int](w, "asked"))
	w.settles(time.Time{})
	b.ahead.Add(int64(b.get(s.ID).Deadline.Sub(b.q.Now()) - 8*time.Second))
	require.Eventually(t, func() bool { return js[int](w, "told.length") == 1 }, patience, 20*time.Millisecond)
	assert.Contains(t, js[string](w, "told[0]"), "Which database?")
	assert.True(t, strings.HasSuffix(js[string](w, "told[0]"), s.ID))
	js[bool](w, "focused = true")
	b.wait(10 * time.Second)
	b.owned(b.d.Tick)
	w.shows("Timed out: no answer")
	require.Equal(t, 1, js[int](w, "told.length"), "who looks sees it")
}

func TestInABrowserWhatIsAnsweredElsewhereIsClosedAndSaid(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.ask(one(queue.ModeHybrid, nil))
	w := newBrowser(t, b)
	w.to("/choice/" + s.ID)
	w.click("#f-own")
	w.types("my own")
	b.elsewhere(s.ID, queue.Settle{Answer: queue.Answer{Replies: []queue.Reply{{Question: "q1", Selected: []string{"lite"}}}}})
	w.shows("Answered: SQLite")
	w.shows("in the dashboard")
	w.shows("Your text was not sent. It is saved.")
	w.shows("my own")
	require.False(t, js[bool](w, `!!document.getElementById("send")`))
}

func TestInABrowserTwoPagesAndADashboardRace(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	one, two := newBrowser(t, b), newBrowser(t, b)
	for range 3 {
		s := b.ask(asking("Which database?", question("q1", queue.ModeSingle)))
		one.to("/choice/" + s.ID)
		two.to("/choice/" + s.ID)
		var all sync.WaitGroup
		all.Go(func() { js[bool](one, `document.getElementById("send")?.click(), true`) })
		all.Go(func() { js[bool](two, `document.getElementById("send")?.click(), true`) })
		all.Go(func() {
			_, _ = b.q.Do(t.Context(), s.ID, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceDashboard,
				Do: queue.Settle{Answer: queue.Answer{Replies: []queue.Reply{{Question: "q1", Selected: []string{"lite"}}}}}})
		})
		all.Wait()
		over := b.settled(s.ID)
		one.shows("Answered: " + over.Summary())
		two.shows("Answered: " + over.Summary())
	}
}

func TestInABrowserHostileTextIsInert(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	evil := `<img src=x onerror="window.hit=1"></p></textarea><script>window.hit=1</script>` +
		`<a href="javascript:hit=1">x</a><style>*{display:none}</style>` + "\u202e\u200b\x1b[31m"
	a := one(queue.ModeHybrid, func(q *queue.Question) {
		q.Options[0].Label, q.Options[0].Description, q.Options[0].Note, q.Placeholder = evil, evil, evil, evil
	})
	a.Title, a.Prompt, a.Comment = evil[:120], evil+"\n\n```\n"+evil+"\n```\n\n[a](javascript:hit=1) "+evil, evil
	s := b.ask(a)
	w := newBrowser(t, b)
	w.to("/")
	w.click("#r-" + s.ID)
	w.shows("<U+202E>")
	w.shows(`<img src=x onerror="window.hit=1">`)
	require.False(t, js[bool](w, "!!window.hit"))
	require.Zero(t, js[int](w, `document.querySelectorAll("main img, main script, main style, main a").length`))
	require.Empty(t, w.complaints())
}

func TestInABrowserWhatWasTypedToNobodyIsShownWhenItsQuestionIsOver(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s, next := b.ask(one(queue.ModeText, nil)), b.ask(asking("Another?", question("q1", queue.ModeText)))
	w := newBrowser(t, b)
	w.to("/choice/" + s.ID)
	w.click("#f-own")
	addr := b.server.Listener.Addr().String()
	b.stop()
	w.shows("Connection lost. Trying again…")
	w.key("to nobody", 0)
	b.elsewhere(s.ID, queue.Cancel{Reason: "no"})
	b.serve(addr)
	w.shows("Cancelled: “no”")
	w.shows("This was typed while there was no connection")
	w.shows("to nobody")
	w.click(`[data-path="/choice/` + next.ID + `"]`)
	w.shows("Another?")
	require.Empty(t, js[string](w, `document.getElementById("f-own").value`), "it is no answer to the next question")
	w.gone("to nobody")
}

func TestInABrowserWithoutAWebSocketThePageSaysSo(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.ask(one(queue.ModeSingle, nil))
	b.refuses.Store(true)
	w := newBrowser(t, b)
	w.do(chromedp.Navigate(w.server.URL + "/choice/" + s.ID))
	w.shows("This page needs a WebSocket")
	b.refuses.Store(false)
	w.shows("Which database?")
	w.gone("This page needs a WebSocket")
}

func TestInABrowserAFastTextIsBroughtBack(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	w := newBrowser(t, b)
	s := b.ask(one(queue.ModeSingle, nil))
	w.to("/choice/" + s.ID)
	w.rest()
	w.types("nonly small")
	w.press(kb.Escape, "n")
	require.Equal(t, "only small", js[string](w, `document.activeElement.value`))
	w.types(" ones")
	w.press(kb.Enter, kb.Enter, kb.Enter)
	w.shows("Answered: ")
	require.Equal(t, map[string]string{"pg": "only small ones"}, b.settled(s.ID).Outcome.Answer.Replies[0].Notes)
}
