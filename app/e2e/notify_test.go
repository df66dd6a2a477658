package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// settings writes the person's settings file.
func (r *room) settings(json string) {
	r.Helper()
	dir := filepath.Join(r.dir, "config", "choicetui")
	require.NoError(r, os.MkdirAll(dir, 0o700))
	require.NoError(r, os.WriteFile(filepath.Join(dir, "config.json"), []byte(json), 0o600))
}

// reported is how long tmux may take to report the focus, on a busy machine.
const reported = time.Second

// person looks at a tmux session through a real terminal of this kind; the focus is reported.
func (m *tmux) person(p *pane, term string) *console {
	m.Helper()
	client := m.command("attach-session", "-t", p.id)
	client.Env = append(client.Env, "TERM="+term)
	c := m.console(100, 30, client)
	until(m, "tmux has a client", func() bool { return m.do("list-clients", "-F", "#{client_name}") != "" })
	return c
}

// raw is every byte a terminal got.
func (c *console) bytes() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return string(c.raw)
}

// elsewhere opens the dashboard, and a person who then turns to another window, or to a pane beside it.
func (m *tmux) elsewhere(turn ...string) (*pane, *console) {
	m.Helper()
	m.do("set", "-g", "focus-events", "on")
	p := m.dashboard(100, 30)
	person := m.person(p, "xterm-256color")
	time.Sleep(reported)
	m.do(append(turn, "-t", p.told("#{session_id}:"), "--", "env", "cat")...)
	time.Sleep(reported)
	return p, person
}

func TestTheWindowIsFlaggedWhenAQuestionArrivesAndAgainBeforeItsEnd(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.settings(`{"notify": {"warn_seconds": 3}}`)
	m := r.tmux()
	p, _ := m.elsewhere("new-window")
	assert.Equal(t, "0", p.told("#{window_bell_flag}"))
	ask := database()
	ask.TimeoutSeconds = 7
	r.put(ask)
	until(t, "the flag of the arrival", func() bool { return p.told("#{window_bell_flag}") == "1" })
	m.do("select-window", "-t", p.id) // looking takes the flag away
	m.do("last-window")
	assert.Equal(t, "0", p.told("#{window_bell_flag}"))
	until(t, "the flag of the deadline", func() bool { return p.told("#{window_bell_flag}") == "1" })
}

func TestNoBellForThePersonWhoLooks(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	m := r.tmux()
	m.do("set", "-g", "focus-events", "on")
	p := m.dashboard(100, 30)
	person := m.person(p, "xterm-256color")
	time.Sleep(reported)
	r.put(database())
	p.see("Which database?")
	time.Sleep(200 * time.Millisecond)
	assert.NotContains(t, person.bytes(), "\a")
	assert.Equal(t, "0", p.told("#{window_bell_flag}"))
}

func TestTheTitleSaysHowManyWaitAndIsGivenBack(t *testing.T) {
	t.Parallel()
	for name, leave := range map[string]func(p *pane){
		"q":    (*pane).quit,
		"TERM": func(p *pane) { require.NoError(p, syscall.Kill(p.pid("pid"), syscall.SIGTERM)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRoom(t)
			p := r.tmux().shell(100, 24)
			p.line(`printf '\033]2;mine\033\\'`)
			until(t, "a title of its own", func() bool { return p.told("#{pane_title}") == "mine" })
			p.line(`sh -c 'echo $$ >pid; exec choicetui'`)
			until(t, "the title", func() bool { return p.told("#{pane_title}") == "choicetui" })
			r.put(database())
			until(t, "the title of one", func() bool { return p.told("#{pane_title}") == "choicetui: 1 waiting" })
			r.put(database())
			until(t, "the title of two", func() bool { return p.told("#{pane_title}") == "choicetui: 2 waiting" })
			leave(p)
			until(t, "the title as it was", func() bool { return p.told("#{pane_title}") == "mine" })
		})
	}
}

func TestATerminalThatKeepsNoTitlesIsLeftWithoutAStaleOne(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.put(database())
	c := r.console(80, 24, r.command())
	c.see("Which database?")
	until(t, "the title", func() bool { return strings.Contains(c.bytes(), "\x1b]2;choicetui: 1 waiting\x1b\\") })
	c.press("\x03")
	require.Zero(t, c.ended())
	titles := strings.Split(c.everything(), "\x1b]2;")
	last := titles[len(titles)-1]
	assert.True(t, strings.HasPrefix(last, "\x1b\\"), "the last title is none: %q", last)
	assert.Contains(t, last, "\x1b[23;2t", "then the old one is brought back")
}

func TestADesktopNotificationPassesThroughTmuxOnlyWhereThatIsAllowed(t *testing.T) {
	t.Parallel()
	for _, allowed := range []string{"off", "on"} {
		t.Run(allowed, func(t *testing.T) {
			t.Parallel()
			r := newRoom(t)
			r.settings(`{"notify": {"desktop": "auto", "bell": false}}`)
			m := r.tmux()
			m.do("set", "-g", "allow-passthrough", allowed)
			p, person := m.elsewhere("split-window") // visible, but not looked at
			// The person's terminal gives its name when tmux asks for it.
			person.press("\x1bP>|WezTerm 20240203\x1b\\")
			until(t, "tmux knows the terminal", func() bool { return p.told("#{client_termtype}") == "WezTerm 20240203" })
			ask := database()
			ask.Title = "Which database; really?\x1b]52;c;eA==\a"
			r.put(ask)
			p.see("Which database; really?")
			want := "\x1b]777;notify;choicetui: shop · claude asks;Which database, really?<U+001B>]52,c,eA==<U+0007>\x1b\\"
			if allowed == "on" {
				until(t, "the notification", func() bool { return strings.Contains(person.bytes(), want) })
				return
			}
			p.see("notify.desktop: tmux does not pass it on: set -g allow-passthrough on")
			assert.NotContains(t, person.bytes(), "\x1b]777")
		})
	}
}

func TestTheDesktopCommandGetsTheQuestion(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	tell := filepath.Join(r.dir, "tell")
	require.NoError(t, os.WriteFile(tell, []byte("#!/bin/sh\nprintf '%s|' \"$@\" >>"+r.dir+"/told\n"), 0o700))
	r.settings(fmt.Sprintf(`{"notify": {"desktop": "%s --now"}}`, tell))
	m := r.tmux()
	m.elsewhere("new-window")
	s := r.put(database())
	until(t, "the command", func() bool {
		got, _ := os.ReadFile(filepath.Join(r.dir, "told"))
		return string(got) == "--now|Which database?|shop · claude|"+s.ID+"|asked|"
	})
	assert.Equal(t, "cat", m.do("display-message", "-p", "#{pane_current_command}"), "the focus stays where it was")
}
