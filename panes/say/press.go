package say

import (
	"fmt"
	"strings"

	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/deed"
)

// Results of a key or a line of the person, or why it did nothing. WhyNot has the reasons of a form.

// LineTooSoon refuses a line that came too soon after the last output to be meant for it; empty: it was Enter.
func LineTooSoon(text string) string {
	if text = strings.TrimSpace(text); text == "" {
		return "Not yet: that Enter came too soon. Press it again."
	}
	return "Not taken: " + ShortQuoted(text, 60) + " came too soon. Type it again."
}

// Stray refuses a key that came among typing.
func Stray(key string) string { return key + " not taken: that looked like typing for another pane" }

// beingSent says why an answer is not sent once more.
func beingSent(f Face) string { return f.side("it is being sent", "It is being sent already.") }

// NotSent says why an answer can never be stored.
func NotSent(err error, f Face) string {
	why := strings.ReplaceAll(err.Error(), "\n", f.side(" · ", "; "))
	return f.sentence("not sent: " + why)
}

// clockLeast says that a question keeps its last minute.
func clockLeast(in Speech) string {
	const never = " never goes under 1:00"
	if in.Keyless {
		return "it" + never
	}
	return in.Face.side(in.Key(deed.Less)+never, "It never goes under a minute.")
}

// clockMost says that a question has all the time it can have.
func clockMost(f Face) string { return f.side("24 h is the most", "24 hours is the most.") }

const clockStands = "the clock is stopped"

// clockStill says why the clock of a question cannot be moved.
func clockStill(s queue.Session, f Face) string {
	if s.Ask.NoClock {
		words := "it has no clock: it is open as long as " + s.Origin.ClientName() + "'s own prompt"
		return f.side(words, Capital(words)+".")
	}
	return f.side("its clock is stopped: it is "+WithTheTeam, Capital(clockStands)+".")
}

// ClockNotMoved says that the store did not take a deadline.
func ClockNotMoved(err error, f Face) string {
	return f.sentence("the clock was not moved: " + err.Error())
}

// nothingToEnd says why there is nothing to cancel, and no clock to move.
const nothingToEnd = Closed + ": there is nothing to cancel or to wait for"

// hiddenOption says that an option is hidden from now on, with the keys that bring it back, or shown again.
func hiddenOption(hidden bool, in Speech) string {
	if !hidden {
		return "shown again from now on"
	}
	return "hidden in all future questions" + Keyed(": ", in.Key(deed.UndoLast), " takes it back")
}

// SuggestedReasons are offered with the arrow keys when a question is cancelled.
var SuggestedReasons = []string{
	"not now, go on with something else",
	"none of these: ask again with other options",
	"I need to know more: explain the difference first",
	"stop here, I will take over",
}

// SuggestedDetails are offered with the arrow keys when more detail is wanted.
var SuggestedDetails = []string{
	"what each option costs and risks",
	"how each of them can be undone",
	"which one you would take, and why",
}

// NoSuchQuestion says that the queue is shorter than the digit that was pressed.
func NoSuchQuestion(n int) string { return fmt.Sprintf("the queue has no question %d", n) }

// AgainQuitsAlone says what the key to quit does the second time, while nothing waits.
func AgainQuitsAlone(key string) string { return key + " again quits" }

// AgainQuits says what the key to quit does the second time, while questions are pending.
func AgainQuits(key string, waiting int, f Face) string {
	words := AgainQuitsAlone(key) + "; " + Stay(waiting)
	return f.side(words, words+".")
}

// AgainLoses says what the key to quit does the second time, while an answer is not stored yet.
func AgainLoses(key string, f Face) string {
	return f.sentence("an answer is not saved yet: " + key + " again leaves it unsaved")
}

// AgainLeaves says the same in a form that was opened for one question.
func AgainLeaves(key string, f Face) string {
	words := key + " again leaves for good; the question stays in the dashboard"
	return f.side(words, words+".")
}

// PaneTrouble says why an agent's pane cannot be brought up.
func PaneTrouble(why string) string { return "cannot go to its pane: " + why }

// Copied says that a text was copied, with its first words; cut shortens these to a number of cells.
func Copied(text string, cut func(text string, cells int) string) string {
	first, _, _ := strings.Cut(text, "\n")
	return "copied: " + cut(OneLine(first), 50)
}

// Reasons why the person's own editor does not open.
const (
	NoEditor     = "no editor here"
	TerminalLent = "another program is using the terminal"
)

// EditorTrouble reports an error of the person's editor.
func EditorTrouble(err error) string { return "the editor: " + err.Error() }

// ChatOff says why there is no chat: on a form that was opened for one question, else by the setting.
func ChatOff(form bool) string {
	if form {
		return "chat is in the dashboard: this form is for one question"
	}
	return "chat is switched off in the settings: chat delivery"
}

// NothingHere says that a key does nothing here, whether or not it means something in another place. enter is how Enter
// is written; ends says of a question that is over that the screen ends with it.
func NothingHere(m keys.Map, place keys.Place, key, enter string, ends bool) string {
	name := OneLine(keys.Written(key))
	nothing := name + " does nothing here"
	switch place {
	case keys.PlaceOver:
		does, _ := ClosedBack(ends)
		return Closed + ": " + name + " does nothing, " + m.KeyOf(place, deed.Back) + " " + does
	case keys.PlaceEmpty:
		return "nothing is waiting: " + nothing
	case keys.PlaceConfirm:
		return nothing + ": " + m.KeyOf(place, deed.Decline) + " goes back"
	case keys.PlaceApproval:
		if m.Lookup(keys.PlaceQuestion, key) != nil {
			return nothing + ": an approval is decided as it stands"
		}
	case keys.PlaceQueue:
		return nothing + ": " + enter + " opens it"
	}
	return nothing
}
