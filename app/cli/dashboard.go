package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/choicetui/choicetui/app/notify"
	"github.com/choicetui/choicetui/app/screen"
	"github.com/choicetui/choicetui/app/term"
	"github.com/choicetui/choicetui/app/tmux"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

// runDashboard opens the queue and runs the dashboard on it.
func runDashboard(ctx context.Context, sh *shell) error {
	q, err := sh.openQueue()
	if err != nil {
		return err
	}
	defer watchingAgents(ctx, sh)()
	instance := queue.NewToken()
	remotes, stop := joinRemotes(ctx, sh, q, instance)
	defer stop()
	o := dashboardOptions(sh, sh.services(q, sh.settings()))
	o.Instance = instance
	o.Remote, o.Chat, o.Peek = remotes, remotes.ways(o.Chat), remotes.peek(o.Peek)
	_, err = screen.Run(ctx, o)
	return screenEnd(err)
}

// services returns what a desk on this queue and every frontend of it work with. A command takes away what its frontend
// must not have, and adds what only it has.
func (sh *shell) services(q *queue.Queue, settings *config.File) desk.Services {
	s := desk.Services{
		Queue: q, Settings: settings, Instance: queue.NewToken(), Pane: os.Getenv("TMUX_PANE"), Home: config.Home(),
		Team: newDeskTeam(sh, q, settings), Rules: deskRules(), Chat: agentWays{q},
		Alerts: newAlerts(pageURL(sh)), Browse: browse(sh), Elsewhere: otherHost, Edit: editText, EditFile: editFile,
	}
	if tmux.Inside() {
		s.GoToPane, s.Locate, s.Copy = agentWays{q}.goToPane, tmux.PaneLocation, tmux.Copy
	}
	return s
}

// dashboardOptions adds to screenOptions the parts that only a dashboard has: set-up, the demo, the number in tmux's
// status line, and the count of files set aside.
func dashboardOptions(sh *shell, s desk.Services) screen.Options {
	s.Aside = sh.countAside()
	o := screenOptions(s)
	o.SetUp = func(ctx context.Context) { runBelow(ctx, "setup") }
	o.Demo = func(ctx context.Context) { runBelow(ctx, "demo") }
	if tmux.Inside() {
		o.Count = &queueCount{q: s.Queue}
	}
	return o
}

// browse returns a function that shows a session's page in the browser.
func browse(sh *shell) func(ctx context.Context, id string) (link string, opened bool, err error) {
	return func(ctx context.Context, id string) (string, bool, error) {
		if host, _ := queue.SplitID(id); host != "" {
			return "", false, &agent.Worded{Words: "its page is on " + say.OneLine(host) + " only", Cause: errElsewhere}
		}
		p, err := pagesOf(sh)
		if err != nil {
			return "", false, err
		}
		return p.open(ctx, id)
	}
}

// screenOptions returns the options of a full screen with these services.
func screenOptions(s desk.Services) screen.Options {
	o := screen.Options{Services: s, NoColor: os.Getenv("NO_COLOR") != "", Connect: connectLines(agent.Here())}
	before := beforeReader{s.Settings.Settings}
	o.Peek = before.lookBefore(nil)
	if tmux.Inside() {
		o.Peek = before.lookBefore(agentWays{s.Queue}.peek)
	}
	return o
}

// screenEnd turns the error of a full screen into the failure of its command. After a signal the exit code is the one
// that a shell expects.
func screenEnd(err error) error {
	var sig term.Signal
	switch {
	case errors.As(err, &sig):
		return &failure{say: err.Error(), code: sig.ExitCode(), cause: err}
	case errors.Is(err, term.ErrGone):
		return &failure{say: err.Error(), code: exitFailed, cause: err}
	}
	return err
}

