package plain

import (
	"strings"

	"github.com/choicetui/choicetui/panes/say"
)

// typing is text of several lines under way. While it lasts, lines are text and never commands, also when the
// question ends meanwhile.
type typing struct {
	put   func(text string)
	name  string
	lines []string
	dot   bool // it ends with a line that holds only a dot; else with the first line that has no \ at its end
}

// write takes text that follows a command on its line, or begins to take it line by line.
func (d *Desk) write(t *typing, words string) {
	d.form.own = true
	d.holdClock()
	if words == "" {
		t.dot = true
		d.typing = t
		d.say("Type %s. A line that holds only a dot ends it.", t.name)
		return
	}
	d.typing = t
	d.typed(words)
}

// typed takes one line of the text.
func (d *Desk) typed(text string) {
	t := d.typing
	d.holdClock()
	more := t.dot
	switch {
	case t.dot && text == ".":
		more = false
	case t.dot && text == "..":
		t.lines = append(t.lines, ".")
	case t.dot:
		t.lines = append(t.lines, text)
	default:
		text, more = strings.CutSuffix(text, `\`)
		t.lines = append(t.lines, text)
	}
	whole := strings.Join(t.lines, "\n")
	f := d.form
	if d.forms[f.s.ID] == f { // else the question is over
		t.put(whole)
		d.save()
	}
	if more {
		return
	}
	d.typing = nil
	if d.forms[f.s.ID] != f {
		d.form = nil
		d.say("Not sent: the question is over. You wrote:")
		d.out.block("| ", whole)
		d.refresh()
		return
	}
	if t.dot {
		d.say("Taken: %s.", say.Count(len(t.lines), "line"))
	}
	d.offer()
}
