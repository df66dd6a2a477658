package portal

import (
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/portal/door"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/rules"
)

// pocket keeps rules in memory.
type pocket struct {
	mu   sync.Mutex
	list []rules.Rule
}

func (p *pocket) Rules() ([]rules.Rule, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.list, nil
}

func (p *pocket) Real(dir string) (string, error) { return dir, nil }

func (p *pocket) Add(r rules.Rule) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.list = append(p.list, r)
	return nil
}

// plain returns an approval of a command without any warning.
func plain(command string) queue.Ask {
	return approval(func(a *queue.Ask) {
		a.Approval.Marks = nil
		a.Approval.Parts = []queue.Part{{Kind: queue.PartCommand, Text: command}}
		a.Questions[0].Options = a.Questions[0].Options[:0:0]
		a.Questions[0].Options = []queue.Option{{ID: "once", Label: "Yes", Act: queue.ActOnce},
			{ID: "no", Label: "No", Act: queue.ActRefuse}}
		a.Questions[0].Defaults = nil
	})
}

// askNative asks for an approval as the hook of an agent does.
func (b *bench) askNative(a queue.Ask, ref string) queue.Session {
	b.native = ref
	defer func() { b.native = "" }()
	return b.ask(a)
}

func TestARuleIsMadeOnThePageOnceItWasShown(t *testing.T) {
	t.Parallel()
	for name, does := range map[string]func(*tab){
		"key":   func(c *tab) { c.presses("M"); c.shows("foot", "allow npm test in "); c.presses("enter") },
		"click": func(c *tab) { c.clicks("make_rule", 0); c.shows("foot", "Make the rule"); c.clicks("offer", 0) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			s := b.askNative(plain("npm test"), "claude:t1/1")
			page := b.open("/choice/" + s.ID)
			page.shows("foot", "Make a rule")
			page.presses("M", "esc")
			require.True(t, b.get(s.ID).Pending())
			does(page)
			require.Equal(t, []string{"once"}, b.settled(s.ID).Outcome.Answer.Replies[0].Selected)
			require.Eventually(t, func() bool { list, _ := b.rules.Rules(); return len(list) == 1 }, patience, time.Millisecond)
		})
	}
}

func TestARuleHoldsOnlyWhileAPageIsOpen(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	page := b.open("/choice/" + b.askNative(plain("npm test"), "claude:t1/1").ID)
	page.presses("M", "enter")
	require.Eventually(t, func() bool { list, _ := b.rules.Rules(); return len(list) == 1 }, patience, time.Millisecond)
	again, err := b.q.Create(t.Context(), queue.Session{Ask: plain("npm test"), Origin: queue.Origin{Client: "claude-code",
		Cwd: "/home/me/src/shop", Branch: "main", Instance: "bridge", Source: "claude:t1/2"},
		Claim: &queue.Claim{Instance: "bridge", Conn: "1"}})
	require.NoError(t, err)
	again = b.settled(again.ID)
	require.True(t, again.Outcome.Answered())
	page.conn.CloseNow()
	require.Eventually(t, func() bool { return b.pages.Looking() == 0 }, patience, time.Millisecond)
	s := b.askNative(plain("npm test"), "claude:t1/3")
	time.Sleep(100 * time.Millisecond)
	require.True(t, b.get(s.ID).Pending())
}

func TestALinkToOneQuestionAndAPairedDeviceMakeNoRule(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.web = door.Session{May: door.RightsDevice}
	s := b.askNative(plain("npm test"), "claude:t1/1")
	page := b.open("/choice/" + s.ID)
	page.shows("main", "npm test")
	require.NotContains(t, page.part("foot"), "make_rule")
	page.presses("M")
	page.shows("status", "on your own machine")
	page.presses("enter")
	page.clicks("make_rule", 0)
	page.presses("enter", "enter")
	list, _ := b.rules.Rules()
	require.Empty(t, list)
	require.True(t, b.get(s.ID).Pending())
}

