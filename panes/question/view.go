package question

import (
	"slices"
	"strings"
	"time"

	"github.com/choicetui/choicetui/panes/editor"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/deed"
	"github.com/choicetui/choicetui/queue/form"
)

// view holds the state of one session on screen: what is scrolled and was seen, how the rows are shared, which text
// field is open. The form holds the answer.
type view struct {
	form *form.Form
	look

	field   *editor.Field // of the text that the form says is typed
	reasons int           // which suggested reason is in the line, -1 for none
	step    int           // the question of the form that was on view last
	typed   bool          // the person left the field of an answer that is only words, so letters are keys again
	ousted  bool          // a draft from elsewhere took its confirmation away

	reader
	arranged
	confirm confirmState
	texts   texts
	page    page // what is on screen, see arrange
	odd     bool // the ask holds characters that would not be seen
}

// look holds everything else that the screen depends on, as of now.
type look struct {
	session queue.Session // as the clock leaves it
	keys    keys.Map
	glyphs  ink.Glyphs
	home    string   // shown as ~
	before  string   // how often the person allowed the same thing, and when last; empty: never
	alike   []string // `2 of 5`, while similar approvals are looked through, longest form first; nil: none are
	where   string   // the agent's place in tmux, such as 2:1
	late    string   // an answer that was sent from here and came too late; empty: none
	meant   string   // for whom the question is, where several share the queue
	ends    string   // says that the interview waits for this question; empty: it does not
	asking  bool     // the team is being asked meanwhile
	held    bool     // an answer to it is held back
	resting []string // says when a question set aside is back, in its place, longest form first; nil: not set aside
	closed  string   // says that the question before closed with words of the person in it; empty: it did not
	fault   error    // why the last step about the team failed; nil: it did not
}

func newView(f *form.Form, odd bool) *view {
	return &view{form: f, reasons: -1, step: f.At(), reader: newReader(f.Len()), odd: odd}
}

// q returns the question on view; in the review the last one.
func (v *view) q() *form.Question { return v.form.Here() }

// editor returns the text being typed, nil for none.
func (v *view) editor() *editor.Field {
	if v.form.Typing() == form.FieldNone {
		return nil
	}
	return v.field
}

// types reports whether this text is being typed.
func (v *view) types(field form.Field) bool { return v.form.Typing() == field && v.field != nil }

// over reports whether the session is over.
func (v *view) over() bool { return v.session.Outcome != nil }

// key returns how an action's key is written on a question; empty: it has none.
func (v *view) key(a keys.Action) string { return v.keys.KeyOf(keys.PlaceQuestion, a) }

// indent returns the column where labels and their details begin.
func indent(g ink.Glyphs) int { return 4 + ink.Width(g.RadioOn) }

func (v *view) indent() int { return indent(v.glyphs) }

// shortName is the width for a question that has no name of its own.
const shortName = 20

// tabName returns a question's short name.
func (v *view) tabName(i int) string { return v.nameWithin(i, shortName) }

// nameWithin returns its name; a name made from its text takes at most so many cells.
func (v *view) nameWithin(i, most int) string {
	if q := v.form.Question(i); !form.Named(q) {
		return ink.Cut(form.LongName(q), most, v.glyphs.Ellipsis)
	}
	return v.form.Question(i).Name()
}

// digits returns the keys of the options that have a row. Hidden ones leave the others their numbers.
func (v *view) digits() string {
	q := v.q()
	if q.HiddenRows() == 0 {
		return v.keys.FirstKeys(keys.PlaceQuestion, deed.Digit, len(q.Options))
	}
	var shown []string
	for _, i := range q.Rows() {
		if key := v.keys.KeyFor(keys.PlaceQuestion, deed.Digit, i+1); i != form.OwnWords && key != "" {
			shown = append(shown, key)
		}
	}
	return strings.Join(shown, " ")
}