// editText opens a text in $VISUAL or $EDITOR, in a file that only this person can read, and returns the saved text.
func editText(ctx context.Context, text string) (string, error) {
	dir, err := os.MkdirTemp("", "choicetui-")
	if err != nil {
		return "", fmt.Errorf("failed to make a directory for the editor's file: %w", err)
	}
	defer os.RemoveAll(dir)
	file := dir + "/answer.md"
	written := text
	if written != "" {
		written += "\n" // editors expect it; trimFinalNewline removes it
	}
	if err := os.WriteFile(file, []byte(written), 0o600); err != nil {
		return "", fmt.Errorf("failed to write the editor's file: %w", err)
	}
	if err := runEditor(ctx, file); err != nil {
		return text, fmt.Errorf("%w; the text is unchanged", err)
	}
	saved, err := os.ReadFile(file)
	if err != nil {
		return text, fmt.Errorf("failed to read back the editor's file: %w", err)
	}
	return string(trimFinalNewline(saved)), nil
}

// editFile opens the settings file in the person's editor. A missing file is created with an empty object, readable for
// this person alone.
func editFile(ctx context.Context, path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("failed to create the settings' directory: %w", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		_, err = f.WriteString("{\n}\n")
		err = errors.Join(err, f.Close())
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("failed to begin the settings file: %w", err)
	}
	return runEditor(ctx, path)
}

// errNoEditor means that no editor is set and vi cannot run, because there is no terminal.
var errNoEditor = errors.New("no editor is set in $VISUAL or $EDITOR, and vi needs a terminal")

// runEditor runs $VISUAL, else $EDITOR, else vi on a file.
func runEditor(ctx context.Context, file string) error {
	editor := ""
	for _, name := range []string{"EDITOR", "VISUAL"} {
		if v := os.Getenv(name); v != "" {
			editor = v
		}
	}
	if editor == "" {
		if editor = "vi"; !isTerminal(os.Stdin) {
			return errNoEditor
		}
	}
	// A shell reads the setting, because it may hold flags and quotes. The file's name is passed as an argument.
	cmd := exec.CommandContext(ctx, "sh", "-c", editor+` "$1"`, "sh", file)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s ended with %w", editor, err)
	}
	return nil
}

func trimFinalNewline(b []byte) []byte {
	if n := len(b); n > 0 && b[n-1] == '\n' {
		return bytes.TrimSuffix(b[:n-1], []byte("\r"))
	}
	return b
}

var errBlocked = errors.New("tmux does not pass it on: set -g allow-passthrough on, or name a command")

// newAlerts returns the constructor of a frontend's alerts, which tell an absent person of new questions through the
// terminal or the person's command. url returns the page of a question in the browser; nil: there are no pages.
func newAlerts(url func(id string) string) func(desk.AlertWays) desk.Alerts {
	return func(ways desk.AlertWays) desk.Alerts {
		return &notify.Alerts{
			Watch: notify.Watch{Own: ways.Own},
			Sender: notify.Sender{Bell: ways.Bell, Watched: paneWatched, Start: ways.Start, Do: ways.Do,
				Desktop: &notify.Desktop{
					Speak: terminalProtocol, Write: ways.Write, Start: ways.Start, Failed: ways.Failed, URL: url}},
		}
	}
}

// paneWatched reports whether the person is looking at an agent's own pane, in the tmux around this process.
func paneWatched(ctx context.Context, o queue.Origin) bool {
	return checkHere(o) == nil && tmux.Watched(ctx, agentOf(o))
}

// pageURL returns a function that returns the page of a question, if the portal runs. It never starts the portal.
func pageURL(sh *shell) func(id string) string {
	return func(id string) string {
		p, err := pagesOf(sh)
		if err != nil {
			return "" // opening a page reports the error
		}
		place, runs := p.portal.Find()
		if !runs {
			return ""
		}
		return place.Bare(id)
	}
}

