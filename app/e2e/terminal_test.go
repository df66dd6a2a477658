package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// modes is what a shell finds: the terminal driver's settings, then alternate screen and cursor as tmux has them.
func (p *pane) modes(name string) string {
	p.Helper()
	p.line("clear; stty -g >" + name)
	driver := p.text(name)
	return driver + " " + p.told("alternate #{alternate_on} cursor #{cursor_flag}")
}

// running starts choicetui as a job of the shell, with a question in front of the person, and returns its pid.
func (p *pane) running(name string) int {
	p.Helper()
	p.line("clear; sh -c 'echo $$ >" + name + "; exec choicetui'; echo code $?")
	p.meet("Which database?", "? keys")
	require.Equal(p, "1 1", p.told("#{alternate_on} #{cursor_flag}"))
	return p.pid(name)
}

func TestTerminalIsLeftAsFound(t *testing.T) {
	for _, c := range []struct {
		name string
		end  func(p *pane, pid int)
		code int
	}{
		{"after q", func(p *pane, _ int) { p.quit() }, 0},
		{"after Ctrl-C", func(p *pane, _ int) { p.press("C-c") }, 0},
		{"after SIGTERM", func(p *pane, pid int) { require.NoError(p, syscall.Kill(pid, syscall.SIGTERM)) }, 143},
		{"after SIGHUP", func(p *pane, pid int) { require.NoError(p, syscall.Kill(pid, syscall.SIGHUP)) }, 129},
		{"after SIGTERM while typing", func(p *pane, pid int) {
			p.opens("n", "Done")
			assert.Equal(p, "1 1", p.told("#{alternate_on} #{cursor_flag}"))
			require.NoError(p, syscall.Kill(pid, syscall.SIGTERM))
		}, 143},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := newRoom(t)
			p := r.tmux().shell(80, 24)
			r.put(database())
			before := p.modes("before")
			pid := p.running("pid")
			c.end(p, pid)
			p.see(fmt.Sprintf("code %d", c.code))
			assert.Equal(t, before, p.modes("after"))
			assert.Contains(t, before, "alternate 0 cursor 1")
			p.line("echo typed | tr a-z A-Z")
			p.see("TYPED")
		})
	}
}

func TestSuspendedAndContinuedTheDashboardGoesOn(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	p := r.tmux().shell(80, 24)
	r.put(database())
	before := p.modes("before")
	p.running("pid")
	for i := range 2 {
		p.press("C-z")
		p.see("Stopped")
		assert.Equal(t, before, p.modes(fmt.Sprintf("stopped%d", i)))
		p.line("clear; fg")
		p.meet("Which database?", "⏎ Send PostgreSQL", "? keys")
		assert.Equal(t, "1 1", p.told("#{alternate_on} #{cursor_flag}"))
	}
	p.press("j", "Enter")
	p.see("nothing is waiting", "SQLite")
	p.quit()
	p.lose("nothing is waiting")
	p.line("echo code $?")
	p.see("code 0")
	assert.Equal(t, before, p.modes("after"))
	assert.Empty(t, r.list())
}

func TestTheEditorBorrowsTheTerminal(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	editor := filepath.Join(r.dir, "editor")
	require.NoError(t, os.WriteFile(editor, []byte("#!/bin/sh\nprintf 'ready? '; read ok; printf '%s, edited' \"$(cat \"$2\")\" >\"$2\"\n"), 0o700))
	r.env = append(r.env, "EDITOR="+editor+" -f")
	p := r.tmux().dashboard(80, 24)
	s := r.put(database())
	p.meet("Which database?")
	p.opens("n", "Done")
	p.write("typed")
	p.press("C-g")
	p.see("ready?")
	assert.Equal(t, "0 1", p.told("#{alternate_on} #{cursor_flag}"))
	p.line("yes")
	p.see("Which database?", "typed, edited", "Done")
	p.press("Enter", "Enter")
	p.see("nothing is waiting")
	v, err := r.store().Get(t.Context(), s.ID)
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"pg": "typed, edited"}, v.Outcome.Answer.Replies[0].Notes)
}

