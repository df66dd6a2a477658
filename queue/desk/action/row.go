// Package action is the keyboard: everything a person can do, and the one way by which it is done.
//
// A Row is one action. It is one literal, in the file that has its code: the keys and where they work (In), when the
// action is possible (Needs), what the guard is told of it (Effect), what it does (Do), and its words in the footer, in
// the help and in lines. The order of the rows is the order in the footer and in the help. A Keyboard carries out
// actions for one frontend at one view:
//
//	key ─► Keyboard.Press ─► the open offer? ─► text for a field? ─► Map.Lookup: place and key ─► Row
//	click, word ─► Keyboard.Act ──────────────────────────────────────────────────────────────────┐
//	     guard ─► Row.Needs ─► Row.Do ─► Effect ─► Frontend: Show, Say                            Row
//	                                └► FollowUp ─► view, team, rules
//
// The rows of this package act on the question on view. A frontend has rows of its own in the same form for its pages
// and lists (Frontend.Own): such a row has the name of a row here, from which it takes the keys and the words, and has
// its own Do. A letter that acts without Enter waits for a moment, and so does a press that may be the repeat of a held
// key: the frontend calls ActLate when Due says so.
//
// An action changes only the form, and does not change even that if it returns an Effect with a WhyNot. It asks for
// every other change with a FollowUp. What becomes of one that takes time comes as an event of the desk.
//
// In this package a question is paused if it was set aside while no other question was open (desk.View.Paused).
package action

import (
	"slices"
	"strings"
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/form"
	"github.com/choicetui/choicetui/queue/rules"
)

// Name is the name of an action. The setting `keys` assigns keys to these names.
type Name string

// Row is one action. A frontend's own row may leave out all but Name.
type Row struct {
	Name Name

	Keys    []string // a character itself, or a name such as enter, esc, ctrl+g, alt+enter
	Show    string   // how the keys are written; empty: as Keys says
	Counted bool     // the n-th key stands for the n-th option, question or line
	In      []Place  // where the keys work
	Waits   bool     // a letter acts after a pause without another key: it may be meant for another pane
	Repeats bool     // with Waits: if the key is pressed several times in the pause, it acts as often
	Alone   bool     // with Waits: the letter does nothing directly after another letter
	// with Waits: a press that is too soon, or that comes while an earlier one waits, makes the guard wait again
	Deliberate bool

	// AtOnce reports whether the key sends at once, now, what it chooses. It then waits as with Waits, and Enter in
	// that time means now. nil: never.
	AtOnce func(At) bool

	// Effect tells the guard what the action would do now. nil: the guard never refuses the action.
	Effect func(At) desk.Effect

	// Needs returns why the action is not possible now, as far as that is known without trying. It changes nothing, so
	// that the footer can call it too. nil: only Do knows.
	Needs func(At, Arg) Message

	// Do carries out the action. nil: only frontends have the action, each with its own Do.
	Do func(At, Arg) Effect

	Agents  bool // the action is about an agent's question, and does nothing where the person is asked about the team
	Closed  bool // the action is possible on a question that has ended
	Asked   bool // the action is possible while the confirmation is open
	Paused  bool // the action is possible on a question that is paused
	Marks   bool // the action marks an option, so the options must be on screen
	Options bool // the action is about the options: without any it does nothing, and it brings them back on screen
	Toggles bool // the action marks one of several allowed options
	Chooses bool // the action makes a choice or changes what Enter does, so the guard remembers a refused one
	Strays  bool // after a refusal the guard takes the key for typing that was meant for another pane

	Opens form.Field // the field that the action opens; zero: none

	Footer string // the words in the footer; empty: the footer does not show the key
	Short  string // the words if there is little room; empty: there are no shorter ones
	Bare   bool   // if there is little room, the key may be shown without words
	Room   Room   // whether the footer leaves the key out if there is too little room

	// Offered reports whether the footer shows the key now; nil: always.
	Offered func(At) bool
	// Now returns the hint in the footer with the words of this moment; nil: it has always the same words.
	Now func(At, Hint) Hint

	Help   string
	HelpAt map[Place]string // replaces Help and Group where the key does something else
	With   Name             // the help shows this row's keys in the row of that action
	Group  string           // the words in the help for this row together with the rows that have it as With
	Seldom []Place          // where the help shows the row only among all keys: few need it, or the footer tells of it

	Line  Line              // the word in lines
	Lacks map[string]string // the frontends that leave the action out on purpose, each with the reason
}

