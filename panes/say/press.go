package say

import (
	"fmt"
	"strings"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

// This file has the words for the result of a key or a typed line, and for why it had no effect. The reasons of a form
// are in WhyNot.

// LineTooSoon refuses a typed line that came too soon after the last output to be an answer to it. An empty text is a
// lone Enter.
func LineTooSoon(text string) string {
	if text = strings.TrimSpace(text); text == "" {
		return "Not yet: that Enter came too soon. Press it again."
	}
	return "Not taken: " + ShortQuoted(text, 60) + " came too soon. Type it again."
}

// Stray says that a key was refused because it was probably part of a text that was meant for another pane.
func Stray(key string) string { return NotTaken(key) + " (typed too fast), press it again" }

// beingSent explains why an answer is not sent a second time.
func beingSent(f Frontend) string {
	return f.screenOrLines("it is being sent already", "It is being sent already.")
}

// NotSent explains why an answer can never be stored.
func NotSent(err error, f Frontend) string {
	why := strings.ReplaceAll(err.Error(), "\n", f.screenOrLines(" · ", "; "))
	return f.sentence("not sent: " + why)
}

// clockLeast tells that a question always keeps its last minute, and may have less than that already.
func clockLeast(in Speech) string {
	const only = " needs more than 1:00 left"
	if in.Keyless {
		return "it" + only
	}
	return in.Frontend.screenOrLines(in.Key(action.Less)+only, "That needs more than a minute left.")
}

// clockMost tells that a question has the longest time possible.
func clockMost(f Frontend) string {
	return f.screenOrLines("24 h is the limit", "24 hours is the limit.")
}

// clockStill explains why the clock of a question cannot be moved.
func clockStill(s queue.Session, f Frontend) string {
	if s.Ask.NoClock {
		words := "it has no time limit; it stays open as long as " + s.Origin.ClientName() + "'s own prompt"
		return f.screenOrLines(words, Capital(words)+".")
	}
	return f.screenOrLines("its clock is paused, because it is "+WithTheTeam, "The clock is paused.")
}

// ClockNotMoved tells that the store refused a new deadline.
func ClockNotMoved(err error, f Frontend) string {
	return f.sentence("the clock was not moved: " + err.Error())
}

// nothingToEnd explains why there is nothing to cancel and no clock to move.
const nothingToEnd = Closed + "; there is nothing to cancel or to wait for"

// hiddenOption tells that an option is hidden in future questions, with the key that brings it back, or that it is
// shown again.
func hiddenOption(hidden bool, in Speech) string {
	if !hidden {
		return "shown again from now on"
	}
	return "hidden in all future questions" + Keyed("; ", in.Key(action.UndoLast), " shows it again")
}

// SuggestedReasons are offered with the arrow keys as reasons for cancelling a question.
var SuggestedReasons = []string{
	"not now, do something else first",
	"none of these: ask again with different options",
	"I need to know more: explain the difference first",
	"stop here, I'll take over",
}

// SuggestedDetails are offered with the arrow keys as the detail that the person wants.
var SuggestedDetails = []string{
	"what each option costs and risks",
	"how each of them can be undone",
	"which one you would take, and why",
}

// SuggestedRefusals are offered with the arrow keys when an approval is refused.
var SuggestedRefusals = []string{
	"not like this: find another way",
	"that's more than you need: ask for less",
	"tell me what it's for first",
	"stop here, I'll take over",
}

// Suggested returns the texts that are always offered in a field; nil: there are none.
func Suggested(field form.Field) []string {
	switch field {
	case form.FieldReason:
		return SuggestedReasons
	case form.FieldDetail:
		return SuggestedDetails
	case form.FieldRefusal:
		return SuggestedRefusals
	}
	return nil
}

// NoSuchQuestion tells that the queue is shorter than the digit that was pressed.
func NoSuchQuestion(n int) string { return fmt.Sprintf("the queue has no question %d", n) }

// AgainQuits names the key that quits when pressed again, and what becomes of the pending questions, if there are any;
// see Stay.
func AgainQuits(key string, stays, withdrawn int, f Frontend) string {
	stay := ""
	if stays+withdrawn > 0 {
		stay = "; " + Stay(stays, withdrawn)
	}
	return f.screenOrLines("press "+key+" again to quit"+stay, "Type "+key+" again to quit"+stay+".")
}

// AgainLoses warns that the key which quits would, when pressed again, leave an answer unsaved.
func AgainLoses(key string, f Frontend) string {
	return f.sentence("an answer is not saved yet; " + key + " again quits without saving it")
}

// AgainLeaves warns that the key which quits would, when pressed again, close a form that was opened for one question.
func AgainLeaves(key string, f Frontend) string {
	const stays = " again to leave; the question stays in the dashboard"
	return f.screenOrLines("press "+key+stays, "Type "+key+stays+".")
}

// PaneTrouble explains why the screen cannot go to an agent's pane.
func PaneTrouble(why string) string { return "cannot go to its pane: " + why }

// Copied tells that a text was copied and repeats its first words. cut shortens them to a number of cells.
func Copied(text string, cut func(text string, cells int) string) string {
	first, _, _ := strings.Cut(text, "\n")
	return "copied: " + cut(OneLine(first), 50)
}

// Reasons why the person's editor does not open.
const (
	NoEditor     = string(action.NoEditor)
	TerminalLent = "another program is using the terminal"
)

// EditorTrouble reports an error of the person's editor.
func EditorTrouble(err error) string { return "the editor: " + err.Error() }

// ChatOff explains why no line to an agent can be written: the screen was opened for one question (form), or the
// setting is off.
func ChatOff(form bool) string {
	if form {
		return "chat is only in the dashboard; this form is for one question"
	}
	return "chat is switched off (setting “chat”)"
}

// NothingHere says that a key does nothing in a place, although it may have an effect in other places. enter is the
// sign for Enter, and view has the question on screen.
func NothingHere(m action.Map, place action.Place, key, enter string, view *desk.View) string {
	name := OneLine(action.Written(key))
	nothing := name + " does nothing here"
	switch place {
	case action.PlaceOver:
		if _, paused := view.Paused(); paused {
			return "set aside; " + name + " does nothing, " + m.KeyOf(place, action.Enter) + " brings it back"
		}
		leaves, ends := action.Enter, view.ShowsHandOff()
		if ends {
			leaves = action.Back
		}
		does, _ := ClosedBack(ends)
		return Closed + "; " + name + " does nothing, " + m.KeyOf(place, leaves) + " " + does
	case action.PlaceEmpty:
		if b := m.Lookup(action.PlaceChat, key); b != nil && b.Name == action.TakeBack {
			return name + " takes a line back in the chat; " + m.KeyOf(place, action.Chat) + " opens it"
		}
		return NothingPending(view.Desk().Needed()) + "; " + nothing
	case action.PlaceQuestion, action.PlaceReview:
		if settings := m.KeyOf(place, action.Settings); action.TeamLetter(key) && settings != "" {
			return "no team is set up yet: " + settings + ", more, “ask the team”"
		}
	case action.PlaceConfirm:
		return nothing + "; " + m.KeyOf(place, action.Decline) + " goes back"
	case action.PlaceApproval:
		if m.Lookup(action.PlaceQuestion, key) != nil {
			return nothing + "; " + onlyDecides
		}
	case action.PlaceQueue:
		return nothing + "; " + enter + " opens the question"
	}
	return nothing
}
