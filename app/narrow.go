package app

import (
	"fmt"
	"strings"

	"github.com/choicetui/choicetui/panes/editor"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// listed is the queue narrowed by what was typed into its find line.
func (d *Dashboard) listed() []queue.Waiting {
	if d.find == "" {
		return d.waiting
	}
	want := strings.ToLower(d.find)
	var list []queue.Waiting
	for _, w := range d.waiting {
		text := w.Ask.Title + " " + w.Ask.Prompt + " " + w.Origin.Name()
		if strings.Contains(strings.ToLower(text), want) {
			list = append(list, w)
		}
	}
	return list
}

// startFind opens the line that narrows the queue.
func (d *Dashboard) startFind() {
	d.finding, d.findFrom = editor.OneLine(d.find), d.shown()
}

// narrow lists what matches. What is on screen stays there while it matches, as seen from where the line was opened;
// else the first match comes up.
func (d *Dashboard) narrow(text string) {
	d.find = text
	list := d.listed()
	at, was := indexOf(list, d.findFrom), d.shown()
	switch {
	case at >= 0, text == "", len(list) == 0:
		d.show(d.findFrom)
	default:
		d.showAt(list, 0)
	}
	if d.shown() != was {
		d.guard.appear(d.now())
	}
}

// endFind leaves the find line: Enter keeps what it narrows to, Esc shows all again, and so does Enter where nothing
// matches.
func (d *Dashboard) endFind(a keys.Action) {
	if d.finding == nil {
		if d.form.EndTyping(); a == keys.ActBack {
			d.form.ClearFind()
		}
		return
	}
	if a == keys.ActBack || len(d.listed()) == 0 {
		d.narrow("")
	}
	d.finding = nil
}

// top brings the top of the queue up, of the narrowed one while anything in it matches.
func (d *Dashboard) top() {
	if len(d.waiting) == 0 {
		d.find, d.finding, d.focus = "", nil, areaQuestion
		return
	}
	list := d.listed()
	if len(list) == 0 && d.finding == nil {
		d.find = ""
	}
	if len(list) == 0 {
		list = d.waiting
	}
	d.show(list[0].ID)
	d.guard.appear(d.now())
}

// found is what narrows the queue and how many match, in full and in short, in a rule of so many cells.
func (d *Dashboard) found(room int) [2]string {
	what := ink.Cut("/"+say.OneLine(d.find), max(room-18, 8), d.glyphs.Ellipsis)
	count := fmt.Sprintf("%d of %d", len(d.listed()), len(d.waiting))
	return [2]string{what + " " + d.glyphs.Dot + " " + count + " wait", what + " " + count}
}

// nothingFound is said where a narrowed queue has no row; empty: it is not narrowed.
func (d *Dashboard) nothingFound() string {
	if d.find == "" {
		return ""
	}
	return "nothing matches /" + say.OneLine(d.find)
}

// findLine says what Enter would do in the find line.
func (d *Dashboard) findLine() string {
	n := len(d.listed())
	if n == 0 {
		return "nothing matches " + d.glyphs.Dot + " " + d.glyphs.Enter + " shows all again"
	}
	return fmt.Sprintf("%s done %s %d of %d match", d.glyphs.Enter, d.glyphs.Dot, n, len(d.waiting))
}

// queueLine says what Enter would do in the queue.
func (d *Dashboard) queueLine() string {
	list, g := d.listed(), d.glyphs
	switch {
	case indexOf(list, d.shown()) >= 0:
		return g.Enter + " open " + say.OneLine(d.form.Session.Ask.Title)
	case len(list) > 0:
		return g.Enter + " back to what is on screen " + g.Dot + " " + d.keys.KeyOf(keys.PlaceQueue, keys.ActFirst) + " shows the first"
	case d.find != "":
		return d.nothingFound() + ": " + d.keys.KeyOf(keys.PlaceQueue, keys.ActBack) + " shows all"
	}
	return g.Enter + " back to what is on screen"
}

// noStep says why there is no question to step to: that it was the last of them only behind what Enter does, which
// has not changed.
func (d *Dashboard) noStep(n int) (message string, aside ink.Tail) {
	count := len(d.listed())
	end, of := "the last", fmt.Sprintf(" of %d", count)
	if n < 0 {
		end = "the first"
	}
	if d.find != "" {
		of += " that match"
	}
	switch {
	case count == 0 && d.find != "":
		return d.nothingFound(), nil
	case len(d.waiting) < 2:
		return "no other question waits", nil
	}
	return "", ink.Tail{"this is " + end + of, end + of, end, ""}
}