// terminalProtocol finds out how the terminal around this process shows a notification.
func terminalProtocol(ctx context.Context) (p notify.Protocol, throughTmux bool, err error) {
	if !tmux.Inside() {
		return notify.Around(os.Getenv), false, nil
	}
	term, name, passes, err := tmux.Outer(ctx)
	if err == nil && !passes {
		err = errBlocked
	}
	if err != nil {
		return notify.None, false, err
	}
	return notify.Speaks(name, term), true, nil
}

// tmux's status line shows the number that any process wrote last, so all processes write the same number: the pending
// questions, read again from the queue. A command that changes the queue writes it at its end (tellTmux). A process
// that stays open writes it at every change (startTally). At its end it writes the number again and does not remove it,
// because the questions are still pending.

const (
	// tellWithin limits how long a command may take at its end to write the number.
	tellWithin = 2 * time.Second
	// tellTimes limits how often the number is written again because it changed meanwhile.
	tellTimes = 8
	// mostTellWait is the longest time for which a process that stays open does not read the number again.
	mostTellWait = time.Minute
)

// tellTmux writes the number of pending questions into tmux's status line. Then it reads the number again, because
// another process may have changed the queue and written its number in between.
func tellTmux(ctx context.Context, q *queue.Queue) {
	if !tmux.Inside() || q == nil {
		return
	}
	ctx = context.WithoutCancel(ctx) // a command that was interrupted still has to leave the right number
	ctx, cancel := context.WithTimeout(ctx, tellWithin)
	defer cancel()
	said := -1
	for range tellTimes {
		n, _, err := countWaiting(ctx, q)
		if err != nil || n == said || tmux.ShowCount(ctx, n) != nil {
			return
		}
		said = n
	}
}

// countWaiting returns the number of pending questions, as list and the dashboard count them, and the time at which a
// deadline changes it next; zero: never.
func countWaiting(ctx context.Context, q *queue.Queue) (n int, next time.Time, err error) {
	live, _, err := q.Store.Live(ctx)
	now := q.Now()
	for _, s := range live {
		if s.IsMessage() || !s.At(now).Pending() {
			continue
		}
		n++
		if d := s.Deadline; !d.IsZero() && (next.IsZero() || d.Before(next)) {
			next = d
		}
	}
	return n, next, err
}

// startTellingTmux writes the number into tmux's status line at every change, until done is called. done writes it a
// last time.
func startTellingTmux(ctx context.Context, q *queue.Queue) (done func()) {
	if !tmux.Inside() {
		return func() {}
	}
	step, stop := context.WithCancel(ctx)
	over := make(chan struct{})
	go func() {
		defer close(over)
		tellChanges(step, q)
	}()
	return func() {
		stop()
		<-over
		tellTmux(ctx, q)
	}
}

// tellChanges writes the number of pending questions into tmux's status line whenever it changes, until ctx ends or
// the queue cannot be watched.
func tellChanges(ctx context.Context, q *queue.Queue) {
	w, err := q.Store.Watch(ctx, queue.FewNews)
	if err != nil {
		return
	}
	defer w.Close()
	for said := -1; ctx.Err() == nil; {
		n, next, err := countWaiting(ctx, q)
		if err == nil && n != said && tmux.ShowCount(ctx, n) == nil {
			said = n
		}
		wait := mostTellWait
		if !next.IsZero() {
			wait = min(wait, max(next.Sub(q.Now()), time.Millisecond))
		}
		step, cancel := context.WithTimeout(ctx, wait)
		_, err = w.Next(step)
		timeUp := step.Err() != nil
		cancel()
		if err != nil && !timeUp && !waitForServer(ctx, err) {
			return
		}
	}
}

// queueCount writes a dashboard's number into tmux's status line, and leaves the number of the queue behind at the end.
type queueCount struct {
	tmux.Counter
	q *queue.Queue
}

// Clear writes the queue's number a last time. The last dashboard calls it when it ends.
func (c *queueCount) Clear() {
	c.Wait()
	tellTmux(context.Background(), c.q)
}
