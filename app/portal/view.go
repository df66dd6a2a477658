package portal

import (
	"bytes"
	"hash/maphash"
	"html/template"
	"strconv"
	"sync"
	"time"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

// The files view*.go make a page's HTML from what it shows. They read nothing but that value: no page, no desk, no
// request. page.shown says what a page shows now.

// shown is what a page shows at one moment.
type shown struct {
	now     time.Time
	home    string       // the person's home directory
	place   action.Place // where keys go
	in      say.Speech   // how the page words things, with the keys that it mentions
	maySet  bool         // the person may change settings here
	mayList bool         // the person may see other questions here
	pending int          // the number of pending questions that the page may list

	top       topView
	list      *part      // the list; nil: the page shows something else
	round     *roundView // the review of similar approvals; nil: the page shows something else
	asked     *asked     // a question; nil: the page shows something else
	words     string     // in place of all these
	line      *lineView  // the bar in which a line to an agent is written; nil: it is closed
	panel     string     // the template of the panel in front of the page; empty: there is none
	panelData any
}

// drawn is the content of a page: HTML by the id of its element, and texts by the id of their field.
type drawn struct {
	parts  map[string]part
	values map[string]string
	title  string
}

// part is the HTML of one element, with a checksum that tells whether the page already has it.
type part struct {
	html string
	sum  uint64
}

// seed makes the checksums of the parts that a page has.
var seed = maphash.MakeSeed()

// partOf executes a template with its data.
func partOf(name string, data any) part {
	var b bytes.Buffer
	if err := templates().ExecuteTemplate(&b, name, data); err != nil {
		b.Reset() // the template has a mistake; a test draws them all
		template.HTMLEscape(&b, []byte(err.Error()))
	}
	return part{b.String(), maphash.Bytes(seed, b.Bytes())}
}

// templates parses the templates for the parts of a page. All text goes through html/template, and text from an agent
// first goes through say.Text, say.OneLine or markup. They are parsed when the first page is drawn, because every
// command links this package and few show a page.
var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"inc": func(n int) int { return n + 1 },
	}).Parse(readAsset("page.html")))
})

// draw returns the content of the page.
func (v shown) draw() drawn {
	made := drawn{parts: map[string]part{"foot": {}, "panel": {}}, values: map[string]string{}, title: "choicetui"}
	put := func(id, template string, data any) { made.parts[id] = partOf(template, data) }
	switch {
	case v.list != nil:
		made.parts["main"] = *v.list
	case v.round != nil:
		put("main", "round", v.round)
		put("foot", "roundfoot", v.round)
	case v.asked == nil:
		put("main", "words", v.words)
	case v.asked.isOver():
		put("main", "over", v.over())
	default:
		q, f := v.question(), v.asked.form
		made.title, made.values = q.Title, q.texts
		if v.asked.fills && f.Unconfirmed() { // the text is in its field, and not in the answer yet
			made.values[fieldID(f)] = f.TypedText()
		}
		put("main", "question", q)
		put("foot", "foot", v.footer())
	}
	if v.line != nil {
		made.values[v.line.ID] = v.line.Text
		put("foot", "linefoot", v.line)
	}
	put("top", "top", struct {
		shown
		topView
	}{v, v.top})
	if v.panel != "" {
		put("panel", v.panel, v.panelData)
	}
	if v.pending > 0 {
		made.title = "(" + itoa(v.pending) + ") " + made.title
	}
	return made
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

// teamField is the name of the text field for a line about the team: whom to ask, or a reason.
const teamField = "team"

// fieldID returns the HTML id of the field being typed.
func fieldID(f *form.Form) string {
	for name, field := range fieldNames {
		if field == f.Typing() {
			return "f-" + name
		}
	}
	return "main"
}

// inFooter reports whether a field is in the bar at the bottom of the page, such as the reason for a cancel: closing it
// does more than end typing.
func inFooter(field form.Field) bool { return field.Ends() || field == form.FieldRefusal }

func itoa(n int) string { return strconv.Itoa(n) }

// enterName is the page's sign for Enter.
const enterName = "⏎"

// choicePath is the prefix of a question's path.
const choicePath = "/choice/"

// mostNews is the number of characters of a title that a screen reader is told; the heading has the whole.
const mostNews = 120

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

// roundView shows the review of a round. In a round the person looks through similar approvals one by one; the review
// lists them before they are sent together. See desk.Round.
type roundView struct {
	Agent   string
	Rows    []roundRow
	Notes   []string
	Name    string
	Waits   bool
	Line    string
	LeaveIt string
}

// roundRow is an approval in the review of a round.
type roundRow struct {
	N     int
	Key   string
	Ended bool
	say.RoundRow
}

// lineView is the bar at the bottom of the page in which the person writes a line to an agent.
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
	Of    string // the question
	Says  string // where the lines are from, or why there are none
	Lines []beforeLine
}

// beforeLine is a line of a beforeView, with the CSS class of its colour.
type beforeLine struct{ Text, Class string }
