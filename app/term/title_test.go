package term

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// titled is a running screen on a terminal in memory.
func titled(t *testing.T) (*Screen, *fakeTty) {
	t.Helper()
	return titledAs(t, "xterm-256color")
}

func titledAs(t *testing.T, name string) (*Screen, *fakeTty) {
	t.Helper()
	t.Setenv("TERM", name)
	f := newFakeTty(80, 24)
	s, err := OpenOn(f)
	require.NoError(t, err)
	t.Cleanup(s.Fini)
	return s, f
}

// titles returns all titles that the terminal received.
func titles(f *fakeTty) []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var list []string
	for _, part := range strings.Split(f.out.String(), "\x1b]2;")[1:] {
		title, _, _ := strings.Cut(part, "\x1b\\")
		list = append(list, title)
	}
	return list
}

func TestNoTitleStaysBehind(t *testing.T) {
	s, f := titled(t)
	s.SetTitle("3 waiting")
	s.Fini()
	require.Equal(t, []string{"3 waiting", ""}, titles(f))
}

func TestATitleIsTakenAwayForAShellAndBroughtBackAsItIsThen(t *testing.T) {
	s, f := titled(t)
	s.SetTitle("3 waiting")
	require.NoError(t, s.Suspend())
	s.SetTitle("4 waiting") // while the shell has the terminal
	require.Equal(t, []string{"3 waiting", ""}, titles(f))
	require.NoError(t, s.Resume())
	require.Equal(t, []string{"3 waiting", "", "4 waiting"}, titles(f))
}

func TestNothingIsToldToATerminalThatIsNotOurs(t *testing.T) {
	s, f := titled(t)
	require.NoError(t, s.Tell("\x1b]9;hi\x1b\\"))
	require.NoError(t, s.Suspend())
	require.NoError(t, s.Tell("\x1b]9;late\x1b\\"))
	f.mu.Lock()
	defer f.mu.Unlock()
	require.Contains(t, f.out.String(), "\x1b]9;hi\x1b\\")
	require.NotContains(t, f.out.String(), "late")
}

func TestTerminalsThatTcellGivesNoTitleGetOneToo(t *testing.T) {
	for _, name := range []string{"screen", "screen-256color", "rxvt-unicode", "rxvt-unicode-256color", "foot", "tmux-256color", "xterm"} {
		t.Run(name, func(t *testing.T) {
			s, f := titledAs(t, name)
			s.SetTitle("3 waiting")
			require.NoError(t, s.Suspend())
			require.NoError(t, s.Resume())
			s.SetTitle("4 waiting")
			s.Fini()
			require.Equal(t, []string{"3 waiting", "", "3 waiting", "4 waiting", ""}, titles(f))
			f.mu.Lock()
			defer f.mu.Unlock()
			require.Equal(t, 2, strings.Count(f.out.String(), titlePush))
			require.Equal(t, 2, strings.Count(f.out.String(), titlePop))
		})
	}
}

func TestATerminalThatMayNotKnowTitlesIsSentNone(t *testing.T) {
	for _, name := range []string{"linux", "vt100"} {
		s, f := titledAs(t, name)
		s.SetTitle("3 waiting")
		s.Fini()
		require.Empty(t, titles(f), name)
	}
}
