package term

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"
)

func nextKeyOrPaste(t *testing.T, s *Screen) tcell.Event {
	t.Helper()
	for {
		switch event := s.PollEvent().(type) {
		case nil:
			t.Fatal("no more events")
		case *tcell.EventKey, *tcell.EventPaste:
			return event
		}
	}
}

func TestAPasteKeepsItsLines(t *testing.T) {
	s, tty := openFake(t, 40, 5)
	tty.input <- []byte("\n\x1b[200~a\nb\rc\r\nd\x1b[201~\n")
	var got strings.Builder
	for range 12 {
		switch event := nextKeyOrPaste(t, s).(type) {
		case *tcell.EventPaste:
			got.WriteString(map[bool]string{true: "<", false: ">"}[event.Start()])
		case *tcell.EventKey:
			switch event.Key() {
			case tcell.KeyRune:
				got.WriteRune(event.Rune())
			case tcell.KeyEnter:
				got.WriteByte('E')
			case tcell.KeyCtrlJ:
				got.WriteByte('J')
			}
		}
		if strings.HasSuffix(got.String(), ">J") {
			break
		}
	}
	if got.String() != "J<aEbEcEd>J" {
		t.Errorf("got %s", got.String())
	}
}

func TestFocusIsToldAndKept(t *testing.T) {
	s, tty := openFake(t, 40, 5)
	if _, known := s.Focus(); known {
		t.Error("nothing was said yet")
	}
	for _, c := range []struct {
		said string
		want bool
	}{{"\x1b[O", false}, {"\x1b[I", true}} {
		tty.input <- []byte(c.said)
		on, known := s.Focus()
		for end := time.Now().Add(5 * time.Second); (on != c.want || !known) && time.Now().Before(end); {
			time.Sleep(time.Millisecond)
			on, known = s.Focus()
		}
		if on != c.want || !known {
			t.Errorf("after %q: focused %v, known %v", c.said, on, known)
		}
	}
}

func TestFocus_GainedAndLostIsNotGained(t *testing.T) {
	var f focus
	now := time.Now()
	if !f.set(true, now) || !f.FocusGained().Equal(time.Unix(0, now.UnixNano())) {
		t.Error("the focus was gained")
	}
	if f.set(false, now); !f.FocusGained().IsZero() {
		t.Error("the focus was lost")
	}
}

// TestStoppingInTheMiddleOfAHugePasteReturns would hang with tcell alone, for two reasons.
func TestStoppingInTheMiddleOfAHugePasteReturns(t *testing.T) {
	for range 20 {
		s, tty := openFake(t, 40, 5)
		for range 200 {
			tty.input <- []byte(strings.Repeat("typed ahead ", 20))
		}
		time.Sleep(2 * time.Millisecond)
		start := time.Now()
		if err := s.Suspend(); err != nil {
			t.Fatal(err)
		}
		if err := s.Resume(); err != nil {
			t.Fatal(err)
		}
		s.Fini()
		if took := time.Since(start); took >= patience {
			t.Fatalf("took %s", took)
		}
		if s.PollEvent() != nil {
			t.Fatal("events after the end")
		}
	}
}

func TestALostTerminalIsReportedOnce(t *testing.T) {
	s, tty := openFake(t, 40, 5)
	close(tty.input)
	for {
		event := s.PollEvent()
		if _, ok := event.(*tcell.EventError); ok {
			break
		}
		if event == nil {
			t.Fatal("no error event")
		}
	}
	time.Sleep(10 * time.Millisecond)
	for s.HasPendingEvent() {
		if _, ok := s.PollEvent().(*tcell.EventError); ok {
			t.Fatal("it must not be reported again and again")
		}
	}
}

func TestASecondInitRepeatsTheFirstError(t *testing.T) {
	s, tty := openFake(t, 40, 5)
	tty.take()
	if err := s.Init(); err != nil || tty.take() != "" {
		t.Errorf("second Init: %v", err)
	}
	bad := Wrap(tcell.NewSimulationScreen("no-such-charset"))
	tcell.SetEncodingFallback(tcell.EncodingFallbackFail)
	first, second := bad.Init(), bad.Init()
	if first == nil || second == nil {
		t.Error("the error must be remembered")
	}
	if bad.PollEvent() != nil {
		t.Error("a screen that never was has no events")
	}
	bad.Fini()
}

func TestWhyThereIsNoTerminalIsOneSentence(t *testing.T) {
	for name, want := range map[string]string{"": "TERM is not set", "dumb": "TERM=dumb", "no-such-term": "TERM=no-such-term is not known"} {
		t.Setenv("TERM", name)
		_, err := OpenOn(newFakeTty(10, 10))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "the full screen needs a terminal: ") {
			t.Errorf("TERM=%q: %v", name, err)
		}
	}
	t.Setenv("TERM", "xterm")
	if _, err := OpenTty("/dev/null"); err == nil || !strings.Contains(err.Error(), "/dev/null") {
		t.Errorf("/dev/null: %v", err)
	}
}

