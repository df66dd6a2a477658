package plain

import (
	"fmt"
	"strconv"
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

func (d *Desk) text(words string) {
	f := d.inQuestion()
	switch {
	case f == nil:
	case !f.Here().MayWrite().OK():
		d.say("This one takes its options only: %s cancels it and tells why.", d.words.short("cancel"))
	default:
		d.write(&typing{put: f.Here().Write, name: "your own words"}, words)
	}
}

func (d *Desk) note(rest string) {
	f := d.inQuestion()
	if f == nil {
		return
	}
	number, words, _ := strings.Cut(rest, " ")
	n, err := strconv.Atoi(number)
	q := f.Here()
	switch {
	case !q.MayNote().OK():
		d.say("Notes are off for this question.")
	case err != nil || n < 1 || n > len(q.Options):
		d.say("Which option is the note for? %s 1 and the note, for option 1.", d.words.short("note"))
	default:
		id := q.Options[n-1].ID
		put := func(text string) { q.Note(id, text) }
		d.write(&typing{put: put, name: fmt.Sprintf("the note on option %d", n)}, strings.TrimSpace(words))
	}
}

func (d *Desk) comment(words string) {
	f := d.here()
	switch {
	case f == nil:
	case !f.MayComment().OK():
		d.say("Comments are off for this question.")
	default:
		d.write(&typing{put: f.Comment, name: "the comment"}, words)
	}
}

// write takes text that follows a command on its line, or begins to take it line by line.
func (d *Desk) write(t *typing, words string) {
	d.form.Touch()
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
