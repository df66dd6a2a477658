package portal

import (
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue/desk"
)

// These tests drive a real browser. CHOICETUI_E2E=require makes its absence a failure.

// chromium starts one browser for all tests of the package; each test has its own tab.
var chromium = sync.OnceValues(func() (context.Context, error) {
	name, err := exec.LookPath("chromium")
	if err != nil {
		return nil, err
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(name), chromedp.NoSandbox,
		chromedp.Flag("disable-dev-shm-usage", true),
		// the pop-ups of the address bar are pages too, for each window anew
		chromedp.Flag("disable-features", "Translate,WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup"))
	ctx, _ := chromedp.NewContext(context.Background(), chromedp.WithAllocatorOptions(opts...))
	stopChromium = func() { _ = chromedp.Cancel(ctx) }
	return ctx, chromedp.Do(ctx)
})

var stopChromium = func() {}

func TestMain(m *testing.M) {
	time.Local = time.UTC
	flag.Parse()
	if f := flag.Lookup("test.parallel"); f.Value.String() == f.DefValue {
		_ = flag.Set("test.parallel", "6") // these tests mostly wait
	}
	code := m.Run()
	stopChromium()
	os.Exit(code)
}

// chrome is a tab of that browser on a bench's portal.
type chrome struct {
	*bench
	ctx context.Context

	pressed string // the last key of press

	mu   sync.Mutex
	said []string
}

// newBrowser opens a tab. Without a browser it skips the test, or fails if a browser is required.
func newBrowser(t testing.TB, b *bench) *chrome {
	t.Helper()
	all, err := chromium()
	if err != nil {
		if os.Getenv("CHOICETUI_E2E") == "require" {
			require.NoError(t, err, "no Chromium, and it is required here")
		}
		t.Skip("no Chromium here: the page is not tried in a browser")
	}
	ctx, cancel := chromedp.NewContext(all)
	t.Cleanup(cancel)
	ctx, stop := context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(stop)
	w := &chrome{bench: b, ctx: ctx}
	w.do(chromedp.EmulateViewport(1280, 900), chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
		return err
	}))
	w.listen()
	return w
}

func (w *chrome) do(actions ...chromedp.Action[chromedp.Void]) {
	w.t.Helper()
	require.NoError(w.t, chromedp.Do(w.ctx, actions...))
}

// to opens a path of the portal, and waits until the page is shown and takes keys.
func (w *chrome) to(path string) {
	w.t.Helper()
	w.do(chromedp.Navigate(w.server.URL+path), chromedp.WaitReady(chromedp.CSS("#top nav")))
	w.wait(time.Second)
}

// js returns the value of an expression on the page.
func js[T any](w *chrome, expression string, opts ...chromedp.EvaluateOption) (value T) {
	w.t.Helper()
	value, err := chromedp.Run(w.ctx, chromedp.Evaluate[T](expression, opts...))
	require.NoError(w.t, err)
	return value
}