// Room says which keys the footer leaves out if it has too little room. Of one kind, those that come first in the table
// get their room first, so a new row may take that of another one behind it.
type Room int

// Kinds of keys in the footer.
const (
	Usual  Room = iota // left out when all Spare ones are
	Spare              // left out first
	Always             // never left out
)

// Line describes an action in lines, where the person types a word.
type Line struct {
	Word    string // empty: lines have no word for it
	Args    string // what may follow the word, as the help writes it; empty: nothing may
	Help    string // what it does; empty: the help does not list the word
	Keyless bool   // the action's keys are no short forms of the word: they mean something else in lines
}

// Names of frontends in Row.Lacks.
const (
	Screen  = "screen"
	Page    = "page"
	Lines   = "lines"
	Command = "command" // choicetui answer and choicetui cancel
)

// Reasons that several rows share.
const (
	cursorless  = "lines have numbers in place of a cursor"
	wordsOnly   = "a text is typed on its line, and the terminal edits that"
	afterWiden  = "the conversation after widen asks for it"
	oneMark     = "a key marks one option"
	allAtOnce   = "a command gives the whole answer at once"
	idsOnly     = "a command names options by their ids"
	oneReply    = "a command answers one question and ends"
	alone       = "asking the team is a conversation, which a command does not have"
	browserText = "its text fields are the browser's"
	fileHasText = "a file or standard input holds the text"
)

// Table has one row for each action, in the order of the footer and the help.
var Table []Row

// Keys has the rows of Table that have keys, with their default keys.
var Keys Map

// byName finds the row of an action that acts on the question.
var byName map[Name]*Row

func init() { // not a literal, because the code of some rows looks up others in the table
	Table = slices.Concat(answers(), marks(), approvals(), batches(), steps(), reading(), texts(), puttingOff(), team(),
		thinkingAgain(), stepping(), moves(), timing(), hiding(), typing(), around(), suggesting())
	byName = map[Name]*Row{}
	for i, r := range Table {
		if r.Do != nil {
			byName[r.Name] = &Table[i]
		}
		if len(r.In) > 0 {
			Keys = append(Keys, r)
		}
	}
}

// Of returns the row of an action on the question; nil: the action is not one on a question.
func Of(a Name) *Row { return byName[a] }

// Lacks reports whether a frontend leaves an action out on purpose, or has it only with its own Do.
func Lacks(frontend string, a Name) bool {
	r := Of(a)
	return r == nil || r.Lacks[frontend] != ""
}

// At describes the question that an action is for, as the view and the frontend know it at this moment.
type At struct {
	Facts
	View *desk.View
	Form *form.Form           // nil: no question is on view
	On   queue.Session        // the question, with a timeout that is due
	Hid  *config.HiddenOption // the option that was just hidden here; nil: none

	paused    bool // the question was set aside here while nothing else was open
	postponed bool // its answer is held back
	inBatch   bool // the list of approvals that are alike is open
	ofTeam    bool // the person is asked something about the team, in front of the agent's question
}

// Facts describes the state and the abilities of a frontend.
type Facts struct {
	Read    func() bool     // reports whether the whole text to be read was on screen; nil: it was not
	Whole   bool            // the frontend can show one request of a batch alone
	Edits   bool            // the frontend has an editor
	Hides   bool            // the frontend can change the settings, and so hide options
	Reasons []string        // the texts that are suggested for the open field
	Covered bool            // the options are not on screen, so that none may be marked
	Full    bool            // Esc first closes something that only the frontend shows, such as the text at full height
	Untyped bool            // no person types here, but a program, so that no approval may be decided
	Reason  int             // the index in Reasons of the text that is in the field; -1: none of them
	Forbids func(Name) bool // reports whether the person may not use an action here; nil: they may use all
}

// Arg contains the numbers that the person gave with an action. They count from 1.
type Arg struct {
	N    int   // number of an option, question or suggestion; 0: the one under the cursor, or the next
	List []int // for Choose: the numbers of all options to mark
}

