package action

import (
	"strconv"
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue/desk"
)

// Actions by which a person puts a question off, takes an answer back, changes the time left, or hides an option.
const (
	Later    Name = "later"
	UndoLast Name = "undo_last"
	More     Name = "more_time"
	Less     Name = "less_time"
	Hidden   Name = "show_hidden"
	Hide     Name = "hide"
)

// Reasons and words of these actions.
const (
	BroughtBack       = Words("the question is back")
	NothingToTakeBack = Words("there is nothing to take back")
	TakenBack         = Words("taken back; nothing was sent")
	NotHere           = Words("the settings cannot be changed here")
)

// Hid tells that an option is hidden from now on (true), or shown again.
type Hid bool

// Error returns the words for a log.
func (h Hid) Error() string { return "hidden: " + strconv.FormatBool(bool(h)) }

// puttingOff returns the action that sets the question aside.
func puttingOff() []Row {
	return []Row{
		{Name: Later, Agents: true, Keys: []string{"L"}, In: append([]Place{PlaceOver}, onWhole...),
			Asked: true, Paused: true, Chooses: true, Effect: laterEffect, Do: offerLater,
			Footer: "later", Room: Spare, Offered: func(at At) bool { return at.On.Pending() },
			Now: func(at At, h Hint) Hint {
				if isAside(at) {
					return h.Say(Word{Long: "bring it back", Short: "back"})
				}
				return h
			},
			Help:  "set it aside for ten minutes (asks first), or bring it back",
			Line:  Line{Word: "later", Help: "sets the question aside for ten minutes (asks first), or brings it back"},
			Lacks: map[string]string{Command: oneReply}},
	}
}

// thinkingAgain returns the action that takes back what was done last.
func thinkingAgain() []Row {
	return []Row{
		{Name: UndoLast, Keys: []string{"u"}, In: append([]Place{PlaceSettings}, onWaiting...),
			Closed: true, Needs: mayUndo, Do: takeBackLast,
			Help:   "take back an answer that is not sent yet, or show an option that you just hid",
			Seldom: onPending,
			HelpAt: map[Place]string{PlaceSettings: "undo the last change"},
			Line: Line{Word: "undo",
				Help: "takes back an answer that is held back (undo_seconds), else brings back the option that " +
					"you just hid"},
			Lacks: map[string]string{Command: oneReply}},
	}
}

// timing returns the actions that change the time left.
func timing() []Row {
	return []Row{
		{Name: More, Keys: []string{"+", "="}, In: onPending, Waits: true, Repeats: true,
			Asked: true, Needs: mayMove(time.Minute), Do: moveBy(time.Minute),
			Footer: "one more minute", Short: "+1 min", Room: Spare, Offered: endsSoon,
			Help: "add a minute", Group: "add or remove a minute (never below 1:00)",
			Seldom: onPending,
			Line:   Line{Word: "more", Help: "gives the question one more minute"},
			Lacks:  map[string]string{Command: oneReply}},
		{Name: Less, Keys: []string{"-"}, In: onPending, Waits: true, Repeats: true,
			Asked: true, Needs: mayMove(-time.Minute), Do: moveBy(-time.Minute),
			Help: "remove a minute (never below 1:00)", With: More, Seldom: onPending,
			Line:  Line{Word: "less", Help: "takes a minute off, but leaves at least one"},
			Lacks: map[string]string{Command: oneReply}},
	}
}

