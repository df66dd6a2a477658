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

// shell holds what all commands share: input and output, the clock, and the place of the queue. place.go has its
// methods for the queue, session.go those for sessions. A command's own state is in the command's file.
type shell struct {
	in       io.Reader
	out, err io.Writer
	now      func() time.Time
	queue    string    // the flag --queue
	complain sync.Once // warns of the settings file at most once
	collect  func()    // turns garbage collection on; nil: it is on already

	reading sync.Mutex   // guards read
	read    *config.File // the file that settings returned last
}

// collectGarbage turns garbage collection on.
func (sh *shell) collectGarbage() {
	if sh.collect != nil {
		sh.collect()
	}
}

// startsWithoutGC replaces collectGarbage for commands that mostly end at once. They start without garbage collection,
// and limit their memory on their own.
func startsWithoutGC(*cobra.Command, []string) {}

// settings returns the person's settings. If the file cannot be read now, the settings that this process read before
// stay in force.
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

// currentSettings returns the values of settings.
func (sh *shell) currentSettings() config.Settings { return sh.settings().Settings() }

// muteSettings keeps this command from warning of problems with the settings file. An agent's hook must print nothing
// else, and some commands report the problems in another way.
func (sh *shell) muteSettings() { sh.complain.Do(func() {}) }

// note writes a line of our own to standard error. The caller makes the text of others visible first.
func (sh *shell) note(format string, args ...any) {
	fmt.Fprintf(sh.err, "choicetui: "+format+"\n", args...)
}

// warnBroken warns of files that cannot be read. The command continues with the others.
func (sh *shell) warnBroken(broken []queue.Broken) {
	for _, b := range broken {
		if b.MovedTo == "" { // only a watch moves files, and not all can be moved
			sh.note("warning: %s", say.OneLine(b.Name+" cannot be read: "+b.Reason))
			continue
		}
		sh.note("warning: %s", say.OneLine(fmt.Sprintf(
			"%s was set aside because it cannot be read: %s; it is now at %s",
			b.Name, b.Reason, b.MovedTo)))
	}
}

// warnSettings warns of what is wrong with the settings file. The readable part is in force.
func (sh *shell) warnSettings(err error) {
	if err != nil {
		sh.note("warning: %s", say.Text(err.Error()))
	}
}

// report writes the failure that ended a command, if any, and returns the exit code. If the reader of the output went
// away (`choicetui log | head`), it writes nothing.
func (sh *shell) report(err error) int {
	if err == nil {
		return exitDone
	}
	if errors.Is(err, syscall.EPIPE) {
		return exitFailed
	}
	f := explain(err)
	said := say.Text(f.say)
	if said == "" { // the command has only an exit code
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
