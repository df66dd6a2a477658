package deed

import (
	"slices"
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/form"
	"github.com/choicetui/choicetui/queue/rules"
	"github.com/choicetui/choicetui/queue/widen"
)

// Deed is one row of the table: what an action does to the question at a seat.
type Deed struct {
	Action Action

	// Needs says why the action has no effect now, as far as that can be said without doing it. It changes nothing, so
	// a foot can ask it. nil: only Do can say so.
	Needs func(At) Message

	// Do does it: to the form itself, everything else as a Want. If the effect has a WhyNot, nothing was done.
	Do func(At, Arg) Effect

	// Guard returns what the action would do now, for the guard. nil: it is never refused.
	Guard func(At) desk.Effect

	Closed  bool // it is done to a closed question too
	Asked   bool // it is done where the answer is to be confirmed too
	Marks   bool // it marks an option, which must be on screen
	Toggles bool // it is a mark where several are allowed
	Chooses bool // it chooses something, or changes what Enter does: the guard remembers it if it was not taken
	Strays  bool // a letter that is refused may have been typed for another pane
}

// At describes the question that an action is for, as the seat and the face know it at this moment.
type At struct {
	Facts
	Seat *desk.Seat
	Form *form.Form
	On   queue.Session        // as the clock leaves it
	Hid  *config.HiddenOption // the option that was just hidden here; nil: none

	rests   bool           // the question was set aside here while nothing else was open
	inRound bool           // it is an approval that is looked through with others
	consult *widen.Consult // about the question, whose page or line is open; nil: none is
}

// Facts lists what only a face knows.
type Facts struct {
	Read    func() bool // reports whether all that has to be read was on screen; nil: it was not
	Edits   bool        // the face has an editor
	Hides   bool        // the face can change the settings
	Reasons []string    // the texts that are suggested for the field being typed
	Covered bool        // the options are not on screen, so none is marked
	Full    bool        // Esc closes something of the face first, such as the text at full height
	Untyped bool        // no person types: an agent that has a shell must not approve what it asked for
	Reason  int         // the index in Reasons of the text that is in the field; -1: none of them
}

// Arg holds the numbers that come with an action.
type Arg struct {
	N    int   // the option, question or suggestion that is meant, from 1; 0: the one under the cursor, or the next
	List []int // of Choose: the numbers of all options that are to be marked, from 1
}

// Effect describes the result of an action. The zero Effect means that the form took the action and nothing needs to be
// said.
type Effect struct {
	Action Action
	WhyNot Message    // why nothing was done; the other fields are empty then
	Say    Message    // words about the effect
	Offer  *Offer     // an effect that the next Enter carries out
	Begin  form.Field // the field that opens, with Text
	Text   string
	Ends   form.Field // the field that was left
	Closed bool       // there is no field any more, whether or not one was open
	Reason *int       // the suggestion that is in the field now, with Text
	Edit   bool       // the field goes to the person's editor
	Copy   string     // for the clipboard
	Back   bool       // the answer had nothing to go back from: the face leaves what only it shows, else the seat
	Wants  []Want
}

// Offer describes an effect that the next Enter carries out and any other key cancels.
type Offer struct {
	Action  Action
	On      queue.Session
	Option  queue.Option   // of Hide; of Rule the agent's own rule
	Marked  bool           // of Hide: the option is marked
	Rule    *rules.Rule    // of Rule; nil: it is the agent's own
	Until   time.Time      // of Later: when the question is back
	GivesUp time.Time      // of Later: when its agent gives up before that; zero: it does not
	State   string         // of Wait and GoOn: see queue.Widened
	Consult *widen.Consult // of Accept
	Do      func()         // set by the Hand
	then    func(At) Effect
}

// WantKind tells the changes apart that a Deed may ask for.
type WantKind int

// Kinds of wants. The comment behind each names the values of its Want.
const (
	WantSend      WantKind = iota // send the answer; if the team said otherwise, ask why first
	WantCancel                    // cancel the question
	WantSendNow                   // send the answer that is held back
	WantTakeBack                  // take it back
	WantEndRest                   // bring back the question that was set aside
	WantLeave                     // leave the question, which is closed
	WantAside                     // set the question aside
	WantMove                      // move its clock: By
	WantEndHold                   // nobody types any more
	WantBroughtUp                 // tell the guard that the person brought up what is on view
	WantCameUp                    // tell the guard that what is on view came up on its own
	WantHide                      // hide an option from later questions: Option
	WantUnhide                    // show it again: Option
	WantRule                      // store a rule: Rule
	WantRound                     // begin to look through similar approvals
	WantTake                      // count the one on view as it is marked
	WantGoOn                      // go to the next one that does not count yet
	WantStep                      // go to the next one, or the one before: N
	WantEndRound                  // look through them no more
	WantTeam                      // do something about the team: Team
)

// Want asks the Hand for a change outside of the form, which a Deed may not make.
type Want struct {
	Kind   WantKind
	By     time.Duration
	N      int
	Option config.HiddenOption
	Rule   *rules.Rule
	Team   func(*desk.Teamwork) error
}

func wants(kinds ...WantKind) (list []Want) {
	for _, k := range kinds {
		list = append(list, Want{Kind: k})
	}
	return list
}

// table has one row an action.
var table map[Action]*Deed

func init() { // rows look up others by what they do
	table = map[Action]*Deed{}
	for _, d := range slices.Concat(moves(), marks(), texts(), steps(), seconds(), approvals(), team()) {
		table[d.Action] = &d
	}
}

// Of returns the row of an action; nil: it does nothing to a question.
func Of(a Action) *Deed { return table[a] }

// Actions lists the actions that have a row, by name.
func Actions() (list []Action) {
	for a := range table {
		list = append(list, a)
	}
	slices.Sort(list)
	return list
}

// WhyNot says why an action has no effect now, as far as that is known without doing it.
func (at At) WhyNot(a Action) Message {
	if d := at.of(a); d != nil && at.Form != nil {
		return d.needs(at)
	}
	return Message{}
}

// decides reports whether a key decides something that was not on screen before: these questions always count as new.
// typing is the field in which it is pressed.
func (at At) decides(typing form.Field) bool {
	if !at.On.Pending() || at.rests {
		return false
	}
	switch typing {
	case form.FieldNone:
		return at.Seat.UndoableOn() || at.Form.Confirming() || at.Form.Reviewing() || at.Form.Approves()
	case form.FieldReason, form.FieldDetail, form.FieldRefusal:
		return true
	}
	return false
}

// alwaysIs returns a Deed.Guard that always returns e.
func alwaysIs(e desk.Effect) func(At) desk.Effect { return func(At) desk.Effect { return e } }
