package notify

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
)

var noon = time.Date(2026, 11, 20, 14, 2, 0, 0, time.UTC)

func waiting(id string, left time.Duration) queue.Waiting {
	return queue.Waiting{Session: &queue.Session{ID: id, Deadline: noon.Add(left), Ask: queue.Ask{Title: "Which " + id + "?"}}}
}

func kinds(asked, ending []queue.Session) (list []string) {
	for _, s := range asked {
		list = append(list, Asked+" "+s.ID)
	}
	for _, s := range ending {
		list = append(list, Ending+" "+s.ID)
	}
	return list
}

func TestEachArrivalAndEachDeadlineIsToldOnce(t *testing.T) {
	var w Watch
	q := []queue.Waiting{waiting("a", time.Minute), waiting("b", 5*time.Minute)}
	require.Equal(t, []string{"asked a", "asked b"}, kinds(w.See(q, 10*time.Second, noon)))
	require.Equal(t, noon.Add(50*time.Second), w.Next())
	require.Empty(t, kinds(w.See(q, 10*time.Second, noon.Add(49*time.Second))))
	require.Equal(t, []string{"ending a"}, kinds(w.See(q, 10*time.Second, noon.Add(50*time.Second))))
	require.Equal(t, noon.Add(290*time.Second), w.Next())
	require.Empty(t, kinds(w.See(q, 10*time.Second, noon.Add(55*time.Second))))
}

func TestAMovedDeadlineIsToldAgain(t *testing.T) {
	var w Watch
	q := []queue.Waiting{waiting("a", time.Minute)}
	w.See(q, 10*time.Second, noon)
	w.See(q, 10*time.Second, noon.Add(55*time.Second))
	q[0].Deadline = noon.Add(2 * time.Minute)
	require.Empty(t, kinds(w.See(q, 10*time.Second, noon.Add(56*time.Second))))
	require.Equal(t, []string{"ending a"}, kinds(w.See(q, 10*time.Second, noon.Add(111*time.Second))))
}

func TestAShortQuestionIsToldOnArrivalOnly(t *testing.T) {
	var w Watch
	q := []queue.Waiting{waiting("a", 5*time.Second)}
	require.Equal(t, []string{"asked a"}, kinds(w.See(q, 10*time.Second, noon)))
	require.Empty(t, kinds(w.See(q, 10*time.Second, noon.Add(time.Second))))
	require.Zero(t, w.Next())
}

func TestNobodyIsHurriedByWhatHurriesNobody(t *testing.T) {
	w := Watch{Own: "mine"}
	q := []queue.Waiting{waiting("gone", time.Minute), waiting("attached", time.Minute), waiting("mine", time.Minute), waiting("team", 0)}
	q[0].Standing, q[1].Standing, q[2].Standing, q[3].Standing = queue.StandingGone, queue.StandingAttached, queue.StandingAttached, queue.StandingTeam
	q[3].Deadline = time.Time{}
	require.Equal(t, []string{"asked mine"}, kinds(w.See(q, 10*time.Second, noon)))
	require.Equal(t, []string{"ending mine"}, kinds(w.See(q, 10*time.Second, noon.Add(55*time.Second))))
}

func TestAQuestionThatWasSetAsideIsToldOfWhenItIsBack(t *testing.T) {
	var w Watch
	q := []queue.Waiting{waiting("a", 5*time.Minute)}
	require.Equal(t, []string{"asked a"}, kinds(w.See(q, 10*time.Second, noon)))
	q[0].Standing, q[0].Deadline = queue.StandingLater, noon.Add(15*time.Minute)
	require.Empty(t, kinds(w.See(q, 10*time.Second, noon.Add(time.Second))))
	q[0].Standing = queue.StandingOpen
	require.Equal(t, []string{"asked a"}, kinds(w.See(q, 10*time.Second, noon.Add(10*time.Minute))))
}

func TestNoWarningWithoutWarnSecondsAndNoTimerWithoutAnythingPending(t *testing.T) {
	var w Watch
	w.See([]queue.Waiting{waiting("a", time.Minute)}, 0, noon)
	require.Zero(t, w.Next())
	w.See([]queue.Waiting{waiting("a", time.Minute)}, 10*time.Second, noon)
	require.NotZero(t, w.Next())
	w.See(nil, 10*time.Second, noon)
	require.Zero(t, w.Next())
	require.Empty(t, w.told)
}

func TestWhoLooksElsewhere(t *testing.T) {
	for _, c := range []struct {
		focused, known bool
		quiet          time.Duration
		away           bool
	}{
		{true, true, time.Hour, false}, {false, true, 0, true},
		{false, false, 9 * time.Second, false}, {true, false, 10 * time.Second, true},
	} {
		require.Equal(t, c.away, new(Watch).Away(c.focused, c.known, noon.Add(-c.quiet), noon), c)
	}
}

