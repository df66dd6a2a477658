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
	// The setting notify.desktop is one of these, or a command.
	off, auto = "off", "auto"
	// commandTime limits the time for which the person's command may run.
	commandTime = 10 * time.Second
	// maxJobs limits the notes that wait while the command runs. Later ones are dropped, and that is reported.
	maxJobs = 32
)

var (
	errMute = errors.New("this terminal is not known to show notifications; notify.desktop can name a command")
	errMany = errors.New("too many at once, some were left out")
)

// Desktop shows notes on the person's desktop, one after the other, on a goroutine of its own that lives only while
// there is something to do. Each failure is reported once for each value of the setting.
type Desktop struct {
	// Speak finds the protocol by which the terminal is asked, None if it has no such protocol, and whether it is asked
	// through tmux. It may take time.
	Speak func(ctx context.Context) (p Protocol, throughTmux bool, err error)
	// Write sends a sequence to the terminal; nil: there is no terminal to ask (the plain mode), commands still run.
	Write func(sequence string) error
	// Failed is told why nothing was shown, on another goroutine.
	Failed func(error)
	// URL returns the page of a question in the browser, without a token: the command finds it in its environment as
	// CHOICETUI_URL. It returns "" while there is no page; nil: there never is one.
	URL func(id string) string
	// Start runs a function on a goroutine; nil: go.
	Start func(func())

	limit time.Duration // of the command; zero: commandTime

	mu   sync.Mutex
	jobs []func() error
	busy bool
	how  string
	said map[string]bool
}

// Send has the notes shown as the setting says, soon. It never waits.
func (d *Desktop) Send(how string, notes []Note) {
	if how = strings.TrimSpace(how); len(notes) == 0 || !d.wanted(how) {
		return
	}
	var jobs []func() error
	if how == auto {
		jobs = append(jobs, func() error { return d.ask(notes[0], len(notes)-1) })
	} else {
		for _, n := range notes {
			jobs = append(jobs, func() error { return d.command(how, n) })
		}
	}
	if !d.add(how, jobs) {
		return
	}
	if d.Start != nil {
		d.Start(d.work)
	} else {
		go d.work()
	}
}

// wanted reports whether the setting asks for a notification here.
func (d *Desktop) wanted(how string) bool {
	how = strings.TrimSpace(how)
	return how != "" && how != off && (how != auto || d.Write != nil)
}

// add queues jobs and reports whether work has to be started.
func (d *Desktop) add(how string, jobs []func() error) (begin bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.how != how {
		d.how, d.said = how, map[string]bool{}
	}
	switch room := maxJobs - len(d.jobs); {
	case room < 0: // said already
		jobs = nil
	case len(jobs) > room:
		jobs = append(jobs[:room], func() error { return errMany })
	}
	d.jobs = append(d.jobs, jobs...)
	begin = !d.busy
	d.busy = true
	return begin
}

// work does the jobs in order until the list is empty.
func (d *Desktop) work() {
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
		d.report(job())
	}
}

func (d *Desktop) report(err error) {
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

// ask has the terminal show a note.
func (d *Desktop) ask(n Note, more int) error {
	ctx, cancel := context.WithTimeout(context.Background(), commandTime)
	defer cancel()
	p, through, err := d.Speak(ctx)
	if err != nil {
		return err
	}
	if p == None {
		return errMute
	}
	title, body := n.words(more)
	sequence := Sequence(p, n.ID, title, body)
	if through {
		sequence = Through(sequence)
	}
	return d.Write(sequence)
}

// environment returns the environment of the person's command; nil: it is that of this process.
func (d *Desktop) environment(id string) []string {
	if d.URL == nil {
		return nil
	}
	if url := d.URL(id); url != "" {
		return append(os.Environ(), "CHOICETUI_URL="+url)
	}
	return nil
}

// command runs the person's own command with the question as its last four arguments: title, agent, id, event. No
// shell reads any of it, and it has no terminal: it can neither draw over the screen nor read keys.
func (d *Desktop) command(how string, n Note) error {
	argv := append(strings.Fields(how), argument(n.Title), argument(n.Agent), n.ID, n.Event)
	limit := cmp.Or(d.limit, commandTime)
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env = d.environment(n.ID)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } // and what it started
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
		return err // exec names the program
	}
	return nil
}
