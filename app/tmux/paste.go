package tmux

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/choicetui/choicetui/queue"
)

const (
	// settle is how long an agent gets to take a paste in before Enter: at once, Enter is swallowed.
	settle = 100 * time.Millisecond
	// modes is how many modes over each other (copy mode in view mode) are left.
	modes = 4
)

// Agent is whom a line is for, as its session tells.
type Agent struct {
	Pane    string // it was started in; empty: not known
	PID     int    // its process
	Started string // when that process began, in kernel ticks; empty: not known
	Cwd     string // the directory it works in; empty: not known
}

// ErrGone says that the agent's process, or its pane's, does not run any more.
var ErrGone = errors.New("it does not run any more")

// Busy says that something else than the agent takes the keys of its pane.
type Busy struct{ With string }

func (b *Busy) Error() string { return b.With + " is in front in its pane" }

// Reach returns the pane where a line typed now is read by the agent. It fails with ErrOutside, ErrNoPane, ErrGone,
// *Shared or *Busy, and changes nothing. For an agent below an app-server it always fails: that one takes lines itself.
func Reach(ctx context.Context, a Agent) (pane string, err error) {
	if !Inside() {
		return "", ErrOutside
	}
	if a.PID <= 1 {
		return "", ErrNoPane
	}
	home, table, err := locate(ctx, a)
	if err != nil {
		return "", err
	}
	if home.dead {
		return "", ErrGone
	}
	if home.server == queue.AppServer { // one screen of Codex can show any of its sessions
		return "", &Shared{By: home.server}
	}
	if home.id == Pane() {
		return "", &Busy{With: "choicetui"}
	}
	if home.synced {
		return "", &Busy{With: "synchronize-panes, which types into the other panes too,"}
	}
	return home.id, front(table, home.first, home.reader, arguments(ctx))
}

// Paste types a line into the agent's pane, as one bracketed paste, and presses Enter. Control characters but line
// breaks and tabs are left out; copy mode is left first. Before the paste it fails as Reach does; from then on with
// *queue.Doubt.
func Paste(ctx context.Context, a Agent, text string) (pane string, err error) {
	if text = queue.CleanLine(text); strings.TrimSpace(text) == "" {
		return "", errors.New("there is no text to send")
	}
	if pane, err = Reach(ctx, a); err != nil {
		return "", err
	}
	if err := leaveModes(ctx, pane); err != nil {
		return "", err
	}
	buffer := fmt.Sprintf("choicetui-%d-%d", os.Getpid(), buffers.Add(1)) // buffers belong to the whole server
	if _, err := feed(ctx, endMention(text), "load-buffer", "-b", buffer, "-"); err != nil {
		return "", err
	}
	if _, err := run(ctx, "paste-buffer", "-p", "-r", "-d", "-b", buffer, "-t", pane); err != nil {
		forget(ctx, buffer)
		if errors.Is(err, ErrNoPane) {
			return "", err
		}
		return pane, &queue.Doubt{Err: err}
	}
	select {
	case <-time.After(settle):
	case <-ctx.Done():
	}
	again, err := Reach(ctx, a) // Enter must not go to a shell the agent has just left behind
	if err == nil && again != pane {
		err = ErrGone
	}
	if err != nil {
		return pane, &queue.Doubt{Err: fmt.Errorf("pasted, but Enter was not pressed: %w", err)}
	}
	if _, err := run(ctx, "send-keys", "-t", pane, "Enter"); err != nil {
		return pane, &queue.Doubt{Err: fmt.Errorf("pasted, but Enter was not pressed: %w", err)}
	}
	return pane, nil
}

var buffers atomic.Int64

// forget removes a buffer that was not pasted, also when the caller's time is up: it holds the person's words.
func forget(ctx context.Context, buffer string) {
	_, _ = run(context.WithoutCancel(ctx), "delete-buffer", "-b", buffer)
}

// endMention puts a space behind a text that ends in an @word: agents offer files for such a word while it is the last
// one, and Enter would pick one of them instead of sending the line.
func endMention(text string) string {
	if last := text[strings.LastIndexAny(text, " \t\n")+1:]; strings.HasPrefix(last, "@") {
		return text + " "
	}
	return text
}

// leaveModes ends copy mode: a paste into it arrives unframed, and keys do not arrive at all.
func leaveModes(ctx context.Context, pane string) error {
	for range modes {
		in, err := display(ctx, pane, "#{pane_in_mode}")
		if err != nil {
			return err
		}
		if in == "0" {
			return nil
		}
		if _, err := run(ctx, "send-keys", "-t", pane, "-X", "cancel"); err != nil {
			break
		}
	}
	return &Busy{With: "a mode of tmux"}
}

// state is what tmux says of one pane.
type state struct {
	id           string
	first        int // its first process
	dead, synced bool
	tty, dir     string
	reader       int    // the process that is the agent's screen there, once its home was found
	server       string // the kind of the server of many agents that it belongs to; empty: to none
}

// scene is what is known at one moment of the panes and of all processes.
type scene struct {
	panes []state
	table map[int]process
	args  func(pid int) []string
	dir   func(p process) string
}

// locate finds the pane an agent that runs is at home in, and all processes. It fails with ErrGone, ErrNoPane or
// *Shared.
func locate(ctx context.Context, a Agent) (home state, table map[int]process, err error) {
	if !Running(a) {
		return state{}, nil, ErrGone
	}
	all, err := states(ctx)
	if err != nil {
		return state{}, nil, err
	}
	if a.Cwd != "" {
		a.Cwd = trueDir(a.Cwd)
	}
	l := scene{panes: all, table: processes(ctx), args: arguments(ctx), dir: directories(all)}
	home, err = l.homeOf(a)
	return home, l.table, err
}

// paneFormat is what states asks of a pane; a directory may have spaces in its name, so it comes last.
const paneFormat = "#{pane_id} #{pane_pid} #{pane_dead} #{?pane_synchronized,1,0} #{pane_tty} #{pane_current_path}"

func states(ctx context.Context) ([]state, error) {
	list, err := run(ctx, "list-panes", "-a", "-F", paneFormat)
	if err != nil {
		return nil, err
	}
	var all []state
	for line := range strings.Lines(list) {
		f := strings.SplitN(strings.TrimSuffix(line, "\n"), " ", 6)
		if len(f) == 6 && paneID.MatchString(f[0]) {
			all = append(all, state{id: f[0], first: number(f[1]), dead: f[2] == "1", synced: f[3] == "1",
				tty: f[4], dir: f[5]})
		}
	}
	return all, nil
}

// homeOf is the agent's pane: the one whose first process it descends from, else the one it was started in. A pane's
// id alone says little: on another tmux server it names another pane. A server of many agents on the way up belongs to
// one agent's pane at most, and nobody can say to which: then neither its place nor its environment is believed.
func (l scene) homeOf(a Agent) (state, error) {
	for _, p := range ancestors(l.table, a.PID) {
		if by := queue.SharedServer(l.args(p.pid)); by != "" {
			return l.standingFor(a, p.pid, by)
		}
		for _, s := range l.panes {
			if s.first == p.pid {
				s.reader = a.PID
				return s, nil
			}
		}
	}
	for _, s := range l.panes {
		if s.id == a.Pane {
			s.reader = a.PID
			return s, nil
		}
	}
	return state{}, ErrNoPane
}
