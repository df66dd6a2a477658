package app

import (
	"context"
	"strings"
	"time"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/editor"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// copyText puts text into the clipboard through the terminal (OSC 52), which works over ssh. In tmux, which by default
// lets no program inside do that, tmux is asked; where it cannot do it either, its own buffer holds the text.
func (d *Dashboard) copyText(text string) {
	if queue.Blank(text) {
		d.message = "there is nothing of yours to copy"
		return
	}
	if d.o.Copy == nil {
		d.clipboard(text)
		d.message = "copied: " + firstLine(text)
		return
	}
	d.message = "copying" + d.glyphs.Ellipsis
	typed := d.lastKey
	d.beside(func() {
		ctx, cancel := context.WithTimeout(context.Background(), settleTmux)
		defer cancel()
		asked, err := d.o.Copy(ctx, text)
		d.post(func() { d.copied(text, asked, err, typed) })
	})
}

// copied says how that went, unless a key has been pressed since: the line is the next one's then. That it failed is
// said all the same.
func (d *Dashboard) copied(text string, asked bool, err error, typed time.Time) {
	words := "copied: " + firstLine(text)
	switch {
	case err != nil:
		d.message = "not copied: " + say.OneLine(err.Error())
		return
	case !asked:
		d.clipboard(text) // a tmux with set-clipboard on hands it on
		words = "copied into tmux's buffer: prefix ]"
	}
	if d.lastKey.Equal(typed) {
		d.message = words
	}
}

func (d *Dashboard) clipboard(text string) {
	if d.term != nil {
		d.term.Screen().SetClipboard([]byte(text))
	}
}

func firstLine(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	return ink.Cut(say.OneLine(first), 50, "…")
}

// goToPane brings the asking agent's tmux pane up; the question stays here.
func (d *Dashboard) goToPane() {
	if d.form == nil {
		return
	}
	o := d.form.Session.Origin
	if d.o.GoToPane == nil || (o.Pane == "" && o.PID == 0) {
		d.message = "its tmux pane is not known"
		return
	}
	d.later(func() {
		ctx, cancel := context.WithTimeout(context.Background(), settleTmux)
		defer cancel()
		if err := d.o.GoToPane(ctx, o); err != nil {
			d.post(func() { d.message = "its pane: " + err.Error() })
		}
	})
}

// locate learns where panes are: those of attached forms, to say `in 2:1`, and those of agents that want a
// confirmation.
func (d *Dashboard) locate() {
	if d.o.Locate == nil {
		return
	}
	for i := range d.waiting {
		w := &d.waiting[i]
		if w.Standing == queue.StandingAttached {
			d.locatePane(w.Attached.Pane)
		}
		if w.Ask.Confirm {
			d.locatePane(w.Origin.Pane)
		}
	}
}

func (d *Dashboard) locatePane(pane string) {
	if _, known := d.places[pane]; known || pane == "" {
		return
	}
	d.places[pane] = ""
	d.later(func() {
		ctx, cancel := context.WithTimeout(context.Background(), settleTmux)
		defer cancel()
		where := d.o.Locate(ctx, pane)
		d.post(func() { d.places[pane] = where })
	})
}

// edit hands the text to $VISUAL or $EDITOR and takes it back: the field being typed, else the person's own words
// where the ask allows them, else the comment.
func (d *Dashboard) edit() {
	f := d.form
	if !d.canEdit() {
		return
	}
	if f.Typing() == panes.FieldNone {
		if f.StartText(); f.Typing() == panes.FieldNone {
			f.Note = ""
			f.StartComment()
		}
		if f.Typing() == panes.FieldNone {
			return
		}
	}
	d.editText(f.Editor())
}

// canEdit reports whether an editor can be had, and says so if not.
func (d *Dashboard) canEdit() bool {
	if d.o.Edit == nil || d.term == nil {
		d.message = "no editor here"
		return false
	}
	return true
}

// editText lends the terminal to the editor and takes over what it saved.
func (d *Dashboard) editText(e *editor.Field) {
	var text string
	var err error
	lent := d.term.Lend(func(ctx context.Context) { text, err = d.o.Edit(ctx, e.Text()) })
	switch {
	case !lent:
		d.message = "the terminal is not ours now"
	case err != nil:
		d.message = "the editor: " + err.Error()
	case text != e.Text():
		d.typed(e, func() { e.SetText(text) })
	}
}

// suspend is Ctrl-Z: back to the shell, and here again with fg.
func (d *Dashboard) suspend() {
	d.saveDraft()
	if d.term == nil {
		return
	}
	if err := d.term.Suspend(); err != nil {
		d.message = "not suspended: " + err.Error()
	}
	d.guard.appear(d.now())
}

// quit ends the dashboard; what was typed is saved first.
func (d *Dashboard) quit() {
	d.saveDraft()
	d.stop()
}

// finish ends a hand-off form whose session is over.
func (d *Dashboard) finish(s queue.Session) {
	if d.outbox.Ended(s) || d.form == nil || (d.form.Typing() == panes.FieldNone && d.form.Typed() == "") {
		d.stop()
	}
}

// newSettings takes over what the settings file says now.
func (d *Dashboard) newSettings() {
	d.apply(d.o.Settings.Settings())
	d.settingsState()
	d.alert(d.now())
}

// rebind puts the person's own keys over the key table; what cannot be is said.
func (d *Dashboard) rebind() {
	var problems []string
	d.keys, problems = keys.New(d.settings.Keys, ink.Width)
	d.set.keys = strings.Join(problems, " · ")
}
