package form

import (
	"slices"

	"github.com/choicetui/choicetui/queue"
)

// An unconfirmed text is in the open field. It may have been meant for another pane, and is not part of the answer yet.
// Attach adds it to the answer. Leaving the field puts it aside and restores the marks to their state
// before the field was opened. Opening that field again brings the text back.

// asideKey identifies the field from which a text was put aside.
type asideKey struct {
	question int // index of the question, for own words, a note and a refusal; else 0
	field    Field
	option   string // option id, for a note and a refusal
}

// fieldNames has the names of the fields in a draft.
var fieldNames = map[Field]string{FieldText: "text", FieldNote: "note", FieldComment: "comment", FieldReason: "reason",
	FieldDetail: "detail", FieldRefusal: "refusal"}

// Marks is a copy of the marks and the cursor of the question on view, for Restore.
type Marks struct {
	at        int
	selected  []string
	cursor    int
	confirmed bool
}

// Equal reports whether two Marks are the same.
func (m Marks) Equal(other Marks) bool {
	return m.at == other.at && m.cursor == other.cursor && m.confirmed == other.confirmed &&
		slices.Equal(m.selected, other.selected)
}

// Marks returns the marks of the question on view.
func (f *Form) Marks() Marks {
	q := f.Here()
	return Marks{f.at, q.Selected(), q.cursor, f.confirmed}
}

// Restore sets the marks that Marks returned, if the same question is still on view.
func (f *Form) Restore(m Marks) {
	if f.at != m.at {
		return
	}
	q := f.Here()
	q.reply.Selected, f.confirmed = slices.Clone(m.selected), m.confirmed && f.confirming
	q.moveCursor(m.cursor)
}

// LeavesTo sets the marks to which the open field returns if its text is put aside. A caller that marks something and
// then opens a field passes the marks from before that.
func (f *Form) LeavesTo(m Marks) {
	f.typing.before = m
	if f.typing.unconfirmed { // the text came back from aside: the marks count as before until it is attached
		f.typing.marks = f.Marks()
		f.Restore(m)
	}
}

// Doubt makes the text being typed unconfirmed, since it may be meant for another pane. The text of FieldFind is never
// unconfirmed.
func (f *Form) Doubt() {
	field := f.typing.field
	if field == FieldNone || field == FieldFind || f.typing.unconfirmed {
		return
	}
	if f.typing.keptText() != f.typing.was {
		f.keepText(f.typing.was)
	}
	f.typing.unconfirmed = true
	if f.shared.approves { // opening the field may have marked the refusal
		f.typing.marks = f.Marks()
		f.Restore(f.typing.before)
	}
}

// Unconfirmed reports whether the text being typed is unconfirmed.
func (f *Form) Unconfirmed() bool { return f.typing.unconfirmed }

// TypedText returns the text in the open field; empty: no field is open.
func (f *Form) TypedText() string { return f.typing.text }

// Attach makes an unconfirmed text part of the answer. Without an unconfirmed text it does nothing.
func (f *Form) Attach() {
	if f.typing.unconfirmed {
		f.typing.unconfirmed = false
		if f.shared.approves { // nothing is marked while the words of a refusal are unconfirmed
			f.Restore(f.typing.marks)
		}
		delete(f.aside, f.asideKey(f.typing))
		f.Type(f.typing.text)
	}
}

// PutAside returns the text that was put aside from the field of the person's own words on the question on view; empty:
// none was.
func (f *Form) PutAside() string { return f.aside[asideKey{question: f.at, field: FieldText}] }

// putAside keeps an unconfirmed text for the next time its field is opened, and restores the marks.
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

// asideKey returns the key under which the text of a field is put aside.
func (f *Form) asideKey(t typing) asideKey {
	key := asideKey{field: t.field, option: t.note}
	if t.field == FieldText || t.field == FieldNote || t.field == FieldRefusal {
		key.question = f.at
	}
	return key
}

// listAside lists the texts that are not part of the answer, including an unconfirmed text in the open field.
func (f *Form) listAside() (list []queue.Aside) {
	texts := f.aside
	if f.typing.unconfirmed && !queue.Blank(f.typing.text) {
		texts = map[asideKey]string{f.asideKey(f.typing): f.typing.text}
		for key, text := range f.aside {
			if key != f.asideKey(f.typing) {
				texts[key] = text
			}
		}
	}
	for key, text := range texts {
		id, ofQuestion := "", key.field == FieldText || key.field == FieldNote || key.field == FieldRefusal
		if ofQuestion && key.question < len(f.ask.Questions) {
			id = f.ask.Questions[key.question].ID
		}
		list = append(list, queue.Aside{Question: id, Field: fieldNames[key.field], Option: key.option, Text: text})
	}
	slices.SortFunc(list, queue.Aside.Compare)
	return list
}

// restoreAside takes over the asides of a draft. It drops an aside whose field the form does not know.
func (f *Form) restoreAside(list []queue.Aside) {
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
