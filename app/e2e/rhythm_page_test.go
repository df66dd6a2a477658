package e2e

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// sheet is the page of a question in a browser.
type sheet struct{ *tab }

// press presses a key as a keyboard does: its character comes with the press.
func (s sheet) press(key string) {
	s.Helper()
	for _, r := range key {
		var down *input.DispatchKeyEventParams
		for _, e := range kb.Encode(r) {
			switch e.Type {
			case input.DispatchKeyEventTypeChar:
				down.Type, down.Text, down.UnmodifiedText = input.DispatchKeyEventTypeKeyDown, e.Text, e.UnmodifiedText
			case input.DispatchKeyEventTypeKeyUp:
				s.dispatch(down)
				s.dispatch(e)
			default:
				down = e
			}
		}
	}
}

func (s sheet) dispatch(e *input.DispatchKeyEventParams) {
	s.Helper()
	require.NoError(s, chromedp.Do(s.ctx, chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, input.DispatchKeyEvent, *e)
		return err
	})))
}

func (s sheet) look() string {
	s.Helper()
	shown, err := chromedp.Run(s.ctx, chromedp.Evaluate[string](
		fmt.Sprintf(`(document.querySelector("main .over") ? %q : "") + document.body.innerText`, closedPage)))
	require.NoError(s, err)
	return shown
}

func (s sheet) stopsAtClosed() bool { return true }

// readers is the browser in which pages are read, one after the other: each start of a browser holds up whoever types
// at that time.
type readers struct {
	t       *testing.T
	browser *tab
}

// onPage is a person at the page of the first question, which they have seen.
func (b *readers) onPage(r *room, _ []string) view {
	web := r.start("web")
	link := ""
	until(r, "the link is printed", func() bool {
		link = regexp.MustCompile(`http://127\.0\.0\.1:\d+/\?t=\S+`).FindString(web.out.String())
		return link != ""
	})
	if b.browser == nil {
		b.browser = browse(b.t, link)
	} else {
		require.NoError(r, chromedp.Do(b.browser.ctx, chromedp.Navigate(link), chromedp.WaitReady("#top nav")))
	}
	s := sheet{&tab{r, b.browser.ctx}}
	s.click(".rows a")
	until(r, "a question is on view", func() bool { return here(s.look()) >= 0 })
	time.Sleep(guarded)
	return s
}

// The page shows a question that was answered, with a link to the next one: the person presses J there, and begins with
// the next. Those presses are counted on their own.
func TestEvidenceThatARhythmOnThePageSendsWhatWasMeant(t *testing.T) {
	besideOthers(t)
	b := &readers{t: t}
	for _, g := range slices.Concat(rhythmsOf(singleTask, false, 300), rhythmsOf(singleTask, true, 200),
		rhythmsOf(submitTask, false, 400), rhythmsOf(enterTask, false, 300)) {
		t.Run(g.String(), func(t *testing.T) { g.judge(t, b.onPage, g.budget()) })
	}
}
