package portal

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/choicetui/choicetui/app/portal/client"
	"github.com/choicetui/choicetui/config"
)

// files are the paths of one queue's portal.
type files struct {
	place []string // where it runs, while it does: pid, port, queue, control
	lock  string   // held by the process that is the portal; the kernel frees it when that dies
	kept  string   // what it leaves for the next one
}

// filesOf returns the paths of a queue's portal. A process without a runtime directory looks into the state directory,
// so the place is written to both.
func filesOf(dir string) (f files, err error) {
	state, err := config.StateDir()
	if err != nil {
		return f, err
	}
	f.place = []string{client.Path(dir, state)}
	name := strings.TrimSuffix(filepath.Join(state, filepath.Base(f.place[0])), ".json")
	if other := name + ".json"; other != f.place[0] {
		f.place = append(f.place, other)
	}
	f.lock, f.kept = name+".lock", name+".access.json"
	return f, nil
}

// find returns where the portal runs now. If it runs without a runtime directory and this process has one, its place is
// copied there.
func (f files) find() (client.Place, bool) {
	for _, path := range f.place {
		if p, err := client.Read(path); err == nil && running(p.PID) {
			if path != f.place[0] {
				_ = p.Write(f.place[0])
			}
			return p, true
		}
	}
	return client.Place{}, false
}

// write says where the portal runs.
func (f files) write(p client.Place) error {
	for _, path := range f.place {
		if err := p.Write(path); err != nil {
			return err
		}
	}
	return nil
}

// remove says that it does not any more.
func (f files) remove(p client.Place) {
	for _, path := range f.place {
		_ = p.Remove(path) // nobody believes it: the process is gone
	}
}

// Runs says that the portal of the queue runs already, in another process.
type Runs struct{ client.Place }

func (r *Runs) Error() string { return fmt.Sprintf("the portal runs already, as process %d", r.PID) }

// errHidden says that some process holds the queue's portal and says nowhere where it runs.
var errHidden = errors.New("another process is the portal of this queue, and cannot be found")

const (
	placeWithin = 3 * time.Second // for another process to write where it runs
	lookEvery   = 10 * time.Millisecond
)

// claim makes this process the portal of a queue until release is called. The error is *Runs if another one is: of two
// that start at once, one wins and the other finds it.
func (f files) claim() (release func(), err error) {
	if err := os.MkdirAll(filepath.Dir(f.lock), 0o700); err != nil {
		return nil, fmt.Errorf("failed to start the portal: %w", err)
	}
	for end := time.Now().Add(placeWithin); ; time.Sleep(lookEvery) {
		release, err := f.lockOnce()
		if release != nil {
			for _, path := range f.place {
				_ = os.Remove(path) // of one that was killed
			}
		}
		if release != nil || err != nil {
			return release, err
		}
		if place, ok := f.find(); ok {
			return nil, &Runs{place}
		}
		if time.Now().After(end) {
			return nil, errHidden
		}
	}
}

// lockOnce takes the lock, if nobody has it.
func (f files) lockOnce() (release func(), err error) {
	file, err := os.OpenFile(f.lock, os.O_RDWR|os.O_CREATE|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0o600)
	if err != nil {
		return nil, fmt.Errorf("failed to start the portal: %w", err)
	}
	err = unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	switch {
	case err == nil:
		return func() { _ = file.Close() }, nil
	case errors.Is(err, unix.EWOULDBLOCK):
		return nil, file.Close()
	}
	return nil, errors.Join(fmt.Errorf("failed to start the portal: %w", err), file.Close())
}

func running(pid int) bool { return pid > 0 && !errors.Is(unix.Kill(pid, 0), unix.ESRCH) }

// ErrPortTaken says that the port that was asked for cannot be had.
var ErrPortTaken = errors.New("its port cannot be had")

// listenHere opens the port on this machine alone: the requested one, else the port of last time, so that an open page
// finds the portal again, else any free port. A portal that another command started takes any rather than none. Other
// processes look at the first listener. The error is ErrPortTaken for a port of the settings.
func (o Options) listenHere(last int) ([]net.Listener, error) {
	l, err := net.Listen("tcp", cmp.Or(o.Listen, loopback(cmp.Or(o.Port, last))))
	if err != nil && o.Listen == "" && (o.Port == 0 || o.Transient) {
		l, err = net.Listen("tcp", loopback(0))
	}
	switch {
	case err != nil && o.Listen == "" && o.Port != 0:
		return nil, fmt.Errorf("%w: %w", ErrPortTaken, err)
	case err != nil:
		return nil, fmt.Errorf("failed to listen: %w", err)
	}
	ip := l.Addr().(*net.TCPAddr).IP
	switch {
	case !ip.IsLoopback(): // a name meant something else than it said
		return nil, errors.Join(fmt.Errorf("%s is not this machine's alone", o.Listen), l.Close())
	case ip.Equal(net.IPv4(127, 0, 0, 1)):
		return []net.Listener{l}, nil
	}
	first, err := net.Listen("tcp", loopback(portOf(l)))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("failed to listen: %w", err), l.Close())
	}
	return []net.Listener{first, l}, nil
}

func loopback(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }

func portOf(l net.Listener) int { return l.Addr().(*net.TCPAddr).Port }

// placeOf returns the place at which this process serves a queue.
func placeOf(dir string, port int) client.Place {
	return client.Place{PID: os.Getpid(), Port: port, Queue: dir, Control: rand.Text()}
}
