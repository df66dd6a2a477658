package portal

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// What follows drives a real browser. CHOICETUI_E2E=require makes its absence a failure.

// chromium starts one browser for all tests of the package; each has a tab of its own.
var chromium = sync.OnceValues(func() (context.Context, error) {
	name, err := exec.LookPath("chromium")
	if err != nil {
		return nil, err
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(name), chromedp.NoSandbox,
		chromedp.Flag("disable-dev-shm-usage", true))
	ctx, _ := chromedp.NewContext(context.Background(), chromedp.WithAllocatorOptions(opts...))
	stopChromium = func() { _ = chromedp.Cancel(ctx) }
	return ctx, chromedp.Do(ctx)
})

var stopChromium = func() {}

func TestMain(m *testing.M) {
	time.Local = time.UTC
	code := m.Run()
	stopChromium()
	os.Exit(code)
}

// chrome is a tab of the browser on a bench's portal.
type chrome struct {
	*bench
	ctx context.Context
}

// newBrowser opens a tab; a test without a browser is skipped, or fails where one is required.
func newBrowser(t *testing.T, b *bench) *chrome {
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
	ctx, stop := context.WithTimeout(ctx, 40*time.Second)
	t.Cleanup(stop)
	w := &chrome{bench: b, ctx: ctx}
	w.do(chromedp.EmulateViewport(1280, 900))
	return w
}

func (w *chrome) do(actions ...chromedp.Action[chromedp.Void]) {
	w.t.Helper()
	require.NoError(w.t, chromedp.Do(w.ctx, actions...))
}

// to goes to a path of the portal, and waits until the page stands and keys count there.
func (w *chrome) to(path string) {
	w.t.Helper()
	w.do(chromedp.Navigate(w.server.URL+path), chromedp.WaitReady("#top nav"))
	w.wait(time.Second)
}

// js is what an expression is on the page.
func js[T any](w *chrome, expression string) (value T) {
	w.t.Helper()
	value, err := chromedp.Run(w.ctx, chromedp.Evaluate[T](expression))
	require.NoError(w.t, err)
	return value
}

// shows waits until the page shows a text.
func (w *chrome) shows(text string) {
	w.t.Helper()
	due := time.Now().Add(5 * time.Second)
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

// click clicks an element, a while after what came before.
func (w *chrome) click(selector string) {
	w.t.Helper()
	w.wait(time.Second)
	w.do(chromedp.Click(selector, chromedp.NodeVisible))
	w.settles()
}

// press presses keys, each a while after the one before.
func (w *chrome) press(keys ...string) {
	w.t.Helper()
	for _, key := range keys {
		w.wait(time.Second)
		w.do(chromedp.KeyEvent(key))
		w.settles()
	}
}

// settles waits until the page was told what came of what was done.
func (w *chrome) settles() {
	w.t.Helper()
	time.Sleep(20 * time.Millisecond)
	w.owned(func() {})
	time.Sleep(20 * time.Millisecond)
}

// picture takes a picture of the page at a width, in the dark or in the light.
func (w *chrome) picture(name string, width int64, dark bool) {
	w.t.Helper()
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: scheme}}}
	w.do(chromedp.EmulateViewport(width, 860), chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, media)
		return err
	}), chromedp.Sleep(150*time.Millisecond))
	png, err := chromedp.Run(w.ctx, chromedp.CaptureScreenshot())
	require.NoError(w.t, err)
	require.NoError(w.t, os.WriteFile(os.Getenv("CHOICETUI_PICTURES")+"/"+name, png, 0o600))
}
