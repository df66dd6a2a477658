package say

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

var anInterviews = queue.Origin{Dialect: queue.DialectInterview, Client: "interview"}

func TestWhatAPressDidIsSaidAsTheFrontendSaysIt(t *testing.T) {
	screen, lines := plainSpeech(), Speech{Frontend: InLines, Command: func(action.Name) string { return "less" }}
	wrong := errors.New("two things\nare wrong")
	for _, c := range []struct{ screen, lines, wantScreen, wantLines string }{
		{NotYet("y", "", false, false, screen).In("·"), LineTooSoon("y"), "y was ignored, press it again",
			`Not taken: "y" came too soon. Type it again.`},
		{NotYet("", "", false, true, screen).In("·"), LineTooSoon(""), "Not yet: press Enter again",
			"Not yet: that Enter came too soon. Press it again."},
		{beingSent(OnScreen), beingSent(InLines), "it is being sent already", "It is being sent already."},
		{NotSent(wrong, OnScreen), NotSent(wrong, InLines), "not sent: two things · are wrong",
			"Not sent: two things; are wrong."},
		{clockLeast(screen), clockLeast(lines), "- needs more than 1:00 left",
			"That needs more than a minute left."},
		{clockMost(OnScreen), clockMost(InLines), "24 h is the limit", "24 hours is the limit."},
		{clockStill(queue.Session{}, OnScreen), clockStill(queue.Session{}, InLines), "its clock is paused, because it is with the team",
			"The clock is paused."},
		{ClockNotMoved(errors.New("full"), OnScreen), ClockNotMoved(errors.New("full"), InLines),
			"the clock was not moved: full", "The clock was not moved: full."},
		{AgainQuits("q", 1, 0, OnScreen), AgainQuits("quit", 2, 0, InLines),
			"press q again to quit; 1 question stays in the queue", "Type quit again to quit; 2 questions stay in the queue."},
		{AgainLeaves("q", OnScreen), AgainLeaves("q", InLines),
			"press q again to leave; the question stays in the dashboard",
			"Type q again to leave; the question stays in the dashboard."},
		{NothingElse, Sentence(NothingElse), "nothing else is waiting", "Nothing else is waiting."},
		{GoneKept("claude", OnScreen), GoneKept("claude", InLines),
			"claude disconnected; if it asks again within 10 min it gets this answer",
			"claude disconnected; if it asks again within 10 minutes, it gets this answer."},
		{GoneKept(Who(anInterviews), OnScreen), GoneKept(Who(anInterviews), InLines),
			"the interview has stopped; it gets this answer when it continues",
			"The interview has stopped. It gets this answer when it continues."},
	} {
		require.Equal(t, c.wantScreen, c.screen)
		require.Equal(t, c.wantLines, c.lines)
	}
}

func TestAPersonWithoutKeysIsToldOfNone(t *testing.T) {
	in := Speech{Frontend: OnScreen, Keys: action.Map{}, Enter: "the button", Keyless: true,
		Cut: func(s string, _ int) string { return s }}
	for want, got := range map[string]string{
		"Not yet: press the button again":               NotYet("", "", false, true, in).In("·"),
		"Was this meant for claude? the button adds it": WasMeant("claude", DoesWith(form.FieldNote, form.Plan{}), in).In("·"),
		"Choose an option":                              Enter(form.Plan{WhyNot: form.WhyNot{Reason: form.NothingMarked}}, form.FieldNone, "claude", in).In("·"),
		"Not yet: confirm “pg”": Enter(form.Plan{Object: "pg", WhyNot: form.WhyNot{Reason: form.ConfirmationWaits}},
			form.FieldNone, "claude", in).In("·"),
		"twice: cancel and tell claude":  Enter(form.Plan{Step: form.StepArm}, form.FieldReason, "claude", in).In("·"),
		"it needs more than 1:00 left":   clockLeast(in),
		"hidden in all future questions": hiddenOption(true, in),
	} {
		require.Equal(t, want, got)
	}
}

func TestAnAddresseeIsSaidWithOnePlace(t *testing.T) {
	require.Equal(t, "to shop · claude, tmux 0:0", addressee{Name: "shop · claude %70", Pane: "%70", Where: "0:0"}.String())
	require.Equal(t, "to shop · claude %70", addressee{Name: "shop · claude %70", Pane: "%70"}.String())
}
