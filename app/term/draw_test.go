package term

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/gdamore/tcell/v2"
)

func TestAnUnchangedFrameWritesNothing(t *testing.T) {
	s, tty := openFake(t, 80, 24)
	frame := func() {
		s.Clear()
		write(s, 3, 2, "Which database? 한국어", tcell.StyleDefault.Bold(true))
		s.ShowCursor(4, 4)
		s.Show()
	}
	frame()
	if out := tty.take(); !strings.Contains(out, "Which database?") {
		t.Fatalf("first frame: %q", out)
	}
	for range 3 {
		frame()
	}
	if out := tty.take(); out != "" {
		t.Errorf("no change wrote %d bytes: %q", len(out), out)
	}
	s.ShowCursor(5, 4)
	s.Show()
	if out := tty.take(); out == "" || len(out) > 60 {
		t.Errorf("a moved cursor wrote %q", out)
	}
	s.HideCursor()
	s.Show()
	tty.take()
	s.HideCursor()
	s.Show()
	if out := tty.take(); out != "" {
		t.Errorf("hidden twice wrote %q", out)
	}
}

func TestOneChangedCellWritesFewBytes(t *testing.T) {
	s, tty := openFake(t, 120, 40)
	frame := func(left string) {
		s.Clear()
		for y := range 40 {
			write(s, 0, y, strings.Repeat("word ", 24), tcell.StyleDefault)
		}
		write(s, 110, 0, left, tcell.StyleDefault)
		s.Show()
	}
	frame("4:12")
	tty.take()
	frame("4:11")
	if out := tty.take(); len(out) > 60 || !strings.Contains(out, "1") {
		t.Errorf("one cell wrote %d bytes: %q", len(out), out)
	}
}

func TestWideCharactersLeaveNoHalves(t *testing.T) {
	s, tty := openFake(t, 6, 1)
	for _, step := range []struct{ draw, want string }{
		{"a한b", "한"}, {"axyb", "xy"}, {"한bcd", "bcd"}, {"a한b", "a"}, {"abcd한", "한"}, {"abcde한", "e "},
	} {
		s.Clear()
		x := 0
		for _, r := range step.draw {
			s.SetContent(x, 0, r, nil, tcell.StyleDefault)
			if x++; r == '한' {
				x++
			}
		}
		s.Show()
		if out := tty.take(); !strings.Contains(strings.ReplaceAll(out, "  \b\b", ""), step.want) {
			t.Errorf("%q wrote %q, want %q in it", step.draw, out, step.want)
		}
	}
}

func TestAWideCharacterOverHalfAnotherIsAsTcellShowsIt(t *testing.T) {
	s, _ := openFake(t, 6, 1)
	s.Clear()
	s.SetContent(1, 0, '한', nil, tcell.StyleDefault)
	s.SetContent(2, 0, 'x', nil, tcell.StyleDefault) // the right half of the wide character, which hides it
	row := make([]cell, 6)
	visibleRow(s.pen.back.row(0), row)
	if row[1].text != "한" || row[2].width != 0 {
		t.Errorf("right half: %+v", row)
	}
	s.SetContent(1, 0, 'y', nil, tcell.StyleDefault) // the left half, so the cell behind becomes visible
	visibleRow(s.pen.back.row(0), row)
	if row[1].text != "y" || row[2].text != "x" {
		t.Errorf("left half: %+v", row)
	}
}

func TestResizeAndSyncRepaintEverything(t *testing.T) {
	s, tty := openFake(t, 40, 5)
	frame := func() {
		s.Clear()
		write(s, 0, 0, "hello", tcell.StyleDefault)
		s.Show()
	}
	frame()
	tty.take()
	s.Sync()
	if out := tty.take(); !strings.Contains(out, "hello") {
		t.Errorf("Sync wrote %q", out)
	}
	tty.setSize(30, 8)
	for {
		if _, ok := s.PollEvent().(*tcell.EventResize); ok {
			if w, h := s.Size(); w == 30 && h == 8 {
				break
			}
		}
	}
	s.Clear()
	write(s, 0, 7, "below", tcell.StyleDefault)
	s.Show()
	if out := tty.take(); !strings.Contains(out, "below") {
		t.Errorf("after the resize: %q", out)
	}
	tty.take()
	s.Clear()
	write(s, 0, 7, "below", tcell.StyleDefault)
	s.Show()
	if out := tty.take(); out != "" {
		t.Errorf("settled, but wrote %q", out)
	}
}