func TestAtMostOneBellASecondHoweverManyArrive(t *testing.T) {
	rang := 0
	s := Sender{Bell: func() error { rang++; return nil }}
	on := config.Notify{Bell: true}
	for i := range 50 {
		s.Tell(make([]queue.Session, 2), nil, on, queue.Origin.Name, noon.Add(time.Duration(i)*20*time.Millisecond))
	}
	require.Equal(t, 1, rang)
	s.Tell(nil, make([]queue.Session, 1), on, queue.Origin.Name, noon.Add(time.Second))
	require.Equal(t, 2, rang)
	s.Tell(nil, nil, on, queue.Origin.Name, noon.Add(time.Hour))
	s.Tell(make([]queue.Session, 1), nil, config.Notify{}, queue.Origin.Name, noon.Add(2*time.Hour))
	require.Equal(t, 2, rang)
}

func TestWhatAnAgentAsksOnTheScreenBeforeThePersonIsNotTold(t *testing.T) {
	by := func(id string, pid int, source string) queue.Session {
		return queue.Session{ID: id, Origin: queue.Origin{PID: pid, Source: source}}
	}
	rang, looked := 0, []int{}
	looks, does := []func(){}, []func(){}
	s := Sender{Bell: func() error { rang++; return nil },
		Watched: func(_ context.Context, o queue.Origin) bool { looked = append(looked, o.PID); return o.PID == 7 },
		Start:   func(f func()) { looks = append(looks, f) }, Do: func(f func()) { does = append(does, f) }}
	run := func() {
		for _, all := range []*[]func(){&looks, &does} {
			for _, f := range *all {
				f()
			}
			*all = nil
		}
	}
	on := config.Notify{Bell: true}
	s.Tell([]queue.Session{by("a", 7, "x"), by("b", 7, "y")}, nil, on, queue.Origin.Name, noon)
	require.Empty(t, looked, "the screen does not wait for that")
	run()
	require.Equal(t, []int{7}, looked, "one look an agent")
	require.Zero(t, rang)

	s.Tell([]queue.Session{by("c", 7, "z"), by("d", 8, "z")}, nil, on, queue.Origin.Name, noon.Add(time.Minute))
	require.Zero(t, rang)
	run()
	require.Equal(t, 1, rang, "another agent asked too")
	s.Tell([]queue.Session{by("e", 7, "")}, nil, on, queue.Origin.Name, noon.Add(2*time.Minute))
	require.Equal(t, 2, rang, "what is asked by a tool is on no other screen")
	s.Tell(nil, []queue.Session{by("d", 8, "z")}, on, queue.Origin.Name, noon.Add(3*time.Minute))
	run()
	require.Equal(t, 3, rang)

	looked = nil
	s.Tell([]queue.Session{by("f", 8, "z")}, nil, config.Notify{}, queue.Origin.Name, noon.Add(4*time.Minute))
	run()
	require.Empty(t, looked, "where nothing would be told nobody looks")
}

func TestTerminalsAreAskedTheirOwnWayAndNoOthers(t *testing.T) {
	env := func(pairs ...string) func(string) string {
		return func(name string) string {
			for i := 0; i < len(pairs); i += 2 {
				if pairs[i] == name {
					return pairs[i+1]
				}
			}
			return ""
		}
	}
	require.Equal(t, OSC99, Around(env("TERM", "xterm-kitty")))
	require.Equal(t, OSC777, Around(env("TERM", "foot-extra")))
	require.Equal(t, OSC777, Around(env("TERM", "xterm-256color", "TERM_PROGRAM", "WezTerm")))
	require.Equal(t, OSC9, Around(env("TERM", "xterm-256color", "LC_TERMINAL", "iTerm2")))
	require.Equal(t, None, Around(env("TERM", "xterm-256color")))
	require.Equal(t, None, Around(env("TERM", "xterm-kitty", "TMUX", "/tmp/x")), "tmux is asked instead")
	require.Equal(t, None, Around(env("TERM", "screen", "STY", "1.x", "KITTY_WINDOW_ID", "1")))
	require.Equal(t, OSC777, Speaks("WezTerm 20240203", "xterm-256color"))
}

