package action

import (
	"strconv"

	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/form"
)

// Actions that concern several questions of a form.
const (
	TabNext   Name = "next_tab"
	TabBack   Name = "previous_tab"
	ChangeOne Name = "change_one"
	AllRec    Name = "all_recommended"
	StartOver Name = "start_over"
)

// oneQuestion is the reason that no other question of a form can be shown.
const oneQuestion = Words("there is only one question")

// Unrecommended tells how many questions have no recommendation.
type Unrecommended int

// Error returns the words for a log.
func (n Unrecommended) Error() string { return strconv.Itoa(int(n)) + " without a recommendation" }

// steps returns the actions that concern several questions of a form.
func steps() []Row {
	return []Row{
		{Name: TabNext, Keys: []string{"right"}, Show: "←→", In: onSteps,
			Needs: hasSeveral, Do: goesTo((*form.Form).Next),
			Footer: "question", Short: "tabs", Offered: func(at At) bool { return at.Form.Several() },
			Help:   "next question in the form, or value of the setting",
			HelpAt: map[Place]string{PlaceSettings: "next value"}, Group: "next or previous question in the form",
			Seldom: onQuestion,
			Lacks:  map[string]string{Lines: "Enter continues with the next question", Command: allAtOnce}},
		{Name: TabBack, Keys: []string{"left"}, In: onSteps,
			Needs: hasSeveral, Do: goesTo((*form.Form).Back),
			Help:   "previous question in the form, or value of the setting",
			HelpAt: map[Place]string{PlaceSettings: "previous value"}, With: TabNext,
			Seldom: onQuestion,
			Line:   Line{Word: "back", Help: "in a form, goes back to the question before", Keyless: true},
			Lacks:  map[string]string{Command: allAtOnce}},
		{Name: ChangeOne, Keys: []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}, Counted: true,
			In: onReview, Do: changeOne,
			Footer: "change an answer", Short: "change", Help: "change that answer",
			Lacks: map[string]string{Lines: "a number does it in the review", Command: allAtOnce}},
		{Name: AllRec, Keys: []string{"R"}, In: onReview,
			Marks: true, Chooses: true, Effect: alwaysIs(desk.Marking), Do: recommendAll,
			Footer: "all recommended", Short: "recommended", Offered: func(at At) bool { return at.Form.Recommends() },
			Help:  "answer what is open with what the agent recommends",
			Line:  Line{Word: "all-recommended", Help: "answers all open questions of a form as the agent recommends"},
			Lacks: map[string]string{Command: idsOnly}},
		{Name: StartOver, Keys: []string{"0"}, In: onReview,
			Effect: alwaysIs(desk.Marking), Do: offerStartOver,
			Footer: "reset all", Short: "reset", Room: Spare, Offered: func(at At) bool { return at.Form.Changed() },
			Help:  "forget all answers and notes (asks first)",
			Line:  Line{Word: "start-over", Help: "clears all answers and notes; type it twice"},
			Lacks: map[string]string{Command: allAtOnce}},
	}
}

// hasSeveral says why no other question of a form can be shown: there is only one.
func hasSeveral(at At, _ Arg) Message {
	if !at.Form.Several() {
		return says(oneQuestion)
	}
	return Message{}
}

// goesTo returns a Row.Do that takes one step, or with a number as many as lead to that question.
func goesTo(step func(*form.Form) bool) func(At, Arg) Effect {
	return func(at At, arg Arg) Effect {
		was := at.Form.At()
		for step(at.Form) && arg.N > 0 && at.Form.At() != arg.N-1 {
		}
		if at.Form.At() == was {
			return Effect{}
		}
		return then(broughtUp)
	}
}

// changeOne goes to the question with that number, so that its answer can be changed.
func changeOne(at At, arg Arg) Effect {
	if why := at.Form.GoTo(arg.N - 1); !why.OK() {
		return effectOfForm(ChangeOne, why)
	}
	return then(broughtUp)
}

// recommendAll answers all open questions of the form with the options that the agent recommends.
func recommendAll(at At, _ Arg) Effect {
	if !at.Form.Several() {
		return effectOfForm(AllRec, recommend(at.Form))
	}
	e := then(broughtUp)
	if missing := at.Form.RecommendAll(); missing > 0 {
		e.Say = says(Unrecommended(missing))
	}
	return e
}

// offerStartOver offers to forget all answers and notes; the next Enter does so.
func offerStartOver(at At, _ Arg) Effect {
	if why := at.Form.MayStartOver(); !why.OK() {
		return effectOfForm(StartOver, why)
	}
	return Effect{Offer: &Offer{Action: StartOver, On: at.On, then: func(now At) Effect {
		return effectOfForm(StartOver, now.Form.StartOver())
	}}}
}
