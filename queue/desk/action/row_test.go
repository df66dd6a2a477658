package action_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

// frontend notes what it is told.
type frontend struct {
	facts   action.Facts
	shown   []action.Effect
	refused []error
	said    string
	hidden  []config.HiddenOption
}

func (f *frontend) Facts() action.Facts             { return f.facts }
func (f *frontend) Show(e action.Effect)            { f.shown = append(f.shown, e) }
func (f *frontend) Refused(_ desk.Press, why error) { f.refused = append(f.refused, why) }
func (f *frontend) Words(m action.Message) string   { return named(m) }
func (f *frontend) Say(words string)                { f.said = words }
func (f *frontend) SetHides(e config.HiddenOption, hide bool, done func(error)) {
	f.hidden = append(f.hidden, e)
	done(nil)
}

// named returns a short name for what was said.
func named(m action.Message) string {
	var why form.WhyNot
	var later action.NotLater
	var rule action.NoRule
	switch {
	case m.OK():
		return ""
	case errors.As(m.Err, &why):
		return "form"
	case m.IsTeam():
		return "team"
	case errors.As(m.Err, &later):
		return "not later"
	case errors.As(m.Err, &rule):
		return "no rule"
	}
	for err, name := range map[error]string{desk.ErrOver: "over", action.Covered: "covered", desk.ErrSending: "sending",
		desk.ErrNoClock: "no clock", desk.ErrLeast: "least", desk.ErrLaterAttached: "attached",
		action.NothingToTakeBack: "nothing to take back", action.TakenBack: "taken back",
		action.BroughtBack: "brought back", action.NothingToCopy: "nothing to copy", action.NoEditor: "no editor",
		action.NotHere: "not here", action.Paused: "rests", action.Confirms: "confirms",
		action.Words("there is only one question"):                                                  "one question",
		action.Words("this agent has no other requests that can be allowed together with this one"): "none alike"} {
		if m.Is(err) {
			return name
		}
	}
	return m.Err.Error()
}

// view is a hand at a view with one question.
type view struct {
	*roomtest.Bench
	t        *testing.T
	frontend *frontend
	board    *action.Keyboard
	s        queue.Session
}

func sit(t *testing.T, a queue.Ask) *view {
	t.Helper()
	b := &view{Bench: roomtest.New(t, 80, 24, nil), t: t, frontend: &frontend{facts: action.Facts{Edits: true, Hides: true}}}
	b.board = action.NewKeyboard(b.View(), b.frontend)
	b.s = b.Ask(a, roomtest.Shop())
	b.calm()
	return b
}

func (b *view) calm() { b.Clock.Pass(desk.Settle) }

// press does an action as a key does, behind the guard.
func (b *view) press(a action.Name, n int) {
	b.frontend.said = ""
	b.board.Act(action.Input{Action: a, Arg: action.Arg{N: n}, Key: string(a), Name: string(a)}, b.Clock.T)
	b.Calm()
}

// effect does an action and returns its effect in one word or two: what was said against it, what is offered, begun,
// copied or wanted.
func (b *view) effect(a action.Name, n int) string {
	b.t.Helper()
	at := b.board.At()
	if why := at.WhyNot(a); !why.OK() {
		return named(why)
	}
	e := action.Of(a).Do(at, action.Arg{N: n})
	switch {
	case !e.WhyNot.OK():
		return named(e.WhyNot)
	case e.Offer != nil:
		return "offers"
	case e.Begin != form.FieldNone:
		return "begins"
	case e.Copy != "":
		return "copies"
	case len(e.Then) > 0:
		return "wants"
	case e.Back:
		return "leaves"
	case !e.Say.OK():
		return named(e.Say)
	}
	return "does"
}

// kinds are the kinds of questions, in the order of the columns of the table below.
var kinds = []struct {
	name string
	sit  func(*testing.T) *view
}{
	{"single", func(t *testing.T) *view { return sit(t, roomtest.Database()) }},
	{"multi", func(t *testing.T) *view { return sit(t, roomtest.One(queue.ModeMulti, nil)) }},
	{"text", func(t *testing.T) *view {
		return sit(t, roomtest.One(queue.ModeText, func(q *queue.Question) { q.Options = nil }))
	}},
	{"form", func(t *testing.T) *view { return sit(t, roomtest.Three()) }},
	{"review", func(t *testing.T) *view {
		b := sit(t, roomtest.Three())
		f := b.View().Form()
		for !f.Reviewing() && f.Next() {
		}
		return b
	}},
	{"approval", func(t *testing.T) *view { return sit(t, roomtest.ApproveTest()) }},
	{"confirm", func(t *testing.T) *view {
		b := sit(t, roomtest.DropTable())
		b.View().Form().Here().Mark("drop")
		b.press(action.Enter, 0)
		b.calm()
		return b
	}},
	{"closed", func(t *testing.T) *view {
		b := sit(t, roomtest.Database())
		b.SettleElsewhere(b.s, queue.SurfaceCLI, "lite")
		return b
	}},
	{"aside", func(t *testing.T) *view {
		b := sit(t, roomtest.Database())
		require.NoError(b.t, b.View().Later())
		b.Calm()
		return b
	}},
}