func TestClosingThePaneEndsTheDashboard(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	m := r.tmux()
	r.put(database())
	inShell := m.shell(80, 24)
	fromShell := inShell.running("pid")
	alone := m.dashboard(80, 24)
	direct := alone.process()
	alone.meet("Which database?")
	alone.press("n")
	alone.see("Done")
	m.do("kill-pane", "-t", alone.id)
	gone(t, direct, soon)
	m.do("kill-pane", "-t", inShell.id)
	gone(t, fromShell, soon)
}

func TestTooSmallATerminalSaysSoAndComesBack(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	p := r.tmux().dashboard(80, 24)
	r.put(database())
	p.meet("Which database?")
	resize := func(w, h int) { p.do("resize-window", "-t", p.id, "-x", fmt.Sprint(w), "-y", fmt.Sprint(h)) }
	words := func(screen string) string { return strings.Join(strings.Fields(screen), " ") }
	for _, size := range [][2]int{{29, 24}, {80, 9}, {20, 6}} {
		resize(size[0], size[1])
		p.when("says what it needs", func(s string) bool {
			return strings.Contains(words(s), fmt.Sprintf("choicetui needs 30×10, this is %d×%d. 1 waiting.", size[0], size[1]))
		})
	}
	resize(30, 10)
	p.see("Which database?", "⏎ Send PostgreSQL")
	resize(80, 24)
	p.meet("Which database?", "One file, no server", "⏎ Send PostgreSQL", "? keys") // a resized pane counts as a new question
	p.press("j", "Enter")
	p.see("nothing is waiting", "SQLite")
}

func TestResizingKeepsTheOpenForm(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	p := r.tmux().dashboard(80, 24)
	r.put(database())
	p.meet("Which database?")
	p.press("j")
	p.opens("n", "Done")
	p.write("half a note")
	p.see("half a note")
	for _, size := range [][2]int{{50, 20}, {120, 40}, {34, 12}, {200, 60}, {80, 24}} {
		p.do("resize-window", "-t", p.id, "-x", fmt.Sprint(size[0]), "-y", fmt.Sprint(size[1]))
		p.when(fmt.Sprintf("drawn for %v", size), func(s string) bool {
			rows := strings.Split(s, "\n")
			return len(rows) == size[1] && strings.Contains(s, "Done") && strings.Contains(s, "half a note")
		})
	}
	p.write(" and a whole one")
	p.meet("half a note and a whole one") // a resized pane counts as a new question
	p.press("Enter", "Enter")
	p.see("nothing is waiting")
	assert.Contains(t, r.run("log").out, "SQLite")
}

func TestWithoutATerminalOneSentenceSaysSo(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	want := "choicetui: the full screen needs a terminal: %s; `choicetui --plain`, `choicetui list` and `choicetui answer` work without one\n"
	for _, args := range [][]string{nil, {"demo"}} {
		got := r.run(args...)
		assert.Equal(t, result{err: fmt.Sprintf(want, "standard input is not one"), code: 1}, got)
	}
	for set, why := range map[string]string{"": "TERM is not set", "TERM=dumb": "TERM=dumb cannot place text", "TERM=no-such": "TERM=no-such is not known here, try TERM=xterm-256color choicetui"} {
		cmd := r.command()
		cmd.Env = append(cmd.Env, "TERM=")
		if set != "" {
			cmd.Env = append(cmd.Env, set)
		}
		c := r.console(200, 24, cmd)
		assert.Equal(t, 1, c.ended())
		assert.Equal(t, strings.ReplaceAll(fmt.Sprintf(want, why), "\n", "\r\n"), c.everything())
	}
	_, err := os.Stat(filepath.Join(r.dir, "state", "choicetui"))
	assert.ErrorIs(t, err, os.ErrNotExist, "nothing is made for a dashboard that never was")
}

// everything is what came until the terminal was closed.
func (c *console) everything() string {
	c.Helper()
	<-c.idle
	c.mu.Lock()
	defer c.mu.Unlock()
	return string(c.raw)
}
