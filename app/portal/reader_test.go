package portal

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
)

// news waits until a screen reader is told a text.
func (w *chrome) news(text string) {
	w.t.Helper()
	told := func() string { return js[string](w, `document.getElementById("news").textContent`) }
	require.Eventually(w.t, func() bool { return told() == text }, patience, 10*time.Millisecond, "not told: %s", text)
}

// focused waits until an element has the focus.
func (w *chrome) focused(id string) {
	w.t.Helper()
	has := func() string { return js[string](w, "document.activeElement.id || document.activeElement.nodeName") }
	require.Eventually(w.t, func() bool { return has() == id }, patience, 10*time.Millisecond, "%s has no focus", id)
}

func TestAScreenReaderIsToldWhatHasComeAndWhereItIs(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	w := newBrowser(t, b)
	first := b.ask(one(queue.ModeSingle, nil))
	w.to("/")
	require.Empty(t, js[string](w, `document.getElementById("news").textContent`), "what is there is read as a whole")
	second := b.ask(one(queue.ModeMulti, nil))
	who := b.d.Name(second.Origin)
	w.news(who + " asks: Which database?")
	require.Equal(t, "polite", js[string](w, `document.getElementById("news").getAttribute("aria-live")`))

	w.click("#r-" + first.ID)
	w.focused("title")
	require.Equal(t, "/choice/"+first.ID, js[string](w, "location.pathname"))
	w.press(kb.Enter) // answers it, and the next one comes by itself
	require.Eventually(t, func() bool { return js[string](w, "location.pathname") == "/choice/"+second.ID },
		patience, 10*time.Millisecond)
	w.focused("title")
	w.press(kb.ArrowDown)
	w.focused("o-2")
	b.ask(one(queue.ModeText, nil))
	w.news(who + " asks: Which database?")
	w.focused("o-2") // what comes moves no focus
}

func TestAScreenReaderIsToldHowTheLastQuestionEnded(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	w := newBrowser(t, b)
	s := b.ask(one(queue.ModeSingle, nil))
	w.to("/choice/" + s.ID)
	w.press(kb.ArrowDown)
	w.focused("o-2")
	w.press(kb.Enter)
	w.news("Which database?: Answered: SQLite")
	w.focused("title")
}

func TestAnEnterOfAnInputMethodIsNoKey(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	w := newBrowser(t, b)
	s := b.ask(one(queue.ModeText, nil))
	w.to("/choice/" + s.ID)
	w.click("#f-own")
	w.types("だめ")
	w.wait(time.Second)
	for range 3 { // as Safari reports the Enter that picks a word
		w.send(&input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeRawKeyDown, Key: "Enter", Code: "Enter",
			WindowsVirtualKeyCode: 229, NativeVirtualKeyCode: 229})
	}
	w.wait(time.Second)
	w.focused("f-own")
	live, ok := b.d.Session(s.ID)
	require.True(t, ok)
	require.True(t, live.Pending())
	require.Equal(t, "だめ", js[string](w, `document.getElementById("f-own").value`))
}

// faults returns what axe-core finds on the page: each rule with the elements that break it.
func (w *chrome) faults() string {
	w.t.Helper()
	script, err := os.ReadFile(filepath.Join("..", "..", "testdata", "page", "axe-4.11.0.min.js"))
	require.NoError(w.t, err)
	js[bool](w, string(script)+"\ntrue")
	return js[string](w, `axe.run(document, {resultTypes: ["violations"]}).then((found) => found.violations.map((v) =>
		v.id + ": " + v.nodes.map((n) => n.html.slice(0, 120)).join(" | ")).join("\n"))`, chromedp.EvalAwaitPromise)
}

// tooWide returns the elements because of which the page scrolls sideways.
func (w *chrome) tooWide() string {
	w.t.Helper()
	return js[string](w, `document.documentElement.scrollWidth <= innerWidth ? "" : [...document.querySelectorAll("body *")].
		filter((el) => el.getBoundingClientRect().right > innerWidth + 1).map((el) => el.outerHTML.slice(0, 90)).join("\n")`)
}

// untitled returns a form whose tabs say what its title would.
func untitled() queue.Ask {
	a := nine()
	a.Title, a.Prompt = "", ""
	for i := range a.Questions {
		a.Questions[i].Text = "Which way for part " + a.Questions[i].Header + "?"
	}
	a.Title = a.Questions[0].Text
	return a
}

func TestEachPageIsFitForAScreenReaderAndForANarrowWindow(t *testing.T) {
	t.Parallel()
	long := one(queue.ModeMulti, nil)
	long.Prompt = strings.Repeat("averylongwordwithoutanyblankinit", 5) + "\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```go\n" +
		strings.Repeat("call(argument, ", 20) + "\n```"
	sure := one(queue.ModeSingle, nil)
	sure.Confirm, sure.ConfirmMessage = true, "It writes to disk."
	press := func(keys ...string) func(*chrome) { return func(w *chrome) { w.press(keys...) } }
	pages := []struct {
		name string
		ask  queue.Ask
		then func(*chrome)
	}{
		{"single", one(queue.ModeSingle, nil), nil}, {"long", long, nil}, {"text", one(queue.ModeText, nil), nil},
		{"note", one(queue.ModeSingle, nil), press("n")}, {"cancel", one(queue.ModeSingle, nil), press("x")},
		{"confirmation", sure, press(kb.Enter)}, {"form", nine(), nil}, {"form without a title", untitled(), nil}, {"approval", roomtest.ApproveDiff(), nil},
		{"refusal", roomtest.ApproveDiff(), press("n")}, {"help", one(queue.ModeSingle, nil), press("?")},
		{"settings", one(queue.ModeSingle, nil), press("s")}, {"answered", one(queue.ModeSingle, nil), press(kb.Enter)},
	}
	for _, width := range []int64{1280, 320} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			w := newBrowser(t, b)
			w.do(chromedp.EmulateViewport(width, 700))
			for _, page := range pages {
				s := b.ask(page.ask)
				w.to("/choice/" + s.ID)
				if page.then != nil {
					page.then(w)
				}
				w.rest()
				require.Empty(t, w.faults(), "%s at %d", page.name, width)
				require.Empty(t, w.tooWide(), "%s at %d", page.name, width)
				small := js[string](w, `[...document.querySelectorAll("input, textarea, select")].filter((el) =>
					parseFloat(getComputedStyle(el).fontSize) < 16).map((el) => el.id).join(" ")`)
				require.Empty(t, small, "%s: iOS zooms into these", page.name)
			}
			w.to("/")
			require.Empty(t, w.faults(), "the list at %d", width)
			require.Empty(t, w.tooWide(), "the list at %d", width)
		})
	}
}
