package portal

import (
	"fmt"
	"html"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
)

func approval(change func(a *queue.Ask)) queue.Ask {
	a := asking("Bash: curl \u202e<b>x</b> | sh", queue.Question{ID: "q1", Mode: queue.ModeSingle, Min: 1, Max: 1, Annotate: true,
		Defaults: []string{"once"}, Options: []queue.Option{{ID: "once", Label: "Yes", Act: queue.ActOnce},
			{ID: "always", Label: "Always", Act: queue.ActAlways}, {ID: "no", Label: "No", Act: queue.ActRefuse}}})
	a.Kind = queue.KindApproval
	a.Approval = &queue.Approval{Tool: "Bash", Dir: "/home/me/src/shop", Marks: []string{queue.MarkNetwork},
		Parts: []queue.Part{{Kind: queue.PartCommand, Text: "curl \u202e<b>x</b> | sh"},
			{Kind: queue.PartDiff, Label: "a.txt", Text: "-old\n+new"}}}
	if change != nil {
		change(&a)
	}
	return a
}

func TestThePageShowsAllOfAnApprovalAndNothingMarked(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.ask(approval(nil))
	page := b.open("/choice/" + s.ID)
	for _, words := range []string{"curl &lt;U+202E&gt;&lt;b&gt;x&lt;/b&gt; | sh", "change: a.txt", `<span class="del">-old</span>`,
		`<span class="add">+new</span>`, `<span class="tag">Approve?</span> Bash</h1>`, `<p class="sub">~/src/shop</p>`, "It uses the network.", "So I ask."} {
		page.shows("main", words)
	}
	require.NotContains(t, page.part("main"), `aria-checked="true"`)
	require.NotContains(t, page.part("main"), " cur\"")
	page.shows("foot", "Choose an option")
	page.clicks("send", 0)
	page.presses("enter", "space", "r", "A", "a", "m", "L")
	require.True(t, b.get(s.ID).Pending())
	page.shows("status", "you can only allow or refuse")
}

func TestAnApprovalIsDecidedOnThePage(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		does func(*tab)
		want string
		note string
	}{
		"y":     {func(c *tab) { c.presses("y", "enter") }, "once", ""},
		"digit": {func(c *tab) { c.presses("2", "enter") }, "always", ""},
		"click": {func(c *tab) { c.clicks("digit", 2); c.clicks("send", 0) }, "always", ""},
		"n": {func(c *tab) {
			c.presses("n")
			c.b.wait(time.Second)
			c.types("refusal", "too much")
			c.presses("enter")
		}, "no", "too much"},
	} {
		b := newBench(t)
		s := b.ask(approval(nil))
		page := b.open("/choice/" + s.ID)
		c.does(page)
		got := b.settled(s.ID).Outcome.Answer.Replies[0]
		require.Equal(t, []string{c.want}, got.Selected, name)
		require.Equal(t, c.note, got.Notes["no"], name)
	}
}

func TestTheButtonIsDeafWhileTheMarkOfAnApprovalHasJustMoved(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.ask(approval(nil))
	page := b.open("/choice/" + s.ID)
	page.presses("y")
	page.does(pageEvent{Do: "send"})
	page.calm()
	require.True(t, b.get(s.ID).Pending())
	page.shows("foot", "Not yet: press Enter again")
}

func TestThePageShowsAChangeOfBlanksAndWhereALinkLeads(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.ask(roomtest.ApproveBlanks())
	page := html.UnescapeString(b.open("/choice/" + s.ID).part("main"))
	for _, words := range []string{"change, only blanks differ: clean.sh → /home/me/bin/clean.sh",
		`<span class="del">-<4 blanks>rm -rf build \<1 CR></span>`, `<span class="add">+<1 tab>rm -rf build \<1 blank></span>`} {
		require.Contains(t, page, words)
	}
}

func TestThePageWritesOutWhatTakesNoInkInAnApproval(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.ask(approval(func(a *queue.Ask) {
		a.Title, a.Prompt, a.Confirm = "Run ⚠\ufe0f1", "Why ⚠\ufe0f2 ⚠\ufe0f3", true
		a.Approval.Tool, a.Approval.Dir, a.Approval.Parts[0].Text = "Bash⚠\ufe0f4", "/⚠\ufe0f5", "rm ⚠\ufe0f6"
		a.Questions[0].Options[0].Label, a.Questions[0].Options[0].Description = "Yes ⚠\ufe0f7", "once ⚠\ufe0f8"
	}))
	b.open("/").shows("main", "Run ⚠&lt;U&#43;FE0F&gt;1")
	page := b.open("/choice/" + s.ID)
	page.shows("main", "Hidden characters")
	text := html.UnescapeString(page.part("main") + page.part("foot"))
	page.presses("y", "enter")
	page.shows("foot", "Press y again to allow “rm ⚠")
	text += html.UnescapeString(page.part("main") + page.part("foot"))
	require.NotContains(t, text, "\ufe0f")
	for n := range 8 {
		require.Contains(t, text, fmt.Sprintf("⚠<U+FE0F>%d", n+1))
	}
}

func TestEnterConfirmsNothingOnThePage(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	w := newBrowser(t, b)
	s := b.ask(roomtest.ApproveCommand())
	w.to("/choice/" + s.ID)
	w.press("y", kb.Enter)
	w.shows("Press y again to allow “rm -rf ./dist")
	for range 3 {
		w.wait(700 * time.Millisecond)
		w.press(kb.Enter, " ")
	}
	require.True(t, b.get(s.ID).Pending())
	w.wait(700 * time.Millisecond)
	w.press("y")
	w.shows("Answered: ")
	require.Equal(t, []string{"once"}, b.settled(s.ID).Outcome.Answer.Replies[0].Selected)
}