// Effect describes the result of an action. The zero Effect means that the form took the action and nothing needs to be
// said.
type Effect struct {
	Action  Name
	WhyNot  Message    // why nothing was done; the other fields are empty then
	Say     Message    // words about the effect
	Offer   *Offer     // an effect that the next Enter carries out
	Begin   form.Field // the field that was opened, with the text in Text
	Text    string     // see Begin and Reason
	Ends    form.Field // the field that was closed
	Closed  bool       // no field is open any more, whether or not one was open before
	Reason  *int       // the index of the suggestion that is in the field now, with its text in Text
	Edit    bool       // the field is to be opened in the person's editor
	Copy    string     // text for the clipboard
	Back    bool       // nothing of the form was open: the frontend closes what only it shows, else leaves the question
	Decides bool       // Then decides the question or stores a permission rule
	Then    []FollowUp // changes outside the form
}

// Offer describes an effect that the next Enter carries out and any other key cancels.
type Offer struct {
	Action  Name
	On      queue.Session   // the question on view when the offer was made
	Option  queue.Option    // for Hide: the option
	Marked  bool            // for Hide: the option is marked
	Rule    *rules.Rule     // for Rule: the rule that would be stored
	Until   time.Time       // for Later: when the question comes back
	GivesUp time.Time       // for Later: when the agent gives up, if it comes back because of that; else zero
	State   string          // for Wait and GoOn: see queue.Widened
	Do      func()          // carries the offer out; set by the Keyboard
	then    func(At) Effect // the effect of carrying it out
}

// Just returns the Do of a frontend's own row that needs nothing and has no effect on the question.
func Just(do func()) func(At, Arg) Effect {
	return func(At, Arg) Effect {
		do()
		return Effect{}
	}
}

// Nth returns the Do of a frontend's own row whose keys stand for numbers.
func Nth(do func(n int)) func(At, Arg) Effect {
	return func(_ At, arg Arg) Effect {
		do(arg.N)
		return Effect{}
	}
}

// Unless returns the Needs of a frontend's own row: why the action is not possible now, in words; empty: it is.
func Unless(why func() string) func(At, Arg) Message {
	return func(At, Arg) Message { return inWords(why()) }
}

// UnlessNth is like Unless, for keys that stand for numbers. n is 0 for the action in general.
func UnlessNth(why func(n int) string) func(At, Arg) Message {
	return func(_ At, arg Arg) Message { return inWords(why(arg.N)) }
}

// If returns the Offered of a frontend's own row.
func If(is func() bool) func(At) bool { return func(At) bool { return is() } }

// Never is the Offered of a row that the footer never shows.
func Never(At) bool { return false }

// Says returns a Now that always has the same words; short may be empty.
func Says(long, short string) func(At, Hint) Hint {
	return func(_ At, h Hint) Hint { return h.Say(Word{long, short}) }
}

// Named returns a Now that takes its words from a function.
func Named(words func(Word) Word) func(At, Hint) Hint {
	return func(_ At, h Hint) Hint { return h.Say(words(Word{h.Word, h.Short})) }
}

// WhyNot returns the reason why an action has no effect now, as far as that is known without trying. The zero Message
// means that no reason is known. It is also returned if Form is nil or the action has no row, so check that first.
func (at At) WhyNot(a Name) Message {
	if r := at.rowOf(a); r != nil && at.Form != nil {
		return r.whyNot(at, Arg{})
	}
	return Message{}
}

// Can reports whether an action on the question is possible now, as far as that is known without trying.
func (at At) Can(a Name) bool { return at.Form != nil && at.WhyNot(a).OK() }

// Acts reports whether an action would do something to the question on view, or lead away from it, as far as that is
// known before.
func (at At) Acts(a Name) bool {
	if !at.Can(a) {
		return false
	}
	switch r := at.rowOf(a); {
	case r != nil && r.Opens != form.FieldNone:
		return at.Form.Takes(r.Opens).OK()
	case r != nil && r.Options:
		return at.Form.Here().OptionRows() > 0
	case a == Next:
		return at.View.MayStep(1)
	case a == Previous:
		return at.View.MayStep(-1)
	}
	return true
}

