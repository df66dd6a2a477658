package spool

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

const reasonSuffix = ".reason"

// setAside moves what cannot be read out of the way, to aside/, with the reason in a file beside it. ok is false if
// it is no longer there and nobody set it aside: it was archived, or dropped.
func (t *tree) setAside(dir, name, reason string) (b queue.Broken, ok bool) {
	to := t.path(asideDir, asideName(name)+queue.NewToken())
	err := t.makeDir(t.path(asideDir))
	if err == nil {
		// First, so that whoever finds it there finds the reason too. Moving it is what matters, so nothing waits for
		// this.
		_ = t.writeNew(to+reasonSuffix, []byte(reason+"\n"), false)
		err = os.Rename(t.path(dir, name), to)
	}
	switch {
	case err == nil:
		return queue.Broken{Name: name, MovedTo: to, Reason: reason}, true
	case errors.Is(err, fs.ErrNotExist):
		_ = os.Remove(to + reasonSuffix)
		return t.wasSetAside(name)
	}
	_ = os.Remove(to + reasonSuffix)
	return queue.Broken{Name: name, Reason: reason + "; failed to set it aside: " + err.Error()}, true
}

// wasSetAside reports what another process set aside under this name.
func (t *tree) wasSetAside(name string) (queue.Broken, bool) {
	names, _ := readNames(t.path(asideDir)) // as a rule there is no such directory
	for _, n := range names {
		if strings.HasPrefix(n, asideName(name)) && !strings.HasSuffix(n, reasonSuffix) {
			to := t.path(asideDir, n)
			raw, _ := readFile(to + reasonSuffix)
			reason := cmp.Or(strings.TrimSpace(string(raw)), "was set aside")
			return queue.Broken{Name: name, MovedTo: to, Reason: reason}, true
		}
	}
	return queue.Broken{}, false
}

// asideName begins the name under which something is set aside. It leaves room for a token behind a name of any length.
func asideName(name string) string { return filepath.Base(name[:min(len(name), 200)]) + "." }

// unreadableReason tells what is wrong with a file from what is wrong with the machine.
func unreadableReason(err error) (string, bool) {
	var bad *queue.Unreadable
	if errors.As(err, &bad) {
		return bad.Reason, true
	}
	if errors.Is(err, fs.ErrPermission) {
		return "cannot be read: " + err.Error(), true
	}
	return "", false
}
