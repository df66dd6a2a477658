package portal

import (
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// holds holds a key for a while: the first press, and repeats that the browser reports, or does not.
func (c *tab) holds(key string, known bool) {
	c.b.t.Helper()
	defer c.b.stand()()
	after := 500 * time.Millisecond
	for i := range 40 {
		c.does(pageEvent{Do: "key", Key: key, Held: known && i > 0})
		c.calm()
		c.b.wait(after)
		after = 33 * time.Millisecond
	}
}

func TestPage_HeldKeyIsOnePress(t *testing.T) {
	t.Parallel()
	atOnce := one(queue.ModeSingle, nil)
	atOnce.Questions[0].SingleSubmit = true
	for name, c := range map[string]struct {
		ask queue.Ask
		key string
	}{"Enter": {one(queue.ModeSingle, nil), "enter"}, "a digit that sends": {atOnce, "2"}} {
		for _, known := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, known %v", name, known), func(t *testing.T) {
				t.Parallel()
				b := newBench(t)
				var all []queue.Session
				for range 5 {
					all = append(all, b.ask(c.ask))
				}
				page := b.open("/choice/" + all[0].ID)
				page.calm()
				b.wait(3 * time.Second)
				page.holds(c.key, known)
				b.settled(all[0].ID)
				time.Sleep(300 * time.Millisecond)
				for _, s := range all[1:] {
					require.True(t, b.get(s.ID).Pending())
				}
			})
		}
	}
}

func TestPage_EnterThatWaitsCounts(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	form := asking("Set up", question("q1", queue.ModeSingle), question("q2", queue.ModeSingle))
	s := b.ask(form)
	page := b.open("/choice/" + s.ID)
	for n := range 3 {
		page.calm()
		b.wait(time.Second)
		page.does(pageEvent{Do: "key", Key: "enter", Seq: n + 1})
		require.Eventually(t, func() (acted bool) {
			b.owned(func() { g := b.pages.open[0]; acted = g.seen == n+1 && g.board.Due().IsZero() })
			return acted
		}, patience, 5*time.Millisecond)
	}
	b.settled(s.ID)
}

// released sends the release of a key alone.
func (w *chrome) released(key string) {
	w.t.Helper()
	for _, e := range kb.Encode([]rune(key)[0]) {
		if e.Type == input.DispatchKeyEventTypeKeyUp {
			w.send(e)
		}
	}
}

func TestInABrowser_ModifiedEnterSendsNothing(t *testing.T) {
	t.Parallel()
	const alt, ctrl, meta, shift = 1, 2, 4, 8
	b := newBench(t)
	w := newBrowser(t, b)
	s := b.ask(one(queue.ModeSingle, nil))
	w.to("/choice/" + s.ID)
	for _, focus := range []string{"", "send", "o-1"} {
		w.rest()
		if focus != "" {
			require.True(t, js[bool](w, fmt.Sprintf(
				"(document.getElementById(%q).focus(), document.activeElement.id === %[1]q)", focus)), focus)
		}
		for _, modifier := range []int64{alt, ctrl, meta, shift, shift | ctrl} {
			w.wait(time.Second)
			w.key(kb.Enter, modifier)
		}
		w.released(kb.Enter)
		w.rest()
		require.True(t, b.get(s.ID).Pending(), focus)
	}
	w.press("a")
	w.rest()
	w.types("one")
	want := "one"
	for _, modifier := range []int64{alt, ctrl, meta, shift} {
		w.rest()
		w.key(kb.Enter, modifier)
		want += "\n"
		w.rest()
		require.Equal(t, want, js[string](w, `document.getElementById("f-comment").value`), "%d", modifier)
	}
	w.press(kb.Escape, "x")
	w.rest()
	for _, modifier := range []int64{alt, ctrl, meta, shift} {
		w.key(kb.Enter, modifier)
	}
	w.rest()
	require.Empty(t, js[string](w, `document.getElementById("f-reason").value`), "it has one line")
	require.True(t, b.get(s.ID).Pending())
}

func TestInABrowser_HeldEnterOnAButtonIsOnePress(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	w := newBrowser(t, b)
	form := asking("Set up", question("q1", queue.ModeSingle), question("q2", queue.ModeSingle), question("q3", queue.ModeSingle))
	s := b.ask(form)
	w.to("/choice/" + s.ID)
	w.rest()
	require.True(t, js[bool](w, `(document.getElementById("send").focus(), document.activeElement.id === "send")`))
	held := kb.Encode('\r')
	down := held[0]
	down.Type, down.Text, down.UnmodifiedText = input.DispatchKeyEventTypeKeyDown, "\r", "\r"
	w.send(down)
	w.shows("1 of 3 answered")
	again := true
	down.AutoRepeat = &again
	for range 20 {
		w.wait(time.Second)
		w.send(down)
	}
	w.send(held[len(held)-1])
	w.rest()
	w.shows("1 of 3 answered")
	require.True(t, b.get(s.ID).Pending())
}
