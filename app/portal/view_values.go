package portal

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

// shown is what a page shows at one moment.
type shown struct {
	now     time.Time
	home    string       // the person's home directory
	place   action.Place // where keys go
	in      say.Speech   // how the page words things, with the keys that it mentions
	maySet  bool         // the person may change settings here
	mayList bool         // the person may see other questions here
	pending int          // the number of pending questions that the page may list
	ready   []string     // the texts that are suggested for the field being typed

	top       topView
	list      *part      // the list; nil: the page shows something else
	batch     *batchView // the list of approvals that are alike; nil: the page shows something else
	asked     *asked     // a question; nil: the page shows something else
	words     string     // in place of all these
	line      *lineView  // the footer in which a line to an agent is written; nil: it is closed
	panel     string     // the template of the panel in front of the page; empty: there is none
	panelData any
}

// asked is the question of a page, with its form and what else is known of it.
type asked struct {
	session queue.Session
	who     string      // the agent's name
	form    *form.Form  // nil: it is not loaded
	fills   bool        // the form can be filled in
	locked  bool        // an answer is held back or being sent, so nothing can be changed
	notices []string    // sentences about its circumstances
	before  *beforeView // the end of what the agent was doing; nil: it is not shown
	tooLate string      // the answer that was given here after the end; empty: none was
	next    queue.Ask   // the next pending question
	nextID  string      // empty: there is none

	ofTeam bool // the person is asked something about the team, in front of the agent's question
	footer footerValues
}

// isOver reports whether the question has ended.
func (a asked) isOver() bool { return !a.session.Pending() || !a.fills && a.footer.held == "" }

// footerValues are what the footer says and does, beside what the form says.
type footerValues struct {
	held     string        // the answer that is held back, in words; empty: none is
	sending  string        // the answer that is being stored, in words; empty: none is
	offer    offer         // the action that the page has asked about; no verb: it has asked about none
	paused   *say.Line     // when a question that was set aside comes back; nil: it was not
	can      []action.Name // the actions that are possible now, and allowed on this page
	gone     bool          // the asking agent is gone
	refused  say.Line      // why the guard refused a key; no pieces: it refused none
	behind   string        // the key that was refused, where Enter works now; empty: none was
	doubts   bool          // the text being typed may be meant for another window
	asks     bool          // Enter has asked whether that is so
	keyTyped *action.Row   // the action of the key that is all of the text; nil: the text is no key
	letter   bool          // the text is one letter that is a key
	alike    string        // the button for the list of approvals that are alike; empty: there is none
}

// offer holds the words for an action that the page has asked about, and that a click or the next Enter then carries
// out.
type offer struct {
	line say.Line
	verb string // the word on its button
}

// part is the HTML of one element, with a checksum that tells whether the page already has it.
type part struct {
	html string
	sum  uint64
}

// topView is the line at the top of the page.
type topView struct {
	Waiting  string
	List     bool // there is a link to the list
	Settings bool
	Writes   bool // a line to an agent can be written
	Problem  string
}

// Key returns the name of an action's key in the present place; empty: it has no key. Templates use it too.
func (v shown) Key(a action.Name) string {
	place := v.place
	switch place {
	case action.PlaceTyping, action.PlaceReason, action.PlaceFind, action.PlaceChat, action.PlaceHelp,
		action.PlaceSettings, action.PlacePeek:
		place = action.PlaceQuestion
		if v.list != nil {
			place = action.PlaceQueue
		}
	}
	return v.in.Keys.KeyOf(place, a)
}

// fieldView is a text field.
type fieldView struct {
	ID, Name, Label, Placeholder, Key string
	N                                 int
}

// field returns a text field of the page. a is the action that opens it; empty: it has no key.
func (v shown) field(name, label, placeholder string, a action.Name) *fieldView {
	return &fieldView{ID: "f-" + name, Name: name, Label: label, Placeholder: placeholder,
		Key: v.in.Keys.KeyOf(action.PlaceQuestion, a)}
}

// fieldNames maps the names of fields on the page to the form's fields.
var fieldNames = map[string]form.Field{"own": form.FieldText, "note": form.FieldNote, "comment": form.FieldComment,
	"reason": form.FieldReason, "detail": form.FieldDetail, "find": form.FieldFind,
	"refusal": form.FieldRefusal}

// fieldID returns the HTML id of the field being typed.
func fieldID(f *form.Form) string {
	for name, field := range fieldNames {
		if field == f.Typing() {
			return "f-" + name
		}
	}
	return "main"
}

// inFooter reports whether a field is in the footer, such as the reason for a cancel: closing it does more than end
// typing.
func inFooter(field form.Field) bool { return field.Ends() || field == form.FieldRefusal }