func TestEachActionOnEachKindOfQuestion(t *testing.T) {
	got := map[action.Name]string{}
	for _, a := range actions() {
		var row []string
		for _, k := range kinds {
			row = append(row, k.sit(t).effect(a, 2))
		}
		got[a] = strings.Join(row, " | ")
	}
	for _, a := range actions() {
		assert.Equal(t, effects[a], got[a], "effects has this row if that is right: %q: %q,", a, got[a])
	}
}

// actions lists the actions on a question.
func actions() (list []action.Name) {
	for _, r := range action.Table {
		if r.Do != nil {
			list = append(list, r.Name)
		}
	}
	return list
}

// always is the same effect on each kind.
func always(effect string) string {
	return strings.TrimSuffix(strings.Repeat(effect+" | ", len(kinds)), " | ")
}

// effects say what each action does on: single | multi | text | form | review | approval | confirm | closed | aside.
var effects = map[action.Name]string{
	"alike":           "none alike | none alike | none alike | none alike | none alike | none alike | confirms | over | rests",
	"all":             "form | does | form | form | does | form | confirms | over | rests",
	"all_recommended": "does | does | form | wants | wants | form | confirms | over | rests",
	"allow":           "form | form | form | form | form | does | confirms | over | rests",
	"ask_team":        "team | team | team | team | team | team | confirms | over | rests",
	"back":            "leaves | leaves | leaves | leaves | leaves | leaves | does | wants | wants",
	"cancel":          "begins | begins | begins | begins | begins | begins | begins | over | rests",
	"change_one":      "form | form | form | wants | wants | form | confirms | over | rests",
	"choose":          "does | does | form | does | form | does | confirms | over | rests",
	"comment":         "begins | begins | begins | begins | begins | begins | confirms | over | rests",
	"confirm":         "form | form | form | form | form | form | wants | over | rests",
	"copy":            always("nothing to copy"),
	"decline":         "does | does | does | does | does | does | does | over | rests",
	"defer":           "team | team | team | team | team | team | confirms | over | rests",
	"digit":           "does | does | form | does | does | does | confirms | over | rests",
	"down":            "does | does | does | does | does | does | confirms | over | rests",
	"editor":          "begins | begins | begins | begins | begins | begins | confirms | over | rests",
	"editor_typing":   "begins | begins | begins | begins | begins | begins | form | begins | begins",
	"enter":           "wants | does | begins | wants | wants | does | does | this question has just ended; press it again to continue | wants",
	"find":            "begins | begins | form | begins | form | begins | confirms | over | rests",
	"first":           "does | does | does | does | does | does | confirms | over | rests",
	"hide":            "offers | offers | form | offers | offers | form | confirms | over | rests",
	"last":            "does | does | does | does | does | does | confirms | over | rests",
	"later":           "offers | offers | offers | offers | offers | not later | offers | over | wants",
	"less_time":       "wants | wants | wants | wants | wants | wants | least | over | rests",
	"make_rule":       "no rule | no rule | no rule | no rule | no rule | no rule | confirms | over | rests",
	"mark":            "form | does | form | form | does | form | confirms | over | rests",
	"more_detail":     "begins | begins | begins | begins | begins | form | begins | over | rests",
	"more_time":       "wants | wants | wants | wants | wants | wants | wants | over | rests",
	"next_tab":        "one question | one question | one question | wants | does | one question | confirms | over | rests",
	"note":            "begins | begins | form | begins | form | begins | confirms | over | rests",
	"previous_tab":    "one question | one question | one question | does | wants | one question | confirms | over | rests",
	"reason_down":     always("does"),
	"reason_up":       always("does"),
	"recommended":     "does | does | form | does | does | form | confirms | over | rests",
	"refuse":          "begins | begins | begins | begins | begins | begins | confirms | over | rests",
	"show_hidden":     "form | form | form | form | form | form | confirms | over | rests",
	"start_over":      "form | form | form | form | form | form | confirms | over | rests",
	"team_fetch":      "team | team | team | team | team | team | confirms | over | rests",
	"team_park":       "team | team | team | team | team | team | confirms | over | rests",
	"team_wait":       "team | team | team | team | team | team | confirms | over | rests",
	"text":            "begins | begins | begins | begins | form | begins | confirms | over | rests",
	"undo_last":       always("nothing to take back"),
	"up":              "does | does | does | does | does | does | confirms | over | rests",
}

// A letter that is all of an answer in words asks whether its key was meant, so a key that does nothing there must not be
// said to act.
func TestActs_OnlyWhatAQuestionOfWordsTakes(t *testing.T) {
	words := func() *view {
		return sit(t, roomtest.One(queue.ModeText, func(q *queue.Question) { q.Options = nil }))
	}
	for _, a := range actions() {
		if b := words(); action.Of(a).IsIn(action.PlaceQuestion) && b.board.At().Acts(a) {
			why := action.Of(a).Do(b.board.At(), action.Arg{N: 1}).WhyNot
			assert.NotEqual(t, "form", named(why), "%s is said to act, and the form refuses it: %v", a, why.Err)
		}
	}
}