// TestResize_DrawsOneFrame resizes as a person does who pulls at a border, and counts what is written for each size.
func TestResize_DrawsOneFrame(t *testing.T) {
	s, tty := openFake(t, 40, 5)
	for w := 41; w < 60; w++ {
		tty.take()
		tty.setSize(w, 5)
		for {
			_, resized := s.PollEvent().(*tcell.EventResize)
			if now, _ := s.Size(); resized && now == w {
				break
			}
		}
		for range 3 { // tview draws for each event that tells of the size
			s.Clear()
			write(s, w-5, 0, "right", tcell.StyleDefault)
			s.Show()
		}
		out := tty.take()
		if n := strings.Count(out, "\x1b[?2026h"); n != 1 {
			t.Errorf("at %d: %d frames", w, n)
		}
		if !strings.Contains(out, "right") {
			t.Errorf("at %d: %q", w, out)
		}
	}
}

func TestNothingIsWrittenWhileTheTerminalIsNotOurs(t *testing.T) {
	s, tty := openFake(t, 20, 3)
	use := func() {
		s.Clear()
		write(s, 0, 0, fmt.Sprint(rand.Int()), tcell.StyleDefault)
		s.ShowCursor(rand.Intn(20), 1)
		s.SetTitle(fmt.Sprint(rand.Int()))
		s.Show()
		s.Sync()
		_ = s.Beep()
		s.SetClipboard([]byte("x"))
		s.DisablePaste()
		s.EnablePaste()
		s.DisableFocus()
		s.EnableFocus()
	}
	use()
	if err := s.Suspend(); err != nil {
		t.Fatal(err)
	}
	if tty.take(); s.Suspend() == nil {
		t.Error("suspended twice")
	}
	use()
	if out := tty.take(); out != "" {
		t.Errorf("suspended, wrote %q", out)
	}
	if err := s.Resume(); err != nil {
		t.Fatal(err)
	}
	s.Clear()
	write(s, 0, 0, "again", tcell.StyleDefault)
	s.Show()
	if out := tty.take(); !strings.Contains(out, "again") || !strings.Contains(out, "\x1b[?2004h") {
		t.Errorf("resumed, wrote %q", out)
	}
	s.Fini()
	s.Fini()
	tty.take()
	use()
	if out := tty.take(); out != "" || s.Resume() == nil {
		t.Errorf("finished, wrote %q", out)
	}
}

func TestNoSequenceReachesTheTerminalThroughACell(t *testing.T) {
	s, tty := openFake(t, 40, 2)
	s.Clear()
	s.SetContent(0, 0, 0x1b, []rune{']', '5', '2'}, tcell.StyleDefault)
	s.SetContent(4, 0, 'a', []rune{0x1b, 0x9b, 0x202e}, tcell.StyleDefault)
	s.PutStr(8, 0, "a\x1b]52;c;eA==\x07b")
	s.PutStrStyled(0, 1, "link", tcell.StyleDefault.Url("http://evil"))
	s.Show()
	if out := tty.take(); strings.Contains(out, "\x1b]") || strings.ContainsAny(out, "\a\u009b\u202e") {
		t.Errorf("wrote %q", out)
	}
}

func TestTheTitleIsHarmlessAndSentOnce(t *testing.T) {
	s, tty := openFake(t, 20, 2)
	tty.take()
	s.SetTitle("a\x07\x1b]0;b$<99999>\u202e" + strings.Repeat("x", 500))
	out := tty.take()
	title := strings.TrimSuffix(strings.TrimPrefix(out, "\x1b[>2t\x1b]2;"), "\x1b\\")
	if strings.ContainsAny(title, "\x07\x1b\u202e") || !strings.Contains(title, "$ <99999>") || len(title) > 400 {
		t.Errorf("title %q", out)
	}
	s.SetTitle("same")
	tty.take()
	if s.SetTitle("same"); tty.take() != "" {
		t.Error("the same title was sent twice")
	}
}

// TestRandomDrawingEndsAsWithoutTheDiff compares the visible cells after many frames with those of drawing directly.
func TestRandomDrawingEndsAsWithoutTheDiff(t *testing.T) {
	for seed := range int64(200) {
		checkSameAsDirect(t, seed)
	}
}

func FuzzDrawing(f *testing.F) {
	f.Add(int64(1))
	f.Fuzz(func(t *testing.T, seed int64) { checkSameAsDirect(t, seed) })
}

