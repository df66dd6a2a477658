package say

import (
	"fmt"
	"time"

	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/form"
)

// News that lines tell on their own.

// AlsoWaiting tells of a question that arrived while another is on view; agent is what its agent is called.
func AlsoWaiting(w queue.Waiting, agent string, now time.Time) string {
	return fmt.Sprintf("Also waiting: %s from %s, %s. %s shows it.", ShortQuoted(Title(w.Ask), 100), agent,
		Deadline(*w.Session, now), w.ID)
}

// ManyMore tells of many.
func ManyMore(n int) string { return fmt.Sprintf("%d more questions wait: list shows them.", n) }

// ClosedLine says how a question ended that was not ended here.
func ClosedLine(s queue.Session) string {
	return "Closed: " + ShortQuoted(Title(s.Ask), 100) + " " + Ending(s) + "."
}

// SentLine says what was sent or cancelled here, and to which agent.
func SentLine(s queue.Session, agent string) string {
	if s.Outcome.WantsDetail() {
		return Capital(askedDetail) + " on " + ShortQuoted(Title(s.Ask), 100) + "; " + agent + " is told."
	}
	if e := s.Outcome.Ending(); !e.Answered {
		return Capital(e.Word) + " " + ShortQuoted(Title(s.Ask), 100) + "; " + agent + " is told."
	}
	return "Sent: " + Heard(s.Summary()) + " to " + agent + "."
}

// DeliveredTo says that an agent has what was sent.
func DeliveredTo(agent string) string { return "Delivered: " + agent + " has it." }

// WrittenUnsent precedes what the person wrote for a question that ended otherwise.
const WrittenUnsent = "What you wrote was not sent:"

// ClosedUnsent returns the same where the question ended while it was being written.
func ClosedUnsent() string { return Sentence(Closed) + " " + WrittenUnsent }

// NearlyOver warns of a time that is nearly up, and says what the clock does then.
func NearlyOver(s queue.Session, now time.Time, in Speech) string {
	return fmt.Sprintf("%s left for %s. Then %s. %s gives a minute more.", Spoken(s.Deadline.Sub(now), time.Hour),
		ShortQuoted(Title(s.Ask), 100), ClockEnds(form.AtTheEnd(s.Ask)), in.Key(keys.ActMore))
}

// HidesNow says that the settings hide so many options of the question on view from now on.
func HidesNow(n int) string {
	if n == 0 {
		return "Your settings hide no option of this question any more: show writes it again."
	}
	return "Your settings hide " + Count(n, "option") + " of this question now: show writes it again."
}

// SettingsTrouble says what is wrong with the settings file.
func SettingsTrouble(err error) string { return "the settings file: " + err.Error() }

// Words for the end of the input.
const EndedUnconfirmed = "The input ended before that was confirmed: nothing was sent."

// InputEnded says that the input ended while so many questions wait.
func InputEnded(n int) string { return "The input ended; " + Stay(n) + "." }
