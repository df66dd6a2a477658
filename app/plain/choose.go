package plain

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// runOnQuestion returns the run of a command that carries out an action on one question of a form, and then says what
// Enter does.
func runOnQuestion(do action.Name) func(*Lines, string) {
	return toAnswer(func(a *answering, _ string) {
		if a.questionForm() != nil {
			a.answerBy(do, action.Arg{})
		}
	})
}

// runQuietly returns the run of a command that carries out an action without saying afterwards what Enter does. See
// answering.input for isGuarded.
func runQuietly(do action.Name, isGuarded bool) func(*Lines, string) {
	return toAnswer(func(a *answering, _ string) {
		if a.pendingForm() != nil {
			a.press(do, action.Arg{}, isGuarded)
		}
	})
}

// chooseAll chooses every option.
func (a *answering) chooseAll(string) {
	f := a.questionForm()
	switch {
	case f == nil:
	case a.view.Batch.On():
		a.answerBy(action.Allow, action.Arg{})
	case f.Here().AllMarked(): // the action would unmark them all
		a.offerEnter()
	default:
		a.answerBy(action.All, action.Arg{})
	}
}

// allRecommended answers all open questions of a form as their agent recommends.
func (a *answering) allRecommended(string) { a.answerBy(action.AllRec, action.Arg{}) }

// startOver asks whether to forget all answers of a form; Enter then does.
func (a *answering) startOver(string) {
	if a.pendingForm() != nil {
		a.press(action.StartOver, action.Arg{}, guarded)
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
		a.say("Which option do you want to hide? Type " + a.speech().Key(action.Hide) + " 1 for option 1.")
		return
	}
	marks := f.Marks()
	a.press(action.Hide, action.Arg{N: n}, guarded)
	f.Restore(marks) // the press has moved the cursor, which lines do not have
}

// undoLast takes back an answer that is still held back. Without one it shows the option again that was hidden last.
func (a *answering) undoLast(string) {
	held := a.view.Undoable() != nil
	if a.view.Form() == nil {
		a.say(say.Message(action.Message{Err: action.NothingToTakeBack}, queue.Session{}, nil, a.speech()))
	} else if a.press(action.UndoLast, action.Arg{}, unguarded) && held {
		a.announceQuestion()
	}
}

// goBack shows the question before this one in a form.
func (a *answering) goBack(string) {
	switch f := a.pendingForm(); {
	case f == nil:
	case f.At() == 0:
		a.say("This is the first question.")
	case a.press(action.TabBack, action.Arg{}, unguarded):
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
	if a.questionForm() != nil && a.press(action.Hidden, action.Arg{}, unguarded) {
		a.announceQuestion()
	}
}

// findOptions writes the options that contain some words. Every option can still be chosen by its number.
func (a *answering) findOptions(words string) {
	f := a.questionForm()
	if f == nil || !a.press(action.Find, action.Arg{}, unguarded) {
		return
	}
	f.Type(strings.TrimSpace(words))
	a.say(fmt.Sprintf("%d of %s:", f.Here().OptionRows(), say.Count(len(f.Here().Options), "option")))
	a.announceOptions(f.Here())
	a.press(action.Back, action.Arg{}, unguarded)
}
