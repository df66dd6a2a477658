package portal

import (
	"context"
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// asPhone makes the tab behave like a phone: narrow, with touch, and without a keyboard.
func (w *chrome) asPhone() {
	w.t.Helper()
	w.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
			Width: 390, Height: 844, DeviceScaleFactor: 1, Mobile: true})
		if err != nil {
			return err
		}
		_, err = cdp.Call(ctx, t, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: true})
		return err
	}))
}

// nine returns a form of nine questions.
func nine() queue.Ask {
	a := asking("Set up the shop")
	for i, name := range []string{"Database", "Replicas", "Cache layer", "Sign-in", "Deployment target", "Logging", "Metrics",
		"Rate limit", "Locale"} {
		q := question(fmt.Sprintf("q%d", i+1), queue.ModeSingle)
		q.Header = name
		a.Questions = append(a.Questions, q)
	}
	return a
}

func TestTheTabsOfAFormHaveNoScrollbarAndShowTheChosenOne(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.ask(nine())
	for name, phone := range map[string]bool{"1280": false, "390": true} {
		w := newBrowser(t, b)
		if phone {
			w.asPhone()
		}
		w.to("/choice/" + s.ID)
		tabs := func(expression string) bool {
			return js[bool](w, `(() => { const row = document.querySelector(".tabs"), style = getComputedStyle(row);
				const chosen = row.querySelector("[aria-selected=true]").getBoundingClientRect(), all = row.getBoundingClientRect();
				return `+expression+`; })()`)
		}
		require.True(t, tabs(`["visible", "hidden"].includes(style.overflowY)`), "%s: none beside the tabs", name)
		require.True(t, tabs(`row.scrollWidth <= row.clientWidth || style.scrollbarWidth === "none"`), "%s: none below them", name)
		for range 9 {
			require.True(t, tabs("chosen.left >= all.left - 1 && chosen.right <= all.right + 1"), name)
			w.press(kb.ArrowRight)
		}
		require.True(t, tabs("chosen.right <= all.right + 1"), "%s: the review", name)
	}
}

func TestAPhoneShowsNoKeys(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	w := newBrowser(t, b)
	w.asPhone()
	bare := func(where string) {
		t.Helper()
		require.Empty(t, js[string](w, `[...document.querySelectorAll("kbd")].filter((k) => k.checkVisibility())
			.map((k) => k.parentNode.textContent).join("|")`), where)
		shown := js[string](w, "document.body.innerText")
		for _, word := range []string{"Enter", "⏎", "Esc", " y ", " n refuses", "Shift", "Keys"} {
			require.NotContains(t, shown, word, where)
		}
		require.NotContains(t, js[string](w, `[...document.querySelectorAll("[placeholder]")].map((f) => f.placeholder).join("|")`),
			"/", where)
	}
	many := one(queue.ModeHybrid, nil)
	for i := range 12 {
		many.Questions[0].Options = append(many.Questions[0].Options, queue.Option{ID: fmt.Sprint(i), Label: fmt.Sprint("Option ", i)})
	}
	many.Questions[0].Min, many.Questions[0].Max = 2, 4
	many.Confirm = true
	s := b.ask(many)
	w.to("/")
	w.shows("Waiting for you")
	bare("the list")
	w.to("/choice/" + s.ID)
	w.shows("Not yet: mark 2 to 4 (0 marked)")
	bare("a question")
	w.click("#f-own")
	bare("typing")
	w.click("#o-1")
	w.click("#o-2")
	w.click("#send")
	w.shows("Not yet: confirm “")
	bare("the confirmation")
	w.click(`[data-do="cancel"]`)
	w.shows("Why?")
	bare("a cancel")
	w.to("/choice/" + b.ask(allowsOnce()).ID)
	w.shows("Choose an option")
	bare("an approval")
}
