package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/spool"
)

// place is the directory of the queue: the flag, else $CHOICETUI_QUEUE, else usualPlace.
func (sh *shell) place() (string, error) {
	for _, dir := range []string{sh.queue, os.Getenv("CHOICETUI_QUEUE")} {
		if dir != "" {
			return directory(dir)
		}
	}
	return sh.usualPlace()
}

// usualPlace is where a command without flag and variable looks: the setting, else the system's place for state.
func (sh *shell) usualPlace() (string, error) {
	settings := sh.settings()
	sh.complain.Do(func() { sh.warnSettings(settings.Err()) }) // it might have named another place
	if dir := settings.Settings().Queue; dir != "" {
		return directory(dir)
	}
	state, err := config.StateDir()
	if err != nil {
		return "", &failure{say: "the home directory is not known, so neither is the queue's place",
			hint: "set HOME, or give --queue DIR", cause: err}
	}
	return filepath.Join(state, "queue"), nil
}

// directory makes a queue's name absolute; one that begins with ~/ is below the home directory.
func directory(name string) (string, error) {
	if scheme, _, ok := strings.Cut(name, "://"); ok {
		return "", &failure{say: "a queue at " + scheme + ":// is not built into this choicetui yet",
			hint: "give a directory: --queue DIR, or the setting queue"}
	}
	path, ok := config.BelowHome(name, config.Home())
	if !ok {
		return "", &failure{say: "the home directory of " + quoted(name) + " is not known",
			hint: "set HOME, or give a full path"}
	}
	return filepath.Abs(path)
}

// open opens the queue and makes it where there is none.
func (sh *shell) open() (*queue.Queue, error) {
	dir, err := sh.place()
	if err != nil {
		return nil, err
	}
	return sh.openAt(dir)
}

func (sh *shell) openAt(dir string) (*queue.Queue, error) {
	store, err := spool.Open(dir)
	if err != nil {
		return nil, err
	}
	q := queue.New(store)
	q.Now = sh.now
	return q, nil
}

// aside counts what lies aside in the queue, which was opened.
func (sh *shell) aside() int {
	dir, err := sh.place()
	if err != nil {
		return 0
	}
	return spool.Aside(dir)
}

// errNoQueue says that nothing was ever asked here. Looking makes no directory.
var errNoQueue = errors.New("no queue")

// openNamed opens the queue at a place that the person named, and makes it where there is none.
func (sh *shell) openNamed(name string) (*queue.Queue, error) {
	dir, err := directory(name)
	if err != nil {
		return nil, err
	}
	return sh.openAt(dir)
}

// samePlace reports whether two names are one place.
func samePlace(a, b string) (bool, error) {
	one, err := directory(a)
	if err != nil {
		return false, err
	}
	two, err := directory(b)
	return one == two, err
}

// look opens the queue without making one; errNoQueue if there is none.
func (sh *shell) look() (*queue.Queue, error) {
	dir, err := sh.place()
	if err != nil {
		return nil, err
	}
	return sh.lookAt(dir)
}

// lookAt opens the queue at a place that the person named, without making one; errNoQueue if there is none.
func (sh *shell) lookAt(name string) (*queue.Queue, error) {
	dir, err := directory(name)
	if err != nil {
		return nil, err
	}
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, &failure{say: "nothing was asked yet: there is no queue at " + dir,
			hint: "choicetui help connect says how agents ask", code: exitMissing, cause: errNoQueue}
	}
	return sh.openAt(dir)
}
