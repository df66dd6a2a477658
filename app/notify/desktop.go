package notify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/choicetui/choicetui/panes/say"
)

const (
	// The setting notify.desktop has one of these values, or names a command.
	off, auto = "off", "auto"
	// commandTime is how long the person's command may run.
	commandTime = 10 * time.Second
	// maxJobs is how many notes may wait while the command runs. Later ones are dropped, and Failed receives errMany.
	maxJobs = 32
)

var (
	errMute = errors.New("this terminal is not known to show notifications; notify.desktop can name a command")
	errMany = errors.New("too many at once, some were left out")
)

// Desktop shows notes on the person's desktop, one after the other, on a goroutine that runs only while there are some.
// It reports each error once for each value of the setting.
type Desktop struct {
	// Speak returns the protocol in which the terminal can be asked for a notification (None: there is no such
	// protocol), and whether the request goes through tmux. It may take time.
	Speak func(ctx context.Context) (p Protocol, throughTmux bool, err error)
	// Write sends a sequence to the terminal. nil: there is no terminal to ask, as in the plain mode; commands still
	// run.
	Write func(sequence string) error
	// Failed receives the error of a note that was not shown, on another goroutine.
	Failed func(error)
	// URL returns the address of a question's page in the browser, without a token; the command finds it in its
	// environment as CHOICETUI_URL. It returns "" while there is no page. nil: there is never a page.
	URL func(id string) string
	// Start runs a function on a goroutine; nil: go.
	Start func(func())

	limit time.Duration // how long the command may run; zero: commandTime

	mu   sync.Mutex
	jobs []func() error
	busy bool            // a goroutine runs the jobs
	how  string          // the setting notify.desktop at the last call of Send
	said map[string]bool // the errors that were reported under this setting
}

// Send shows the notes soon, in the way that the setting how asks for. It never waits.
func (d *Desktop) Send(how string, notes []Note) {
	if how = strings.TrimSpace(how); len(notes) == 0 || !d.wanted(how) {
		return
	}
	var jobs []func() error
	if how == auto {
		jobs = append(jobs, func() error { return d.askTerminal(notes[0], len(notes)-1) })
	} else {
		for _, n := range notes {
			jobs = append(jobs, func() error { return d.runCommand(how, n) })
		}
	}
	if !d.addJobs(how, jobs) {
		return
	}
	if d.Start != nil {
		d.Start(d.runJobs)
	} else {
		go d.runJobs()
	}
}

// wanted reports whether the setting asks for a notification here.
func (d *Desktop) wanted(how string) bool {
	how = strings.TrimSpace(how)
	return how != "" && how != off && (how != auto || d.Write != nil)
}

// addJobs queues jobs and reports whether work has to be started.
func (d *Desktop) addJobs(how string, jobs []func() error) (begin bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.how != how {
		d.how, d.said = how, map[string]bool{}
	}
	switch room := maxJobs - len(d.jobs); {
	case room < 0: // the jobs end with errMany already
		jobs = nil
	case len(jobs) > room:
		jobs = append(jobs[:room], func() error { return errMany })
	}
	d.jobs = append(d.jobs, jobs...)
	begin = !d.busy
	d.busy = true
	return begin
}

// runJobs runs the jobs in order until there are none.
func (d *Desktop) runJobs() {
	for {
		d.mu.Lock()
		if len(d.jobs) == 0 {
			d.busy, d.jobs = false, nil
			d.mu.Unlock()
			return
		}
		job := d.jobs[0]
		d.jobs = d.jobs[1:]
		d.mu.Unlock()
		d.reportOnce(job())
	}
}

// reportOnce passes an error to Failed, unless it did so before under the same setting.
func (d *Desktop) reportOnce(err error) {
	if err == nil {
		return
	}
	d.mu.Lock()
	known := d.said[err.Error()]
	d.said[err.Error()] = true
	d.mu.Unlock()
	if !known && d.Failed != nil {
		d.Failed(err)
	}
}

// askTerminal asks the terminal to show a note.
func (d *Desktop) askTerminal(n Note, more int) error {
	ctx, cancel := context.WithTimeout(context.Background(), commandTime)
	defer cancel()
	p, through, err := d.Speak(ctx)
	if err != nil {
		return err
	}
	if p == None {
		return errMute
	}
	title, body := n.titleAndBody(more)
	sequence := Sequence(p, n.ID, title, body)
	if through {
		sequence = Through(sequence)
	}
	return d.Write(sequence)
}

// environment returns the environment of the person's command; nil: it inherits that of this process.
func (d *Desktop) environment(id string) []string {
	if d.URL == nil {
		return nil
	}
	if url := d.URL(id); url != "" {
		return append(os.Environ(), "CHOICETUI_URL="+url)
	}
	return nil
}

// runCommand runs the person's own command with four arguments added: title, agent, id and event. It uses no shell, so
// the text cannot run anything, and gives the command no terminal, so that it can neither draw over the screen nor read
// keys.
func (d *Desktop) runCommand(how string, n Note) error {
	argv := append(strings.Fields(how), safeArgument(n.Title), safeArgument(n.Agent), n.ID, n.Event)
	limit := cmp.Or(d.limit, commandTime)
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env = d.environment(n.ID)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { // also kills the processes that the command started
		return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	name := say.Short(argv[0], maxTitle)
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("%s took longer than %v and was stopped", name, limit)
	case errors.As(err, &exit):
		return fmt.Errorf("%s ended with %s", name, exit.ProcessState)
	case err != nil:
		return err // the error of exec names the program
	}
	return nil
}
