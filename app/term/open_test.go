package term

import (
	"strings"
	"testing"

	"github.com/gdamore/tcell/v2"
)

func TestATerminalThatIsNotKnownIsDrawnAsTheKindItIsOf(t *testing.T) {
	for name, want := range map[string]string{
		"xterm-256color": "xterm-256color", "xterm-nosuch": "xterm-256color", "tmux-nosuch": "tmux-256color",
		"screen.nosuch-x": "screen-256color", "WezTerm": "xterm-256color", "warp-nosuch": "xterm-256color",
		"foot-nosuch": "foot", "vt220-nosuch-w": "vt220", "nosuch": "", "nosuch-256color": "xterm-256color",
		"putty-256color": "xterm-256color", "putty": "xterm-256color", "nsterm": "xterm-256color",
		"nsterm-256color": "xterm-256color", "ms-terminal": "xterm-256color", "nosuch-16color": "", "dumb": "", "": "",
	} {
		kind, err := knownAs(name)
		if kind != want || (err == nil) != (want != "") {
			t.Errorf("TERM=%s: %q, %v", name, kind, err)
		}
	}
}

func TestAScreenSaysWhatItIsDrawnAsInPlaceOfItsOwnName(t *testing.T) {
	t.Setenv("LC_ALL", "C.UTF-8")
	t.Setenv("TERM", "xterm-nosuch")
	tty := newFakeTty(20, 2)
	s, err := OpenOn(tty)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Fini)
	if name, kind := s.StandIn(); name != "xterm-nosuch" || kind != "xterm-256color" {
		t.Errorf("%q as %q", name, kind)
	}
	write(s, 0, 0, "drawn", tcell.StyleDefault)
	s.Show()
	if out := tty.take(); !strings.Contains(out, "drawn") {
		t.Errorf("wrote %q", out)
	}
	known, _ := openFake(t, 20, 2)
	if name, kind := known.StandIn(); name != "" || kind != "" {
		t.Errorf("%q as %q", name, kind)
	}
}