func itoa(n int) string { return strconv.Itoa(n) }

// enterName is the page's sign for Enter.
const enterName = "⏎"

// choicePath is the prefix of a question's path.
const choicePath = "/choice/"

// mostNews is the number of characters of a title that a screen reader is told; the heading has the whole.
const mostNews = 120

// listView is the list of questions.
type listView struct {
	Waiting []entryView
	Needed  []neededView
	Last    []answeredView
	Empty   string // in place of the questions
	More    string // how many are not listed
	Hosts   string // which hosts have questions that are not listed
}

// entryView is a row of the list.
type entryView struct {
	ID, Title, Who, Standing, Path string
	Draft, Aside                   bool
	Key                            string
}

// neededView is an agent that needs the person in its own terminal pane.
type neededView struct{ Says, Who, At string }

// answeredView is one of the last answers.
type answeredView struct{ Title, What, Who, At, Path string }

// helpView is the help page: the list of keys.
type helpView struct {
	Here   helpGroup // the present place; without rows: the page has no keys there
	Groups []helpGroup
	Out    []helpOut
}

// helpGroup is the keys of one place.
type helpGroup struct {
	Name string
	Rows []action.HelpRow
}

// helpOut is a key of the dashboard that the page does not have, with the reason.
type helpOut struct{ Keys, Words, Why string }

// batchView is the list of approvals that are alike; see desk.Batch.
type batchView struct {
	ID, Agent, Title string
	Rows             []batchRow
	Later            string // says that more came since the list opened; empty: none did
	Line, All        string // the effect of Enter; the key that marks all
	Waits            bool   // Enter would send nothing now
}

// batchRow is a request in that list.
type batchRow struct {
	N              int
	Text, Note     string
	Marked, Cursor bool
	Locked         bool // it cannot be marked here
}

// lineView is the footer at the bottom of the page in which the person writes a line to an agent.
type lineView struct {
	fieldView
	Text        string
	State       string // what the agent is doing
	Line, Enter string
	Waits       bool // Enter would send nothing now
	Others      []buttonView
}

// beforeView tells what the agent was doing when it asked: all of that in the panel, or its end in rows below the
// question.
type beforeView struct {
	Of      string // the question
	Says    string // where the lines are from, or why there are none
	Unknown bool   // nothing is known of it, and nothing is shown below the question
	Lines   []beforeLine
}

// Limits of the rows below a question: their number, and the characters of each.
const mostBeforeRows, mostOfBeforeRow = 3, 300

// end returns what is shown below the question.
func (b beforeView) end() beforeView {
	lines := slices.DeleteFunc(slices.Clone(b.Lines), func(l beforeLine) bool { return l.Text == "" })
	b.Lines = lines[max(len(lines)-mostBeforeRows, 0):]
	for i, l := range b.Lines {
		b.Lines[i].Text = queue.Shorten(l.Text, mostOfBeforeRow, "…")
	}
	return b
}

// beforeLine is a line of a beforeView, with the CSS class of its colour.
type beforeLine struct{ Text, Class string }

// footerView is the footer: what the button does, and the buttons that end the question in another way.
type footerView struct {
	shown
	Line, Enter  string // the effect of Enter; the sign for Enter, if the line begins with it
	Button       string
	Confirms     bool // the button confirms the answer, in place of the one for Enter
	Waits        bool // the button does nothing yet
	Paused       bool // the question is set aside for a while, and the button brings it back
	Held         bool
	Offer        string // the button that accepts an offer
	Others       []buttonView
	Reason       *fieldView
	Ready        []readyView
	EndIt        string // the button that ends the question
	Detail       bool   // the line asks the agent for more detail
	Sending      bool
	SendingWords string
	TeamBack     bool // the button that leaves what the person is asked about the team
}

// buttonView is a button for another action than Enter's.
type buttonView struct {
	Do         action.Name
	Words, Key string
}

type readyView struct {
	N     int
	Words string
	On    bool
}

// setLine puts a line into the footer, and splits off the sign for Enter, which is drawn as a key.
func (b *footerView) setLine(l say.Line, in say.Speech) {
	b.Line = l.In("·")
	if rest, begins := strings.CutPrefix(b.Line, in.Enter+" "); begins {
		b.Enter, b.Line = enterName, rest
	}
}

// Words that the page uses in several places. All other words are where the page uses them, and those that it shares
// with other frontends are in panes/say.
const (
	wordsSend           = "Send"
	wordsGoOn           = "Next"
	wordsBringBack      = "Bring it back"
	wordsDefer          = "Put off…"
	wordsNextAgent      = "Next agent"
	wordsNoSettingsHere = "settings cannot be changed from here"
	wordsLoading        = "Loading…"
	wordsNotSaved       = "not saved: "
)
