package e2e

import (
	"context"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tab is a tab of a real browser.
type tab struct {
	testing.TB
	ctx context.Context
}

// browse opens a page in a browser of its own; without Chromium the test is skipped, or fails where it is required.
func browse(t testing.TB, url string) *tab {
	t.Helper()
	name, err := exec.LookPath("chromium")
	if err != nil && os.Getenv("CHOICETUI_E2E") == "require" {
		require.NoError(t, err, "no Chromium, and it is required here")
	}
	if err != nil {
		t.Skip("no Chromium here: the page is not tried in a browser")
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(name), chromedp.NoSandbox,
		chromedp.UserDataDir(t.TempDir()))
	ctx, _ := chromedp.NewContext(context.Background(), chromedp.WithAllocatorOptions(opts...))
	t.Cleanup(func() { _ = chromedp.Cancel(ctx) })
	require.NoError(t, chromedp.Do(ctx))
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(url), chromedp.WaitReady("#top nav")))
	return &tab{t, ctx}
}

// text is what stands on the page.
func (w *tab) text(selector string) string {
	w.Helper()
	shown, err := chromedp.Run(w.ctx, chromedp.Evaluate[string](`document.querySelector("`+selector+`")?.innerText || ""`))
	require.NoError(w, err)
	return shown
}

func (w *tab) see(want string) {
	w.Helper()
	for end := time.Now().Add(patience); !strings.Contains(w.text("body"), want); time.Sleep(glance) {
		require.True(w, time.Now().Before(end), "the page does not show %q:\n%s", want, w.text("body"))
	}
}

func (w *tab) click(selector string) {
	w.Helper()
	require.NoError(w, chromedp.Do(w.ctx, chromedp.Click(chromedp.CSS(selector), chromedp.NodeVisible)))
}

// within is what becomes so in a time.
func within(t testing.TB, d time.Duration, what string, ok func() bool) {
	t.Helper()
	assert.Eventually(t, ok, d, glance, what)
}

func TestAPageAndADashboardShowTheSameQuestionAtTheSameTime(t *testing.T) {
	r := newRoom(t)
	web := r.start("web")
	link := ""
	until(t, "the link is printed", func() bool {
		link = regexp.MustCompile(`http://127\.0\.0\.1:\d+/\?t=\S+`).FindString(web.out.String())
		return link != ""
	})
	c := r.console(100, 30, r.command())
	c.see("? keys")
	page := browse(t, link)
	page.see("Nothing is waiting.")
	call := r.connect("claude-code").ask(which())
	page.see("Which database?")
	c.see("Which database?")
	page.click(".rows a")
	page.see("PostgreSQL")
	assert.NotContains(t, page.text("body"), "?t=")
	time.Sleep(guarded)

	page.click(`[data-do="more_time"]`) // ten minutes, and one more
	page.see("10m")
	short := func() bool { return strings.Contains(c.screen(), "10m") || strings.Contains(c.screen(), "11m") }
	within(t, time.Second, "the dashboard follows the page", short)
	for range 3 {
		c.press("-")
		time.Sleep(paused)
	}
	var left string
	within(t, time.Second, "the page follows the dashboard", func() bool {
		left = page.text(".clock time")
		return strings.HasPrefix(left, "7:") && strings.Contains(c.screen(), left)
	})

	c.press("2")
	time.Sleep(guarded)
	c.press("\r")
	page.see("Answered: SQLite")
	page.see("in the dashboard")
	require.Equal(t, "selected", call.answer().status())
	page.click(`[data-path="/"]`)
	page.see("Last answers")

	again := r.connect("codex").ask(which())
	page.see("codex")
	page.click(".rows a")
	page.see("One file, no server")
	time.Sleep(guarded)
	page.click("#o-2")
	time.Sleep(between)
	page.click("#send")
	page.see("Answered: SQLite")
	got := again.answer()
	require.Equal(t, "selected", got.status())
	require.Equal(t, "web", got.selection()["transport"])
}

// screen is what stands on the console.
func (c *console) screen() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.wire.String()
}