func TestWithoutATerminalOnStandardInputNothingIsOpened(t *testing.T) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	stdin := os.Stdin
	os.Stdin = null
	defer func() { os.Stdin = stdin }()
	if _, err := Open(); !errors.Is(err, ErrNoTerminal) || !strings.Contains(err.Error(), "standard input") {
		t.Error(err)
	}
}

func TestNoColorSendsNoColour(t *testing.T) {
	s, tty := openFake(t, 20, 2)
	t.Setenv("NO_COLOR", "1")
	tty.take()
	s.Clear()
	write(s, 0, 0, "red", tcell.StyleDefault.Foreground(tcell.ColorRed).Bold(true))
	s.Show()
	if out := tty.take(); strings.Contains(out, "31m") || !strings.Contains(out, "\x1b[1m") {
		t.Errorf("wrote %q", out)
	}
}

func TestTheLinuxConsoleIsDrawnInASCII(t *testing.T) {
	s, _ := openFake(t, 20, 2)
	for name, want := range map[string]bool{"tmux-256color": true, "screen": true, "xterm-256color": true, "linux": false, "linux-16color": false} {
		t.Setenv("TERM", name)
		if s.Unicode() != want {
			t.Errorf("TERM=%s: %v", name, s.Unicode())
		}
	}
}

func TestEscapePressedTwiceIsTwoKeysAndLosesNone(t *testing.T) {
	for sent, want := range map[string]string{
		"\x1b\x1b":                "Esc Esc ",
		"\x1b\x1bh":               "Esc Alt+Rune[h] ", // a terminal sends the second escape and the letter together for Alt
		"\x1b\x1b\x1b":            "Esc Esc Esc ",
		"a\x1b\x1b[A":             "Rune[a] Alt+Up ", // as PuTTY and rxvt send it
		"\x1b\x1b[200~b\x1b[201~": "Esc < Rune[b] > ",
	} {
		s, tty := openFake(t, 40, 5)
		tty.input <- []byte(sent)
		var got strings.Builder
		for range strings.Count(want, " ") {
			switch event := nextKeyOrPaste(t, s).(type) {
			case *tcell.EventPaste:
				got.WriteString(map[bool]string{true: "< ", false: "> "}[event.Start()])
			case *tcell.EventKey:
				got.WriteString(event.Name() + " ")
			}
		}
		if got.String() != want {
			t.Errorf("%q came as %s, want %s", sent, got.String(), want)
		}
	}
}

func TestTypedTextIsUTF8InEveryLocale(t *testing.T) {
	for _, locale := range []string{"C", "POSIX", "de_DE.ISO-8859-1", "zh_CN.GB18030", "de_DE.UTF-8", "nonsense.9"} {
		t.Setenv("TERM", "tmux-256color")
		t.Setenv("LC_ALL", locale)
		tty := newFakeTty(40, 5)
		s, err := OpenOn(tty)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Fini)
		const want = "für 日本 €\ufffd"
		tty.input <- []byte(want[:7])
		tty.input <- []byte(want[7:] + "\xe9.")
		var got strings.Builder
		for !strings.HasSuffix(got.String(), ".") {
			if key, ok := nextKeyOrPaste(t, s).(*tcell.EventKey); ok {
				got.WriteRune(key.Rune())
			}
		}
		if got.String() != want+"\ufffd." {
			t.Errorf("in %s: got %q", locale, got.String())
		}
		tty.take()
		write(s, 0, 0, "Größe", tcell.StyleDefault)
		s.Show()
		if shown := tty.take(); !strings.Contains(shown, "Größe") && !strings.Contains(shown, "Gr??e") {
			t.Errorf("in %s: wrote %q", locale, shown)
		} else if strings.Contains(shown, "Größe") != s.Unicode() {
			t.Errorf("in %s, Unicode %v: wrote %q", locale, s.Unicode(), shown)
		}
	}
}

func keyEvent(r rune) tcell.Event { return tcell.NewEventKey(tcell.KeyRune, r, tcell.ModNone) }

func TestEvents_MuchTextIsOnePaste(t *testing.T) {
	for n, want := range map[int]string{bulk - 1: "", bulk: "<>", 3 * bulk: "<>"} {
		e := newEvents()
		for range n {
			e.pushEvent(keyEvent('x'))
		}
		e.pushEvent(tcell.NewEventKey(tcell.KeyEnter, 0, tcell.ModNone))
		text, marks := 0, ""
		for e.HasPendingEvent() {
			switch event := e.nextEvent().(type) {
			case *tcell.EventPaste:
				marks += map[bool]string{true: "<", false: ">"}[event.Start()]
			case *tcell.EventKey:
				if event.Key() == tcell.KeyEnter && len(marks) == 1 {
					t.Error("Enter came into the paste")
				} else if event.Key() == tcell.KeyRune {
					text++
				}
			}
		}
		if text != n || marks != want {
			t.Errorf("%d letters came as %d with %q, want %q", n, text, marks, want)
		}
	}
}