func checkSameAsDirect(t *testing.T, seed int64) {
	t.Helper()
	rnd := rand.New(rand.NewSource(seed))
	direct, under := tcell.NewSimulationScreen("UTF-8"), tcell.NewSimulationScreen("UTF-8")
	diff := Wrap(under)
	defer diff.Fini()
	for _, s := range []tcell.Screen{direct, diff} {
		if err := s.Init(); err != nil {
			t.Fatal(err)
		}
	}
	size := func(w, h int) {
		for _, sim := range []tcell.SimulationScreen{direct, under} {
			sim.SetSize(w, h)
			sim.Show() // copies the cells to the simulated terminal
		}
	}
	size(12, 4)
	text := []rune("aab  xy한漢字🙂é")
	marks := [][]rune{nil, nil, nil, {0x301}, {0x301, 0x323}, {0xfe0f}, {0x200d, 0x1f4bb}}
	styles := []tcell.Style{tcell.StyleDefault, tcell.StyleDefault.Reverse(true), tcell.StyleDefault.Foreground(tcell.ColorRed),
		tcell.StyleDefault.Foreground(tcell.ColorNone).Background(tcell.ColorGreen)}
	for range 1 + rnd.Intn(12) {
		if rnd.Intn(5) == 0 {
			size(3+rnd.Intn(12), 1+rnd.Intn(5))
		}
		both := []tcell.Screen{direct, diff}
		for _, s := range both {
			s.Clear()
		}
		for range rnd.Intn(40) {
			x, y, r := rnd.Intn(14)-1, rnd.Intn(6)-1, text[rnd.Intn(len(text))]
			m, st := marks[rnd.Intn(len(marks))], styles[rnd.Intn(len(styles))]
			for _, s := range both {
				s.SetContent(x, y, r, m, st)
			}
		}
		for _, s := range both {
			s.Show()
		}
		if want, got := seen(direct), seen(under); want != got {
			t.Fatalf("seed %d\nwant:\n%s\ngot:\n%s", seed, want, got)
		}
	}
}

// seen returns the visible cells, without those behind wide characters.
func seen(sim tcell.SimulationScreen) string {
	var b strings.Builder
	cells, w, h := sim.GetContents()
	for y := range h {
		for x := 0; x < w; x++ {
			_, _, width := sim.Get(x, y)
			c := cells[y*w+x]
			fmt.Fprintf(&b, "%s|%v ", string(c.Runes), c.Style)
			if width > 1 {
				x++
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func benchmarkFrame(b *testing.B, move bool) {
	s, tty := openFake(b, 120, 40)
	frame := func(selected int) {
		s.Clear()
		for y := range 40 {
			style := tcell.StyleDefault
			if y == selected {
				style = style.Reverse(true)
			}
			for x := range 120 {
				s.SetContent(x, y, rune('a'+(x*7+y)%26), nil, style)
			}
		}
		s.Show()
	}
	frame(0)
	tty.take()
	b.ReportAllocs()
	b.ResetTimer()
	n := 0
	for i := range b.N {
		if move {
			n = i%20 + 1
		}
		frame(n)
	}
	b.ReportMetric(float64(len(tty.take()))/float64(b.N), "bytes/frame")
}

func BenchmarkFrameUnchanged(b *testing.B) { benchmarkFrame(b, false) }
func BenchmarkFrameRowMoved(b *testing.B)  { benchmarkFrame(b, true) }

func TestAFrameIsSentInFewerBytesAndShowsTheSame(t *testing.T) {
	for frame, want := range map[string]string{
		"\x1b(B\x1b[mab":                                "\x1b[mab",
		"a\x1b(B\x1b[m          b\x1b[1mc":              "a\x1b[m\x1b[10X\x1b[10Cb\x1b[1mc",
		"\x1b(B\x1b[m   b":                              "\x1b[m   b",
		"\x1b(B\x1b[m\x1b[48;5;24m            ":         "\x1b[m\x1b[48;5;24m            ",
		"\x1b(0q\x1b(B\x1b[m            ":               "\x1b(0q\x1b(B\x1b[m            ",
		"\x1b[m\x0f            ":                        "\x1b[m\x0f            ",
		"\x1b(B\x1b[m            \x1b(B\x1b[m\x1b[2;3H": "\x1b[m\x1b[12X\x1b[12C\x1b[m\x1b[2;3H",
		"": "",
	} {
		if got := string(shortened([]byte(frame))); got != want {
			t.Errorf("%q became %q, not %q", frame, got, want)
		}
	}
}