func TestSequencesHoldNothingOfTheAgentsThatATerminalActsOn(t *testing.T) {
	const evil = "a;b\x1b]52;c;ZXZpbA==\x07\x9c\u202e\nc"
	for _, p := range []Protocol{OSC9, OSC777, OSC99} {
		seq := Sequence(p, "id;\x1b", evil, evil)
		body := strings.ReplaceAll(strings.ReplaceAll(seq, "\x1b]", ""), "\x1b\\", "")
		require.NotRegexp(t, `[\x00-\x1f\x7f-\x{9f}\x{202e}]`, body)
		require.Contains(t, seq, "a,b<U+001B>]52,c,ZXZpbA==<U+0007>")
	}
	require.Equal(t, "\x1b]9;title: body\x1b\\", Sequence(OSC9, "i", "title", "body"))
	require.Equal(t, "\x1b]777;notify;title;body\x1b\\", Sequence(OSC777, "i", "title", "body"))
	require.Equal(t, "\x1b]99;i=i:d=0;title\x1b\\\x1b]99;i=i:p=body;body\x1b\\", Sequence(OSC99, "i", "title", "body"))
	require.Empty(t, Sequence(None, "i", "t", "b"))
	require.Equal(t, "\x1bPtmux;\x1b\x1b]9;t: b\x1b\x1b\\\x1b\\", Through(Sequence(OSC9, "", "t", "b")))
}

// desk records the output of a Desktop; wait returns once that is idle.
type desk struct {
	*Desktop
	mu     sync.Mutex
	wrote  []string
	failed []string
}

func newDesk(p Protocol, through bool, err error) *desk {
	d := &desk{}
	d.Desktop = &Desktop{
		Speak:  func(context.Context) (Protocol, bool, error) { return p, through, err },
		Write:  func(s string) error { d.mu.Lock(); defer d.mu.Unlock(); d.wrote = append(d.wrote, s); return nil },
		Failed: func(err error) { d.mu.Lock(); defer d.mu.Unlock(); d.failed = append(d.failed, err.Error()) },
	}
	return d
}

func (d *desk) wait(t *testing.T) {
	t.Helper()
	require.Eventually(t, func() bool {
		d.Desktop.mu.Lock()
		defer d.Desktop.mu.Unlock()
		return !d.busy
	}, 20*time.Second, time.Millisecond)
}

func TestWhoseTimeIsNearlyUpIsToldFirst(t *testing.T) {
	d := newDesk(OSC777, false, nil)
	s := Sender{Desktop: d.Desktop}
	s.Tell([]queue.Session{*waiting("new", time.Hour).Session}, []queue.Session{*waiting("old", 10*time.Second).Session},
		config.Notify{Desktop: "auto"}, queue.Origin.Name, noon)
	d.wait(t)
	require.Equal(t, []string{Sequence(OSC777, "old", "choicetui: 10 seconds left", "Which old? (and 1 more)")}, d.wrote)
}

func TestOffSendsNothing(t *testing.T) {
	d := newDesk(OSC9, false, nil)
	d.Send("off", []Note{{Title: "x"}})
	d.Send("", []Note{{Title: "x"}})
	d.wait(t)
	require.Empty(t, d.wrote)
}

func TestAutoAsksTheTerminalOnceForABurst(t *testing.T) {
	d := newDesk(OSC777, true, nil)
	d.Send("auto", []Note{{Event: Asked, Title: "Which a?", Agent: "shop · claude", ID: "a"}, {}, {}})
	d.wait(t)
	require.Equal(t, []string{Through(Sequence(OSC777, "a", "choicetui: shop · claude asks", "Which a? (and 2 more)"))}, d.wrote)
	d.Send("auto", []Note{{Event: Ending, Title: "Which a?", Left: 10 * time.Second}})
	d.wait(t)
	require.Contains(t, d.wrote[1], "choicetui: 10 seconds left")
}

func TestATerminalThatShowsNoneIsSaidOnce(t *testing.T) {
	d := newDesk(None, false, nil)
	for range 3 {
		d.Send("auto", []Note{{}})
		d.wait(t)
	}
	require.Equal(t, []string{errMute.Error()}, d.failed)
	require.Empty(t, d.wrote)
}

// script writes a program that appends its arguments and environment to a file.
func script(t *testing.T, body string) (program, log string) {
	t.Helper()
	dir := t.TempDir()
	program, log = filepath.Join(dir, "tell"), filepath.Join(dir, "log")
	require.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\nlog='"+log+"'\n"+body), 0o700))
	return program, log
}

func TestTheCommandGetsTheQuestionAsArgumentsAndNoShellReadsThem(t *testing.T) {
	program, log := script(t, `printf '<%s>' "$@" >>"$log"`)
	d := newDesk(None, false, nil)
	s := queue.Session{ID: "k7f3m2qx", Ask: queue.Ask{Title: "--help $(touch x) `id`; rm\x1b[2J\nnow"}}
	d.Send(program+"  -u  critical", []Note{noteOf(Asked, s, "shop · claude", noon)})
	d.wait(t)
	got, err := os.ReadFile(log)
	require.NoError(t, err)
	require.Equal(t, "<-u><critical>< --help $(touch x) `id`; rm<U+001B>[2J now><shop · claude><k7f3m2qx><asked>", string(got))
	require.Empty(t, d.failed)
}