func TestEvents_LineFeedsBelongToMuchText(t *testing.T) {
	e := newEvents()
	for range bulk {
		e.pushEvent(keyEvent('x'))
		e.pushEvent(tcell.NewEventKey(tcell.KeyCtrlJ, 0, tcell.ModCtrl))
	}
	marks, lines := 0, 0
	for e.HasPendingEvent() {
		switch event := e.nextEvent().(type) {
		case *tcell.EventPaste:
			marks++
		case *tcell.EventKey:
			if event.Key() == tcell.KeyEnter {
				lines++
			}
		}
	}
	if marks != 2 || lines != bulk {
		t.Errorf("%d lines came between %d marks of pastes", lines, marks)
	}
}

// TestFrames_BurstOfKeysIsFewFrames handles keys that were read at once as tview does, with a frame behind each.
func TestFrames_BurstOfKeysIsFewFrames(t *testing.T) {
	s, _ := openFake(t, 40, 5)
	s.Show()
	const keys = 1000
	for range keys {
		s.pushEvent(tcell.NewEventKey(tcell.KeyLeft, 0, tcell.ModNone))
	}
	frames, last, start := 0, false, time.Now()
	for n := 0; n < keys; {
		if _, isKey := s.PollEvent().(*tcell.EventKey); !isKey {
			continue
		}
		n++
		s.keyTaken()
		s.Clear()
		if last = !s.Skips(); last {
			frames++
		}
		s.Show()
	}
	if most := 2 + int(time.Since(start)/mostFrames); frames > most || !last {
		t.Errorf("%d frames, at most %d expected; behind the last key: %v", frames, most, last)
	}
}

// TestFrames_EachKeyOfAProgramThatLooksHasOne presses each key once the frame of the last one has come.
func TestFrames_EachKeyOfAProgramThatLooksHasOne(t *testing.T) {
	s, _ := openFake(t, 40, 5)
	s.redraw = func() {}
	for n := 0; n < 1000; {
		s.pushEvent(tcell.NewEventKey(tcell.KeyLeft, 0, tcell.ModNone))
		for s.HasPendingEvent() {
			if _, isKey := s.PollEvent().(*tcell.EventKey); isKey {
				n++
				s.keyTaken()
			}
		}
		s.Clear()
		if s.Skips() {
			t.Fatalf("the frame of key %d is left out", n)
		}
		s.Show()
	}
}

// TestFrames_FloodIsFewFrames handles each piece of a flood at once.
func TestFrames_FloodIsFewFrames(t *testing.T) {
	s, _ := openFake(t, 40, 5)
	redraws := make(chan bool, 1000)
	s.redraw = func() { redraws <- true }
	s.Show()
	frames, last, start := 0, false, time.Now()
	for n := 0; n < 1000; {
		for range 8 { // a piece
			s.pushEvent(keyEvent('x'))
		}
		for s.HasPendingEvent() {
			if _, isKey := s.PollEvent().(*tcell.EventKey); isKey {
				n++
				s.keyTaken()
			}
		}
		s.Clear()
		if last = !s.Skips(); last {
			frames++
		}
		s.Show()
	}
	if most := 1 + floodKeys + int(time.Since(start)/mostFrames); frames > most {
		t.Errorf("%d frames, at most %d expected", frames, most)
	}
	if !last {
		<-redraws
	}
}

func TestEvents_CtrlCDiscardsWhatWaits(t *testing.T) {
	ctrlC := tcell.NewEventKey(tcell.KeyCtrlC, 0, tcell.ModCtrl)
	for n, want := range map[int]int{3: 3 + 4, bulk: 4} {
		e := newEvents()
		for i := range n {
			e.pushEvent(tcell.NewEventKey(tcell.KeyCtrlA+tcell.Key(i%2), 0, tcell.ModCtrl))
		}
		e.pushEvent(tcell.NewEventPaste(true))
		e.pushEvent(keyEvent('p'))
		e.pushEvent(tcell.NewEventPaste(false))
		e.pushEvent(ctrlC)
		if len(e.list) != want || e.list[len(e.list)-1] != tcell.Event(ctrlC) {
			t.Errorf("behind %d keys: %d events wait, want %d", n, len(e.list), want)
		}
		for range bulk {
			e.pushEvent(keyEvent('x'))
		}
		if e.pushEvent(ctrlC); len(e.list) != 5 {
			t.Errorf("behind %d keys and more: %d events wait, and not the paste and both Ctrl-C", n, len(e.list))
		}
	}
}

func TestOnPaste_TellsOfOneThatTakesLongAndOfItsEnd(t *testing.T) {
	s, tty := openFake(t, 40, 5)
	told := make(chan bool, 10)
	s.OnPaste(func() { told <- s.Pasting() })
	tty.input <- []byte("\x1b[200~at once\x1b[201~")
	tty.input <- []byte("\x1b[200~without an end")
	start := time.Now()
	if !<-told || time.Since(start) < longPaste/2 {
		t.Error("not told, or too soon")
	}
	if <-told {
		t.Error("it is over")
	}
	if took := time.Since(start); took < unfinished || took > 2*unfinished {
		t.Errorf("over after %v", took)
	}
	if len(told) > 0 {
		t.Error("told more than once")
	}
}