// reads tells the page that all of the list was on screen.
func (c *tab) readsBatch(path string, n int) {
	c.does(pageEvent{Do: "read", Path: path + "#batch-" + itoa(n)})
}

func TestSimilarApprovalsAreMarkedInAListAndSentTogether(t *testing.T) {
	t.Parallel()
	for name, act := range map[string]func(c *tab, key, click string, n int){
		"keys":   func(c *tab, key, _ string, _ int) { c.presses(key) },
		"clicks": func(c *tab, _, click string, n int) { c.clicks(click, n) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			var all []queue.Session
			for i, command := range []string{"ls 1", "ls 2", "cat <<EOF\n1\n2\n3\nEOF"} {
				all = append(all, b.askNative(plain(command), "claude:t1/"+itoa(i+1)))
			}
			red := plain("rm -r x")
			red.Approval.Marks, red.Confirm = []string{queue.MarkDestroys}, true
			all = append(all, b.askNative(red, "claude:t1/4"))
			path := "/choice/" + all[0].ID
			page := b.open(path)
			page.shows("foot", "4 that are alike")
			act(page, "*", "alike", 0)
			page.shows("main", "4 commands that are alike")
			page.shows("main", "(4 more lines: answer it on its own)")
			page.shows("main", "(not here: may be destructive)")
			page.shows("foot", "Not yet: 1 line unread")
			page.does(pageEvent{Do: "read", Path: path}) // that was the text of the question
			act(page, "y", "allow", 0)
			page.shows("foot", "none of them can be marked yet")
			page.readsBatch(path, 1)
			act(page, "y", "allow", 0)
			page.shows("foot", "allow 2")
			act(page, "space", "mark", 1)
			page.shows("foot", "allow 1")
			act(page, "enter", "send", 0)
			require.Equal(t, []string{"once"}, b.settled(all[1].ID).Outcome.Answer.Replies[0].Selected)
			for _, at := range []int{0, 2, 3} {
				require.True(t, b.get(all[at].ID).Pending(), at)
			}
		})
	}
}

func TestSimilarApprovalsAreLeftWithNothingSent(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s, next := b.askNative(plain("ls 1"), "claude:t1/1"), b.askNative(plain("ls 2"), "claude:t1/2")
	page := b.open("/choice/" + s.ID)
	page.presses("*")
	page.readsBatch("/choice/"+s.ID, 1)
	page.presses("enter")
	page.shows("status", "No request is marked")
	page.presses("y", "esc")
	page.shows("status", "Nothing was sent")
	page.presses("*", "y")
	page.shows("foot", "none of them can be marked yet") // another list
	page.does(pageEvent{Do: "open", Path: "/"})
	page.calm()
	require.True(t, b.get(s.ID).Pending() && b.get(next.ID).Pending())
}

func TestTheBrowserTellsWhatOfAListWasRead(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	var all []queue.Session
	for i := range 40 {
		all = append(all, b.askNative(plain("ls "+itoa(i)), "claude:t1/"+itoa(i)))
	}
	w := newBrowser(t, b)
	w.to("/choice/" + all[0].ID)
	w.press("*")
	w.shows("40 commands that are alike")
	w.shows("lines unread")
	w.do(chromedp.Evaluate[chromedp.Void]("scrollTo(0, document.body.scrollHeight)"))
	w.shows("lines unread") // the lines that were skipped were not read
	w.do(chromedp.Evaluate[chromedp.Void]("scrollTo(0, 0)"))
	for range 40 {
		w.do(chromedp.Evaluate[chromedp.Void]("scrollBy(0, 300)"))
		time.Sleep(20 * time.Millisecond)
	}
	w.shows("no request is marked")
	w.wait(time.Second)
	w.press("y")
	w.shows("allow 40")
	w.wait(time.Second)
	w.press(kb.Enter)
	require.Equal(t, []string{"once"}, b.settled(all[39].ID).Outcome.Answer.Replies[0].Selected)
	require.Equal(t, []string{"once"}, b.settled(all[0].ID).Outcome.Answer.Replies[0].Selected)
}
