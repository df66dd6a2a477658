package action

import (
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/form"
)

// Actions that mark options.
const (
	Mark        Name = "mark"
	Digit       Name = "digit"
	Choose      Name = "choose"
	Recommended Name = "recommended"
	All         Name = "all"
	Find        Name = "find"
)

// enoughToFind is the number of options that can have a digit as their key. With more options the footer offers to
// filter them.
const enoughToFind = 9

// marks returns the actions that mark options.
func marks() []Row {
	return []Row{
		{Name: Mark, Options: true, Keys: []string{"space"}, In: []Place{PlaceQuestion, PlaceBatch},
			Marks: true, Toggles: true, Chooses: true, Effect: markEffect(desk.Sending), Do: mark,
			Footer: "mark",
			Offered: func(at At) bool {
				return at.inBatch || !at.Covered && !at.Form.Here().Radio() && optionsOf(at) > 1
			},
			Help:   "mark or unmark; with “send with one key”, send at once",
			HelpAt: map[Place]string{PlaceBatch: "mark or unmark that request"},
			Lacks:  map[string]string{Lines: cursorless, Command: allAtOnce}},
		{Name: Digit, Options: true, Keys: []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}, Counted: true,
			In:    onChoice,
			Marks: true, Toggles: true, Chooses: true, Effect: markEffect(desk.Choosing),
			Do: func(at At, arg Arg) Effect {
				sends, why := at.Form.Here().Digit(arg.N)
				return afterMark(at, Digit, sends, why)
			},
			Footer:  "choose",
			Offered: func(at At) bool { return !at.Covered && optionsOf(at) > 0 },
			Now: func(at At, h Hint) Hint {
				switch q := at.Form.Here(); {
				case q.SubmitsAtOnce():
					return h.Say(Word{Long: "send at once"})
				case !q.Radio(): // space is there too
					h.Room = Spare
					return h.Say(Word{Long: "mark"})
				}
				return h
			},
			Help:  "go to that option; if several are allowed, mark or unmark it",
			Lacks: map[string]string{Lines: "a line of numbers replaces what was chosen", Command: allAtOnce}},
		{Name: Find, Opens: form.FieldFind, Keys: []string{"/"},
			In:      []Place{PlaceQueue, PlaceQuestion, PlaceHistory, PlaceHelp, PlacePeek},
			Do:      func(at At, _ Arg) Effect { return beginField(at, Find, form.FieldFind) },
			Footer:  "filter",
			Offered: func(at At) bool { return !at.Covered && optionsOf(at) > enoughToFind },
			Help:    "filter the list", Seldom: onQuestion,
			Line: Line{Word: "find", Args: "WORDS",
				Help: "shows the options that contain these words; the numbers stay the same"},
			Lacks: map[string]string{Command: allAtOnce}},
		{Name: Choose, Options: true,
			Marks: true, Chooses: true, Effect: markEffect(desk.Choosing), Do: choose,
			Line:  Line{Word: "none", Help: "chooses no option"},
			Lacks: map[string]string{Screen: oneMark, Page: oneMark}},
		{Name: Recommended, Options: true, Keys: []string{"r"}, In: onQuestion,
			Marks: true, Toggles: true, Chooses: true, Effect: alwaysIs(desk.Marking),
			Do:      func(at At, _ Arg) Effect { return effectOfForm(Recommended, recommend(at.Form)) },
			Footer:  "recommended",
			Room:    Spare,
			Offered: func(at At) bool { return !at.Covered && !at.Form.Here().Radio() && optionsOf(at) > 0 },
			Help:    "mark the recommended option", Seldom: onQuestion,
			Line:  Line{Word: "recommended", Help: "chooses what the agent recommends"},
			Lacks: map[string]string{Command: idsOnly}},
		{Name: All, Options: true,
			Marks: true, Toggles: true, Chooses: true, Effect: alwaysIs(desk.Marking),
			Do:    func(at At, _ Arg) Effect { return effectOfForm(All, at.Form.Here().All()) },
			Line:  Line{Word: "all", Help: "chooses every option"},
			Lacks: map[string]string{Screen: "space or a digit marks each option", Command: idsOnly}},
	}
}

// mark marks the option under the cursor, or takes its mark away. If a mark sends at once, it sends that option. In a
// batch it marks the request under the cursor.
func mark(at At, arg Arg) Effect {
	if at.inBatch {
		at.View.Batch.Point(arg.N)
		return markAlike(at)
	}
	sends, why := at.Form.Here().Toggle()
	return afterMark(at, Mark, sends, why)
}

// optionsOf returns how many options the question under the cursor has.
func optionsOf(at At) int { return len(at.Form.Here().Options) }

// markEffect returns a Row.Effect of a key that marks: sends if a mark sends at once.
func markEffect(sends desk.Effect) func(At) desk.Effect {
	return func(at At) desk.Effect {
		if !at.inBatch && at.Form.Here().SubmitsAtOnce() {
			return sends
		}
		return desk.Marking
	}
}

// afterMark returns the effect of a mark. If sends is set, the form has marked nothing, and Enter sends the option.
func afterMark(at At, a Name, sends bool, why form.WhyNot) Effect {
	if sends {
		return enter(at, Arg{})
	}
	return effectOfForm(a, why)
}

// choose marks exactly the options with the numbers in arg.List. In the review of a form, the only number is that of
// the question whose answer the person wants to change.
func choose(at At, arg Arg) Effect {
	q, n := at.Form.Here(), len(arg.List)
	switch {
	case at.inBatch:
		return Effect{WhyNot: Message{Err: at.View.Batch.Choose(arg.List...)}}
	case at.Form.Reviewing() && n == 1:
		return changeOne(at, Arg{N: arg.List[0]})
	case at.Form.Reviewing():
		return effectOfForm(Choose, form.WhyNot{Reason: form.NoSuchQuestion, Of: at.Form.Len()})
	case q.Question.Radio() && n > 1:
		return effectOfForm(Digit, form.WhyNot{Reason: form.OneAnswerOnly})
	}
	if why := q.Choose(arg.List...); !why.OK() || n == 0 || !q.SubmitsAtOnce() {
		return effectOfForm(Digit, why)
	}
	return enter(at, Arg{})
}

// recommend marks the options that the agent recommends. It refuses to do so in an approval, which the person must
// decide themselves.
func recommend(f *form.Form) form.WhyNot {
	if f.Approves() {
		return form.WhyNot{Reason: form.NotForApprovals}
	}
	return f.Here().Recommend()
}