func TestTheCommandFindsThePageOfTheQuestionInItsEnvironment(t *testing.T) {
	program, log := script(t, `printf '<%s>' "$CHOICETUI_URL" >>"$log"`)
	d := newDesk(None, false, nil)
	runs := true
	d.URL = func(id string) string {
		if !runs {
			return ""
		}
		return "http://127.0.0.1:4711/choice/" + id
	}
	d.Send(program, []Note{{ID: "k7f3m2qx"}})
	d.wait(t)
	runs = false
	d.Send(program, []Note{{ID: "k7f3m2qx"}})
	d.wait(t)
	got, err := os.ReadFile(log)
	require.NoError(t, err)
	require.Equal(t, "<http://127.0.0.1:4711/choice/k7f3m2qx><>", string(got))
}

func TestCommandsRunOneAfterTheOtherAndForEachQuestion(t *testing.T) {
	program, log := script(t, `echo "begin $3" >>"$log"; sleep 0.05; echo "end $3" >>"$log"`)
	d := newDesk(None, false, nil)
	d.Send(program, []Note{{ID: "a"}, {ID: "b"}})
	d.Send(program, []Note{{ID: "c"}})
	d.wait(t)
	got, _ := os.ReadFile(log)
	require.Equal(t, "begin a\nend a\nbegin b\nend b\nbegin c\nend c\n", string(got))
}

func TestAFailingCommandIsSaidOnceForEachSetting(t *testing.T) {
	d := newDesk(None, false, nil)
	for range 3 {
		d.Send("/nonexistent/tell", []Note{{}})
		d.wait(t)
	}
	require.Len(t, d.failed, 1)
	require.Contains(t, d.failed[0], "/nonexistent/tell")
	program, _ := script(t, "exit 3")
	d.Send(program, []Note{{}})
	d.wait(t)
	require.Len(t, d.failed, 2)
	require.Contains(t, d.failed[1], "ended with exit status 3")
}

func TestACommandThatHangsIsStoppedWithAllItStarted(t *testing.T) {
	program, log := script(t, `sleep 300 & echo $! >>"$log"; wait`)
	d := newDesk(None, false, nil)
	d.limit = 300 * time.Millisecond
	d.Send(program, []Note{{}})
	d.wait(t)
	require.Len(t, d.failed, 1)
	require.Contains(t, d.failed[0], "took longer than 300ms and was stopped")
	pid, err := os.ReadFile(log)
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		stat, err := os.ReadFile("/proc/" + strings.TrimSpace(string(pid)) + "/stat")
		return err != nil || strings.Contains(string(stat), ") Z ")
	}, 5*time.Second, 10*time.Millisecond)
}

func TestABurstBeyondWhatIsKeptIsCutAndSaid(t *testing.T) {
	program, log := script(t, `echo x >>"$log"`)
	d := newDesk(None, false, nil)
	d.Send(program, make([]Note, 500))
	d.wait(t)
	got, _ := os.ReadFile(log)
	require.LessOrEqual(t, strings.Count(string(got), "x"), maxJobs+2)
	require.Equal(t, []string{errMany.Error()}, d.failed)
}

func TestTheTerminalsErrorIsSaid(t *testing.T) {
	d := newDesk(OSC9, false, errors.New("tmux does not answer"))
	d.Send("auto", []Note{{}})
	d.wait(t)
	require.Equal(t, []string{"tmux does not answer"}, d.failed)
}

func TestANotificationOfAnApprovalHidesNothing(t *testing.T) {
	s := queue.Session{ID: "k7f3m2qx", Ask: queue.Ask{Kind: queue.KindApproval, Title: "Run rm ⚠\ufe0f"}}
	require.Equal(t, "Run rm ⚠<U+FE0F>", noteOf(Asked, s, "shop", noon).Title)
}

func TestAnAgentThatNeedsThePersonRingsOnceAndIsNoQuestion(t *testing.T) {
	rings := 0
	s := Sender{Bell: func() error { rings++; return nil }}
	var w Watch
	calls := []queue.Waiting{{Session: &queue.Session{ID: "instance",
		Ask: queue.Ask{Kind: queue.KindNotice, Title: "Claude needs your permission"}}}}
	for _, now := range []time.Time{noon, noon.Add(time.Minute)} {
		asked, ending := w.See(calls, 10*time.Second, now)
		s.Tell(asked, ending, config.Notify{Bell: true}, func(queue.Origin) string { return "claude" }, now)
	}
	require.Equal(t, 1, rings)
	one := noteOf(Asked, *calls[0].Session, "claude", noon)
	require.Empty(t, one.ID, "there is no page of it")
	title, body := one.titleAndBody(0)
	require.Equal(t, "choicetui: claude asks", title)
	require.Equal(t, "Claude needs your permission", body)
}
