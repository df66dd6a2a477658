package question

import (
	"slices"
	"strings"
	"time"

	"github.com/choicetui/choicetui/panes/editor"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

// display holds how one session is shown on screen: how far it is scrolled and was read, how its rows are shared, which
// text field is open. The form holds the answer.
type display struct {
	form *form.Form
	look

	field      *editor.Field // the field of the text that the form counts as being typed
	proposed   *editor.Field // shows the words that the agent proposes, until the person types; see proposal
	suggestion int           // the index of the suggested reason in the line; -1: none
	formAt     int           // the index of the form's question that was on view last; see showStep
	leftField  bool          // the person left the field of an answer in words, so letters are keys again

	reader
	arranged
	confirm   confirmState
	batch     batchList
	texts     texts
	page      page // what is on screen; see arrange
	hasHidden bool // the question has characters that would be invisible
}

// look holds everything else that the screen depends on. at and view of the Room bring it up to date.
type look struct {
	session        queue.Session // timed out if its time is up, even if that is not stored yet
	keys           action.Map
	glyphs         ink.Glyphs
	home           string // shown as ~
	allowedBefore  string // how often the person allowed the same thing, and when last; empty: never
	phrases        *desk.Phrases
	where          string   // the agent's place in tmux, such as 2:1
	tooLate        string   // an answer that was sent from here and came too late; empty: none
	meantFor       string   // for whom the question is meant, if several people share the queue
	interviewWords string   // says that an interview waits for this question; empty: none does
	askingTeam     bool     // the team is being asked meanwhile
	postponed      bool     // an answer to the question is held back, so that it can be undone
	inBatch        bool     // the list of approvals that are alike is open
	ofTeam         bool     // the person is asked something about the team, in front of the agent's question
	withTeam       bool     // the team was asked about the question, and it is still pending
	setAsideWords  []string // says when a question that is set aside is back, longest form first; nil: it is not
	closedBefore   string   // says that the last question closed before the person's words were sent; empty: it did not
	untold         bool     // the team is not told of an answer; see say.Speech
	teamFault      error    // why the last step of asking the team failed; nil: it did not
}

func newDisplay(f *form.Form, odd bool) *display {
	return &display{form: f, suggestion: -1, formAt: f.At(), reader: newReader(f.Len()), hasHidden: odd}
}

// q returns the question on view; in the review the last one.
func (v *display) q() *form.Question { return v.form.Here() }

// editor returns the text being typed, nil for none.
func (v *display) editor() *editor.Field {
	if v.form.Typing() == form.FieldNone {
		return nil
	}
	return v.field
}

// types reports whether the text of this field is being typed.
func (v *display) types(field form.Field) bool { return v.form.Typing() == field && v.field != nil }

// over reports whether the session is over.
func (v *display) over() bool { return v.session.Outcome != nil }

// key returns how an action's key is written on a question; empty: it has none.
func (v *display) key(a action.Name) string { return v.keys.KeyOf(action.PlaceQuestion, a) }

// indent returns the column where labels and their details begin.
func indent(g ink.Glyphs) int { return 4 + ink.Width(g.RadioOn) }

func (v *display) indent() int { return indent(v.glyphs) }

// shortName is the width for a question that has no name of its own.
const shortName = 20

// tabName returns a question's short name.
func (v *display) tabName(i int) string { return v.nameWithin(i, shortName) }

// nameWithin returns a question's name. A question without a name of its own is named by its text, cut to most cells.
func (v *display) nameWithin(i, most int) string {
	if q := v.form.Question(i); !form.Named(q) {
		return ink.Cut(form.LongName(q), most, v.glyphs.Ellipsis)
	}
	return v.form.Question(i).Name()
}

// digits returns the keys of the options that have a row. Hidden options keep their numbers, so the numbers of the
// others do not change.
func (v *display) digits() string {
	q := v.q()
	switch n := len(q.Options); {
	case q.HiddenRows() > 0:
	case n > 9 && v.keys.NumberOf(n) != "": // typed digit by digit
		return "1-" + v.keys.NumberOf(n)
	default:
		return v.keys.FirstKeys(action.PlaceQuestion, action.Digit, len(q.Options))
	}
	var shown []string
	for _, i := range q.Rows() {
		if key := v.keys.KeyFor(action.PlaceQuestion, action.Digit, i+1); i != form.OwnWords && key != "" {
			shown = append(shown, key)
		}
	}
	return strings.Join(shown, " ")
}

// unsent reports whether the person typed text that was not sent with the answer.
func (v *display) unsent() bool {
	return len(v.form.Typed()) > 0 && len(v.form.Draft().Unsent(v.session)) > 0
}

// chosen reports whether an option is shown as chosen. After the question has ended, the options of its answer are.
func (v *display) chosen(id string) bool {
	if v.over() {
		return slices.Contains(v.settled().Selected, id)
	}
	return v.q().Marked(id)
}

// wordsChosen reports whether the row of the person's own words is shown as chosen.
func (v *display) wordsChosen() bool {
	if v.over() {
		return !queue.Blank(v.settled().Text)
	}
	return v.q().OnWords()
}

// settled returns the answer with which the session ended, to the question on view; empty: it ended without one.
func (v *display) settled() queue.Reply {
	if replies, at := v.session.Outcome.Answer.Replies, v.form.At(); at < len(replies) {
		return replies[at]
	}
	return queue.Reply{}
}

// cancelLabel returns the label before the field for a reason, in a row of w cells. It leaves room for the text.
func (v *display) cancelLabel(w int) string {
	if v.types(form.FieldDetail) {
		return detailLabel(v.speech(), func(label string) bool { return ink.Width(label) <= w-16 })
	}
	if v.types(form.FieldRefusal) {
		return refusalLabel(v.speech(), func(label string) bool { return ink.Width(label) <= w-16 })
	}
	if v.form.Instead() {
		return say.InsteadLabel(func(label string) bool { return ink.Width(label) <= w/2 })
	}
	cancel := v.key(action.Cancel) + " cancel"
	if o := v.session.Origin; v.form.Approves() && o.Native() {
		leave := v.key(action.Cancel) + " leave it to " + say.Who(o)
		if words := leave + " · or say why to refuse: "; ink.Width(words) <= w/2 {
			return words
		}
		return v.key(action.Cancel) + " leave it · or say why to refuse: "
	}
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
	refuse := in.Keys.KeyOf(action.PlaceApproval, action.Refuse) + " refuse · "
	if long := refuse + "what to tell the agent (optional): "; fits(long) {
		return long
	}
	return refuse + "why: "
}

// detailLabel returns the longest label that fits before the words in which a person asks for more detail.
func detailLabel(in say.Speech, fits func(string) bool) string {
	label := in.Key(action.Detail) + " more detail · what do you want to know (optional): "
	if fits(label) {
		return label
	}
	return in.Key(action.Detail) + " detail: "
}

// description returns an option's description at w cells: emphasis, code and links only.
func (v *display) description(text string, w int) []ink.Line {
	if text == "" {
		return nil
	}
	return v.texts.inlineText(text, w)
}

// speech returns the wording of this screen for package say.
func (v *display) speech() say.Speech {
	cut := func(text string, cells int) string { return ink.Cut(text, cells, v.glyphs.Ellipsis) }
	return say.Speech{Frontend: say.OnScreen, Keys: v.keys, Enter: v.glyphs.Enter, Down: v.glyphs.Down, Cut: cut,
		Reading: v.onlyText(), Untold: v.untold}
}

// soon reports whether less than a minute is left.
func (v *display) soon(now time.Time) bool {
	return v.session.HasClock() && !v.over() && say.ShownLeft(v.session, now) < time.Minute
}

// onlyText reports whether only the question's text is on screen, because the person asked for that. It is false while
// a text is typed among the options, in the confirmation, in the review, and while an answer is held back, because
// those must be visible.
func (v *display) onlyText() bool {
	switch v.form.Typing() {
	case form.FieldText, form.FieldNote, form.FieldComment, form.FieldFind:
		return false
	}
	return v.full && !v.postponed && !v.form.Confirming() && !v.form.Reviewing()
}

// leaveText brings the options back, if only the text was on screen.
func (v *display) leaveText() {
	if v.full {
		prompt{v}.toggleFull()
	}
}
