package panes

import (
	"strings"

	"github.com/choicetui/choicetui/panes/editor"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// ReadyReasons are offered with the arrow keys when a question is cancelled.
var ReadyReasons = []string{
	"not now, go on with something else",
	"none of these: ask again with other options",
	"I need to know more: explain the difference first",
	"stop here, I will take over",
}

// StartText begins typing the person's own words, where the ask allows them.
func (f *Form) StartText() {
	if !f.q().TakesText() {
		f.Note = "this one takes its options only: " + f.key(keys.ActCancel) + " cancels it and tells why"
		return
	}
	f.cursor = len(f.rows) - 1
	f.followDot()
	f.edit(FieldText, f.reply.Text)
}

// StartNote begins a note on the option under the cursor.
func (f *Form) StartNote() {
	o, ok := f.current()
	switch {
	case !f.q().Annotate:
		f.Note = f.notesOff("notes")
	case !ok:
		f.Note = "a note is on an option: move to one first"
	default:
		f.noteOf = o.ID
		f.edit(FieldNote, f.reply.Notes[o.ID])
		f.asShown(o.Note)
	}
}

// StartComment begins the comment on the whole.
func (f *Form) StartComment() {
	if !f.annotates() {
		f.Note = f.notesOff("comments")
		return
	}
	f.edit(FieldComment, f.comment)
	f.asShown(f.Session.Ask.Comment)
}

// StartReason opens the line that asks why the question is cancelled.
func (f *Form) StartReason() {
	f.reasons = -1
	f.edit(FieldReason, f.reason)
}

// StartFind opens the line that narrows the options.
func (f *Form) StartFind() {
	if len(f.q().Options) == 0 {
		f.Note = "there are no options to find"
		return
	}
	f.edit(FieldFind, f.find)
}

func (f *Form) edit(field Field, text string) {
	f.own = true
	f.field, f.editor, f.armed, f.startOver, f.agents = field, editor.New(text), false, false, ""
	if field == FieldReason || field == FieldFind {
		f.editor = editor.OneLine(text)
	}
}

// asShown makes an agent's own note or comment visible where it is opened for typing: what is seen then is what is
// sent once the person changes it; untouched it stays as it came.
func (f *Form) asShown(agents string) {
	if f.editor.Text() == agents && say.Text(agents) != agents {
		f.agents = agents
		f.editor = editor.New(say.Text(agents))
	}
}

// Editor is the text being typed, nil when nothing is.
func (f *Form) Editor() *editor.Field { return f.editor }

// TypedChanged takes over what the editor holds after a key.
func (f *Form) TypedChanged() { f.takeTyped() }

// takeTyped copies the editor's text into its field, so that nothing typed waits for an end of typing.
func (f *Form) takeTyped() {
	if f.editor == nil {
		return
	}
	text := f.editor.Text()
	if f.agents != "" && text == say.Text(f.agents) {
		text = f.agents
	}
	var changed bool
	switch f.field {
	case FieldText:
		changed = put(&f.reply.Text, text)
	case FieldNote:
		note := f.reply.Notes[f.noteOf]
		if changed = put(&note, text); changed {
			f.reply.Notes[f.noteOf] = note
		}
	case FieldComment:
		changed = put(&f.comment, text)
	case FieldReason:
		changed = put(&f.reason, text)
	case FieldFind:
		if text = strings.TrimSpace(text); text != f.find {
			f.find = text
			f.relist()
		}
	}
	f.touched = f.touched || changed
}

func put(to *string, s string) bool {
	if *to == s {
		return false
	}
	*to = s
	return true
}

// EndTyping leaves the text field; the text stays.
func (f *Form) EndTyping() {
	f.takeTyped()
	if f.field == FieldFind && f.find != "" && f.Radio() && !f.onRow() {
		f.followDot() // what is sent is what is on screen
	}
	f.field, f.editor, f.noteOf = FieldNone, nil, ""
	f.Thaw()
}

// onRow reports whether what a radio has chosen is among the rows on screen.
func (f *Form) onRow() bool {
	for _, i := range f.rows {
		if i != textRow && f.marked(f.q().Options[i].ID) || i == textRow && len(f.reply.Selected) == 0 {
			return true
		}
	}
	return false
}

// ClearFind shows all options again; it reports whether they were narrowed.
func (f *Form) ClearFind() bool {
	if f.find == "" {
		return false
	}
	f.find = ""
	f.relist()
	if f.Radio() { // back to what is chosen, wherever the letters led
		f.cursor = f.startRow()
	}
	return true
}

// NextReason puts a ready reason into the cancel line; step is +1 or -1.
func (f *Form) NextReason(step int) {
	n := len(ReadyReasons)
	f.reasons = ((f.reasons+step)%n + n) % n
	if step < 0 && f.reasons == n-1 && f.editor.Text() == "" {
		f.reasons = n - 1
	}
	f.editor.SetText(ReadyReasons[f.reasons])
	f.takeTyped()
}

// Reason is why the question is cancelled; it may be empty.
func (f *Form) Reason() string {
	f.takeTyped()
	if queue.Blank(f.reason) {
		return ""
	}
	return f.reason
}
