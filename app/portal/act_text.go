package portal

import (
	"strconv"
	"strings"
	"time"

	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/queue/desk/deed"
	"github.com/choicetui/choicetui/queue/form"
)

// texts are the text fields of a page. A field that has the focus is what the form calls being typed.
type texts struct{ *page }

// fieldNames are the fields as the page calls them.
var fieldNames = map[string]form.Field{"own": form.FieldText, "note": form.FieldNote, "comment": form.FieldComment,
	"reason": form.FieldReason, "detail": form.FieldDetail, "find": form.FieldFind,
	"refusal": form.FieldRefusal}

// fieldID returns the id of the field being typed; of a note it names its option too.
func fieldID(f *form.Form) string {
	for name, field := range fieldNames {
		if field == f.Typing() {
			return "f-" + name
		}
	}
	return "main"
}

// open reports whether a text is being typed.
func (t texts) open() bool {
	f := t.form()
	return f != nil && t.session().Pending() && f.Typing() != form.FieldNone
}

// take follows what is typed into a field: it got the focus, it has another text, it lost the focus.
func (t texts) take(d pageEvent, now time.Time) {
	t.settle()
	if d.Field == lineField {
		t.takeLine(d, now)
		return
	}
	if d.Field == teamField {
		t.takeTeam(d, now)
		return
	}
	f, field := t.form(), fieldNames[d.Field]
	if f == nil || field == form.FieldNone || !t.session().Pending() || f.Confirming() && !inFoot(field) {
		return
	}
	if d.Do == doDone {
		if f.Typing() == field && !inFoot(field) {
			t.end(true)
		}
		return
	}
	if f.Typing() != field || field == form.FieldNote && f.TypingNote() != t.optionAt(d.N) && d.N > 0 {
		t.begin(field, d.N, now)
	}
	if d.Do == doText && f.Typing() == field {
		t.hand.Drop()
		t.typed(now)
		if ranOn, _ := t.seat.Guard.RanOn(); ranOn {
			f.Loosen()
		}
		f.Type(strings.ReplaceAll(d.Value, "\r\n", "\n"))
	}
}

// typesFirst reports whether a key is the first letter of the answer to a question that takes nothing but words, and
// whose field the person has not left.
func (v verbs) typesFirst(place keys.Place, key string) bool {
	return place == keys.PlaceQuestion && !v.leftField && v.form().WantsWords() && v.all.keys.BeginsText(key)
}

// typeFirst opens the field of the answer with its first letter, which may be meant for another window.
func (v verbs) typeFirst(key string, now time.Time) {
	if !v.hand.TypeFirst(key, now) {
		return
	}
	f := v.form()
	if f.Typing() == form.FieldText {
		f.Type(f.LooseText() + key)
	}
	v.forced, v.focus = true, v.focusNow()
	v.seat.HoldClock()
	v.seat.DraftSoon()
}

// optionAt returns the id of the n-th option.
func (t texts) optionAt(n int) string {
	if q := t.form().Here(); n >= 1 && n <= len(q.Options) {
		return q.Options[n-1].ID
	}
	return ""
}

// begin opens a field that was clicked. The line of a field that ends the question is opened by its key or its button.
func (t texts) begin(field form.Field, n int, now time.Time) {
	if a, opens := actionOf[field]; opens {
		t.end(true)
		t.hand.Focus(a, deed.Arg{N: n}, now)
	}
}

// actionOf is the action that begins a field.
var actionOf = map[form.Field]keys.Action{form.FieldText: deed.Text, form.FieldNote: deed.Note,
	form.FieldComment: deed.Comment, form.FieldFind: deed.Find}

// typed notes that the person is typing: the clock is held, and a draft is saved soon.
func (t texts) typed(now time.Time) {
	t.ousted = false
	t.seat.Guard.Type(now)
	t.seat.HoldClock()
	t.seat.DraftSoon()
}

// end leaves the text field; the text stays. plain: only where leaving it does nothing else.
func (t texts) end(plain bool) {
	f := t.form()
	if f == nil || f.Typing() == form.FieldNone || plain && inFoot(f.Typing()) {
		return
	}
	t.leftField = t.leftField || f.Typing() == form.FieldText
	f.EndTyping()
	t.seat.EndHold()
}

// inFoot reports whether a field is the line at the foot of the page: leaving it does more than to end typing.
func inFoot(field form.Field) bool { return field.Ends() || field == form.FieldRefusal }

func itoa(n int) string { return strconv.Itoa(n) }
