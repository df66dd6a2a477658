package portal

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// TestPictures draws the page for people to look at, into CHOICETUI_PICTURES.
func TestPictures(t *testing.T) {
	if os.Getenv("CHOICETUI_PICTURES") == "" {
		t.Skip("CHOICETUI_PICTURES names no directory")
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
			for _, dark := range []bool{false, true} {
				w.picture(fmt.Sprintf("%s-%d-%v.png", name, width, dark), width, dark)
			}
		}
		w.wait(time.Second)
	}
	w.to("/choice/" + s.ID)
	shot("single")
	w.press("x")
	shot("cancel")
	w.to("/choice/" + h.ID)
	w.click("#o-2")
	shot("hybrid")
	w.to("/choice/" + f.ID)
	shot("form")
	w.press("R")
	shot("form2")
	w.to("/choice/" + cf.ID)
	w.press("\r")
	shot("confirm")
	w.to("/")
	shot("list")
	w.press("s")
	shot("settings")
}
