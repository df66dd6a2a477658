package form

import (
	"slices"

	"github.com/choicetui/choicetui/queue"
)

// A text that may have been meant for another pane is loose: it is in the field, but not in the answer. Attach puts it
// into the answer. Leaving the field puts it aside instead, and restores the marks as they were before the field was
// opened. The next time that field is opened the text is there again.

// asideKey says which field a text was put aside from.
type asideKey struct {
	question int // of own words, a note and a refusal; else 0
	field    Field
	option   string // of a note and a refusal
}

// fieldNames are the fields as a draft names them.
var fieldNames = map[Field]string{FieldText: "text", FieldNote: "note", FieldComment: "comment", FieldReason: "reason",
	FieldDetail: "detail", FieldRefusal: "refusal"}

// Marks hold the marks and the cursor of the question on view, to be restored later.
type Marks struct {
	at        int
	selected  []string
	cursor    int
	confirmed bool
}

// Equal reports whether the same is marked.
func (m Marks) Equal(other Marks) bool {
	return m.at == other.at && m.cursor == other.cursor && m.confirmed == other.confirmed &&
		slices.Equal(m.selected, other.selected)
}

// Marks returns what is marked on view now.
func (f *Form) Marks() Marks {
	q := f.Here()
	return Marks{f.at, q.Selected(), q.cursor, f.confirmed}
}

// Restore marks what was marked before, if the same question is still on view.
func (f *Form) Restore(m Marks) {
	if f.at != m.at {
		return
	}
	q := f.Here()
	q.reply.Selected, f.confirmed = slices.Clone(m.selected), m.confirmed && f.confirming
	q.put(m.cursor)
}

// LeavesTo says what was marked before the field that is open was opened, where opening it marked something.
func (f *Form) LeavesTo(m Marks) {
	f.typing.before = m
	if f.typing.loose { // its text was aside
		f.typing.marks = f.Marks()
		f.Restore(m)
	}
}

// Loosen says that the text being typed may be meant for another pane. The words of FieldFind are never loose.
func (f *Form) Loosen() {
	field := f.typing.field
	if field == FieldNone || field == FieldFind || f.typing.loose {
		return
	}
	f.typing.loose = true
	if f.shared.approves { // opening the field may have marked the refusal
		f.typing.marks = f.Marks()
		f.Restore(f.typing.before)
	}
}

// Loose reports whether the text being typed is not part of the answer.
func (f *Form) Loose() bool { return f.typing.loose }

// LooseText returns the text being typed that is not part of the answer.
func (f *Form) LooseText() string {
	if !f.typing.loose {
		return ""
	}
	return f.typing.text
}

// Attach makes a loose text part of the answer.
func (f *Form) Attach() {
	if f.typing.loose {
		f.typing.loose = false
		if f.shared.approves {
			f.Restore(f.typing.marks)
		}
		delete(f.aside, f.asideKey(f.typing))
		f.Type(f.typing.text)
	}
}

// putAside keeps a loose text for the next time its field is opened.
func (f *Form) putAside() {
	key := f.asideKey(f.typing)
	if queue.Blank(f.typing.text) {
		delete(f.aside, key)
	} else {
		f.aside[key] = f.typing.text
		f.shared.changed = true
	}
	f.Restore(f.typing.before)
}

func (f *Form) asideKey(t typing) asideKey {
	key := asideKey{field: t.field, option: t.note}
	if t.field == FieldText || t.field == FieldNote || t.field == FieldRefusal {
		key.question = f.at
	}
	return key
}

// setAside lists the texts that are not part of the answer, the one being typed included.
func (f *Form) setAside() (list []queue.Aside) {
	texts := f.aside
	if f.typing.loose && !queue.Blank(f.typing.text) {
		texts = map[asideKey]string{f.asideKey(f.typing): f.typing.text}
		for key, text := range f.aside {
			if key != f.asideKey(f.typing) {
				texts[key] = text
			}
		}
	}
	for key, text := range texts {
		id, one := "", key.field == FieldText || key.field == FieldNote || key.field == FieldRefusal
		if one && key.question < len(f.ask.Questions) {
			id = f.ask.Questions[key.question].ID
		}
		list = append(list, queue.Aside{Question: id, Field: fieldNames[key.field], Option: key.option, Text: text})
	}
	slices.SortFunc(list, queue.Aside.Compare)
	return list
}

// takeAside takes over the texts that a draft has aside. What names no field of the form is dropped.
func (f *Form) takeAside(list []queue.Aside) {
	f.aside = map[asideKey]string{}
	for _, a := range list {
		at := slices.IndexFunc(f.ask.Questions, func(q queue.Question) bool { return q.ID == a.Question })
		for field, name := range fieldNames {
			if name == a.Field {
				f.aside[asideKey{max(at, 0), field, a.Option}] = a.Text
			}
		}
	}
}
