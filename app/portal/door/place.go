package door

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/choicetui/choicetui/app/portal/client"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/config/whole"
)

// files holds the paths of one queue's portal.
type files struct {
	place string // the file with client.Place, while the portal runs
	lock  string // locked by the process that is the portal; the kernel unlocks it when that dies
	kept  string // the state for the next portal
}

// filesOf returns the paths of a queue's portal.
func filesOf(dir string) (f files, err error) {
	state, err := config.StateDir()
	if err != nil {
		return f, err
	}
	f.place = client.Path(dir, state)
	name := strings.TrimSuffix(f.place, ".json")
	f.lock, f.kept = name+".lock", name+".access.json"
	return f, nil
}

// Runs is the error that the portal of the queue already runs in another process.
type Runs struct{ client.Place }

func (r *Runs) Error() string {
	return fmt.Sprintf("the portal is already running, as process %d", r.PID)
}

// errHidden says that another process holds the lock of the queue's portal, but has not written its place.
var errHidden = errors.New("another process is the portal of this queue, and cannot be found")

const (
	placeWithin = 3 * time.Second // the longest wait for another process to write its place
	lookEvery   = 10 * time.Millisecond
)

// claimPortal makes this process the portal of a queue until release is called. The error is *Runs if another process
// is the portal. If two start at once, one wins and the other finds it.
func (f files) claimPortal() (release func(), err error) {
	for end := time.Now().Add(placeWithin); ; time.Sleep(lookEvery) {
		release, err := f.lockOnce()
		if release != nil {
			_ = os.Remove(f.place) // left by a portal that was killed
		}
		if release != nil || err != nil {
			return release, err
		}
		if place, err := client.Read(f.place); err == nil && running(place.PID) {
			return nil, &Runs{place}
		}
		if time.Now().After(end) {
			return nil, errHidden
		}
	}
}

// lockOnce takes the lock. release is nil without an error if another process has it.
func (f files) lockOnce() (release func(), err error) {
	file, err := whole.LockFile(f.lock, unix.LOCK_EX)
	switch {
	case errors.Is(err, whole.ErrLocked):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("failed to start the portal: %w", err)
	}
	return func() { _ = file.Close() }, nil
}

// running reports whether a process exists.
func running(pid int) bool { return pid > 0 && !errors.Is(unix.Kill(pid, 0), unix.ESRCH) }

// placeOf returns the place of this process, with a new secret.
func placeOf(dir string, port int) client.Place {
	return client.Place{PID: os.Getpid(), Port: port, Queue: dir, Control: rand.Text()}
}
