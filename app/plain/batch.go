package plain

import (
	"fmt"
	"strings"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// listAlike writes the approvals that are like the one on view; see desk.Batch. Then all and numbers mark some of them,
// as they mark the options of a question.
func (a *answering) listAlike(string) {
	if a.pendingForm() != nil && (a.view.Batch.On() || a.press(action.Alike, action.Arg{}, guarded)) {
		a.writeBatch()
	}
}

// writeBatch writes the list.
func (a *answering) writeBatch() {
	a.write("")
	rows := a.view.Batch.Rows()
	a.say(say.BatchTitle(rows) + ":")
	for i, r := range rows {
		a.writeInBatch(i+1, r)
	}
	if words := say.BatchLater(a.view.Batch.Later()); words != "" {
		a.say(say.Sentence(words))
	}
	a.asked = asksBatch
	a.askBatch()
	a.armGuard(a.view.BroughtUp)
}

// writeInBatch writes the n-th request of the list: in full if it is short and can be marked, else its first line, and
// why it cannot.
func (v *voice) writeInBatch(n int, r desk.BatchRow) {
	text, more := say.BatchText(r, v.ascii)
	if more == 0 {
		v.view.Batch.Saw(r.Session.ID)
	}
	words := []string{fmt.Sprintf("  %d:", n), strings.Join(text[:min(1, len(text))], ""),
		say.BatchNote(r, more, say.BatchAlone)}
	v.say(strings.TrimRight(strings.Join(words, " "), " "))
	if len(text) > 1 {
		v.block(underOption+bar, strings.Join(text[1:], "\n"))
	}
}

// askBatch asks whether to send what is marked in the list.
func (a *answering) askBatch() {
	var marked []string
	for i, r := range a.view.Batch.Rows() {
		if r.Marked {
			marked = append(marked, fmt.Sprint(i+1))
		}
	}
	if len(marked) == 0 {
		a.say("Type all to mark all that can be, or their numbers, such as 1 2; no leaves the list.")
		return
	}
	a.say("Allow " + strings.Join(marked, ", ") + "? Press Enter to send, or no to leave the list.")
}

// leaveBatch closes the list without sending anything.
func (a *answering) leaveBatch() {
	if a.view.Batch.On() {
		a.view.Batch.Leave()
		a.say(say.Sentence(string(action.BatchLeft)))
	}
}
