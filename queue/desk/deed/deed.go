// Package deed implements the person's actions on the question at a seat, once for all faces. A Deed is the row of an
// action in one table: when the action is possible and what it does. A Hand carries out deeds for one face at one seat.
//
//	key, click, word ─► face: Input ─► Hand.Press ─► guard ─► Deed.Needs ─► Deed.Do ─► Effect ─► face: Show, Say
//	                                                                           └► Want ─► Hand ─► seat, team, rules
//
// Each face creates one Hand at its seat and implements the interface Face for it: Facts returns what was shown and
// what the face can do, Show draws the effects, Words and Say put messages into words. For each key the face calls
// Hand.Overtake and IsPress, then TakeOffer, then Press. A letter that acts without Enter waits for a moment, and so
// does a press that may be the repeat of a held key, so the face also calls ActLate when that is due. If the next
// letter begins the text of an answer, the face calls TypeFirst in place of Press.
//
// A Deed changes only the form, and does not change even that if its effect has a WhyNot. It asks for every other
// change with a Want, which the Hand carries out. The results of a Want that takes time come as events of the desk.
//
// In this package a round is a group of similar approvals that are looked through together (desk.Round), and a question
// rests if it was set aside while no other question was open (desk.Seat.Rests).
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

// Deed is the row of an action in the table: when the action is possible and what it does.
type Deed struct {
	Action Action

	// Needs returns the reason why the action has no effect now, as far as that is known without trying. It changes
	// nothing, so that the row of keys at the bottom of the screen can call it too. nil: only Do knows the reason.
	Needs func(At) Message

	// Do carries out the action. It changes the form, and returns a Want for every other change. If the effect has a
	// WhyNot, Do changed nothing.
	Do func(At, Arg) Effect

	// Guard tells the guard what the action would do now. nil: the guard never refuses the action.
	Guard func(At) desk.Effect

	Closed  bool // the action is possible on a question that has ended
	Asked   bool // the action is possible while the confirmation is open
	Resting bool // the action is possible on a question that rests
	Marks   bool // the action marks an option, so the options must be on screen
	Toggles bool // the action marks one of several allowed options
	Chooses bool // the action makes a choice or changes what Enter does, so the guard remembers a refused one
	Strays  bool // after a refusal the guard takes the key for typing that was meant for another pane
}

// At describes the question that an action is for, as the seat and the face know it at this moment.
type At struct {
	Facts
	Seat *desk.Seat
	Form *form.Form
	On   queue.Session        // the question, with a timeout that is due
	Hid  *config.HiddenOption // the option that was just hidden here; nil: none

	rests   bool           // the question was set aside here while nothing else was open
	held    bool           // its answer is held back
	inRound bool           // the question is an approval in a round
	consult *widen.Consult // the consultation whose page or input line is open; nil: none is
}

// Facts describes the state and the abilities of a face.
type Facts struct {
	Read    func() bool // reports whether the whole text to be read was on screen; nil: it was not
	Edits   bool        // the face has an editor
	Hides   bool        // the face can change the settings, and so hide options
	Reasons []string    // the texts that are suggested for the open field
	Covered bool        // the options are not on screen, so that none may be marked
	Full    bool        // Esc first closes something that only the face shows, such as the text at full height
	Untyped bool        // no person types here, but a program, so that no approval may be decided
	Reason  int         // the index in Reasons of the text that is in the field; -1: none of them
	IsKey   func() bool // reports whether the answer being typed is one letter that is a key here; nil: it is not
}

// Arg contains the numbers that the person gave with an action. They count from 1.
type Arg struct {
	N    int   // number of an option, question or suggestion; 0: the one under the cursor, or the next
	List []int // for Choose: the numbers of all options to mark
}

// Effect describes the result of an action. The zero Effect means that the form took the action and nothing needs to be
// said.
type Effect struct {
	Action Action
	WhyNot Message    // why nothing was done; the other fields are empty then
	Say    Message    // words about the effect
	Offer  *Offer     // an effect that the next Enter carries out
	Begin  form.Field // the field that was opened, with the text in Text
	Text   string     // see Begin and Reason
	Ends   form.Field // the field that was closed
	Closed bool       // no field is open any more, whether or not one was open before
	Reason *int       // the index of the suggestion that is in the field now, with its text in Text
	Edit   bool       // the field is to be opened in the person's editor
	Copy   string     // text for the clipboard
	Back   bool       // nothing of the form was open: the face closes what only it shows, else leaves the question
	Wants  []Want     // changes outside the form
}

// Offer describes an effect that the next Enter carries out and any other key cancels.
type Offer struct {
	Action  Action
	On      queue.Session   // the question on view when the offer was made
	Option  queue.Option    // for Hide: the option; for Rule: the choice by which the agent keeps its own rule
	Marked  bool            // for Hide: the option is marked
	Rule    *rules.Rule     // for Rule: the rule that would be stored; nil: the agent keeps its own
	Until   time.Time       // for Later: when the question comes back
	GivesUp time.Time       // for Later: when the agent gives up before that; zero: it does not
	State   string          // for Wait and GoOn: see queue.Widened
	Consult *widen.Consult  // for Accept: the consultation
	Do      func()          // carries the offer out; set by the Hand
	then    func(At) Effect // the effect of carrying it out
}

