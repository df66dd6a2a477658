package screen

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/notify"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue/desk"
)

// lookedAt is a terminal that counts what it is told.
type lookedAt struct {
	focused, known bool
	bells          int
	titles         []string
	told           []string
}

func (l *lookedAt) Focus() (bool, bool) { return l.focused, l.known }
func (l *lookedAt) Beep() error         { l.bells++; return nil }
func (l *lookedAt) SetTitle(s string)   { l.titles = append(l.titles, s) }
func (l *lookedAt) Tell(s string) error { l.told = append(l.told, s); return nil }

// last returns the title that was set last.
func (l *lookedAt) last() string { return l.titles[len(l.titles)-1] }

func alerted(t *testing.T, focused, known bool) (*bench, *lookedAt) {
	b := newBench(t, 80, 24)
	l := &lookedAt{focused: focused, known: known}
	b.o.Alerts = func(w desk.AlertWays) desk.Alerts {
		return &notify.Alerts{Watch: notify.Watch{Own: w.Own},
			Sender: notify.Sender{Bell: w.Bell, Desktop: &notify.Desktop{Failed: w.Failed}}}
	}
	b.alerts.startOn(b.Screen, l, func(f func()) { f() })
	b.rig.Announce(b.desk)
	return b, l
}

func TestTheBellRingsOnArrivalAndBeforeTheDeadlineWhenThePersonLooksElsewhere(t *testing.T) {
	b, l := alerted(t, false, true)
	b.ask(small("Deploy?", 60), shop())
	require.Equal(t, 1, l.bells)
	b.clock.Pass(49 * time.Second)
	b.tick()
	require.Equal(t, 1, l.bells)
	next := b.nextTick()
	require.False(t, next.After(noon.Add(50*time.Second+time.Millisecond)), "the warning needs a tick of its own")
	b.clock.Pass(time.Second)
	b.tick()
	b.tick()
	require.Equal(t, 2, l.bells)
}

func TestNothingIsSentToAPersonWhoLooks(t *testing.T) {
	b, l := alerted(t, true, true)
	b.settings.S.Notify.Desktop = "/nonexistent"
	b.newSettings()
	b.ask(small("Deploy?", 60), shop())
	b.clock.Pass(55 * time.Second)
	b.tick()
	require.Zero(t, l.bells)
	require.Empty(t, l.told)
	require.Empty(t, b.message.text)
}

func TestWithoutWordOfTheFocusRecentTypingCountsAsLooking(t *testing.T) {
	b, l := alerted(t, false, false)
	b.clock.Pass(9 * time.Second)
	b.ask(small("Deploy?", 600), shop())
	require.Zero(t, l.bells)
	b.clock.Pass(2 * time.Second)
	b.ask(small("Deploy again?", 600), shop())
	require.Equal(t, 1, l.bells)
}

func TestManyQuestionsAtOnceAreOneBell(t *testing.T) {
	b, l := alerted(t, false, true)
	for range 20 {
		b.ask(small("Deploy?", 600), shop())
	}
	require.Equal(t, 1, l.bells)
}

func TestTheTitleFollowsTheNumberWaiting(t *testing.T) {
	b, l := alerted(t, true, true)
	require.Equal(t, "choicetui", l.last())
	b.ask(small("Deploy?", 600), shop())
	require.Equal(t, "choicetui: 1 waiting", l.last())
	b.ask(small("Deploy again?", 600), shop())
	require.Equal(t, "choicetui: 2 waiting", l.last())
	n := len(l.titles)
	b.press("j", "k")
	b.tick()
	require.Len(t, l.titles, n, "nothing changed")
}

func TestTheTitleSaysHowManyWait(t *testing.T) {
	for n, want := range map[int]string{0: "choicetui", 1: "choicetui: 1 waiting", 3: "choicetui: 3 waiting"} {
		require.Equal(t, want, windowTitle(n))
	}
}

func TestTheBellCanBeSwitchedOffAndTheWarningMoved(t *testing.T) {
	b, l := alerted(t, false, true)
	b.ask(small("Deploy?", 300), shop())
	b.settings.S.Notify = config.Notify{Bell: true, WarnSeconds: 100}
	b.newSettings()
	require.Equal(t, noon.Add(200*time.Second), b.alerts.teller.Next())
	b.settings.S.Notify.Bell = false
	b.newSettings()
	b.clock.Pass(250 * time.Second)
	b.tick()
	require.Equal(t, 1, l.bells)
}

func TestACommandThatFailsIsSaidInTheRuleUntilTheSettingChanges(t *testing.T) {
	b, _ := alerted(t, false, true)
	b.settings.S.Notify.Desktop = "/nonexistent/tell --urgent"
	b.newSettings()
	b.ask(small("Deploy?", 300), shop())
	select {
	case <-b.desk.Bell(): // the command is run beside everything else
	case <-time.After(10 * time.Second):
	}
	b.settle()
	require.Contains(t, b.picture(), "! notify.desktop: ")
	require.Contains(t, b.picture(), "/nonexistent/tell")
	require.Equal(t, "⏎ Send PostgreSQL", b.footer(), "Enter says what it does")
	b.press("j")
	require.Contains(t, b.picture(), "! notify.desktop: ")
	b.settings.S.Notify.Desktop = "off"
	b.newSettings()
	require.NotContains(t, b.picture(), "notify.desktop: ")
}

func TestNoTimerWithoutAnythingPending(t *testing.T) {
	b, _ := alerted(t, false, true)
	require.Zero(t, b.nextTick())
}