// hiding returns the actions on options that the person never wants to see.
func hiding() []Row {
	return []Row{
		{Name: Hidden, Options: true, Keys: []string{"v"}, In: onQuestion,
			Do:     func(at At, _ Arg) Effect { return effectOfForm(Hidden, at.Form.Here().ShowHidden()) },
			Footer: "hidden", Offered: func(at At) bool { return !at.Covered && at.Form.Here().HiddenRows() > 0 },
			Now: func(at At, h Hint) Hint {
				return h.Say(Word{Long: strconv.Itoa(at.Form.Here().HiddenRows()) + " hidden"})
			},
			Help:  "show the hidden options, or hide them again",
			Group: "show the hidden options; hide this one in all future questions (asks first)", Seldom: onQuestion,
			Line:  Line{Word: "hidden", Help: "shows the options that your settings hide, or hides them again"},
			Lacks: map[string]string{Command: allAtOnce}},
		{Name: Hide, Agents: true, Options: true, Keys: []string{"V"}, In: onQuestion,
			Effect: alwaysIs(desk.Marking), Do: offerHide,
			Help: "hide this option in all future questions (asks first), or show it again", With: Hidden,
			Seldom: onQuestion,
			Line: Line{Word: "hide", Args: "N",
				Help: "hides option N in all future questions from this agent, or shows it again; asks before " +
					"it hides"},
			Lacks: map[string]string{Command: oneReply}},
	}
}

// mayMove returns a Row.Needs that says why the deadline cannot be moved.
func mayMove(by time.Duration) func(At, Arg) Message {
	return func(at At, _ Arg) Message {
		_, err := at.View.DeadlineBy(by)
		return because(err, nil)
	}
}

// moveBy returns a Row.Do that moves the deadline.
func moveBy(by time.Duration) func(At, Arg) Effect {
	return func(At, Arg) Effect {
		return then(func(k *Keyboard) Message { return because(k.view.Move(by), nil) })
	}
}

// isAside reports whether the question was set aside and is not back yet, here or on another frontend.
func isAside(at At) bool {
	_, aside := at.On.AsideUntil(at.View.Desk().Now())
	return aside
}

// laterEffect tells the guard that setting a question aside changes what Enter does, and that bringing it back does
// not.
func laterEffect(at At) desk.Effect {
	if isAside(at) {
		return desk.Elsewhere
	}
	return desk.Marking
}

// offerLater offers to set the question aside; the next Enter does so. If the question is set aside already, offerLater
// brings it back at once.
func offerLater(at At, _ Arg) Effect {
	if isAside(at) {
		return Effect{Say: says(BroughtBack), Then: []FollowUp{resume}}
	}
	until, givesUp, err := at.View.LaterTimes()
	if err != nil {
		return Effect{WhyNot: because(err, notLater)}
	}
	return Effect{Offer: &Offer{Action: Later, On: at.On, Until: until, GivesUp: givesUp,
		then: func(At) Effect { return then(setAside) }}}
}

// offerHide offers to hide an option from later questions of the same client; the next Enter does so. If the option is
// hidden already, offerHide shows it again at once.
func offerHide(at At, arg Arg) Effect {
	moveToOption(at.Form, arg.N)
	q := at.Form.Here()
	o, why := q.ToHide(arg.N)
	switch {
	case !why.OK():
		at.Form.Touch()
		return effectOfForm(Hide, why)
	case !at.Hides:
		return Effect{WhyNot: says(NotHere)}
	}
	entry := config.HiddenOption{Client: at.On.Origin.Client, ID: o.ID, Label: o.Label}
	if q.IsHidden(o.ID) {
		return setHidden(at, false, entry)
	}
	return Effect{Offer: &Offer{Action: Hide, On: at.On, Option: o, Marked: q.Marked(o.ID),
		then: func(now At) Effect { return setHidden(now, true, entry) }}}
}

// setHidden returns the effect that hides an option, or shows it again.
func setHidden(at At, hide bool, entry config.HiddenOption) Effect {
	return Effect{Say: says(Hid(hide)), Then: []FollowUp{hidden(entry, hide, at.On.ID)}}
}

// mayUndo returns the reason if there is nothing that takeBackLast could take back.
func mayUndo(at At, _ Arg) Message {
	if at.View.Undoable() == nil && (at.Hid == nil || !at.Hides) {
		return says(NothingToTakeBack)
	}
	return Message{}
}

// takeBackLast takes back the answer that is held back, else it shows the option again that was just hidden.
func takeBackLast(at At, _ Arg) Effect {
	if at.View.Undoable() != nil {
		return Effect{Say: says(TakenBack), Then: []FollowUp{takeBack}}
	}
	return setHidden(at, false, *at.Hid)
}