// WantKind names a change that a Deed may ask for.
type WantKind int

// Kinds of wants. The comment behind each kind lists the fields of Want that it uses.
const (
	WantSend      WantKind = iota // send the answer; if it differs from the team's, ask for the rationale first
	WantCancel                    // cancel the question
	WantSendNow                   // send the answer that is held back
	WantTakeBack                  // take back the answer that is held back
	WantEndRest                   // bring back the question that was set aside
	WantLeave                     // leave the question, which has ended
	WantAside                     // set the question aside
	WantMove                      // move the deadline: By
	WantEndHold                   // note that the person types no more, so that the deadline is no longer extended
	WantBroughtUp                 // tell the guard that the person brought up the question on view
	WantCameUp                    // tell the guard that the question on view came up on its own
	WantHide                      // hide an option from later questions: Option
	WantUnhide                    // show a hidden option again: Option
	WantRule                      // store a permission rule: Rule
	WantRound                     // begin a round of similar approvals
	WantTake                      // count the approval on view with its present marks
	WantGoOn                      // go to the next approval of the round that does not count yet
	WantStep                      // go to the next or previous approval of the round: N is 1 or -1
	WantEndRound                  // end the round
	WantTeam                      // call Team, which acts on the consultation with the team
)

// Want asks the Hand for a change outside the form, which a Deed may not make itself.
type Want struct {
	Kind   WantKind
	By     time.Duration
	N      int
	Option config.HiddenOption
	Rule   *rules.Rule
	Team   func(*desk.Teamwork) error
}

// wants returns wants of these kinds, which need no other fields.
func wants(kinds ...WantKind) (list []Want) {
	for _, k := range kinds {
		list = append(list, Want{Kind: k})
	}
	return list
}

// table has one row for each action.
var table map[Action]*Deed

func init() { // not a literal, because some rows look up others in the table
	table = map[Action]*Deed{}
	for _, d := range slices.Concat(moves(), marks(), texts(), steps(), secondThoughts(), approvals(), team()) {
		table[d.Action] = &d
	}
}

// Of returns the row of an action; nil: the action is not one on a question.
func Of(a Action) *Deed { return table[a] }

// Actions lists the actions that have a row, by name.
func Actions() (list []Action) {
	for a := range table {
		list = append(list, a)
	}
	slices.Sort(list)
	return list
}

// WhyNot returns the reason why an action has no effect now, as far as that is known without trying. The zero Message
// means that no reason is known. It is also returned if Form is nil or the action has no row, so check that first.
func (at At) WhyNot(a Action) Message {
	if d := at.deedOf(a); d != nil && at.Form != nil {
		return d.whyNot(at)
	}
	return Message{}
}

// fieldOf has the field that an action opens.
var fieldOf = map[Action]form.Field{Text: form.FieldText, Note: form.FieldNote, Comment: form.FieldComment,
	Find: form.FieldFind, Cancel: form.FieldReason, Detail: form.FieldDetail}

// ofOptions lists the actions that do nothing on a question without options.
var ofOptions = []Action{Up, Down, First, Last, Mark, Digit, Choose, Recommended, All, Hide, Hidden}

// Acts reports whether an action would do something to the question on view, or lead away from it, as far as that is
// known before.
func (at At) Acts(a Action) bool {
	field, isField := fieldOf[a]
	switch {
	case at.Form == nil, !at.WhyNot(a).OK():
		return false
	case isField:
		return at.Form.Takes(field).OK()
	case slices.Contains(ofOptions, a):
		return at.Form.Here().OptionRows() > 0
	case a == Next:
		return at.Seat.MayStep(1)
	case a == Previous:
		return at.Seat.MayStep(-1)
	}
	return true
}

// Do carries out an action on the form alone, for a caller without a seat, such as a command. The action must be one
// that wants nothing beside that.
func (at At) Do(a Action, arg Arg) Effect {
	d := Of(a)
	if why := d.whyNot(at); !why.OK() {
		return Effect{WhyNot: why}
	}
	return d.Do(at, arg)
}

// decides reports whether a key takes a decision that the guard always treats like one about a new question: on an
// approval, a confirmation, a review, or in the field of a reason. typing is the field in which the key is pressed.
func (at At) decides(typing form.Field) bool {
	if !at.On.Pending() || at.rests {
		return false
	}
	switch typing {
	case form.FieldNone:
		return at.held || at.Form.Confirming() || at.Form.Reviewing() || at.Form.Approves()
	case form.FieldReason, form.FieldRefusal:
		return true
	}
	return false
}

// alwaysIs returns a Deed.Guard that always returns e.
func alwaysIs(e desk.Effect) func(At) desk.Effect { return func(At) desk.Effect { return e } }