// unsent reports whether the form holds text of the person's that did not go out with the outcome.
func (v *view) unsent() bool {
	return len(v.form.Typed()) > 0 && len(v.form.Draft().Unsent(v.session)) > 0
}

// chosen reports whether dots and marks show an option as chosen: once it is over, those of the answer.
func (v *view) chosen(id string) bool {
	if v.over() {
		return slices.Contains(v.settled().Selected, id)
	}
	return v.q().Marked(id)
}

// wordsChosen reports whether the row of the person's own words is shown as chosen.
func (v *view) wordsChosen() bool {
	if v.over() {
		return !queue.Blank(v.settled().Text)
	}
	return v.q().OnWords()
}

// settled returns the answer to the question on view that ended the session; empty: it ended without one.
func (v *view) settled() queue.Reply {
	if replies, at := v.session.Outcome.Answer.Replies, v.form.At(); at < len(replies) {
		return replies[at]
	}
	return queue.Reply{}
}

// cancelLabel returns the label before the reason of a cancel, in a row of w cells: what is typed needs room too.
func (v *view) cancelLabel(w int) string {
	if v.types(form.FieldDetail) {
		return detailLabel(v.speech(), func(label string) bool { return ink.Width(label) <= w-16 })
	}
	if v.types(form.FieldRefusal) {
		return refusalLabel(v.speech(), func(label string) bool { return ink.Width(label) <= w-16 })
	}
	if v.form.Instead() {
		return say.InsteadLabel(func(label string) bool { return ink.Width(label) <= w/2 })
	}
	cancel := v.key(deed.Cancel) + " cancel"
	title := cancel + " “" + say.Title(v.session.Ask) + "” · reason (optional): "
	switch plain := cancel + " · reason (optional): "; {
	case ink.Width(title) <= w/2 && ink.Width(title) <= w-16:
		return title
	case ink.Width(plain) <= w-16:
		return plain
	}
	return cancel + " · reason: "
}

// refusalLabel returns the longest label that fits before the reason of a refusal.
func refusalLabel(in say.Speech, fits func(label string) bool) string {
	refuse := in.Keys.KeyOf(keys.PlaceApproval, deed.Refuse) + " refuse · "
	if long := refuse + "what to tell the agent (optional): "; fits(long) {
		return long
	}
	return refuse + "why: "
}

// detailLabel returns the longest label that fits before the words in which a person asks for more detail.
func detailLabel(in say.Speech, fits func(string) bool) string {
	label := in.Key(deed.Detail) + " more detail · what do you want to know (optional): "
	if fits(label) {
		return label
	}
	return in.Key(deed.Detail) + " detail: "
}

// description returns an option's description at w cells: emphasis, code and links only.
func (v *view) description(text string, w int) []ink.Line {
	if text == "" {
		return nil
	}
	return v.texts.of(text, w, true)
}

// speech returns the screen's way to word things.
func (v *view) speech() say.Speech {
	cut := func(text string, cells int) string { return ink.Cut(text, cells, v.glyphs.Ellipsis) }
	return say.Speech{Face: say.FaceScreen, Keys: v.keys, Enter: v.glyphs.Enter, Down: v.glyphs.Down, Cut: cut,
		Reading: v.onlyText()}
}

// soon reports whether less than a minute is left.
func (v *view) soon(now time.Time) bool {
	return v.session.HasClock() && !v.over() && say.ShownLeft(v.session, now) < time.Minute
}

// onlyText reports whether only the text is on screen. A text that is typed among the options, the confirmation, the
// review and an answer that is held back are shown all the same.
func (v *view) onlyText() bool {
	switch v.form.Typing() {
	case form.FieldText, form.FieldNote, form.FieldComment, form.FieldFind:
		return false
	}
	return v.full && !v.held && !v.form.Confirming() && !v.form.Reviewing()
}

// leaveText brings the options back, if only the text was on screen.
func (v *view) leaveText() {
	if v.full {
		prompt{v}.toggleFull()
	}
}
