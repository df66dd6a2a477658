package plain

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/deed"
)

// pressed returns the run of a word that is an action on one question of a form.
func pressed(do deed.Action) func(*Lines, string) {
	return toAnswer(func(a *answering, _ string) {
		if a.inQuestion() != nil {
			a.do(do, deed.Arg{})
		}
	})
}

// plainly returns the run of a word that is an action with nothing to be said after it.
func plainly(do deed.Action, whole bool) func(*Lines, string) {
	return toAnswer(func(a *answering, _ string) {
		if a.here() != nil {
			a.press(do, deed.Arg{}, whole)
		}
	})
}

// choose is a line of numbers; in the review the number of an answer.
func (a *answering) choose(list []int) { a.do(deed.Choose, deed.Arg{List: list}) }

func (a *answering) all(string) {
	f := a.inQuestion()
	switch {
	case f == nil:
	case f.Here().AllMarked(): // a key would unmark them
		a.offer()
	default:
		a.do(deed.All, deed.Arg{})
	}
}

// allRecommended answers all open questions as their agent recommends.
func (a *answering) allRecommended(string) { a.do(deed.AllRec, deed.Arg{}) }

// startOver forgets all answers at the second time.
func (a *answering) startOver(string) {
	if a.here() != nil && a.press(deed.StartOver, deed.Arg{}, true) && a.did.Say.OK() {
		a.save()
		a.onView()
	}
}

// hide keeps an option out of later questions, once Enter agrees.
func (a *answering) hide(number string) {
	f := a.inQuestion()
	if f == nil {
		return
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 {
		a.say("Which option is to be hidden? " + a.speech().Key(deed.Hide) + " 1, for option 1.")
		return
	}
	marks := f.Marks()
	a.press(deed.Hide, deed.Arg{N: n}, true)
	f.Restore(marks) // the cursor, which lines do not have
}

// undo takes back the answer that is held back, else it shows the option again that was just hidden.
func (a *answering) undo(string) {
	held := a.seat.Undoable() != nil
	if a.seat.Form() == nil {
		a.say(say.Message(deed.Message{Kind: deed.NothingToTakeBack}, queue.Session{}, nil, a.speech()))
	} else if a.press(deed.UndoLast, deed.Arg{}, false) && held {
		a.announceQuestion()
	}
}

func (a *answering) back(string) {
	switch f := a.here(); {
	case f == nil:
	case f.At() == 0:
		a.say("This is the first.")
	case a.press(deed.TabBack, deed.Arg{}, false):
		a.onView()
	}
}

func (a *answering) again(string) {
	if a.here() != nil {
		a.announce()
	}
}

func (a *answering) showHidden(string) {
	if a.inQuestion() != nil && a.press(deed.Hidden, deed.Arg{}, false) {
		a.announceQuestion()
	}
}

// find writes the options that have some words. All of them can be chosen still.
func (a *answering) find(words string) {
	f := a.inQuestion()
	if f == nil || !a.press(deed.Find, deed.Arg{}, false) {
		return
	}
	f.Type(strings.TrimSpace(words))
	a.say(fmt.Sprintf("%d of %s:", f.Here().OptionRows(), say.Count(len(f.Here().Options), "option")))
	a.announceOptions(f.Here())
	a.press(deed.Back, deed.Arg{}, false)
}