// Do carries out an action on the form alone, for a caller without a view, such as a command. The action must be one
// that has no FollowUp.
func (at At) Do(a Name, arg Arg) Effect {
	r := Of(a)
	if why := r.whyNot(at, arg); !why.OK() {
		return Effect{WhyNot: why}
	}
	return r.Do(at, arg)
}

// needs returns what Needs does; without one the action is possible.
func (r *Row) needs(at At, arg Arg) Message {
	if r.Needs == nil {
		return Message{}
	}
	return r.Needs(at, arg)
}

// Run carries out a frontend's own row that needs no question. If that is not possible now, it only returns the reason,
// in words.
func (r *Row) Run(arg Arg) (why string) {
	if m := r.needs(At{}, arg); !m.OK() {
		return m.Err.Error()
	}
	r.Do(At{}, arg)
	return ""
}

// whyNot returns the reason why a row has no effect now: a general one, else that of Row.Needs. Without a question only
// Needs counts.
func (r *Row) whyNot(at At, arg Arg) (why Message) {
	switch {
	case at.Form == nil, at.inBatch: // the list stays open when the question ends
	case !r.Closed && !at.On.Pending():
		why = says(desk.ErrOver)
	case !r.Closed && !r.Paused && at.paused:
		why = says(Paused)
	case !r.Closed && !r.Asked && at.Form.Confirming():
		why = says(Confirms)
	case r.Marks && at.Covered:
		why = says(Covered)
	case r.Agents && at.ofTeam:
		why = says(AboutTeam)
	}
	if why.OK() {
		why = r.needs(at, arg)
	}
	if why.Action == "" {
		why.Action = r.Name
	}
	return why
}

// decides reports whether a key takes a decision that the guard always treats like one about a new question: on an
// approval, a confirmation, a review, or in the field of a reason. typing is the field in which the key is pressed.
func (at At) decides(typing form.Field) bool {
	switch {
	case at.inBatch:
		return true
	case !at.On.Pending() || at.paused:
		return false
	}
	switch typing {
	case form.FieldNone:
		return at.postponed || at.Form.Confirming() || at.Form.Reviewing() || at.Form.Approves() ||
			at.ofTeam && at.Form.EndsHere()
	case form.FieldReason, form.FieldRefusal:
		return true
	}
	return false
}

// SendsAtOnce reports whether the key of an action sends at once now what it chooses.
func (at At) SendsAtOnce(a Name) bool {
	r := Of(a)
	return r != nil && r.sendsAtOnce(at)
}

// sendsAtOnce reports whether AtOnce holds now.
func (r *Row) sendsAtOnce(at At) bool { return r.AtOnce != nil && at.Form != nil && r.AtOnce(at) }

// alwaysIs returns a Row.Effect that always returns e.
func alwaysIs(e desk.Effect) func(At) desk.Effect { return func(At) desk.Effect { return e } }

// Does returns what the row's key does, in few words: the beginning of its Help.
func (r Row) Does() string {
	if end := strings.IndexAny(r.Help, ",;("); end >= 0 {
		return strings.TrimSpace(r.Help[:end])
	}
	return r.Help
}

// nth returns which of the row's keys was pressed, counted from 1; 0: none of them.
func (r Row) nth(key string) int { return slices.Index(r.Keys, key) + 1 }

// IsIn reports whether the row's keys work in a place.
func (r Row) IsIn(place Place) bool { return slices.Contains(r.In, place) }

// Shown returns the row's keys as they are written in the footer and the help; empty: it is unbound.
func (r Row) Shown() string {
	switch {
	case !r.bound():
		return ""
	case r.Show != "":
		return r.Show
	case r.Counted:
		return keyRange(r.Keys)
	}
	return Written(r.Keys[0])
}

// mustKeepKey reports whether a row must have a key: without one for cancel or Enter the person could not cancel or
// send.
func (r Row) mustKeepKey() bool { return r.Name == Cancel || r.Name == Enter }

// bound reports whether a row has a key.
func (r Row) bound() bool {
	return slices.ContainsFunc(r.Keys, func(k string) bool { return k != "" })
}

// Hinted returns a Now that changes more than the words of a hint.
func Hinted(change func(Hint) Hint) func(At, Hint) Hint {
	return func(_ At, h Hint) Hint { return change(h) }
}
