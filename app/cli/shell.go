package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// shell holds what every command shares: where it reads and writes, what time it is, and which queue is meant. place.go
// has its ways to the queue, session.go those to a session. What one command alone needs is in that command's file, as
// a type with the command's flags that has a shell, or as plain functions.
type shell struct {
	in       io.Reader
	out, err io.Writer
	now      func() time.Time
	queue    string    // the flag --queue
	complain sync.Once // about the settings file
	collect  func()    // lets garbage be collected; nil: it is already

	reading sync.Mutex
	read    *config.File // the last that settings returned
}

func (sh *shell) collects() {
	if sh.collect != nil {
		sh.collect()
	}
}

// collectsLater is for commands that mostly have nothing to do and end at once.
func collectsLater(*cobra.Command, []string) {}

// settings opens the person's settings. While the file cannot be read, those that this process has read before stay in
// force.
func (sh *shell) settings() *config.File {
	sh.reading.Lock()
	defer sh.reading.Unlock()
	if sh.read == nil {
		sh.read = config.Open(config.Path())
	} else {
		sh.read = sh.read.Reopen()
	}
	return sh.read
}

// note says a line of ours on standard error. The caller makes visible what others wrote.
func (sh *shell) note(format string, args ...any) {
	fmt.Fprintf(sh.err, "choicetui: "+format+"\n", args...)
}

// warnBroken names the files that were set aside; the command continues with the rest.
func (sh *shell) warnBroken(broken []queue.Broken) {
	for _, b := range broken {
		if b.MovedTo == "" { // it was not possible, and the reason says why
			sh.note("warning: %s", say.OneLine(b.Name+" cannot be read: "+b.Reason))
			continue
		}
		sh.note("warning: %s", say.OneLine(fmt.Sprintf("%s was set aside, it cannot be read: %s; it now lies at %s",
			b.Name, b.Reason, b.MovedTo)))
	}
}

// warnSettings says what is wrong with the settings file; what could be read of it is in force.
func (sh *shell) warnSettings(err error) {
	if err != nil {
		sh.note("warning: %s", say.Text(err.Error()))
	}
}

// report ends a command: it writes the failure, if any, and returns the exit code. A reader that went away
// (`choicetui log | head`) wanted no more, so that is quiet.
func (sh *shell) report(err error) int {
	if err == nil {
		return exitDone
	}
	if errors.Is(err, syscall.EPIPE) {
		return exitFailed
	}
	f := explain(err)
	said := say.Text(f.say)
	if said == "" { // the exit code says it all
		return f.code
	}
	sh.note("%s", strings.TrimSpace(said))
	if f.hint != "" {
		sh.note("hint: %s", say.Text(f.hint))
	}
	if f.code == 0 {
		return exitFailed
	}
	return f.code
}
