package plain

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/deed"
)

// runOnQuestion returns the run of a command that carries out an action on one question of a form, and then says what
// Enter does.
func runOnQuestion(do deed.Action) func(*Lines, string) {
	return toAnswer(func(a *answering, _ string) {
		if a.questionForm() != nil {
			a.answerBy(do, deed.Arg{})
		}
	})
}

// runQuietly returns the run of a command that carries out an action without saying afterwards what Enter does. See
// answering.input for isGuarded.
func runQuietly(do deed.Action, isGuarded bool) func(*Lines, string) {
	return toAnswer(func(a *answering, _ string) {
		if a.pendingForm() != nil {
			a.press(do, deed.Arg{}, isGuarded)
		}
	})
}

// chooseAll chooses every option.
func (a *answering) chooseAll(string) {
	f := a.questionForm()
	switch {
	case f == nil:
	case f.Here().AllMarked(): // the action would unmark them all
		a.offerEnter()
	default:
		a.answerBy(deed.All, deed.Arg{})
	}
}

// allRecommended answers all open questions of a form as their agent recommends.
func (a *answering) allRecommended(string) { a.answerBy(deed.AllRec, deed.Arg{}) }

// startOver asks whether to forget all answers of a form; Enter then does.
func (a *answering) startOver(string) {
	if a.pendingForm() != nil {
		a.press(deed.StartOver, deed.Arg{}, guarded)
	}
}

// hideOption asks whether to hide an option in all later questions; Enter then hides it.
func (a *answering) hideOption(number string) {
	f := a.questionForm()
	if f == nil {
		return
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 {
		a.say("Which option do you want to hide? Type " + a.speech().Key(deed.Hide) + " 1 for option 1.")
		return
	}
	marks := f.Marks()
	a.press(deed.Hide, deed.Arg{N: n}, guarded)
	f.Restore(marks) // the press has moved the cursor, which lines do not have
}

// undoLast takes back an answer that is still held back. Without one it shows the option again that was hidden last.
func (a *answering) undoLast(string) {
	held := a.seat.Undoable() != nil
	if a.seat.Form() == nil {
		a.say(say.Message(deed.Message{Kind: deed.NothingToTakeBack}, queue.Session{}, nil, a.speech()))
	} else if a.press(deed.UndoLast, deed.Arg{}, unguarded) && held {
		a.announceQuestion()
	}
}

// goBack shows the question before this one in a form.
func (a *answering) goBack(string) {
	switch f := a.pendingForm(); {
	case f == nil:
	case f.At() == 0:
		a.say("This is the first question.")
	case a.press(deed.TabBack, deed.Arg{}, unguarded):
		a.announceView()
	}
}

// showAgain writes the question on view again.
func (a *answering) showAgain(string) {
	if a.pendingForm() != nil {
		a.announce()
	}
}

// showHidden writes the question with the options that the settings hide, or without them again.
func (a *answering) showHidden(string) {
	if a.questionForm() != nil && a.press(deed.Hidden, deed.Arg{}, unguarded) {
		a.announceQuestion()
	}
}

// findOptions writes the options that contain some words. Every option can still be chosen by its number.
func (a *answering) findOptions(words string) {
	f := a.questionForm()
	if f == nil || !a.press(deed.Find, deed.Arg{}, unguarded) {
		return
	}
	f.Type(strings.TrimSpace(words))
	a.say(fmt.Sprintf("%d of %s:", f.Here().OptionRows(), say.Count(len(f.Here().Options), "option")))
	a.announceOptions(f.Here())
	a.press(deed.Back, deed.Arg{}, unguarded)
}
