package portal

import (
	"flag"
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
)

// pictures is the directory of the page's screenshots, for people to look at.
const pictures = "../../testdata/portal"

var update = flag.Bool("update", false, "draw the pictures anew")

// TestPictures takes the screenshots again with -update. Fonts differ between machines, so people compare them by eye.
func TestPictures(t *testing.T) {
	if !*update {
		t.Skip("-update draws the pictures anew")
	}
	b := newBench(t)
	a := one(queue.ModeSingle, nil)
	a.Prompt = "The order service needs **transactions** across `orders` and `payments`; the report next week asks for joins.\n\n- PostgreSQL is what the team runs today\n- SQLite would do for one node\n\n```diff\n-dsn = \"file:orders.json\"\n+dsn = \"postgres://orders\"\n```\n\nSo I ask before I write the migration."
	s := b.ask(a)
	hybrid := one(queue.ModeHybrid, nil)
	hybrid.Title = "Which checks should run before the deploy?"
	h := b.ask(hybrid)
	form := asking("Set up the service", question("q1", queue.ModeSingle), question("q2", queue.ModeMulti), question("q3", queue.ModeText))
	form.Questions[0].Header, form.Questions[1].Header, form.Questions[2].Header = "Database", "Checks", "Name"
	f := b.ask(form)
	c := one(queue.ModeSingle, nil)
	c.Title, c.Confirm, c.ConfirmMessage = "Drop the old tables?", true, "This deletes 14 GB and cannot be undone."
	cf := b.ask(c)
	w := newBrowser(t, b)
	shot := func(name string) {
		for _, width := range []int64{1280, 390} {
			for _, scheme := range []string{"light", "dark"} {
				w.picture(fmt.Sprintf("%s-%d-%s.png", name, width, scheme), width, scheme)
			}
		}
		w.wait(time.Second)
	}
	w.to("/choice/" + s.ID)
	shot("single")
	w.press("x")
	shot("cancel")
	w.press(kb.Escape)
	w.to("/choice/" + h.ID)
	w.click("#o-2")
	shot("hybrid")
	w.to("/choice/" + f.ID)
	w.click("[data-do=all_recommended]")
	w.click("#t-3")
	w.click("#f-own")
	w.types("orders")
	w.press(kb.Enter, kb.Enter)
	shot("review")
	w.to("/choice/" + cf.ID)
	w.press(kb.Enter)
	shot("confirm")
	w.to("/choice/" + b.ask(roomtest.ApproveCommand()).ID)
	w.press("y", kb.Enter)
	shot("red-mark")
	b.elsewhere(h.ID, queue.Settle{Answer: queue.Answer{Replies: []queue.Reply{{Question: "q1", Selected: []string{"lite"}}}}})
	w.to("/choice/" + h.ID)
	shot("over")
	w.to("/")
	shot("list")
	w.press("s")
	shot("settings")
}