// shows waits until the page shows a text.
func (w *chrome) shows(text string) {
	w.t.Helper()
	due := time.Now().Add(patience)
	for {
		shown := js[string](w, "document.body.innerText")
		if strings.Contains(shown, text) {
			return
		}
		if time.Now().After(due) {
			require.Contains(w.t, shown, text)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// gone waits until the page does not show a text any more.
func (w *chrome) gone(text string) {
	w.t.Helper()
	require.Eventually(w.t, func() bool { return !strings.Contains(js[string](w, "document.body.innerText"), text) },
		patience, 20*time.Millisecond)
}

// complaints returns the browser's messages about the page: violations of its policy, and errors of its script.
func (w *chrome) complaints() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.said
}

// listen records the browser's messages about the page.
func (w *chrome) listen() {
	entries := chromedp.Events(w.ctx, log.EntryAdded)
	go func() {
		for e, err := range entries {
			if err != nil {
				return
			}
			if e.Entry.Level == log.EntryLevelError {
				w.mu.Lock()
				w.said = append(w.said, e.Entry.Text)
				w.mu.Unlock()
			}
		}
	}()
	thrown := chromedp.Events(w.ctx, runtime.ExceptionThrown)
	go func() {
		for e, err := range thrown {
			if err != nil {
				return
			}
			w.mu.Lock()
			w.said = append(w.said, e.ExceptionDetails.Text)
			w.mu.Unlock()
		}
	}()
}

// rest waits until the guard takes keys for the content of the page.
func (w *chrome) rest() {
	for due := time.Now().Add(time.Second); time.Now().Before(due) && !w.drawn(); {
		time.Sleep(2 * time.Millisecond)
	}
	w.wait(time.Second)
}

// drawn reports whether the page that was opened last has told the guard that its content is on screen. The browser may
// keep the pages before it for its Back button; those tell nothing any more.
func (w *chrome) drawn() (is bool) {
	w.owned(func() {
		if n := len(w.pages.open); n > 0 {
			guard := w.pages.open[n-1].view.Guard // a copy, which keeps what it is asked to itself
			is = guard.Refuses(desk.Press{Effect: desk.Marking, Decides: true}, w.q.Now().Add(time.Minute)) == nil
		}
	})
	return is
}

// click clicks an element after a rest.
func (w *chrome) click(selector string) {
	w.t.Helper()
	w.rest()
	was := w.lastDeed()
	w.do(chromedp.Click(chromedp.CSS(selector), chromedp.NodeVisible))
	w.settles(was)
}

// press presses keys, each after a rest.
func (w *chrome) press(keys ...string) {
	w.t.Helper()
	for _, key := range keys {
		w.rest()
		if key == w.pressed {
			w.wait(twice)
		}
		w.pressed = key
		was := w.lastDeed()
		w.key(key, 0)
		w.settles(was)
	}
}

// key presses a key as a keyboard does: the character comes with the press, so that a page which handles the press can
// prevent the character from being typed.
func (w *chrome) key(key string, modifiers int64) {
	w.t.Helper()
	for _, r := range key {
		var down *input.DispatchKeyEventParams
		for _, e := range kb.Encode(r) {
			e.Modifiers = modifiers
			switch e.Type {
			case input.DispatchKeyEventTypeChar:
				down.Type, down.Text, down.UnmodifiedText = input.DispatchKeyEventTypeKeyDown, e.Text, e.UnmodifiedText
				continue
			case input.DispatchKeyEventTypeKeyUp:
				w.send(down)
			default:
				down = e
				continue
			}
			w.send(e)
		}
	}
}

func (w *chrome) send(e *input.DispatchKeyEventParams) {
	w.t.Helper()
	w.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, input.DispatchKeyEvent, *e)
		return err
	}))
}

// types types a text into the element with the focus.
func (w *chrome) types(text string) {
	w.t.Helper()
	was := w.lastDeed()
	w.key(text, 0)
	w.settles(was)
}

// lastDeed returns when a page of the portal last sent an event.
func (w *chrome) lastDeed() (last time.Time) {
	w.owned(func() {
		for _, g := range w.pages.open {
			if at := g.view.LastKey(); at.After(last) {
				last = at
			}
		}
	})
	return last
}

// settles waits until the portal has processed the events since the last one, and the page has received the result.
func (w *chrome) settles(was time.Time) {
	w.t.Helper()
	for due := time.Now().Add(time.Second); time.Now().Before(due) && w.lastDeed().Equal(was); {
		time.Sleep(2 * time.Millisecond)
	}
	time.Sleep(20 * time.Millisecond)
	w.owned(func() {})
	js[bool](w, "new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(true), 10)))", chromedp.EvalAwaitPromise)
}

// picture takes a screenshot of the page at a width, light or dark.
func (w *chrome) picture(name string, width int64, scheme string) {
	w.t.Helper()
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: scheme}}}
	w.do(chromedp.EmulateViewport(width, 860), chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, media)
		return err
	}), chromedp.Sleep(150*time.Millisecond))
	png, err := chromedp.Run(w.ctx, chromedp.CaptureScreenshot())
	require.NoError(w.t, err)
	require.NoError(w.t, os.WriteFile(filepath.Join(pictures, name), png, 0o644))
}
