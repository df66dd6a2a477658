package e2e

import (
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// console is a program on a bare pseudo terminal: every byte it sends is recorded, and drawn as a terminal would.
type console struct {
	testing.TB
	tty  *os.File
	cmd  *exec.Cmd
	done chan error
	over chan struct{} // closed: the program has ended
	idle chan struct{} // closed: nothing more will come

	mu   sync.Mutex
	bell *sync.Cond // rung after every read
	raw  []byte
	wire *wire
	last time.Time // of the last byte
	dead bool      // what comes now are last words, which nobody draws: without a cursor in them that takes minutes
}

// console starts a command on a terminal of w by h.
func (r *room) console(w, h int, cmd *exec.Cmd) *console {
	r.Helper()
	c := &console{TB: r, cmd: cmd, done: make(chan error, 1), over: make(chan struct{}), idle: make(chan struct{}), wire: newWire(w, h)}
	c.bell = sync.NewCond(&c.mu)
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: uint16(h), Cols: uint16(w)})
	require.NoError(r, err)
	c.tty = tty
	go c.read()
	go func() { c.done <- cmd.Wait() }()
	r.Cleanup(func() {
		if cmd.Process.Kill() == nil { // else it has ended, and another process may have its id by now
			gone(r, cmd.Process.Pid, patience)
		}
		close(c.over)
		<-c.idle
		_ = tty.Close()
	})
	return c
}

// read polls. A blocked read, or waiting for the end of the terminal, would not end with the program while somebody else
// holds its terminal open, as a tmux server does with that of its client.
func (c *console) read() {
	defer close(c.idle)
	fd, b := int(c.tty.Fd()), make([]byte, 1<<16)
	for {
		n, err := unix.Read(fd, b)
		at := time.Now()
		switch {
		case err == unix.EINTR:
			continue
		case err == unix.EAGAIN:
			ready := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
			if n, _ := unix.Poll(ready, 100); n == 0 && c.isOver() {
				return
			}
			continue
		case n <= 0: // EIO: the program and all its children have closed the terminal
			return
		}
		c.mu.Lock()
		c.raw = append(c.raw, b[:n]...)
		if !c.dead {
			c.wire.write(b[:n])
		}
		c.last = at
		c.bell.Broadcast()
		c.mu.Unlock()
	}
}

func (c *console) isOver() bool {
	select {
	case <-c.over:
		return true
	default:
		return false
	}
}

// press writes keys as a terminal sends them, one by one as a person presses them, who sees what one did before the next.
func (c *console) press(keys ...string) {
	c.Helper()
	for i, key := range keys {
		before := c.sent()
		_, err := c.tty.WriteString(key)
		require.NoError(c, err)
		if i == len(keys)-1 {
			return
		}
		time.Sleep(between)
		if keys[i+1] == key {
			time.Sleep(between) // it is no repeat of a held key
		}
		for end := time.Now().Add(unseen); c.sent() == before && time.Now().Before(end); {
			time.Sleep(glance)
		}
	}
}

// when waits until the screen is as it should be; it returns when the bytes that made it so had come.
func (c *console) when(what string, ok func(*wire) bool) time.Time {
	c.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	end := time.Now().Add(patience)
	alarm := time.AfterFunc(patience, c.bell.Broadcast)
	defer alarm.Stop()
	for !ok(c.wire) {
		if time.Now().After(end) {
			require.Failf(c, "the screen is not as it should be", "never %s on\n%s", what, c.wire)
		}
		c.bell.Wait()
	}
	return c.last
}

func (c *console) see(want string) time.Time {
	c.Helper()
	return c.when(want, func(v *wire) bool { return strings.Contains(v.String(), want) })
}

// quit leaves as a person does: q, a look at what it says, and q.
func (c *console) quit() {
	c.Helper()
	c.press("q")
	c.see("q again ")
	time.Sleep(guarded)
	c.press("q")
}

// sent is how many bytes came so far.
func (c *console) sent() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.raw)
}

// still waits until nothing has come for a while, and returns when the last byte came.
func (c *console) still(quiet time.Duration) time.Time {
	for {
		c.mu.Lock()
		last := c.last
		c.mu.Unlock()
		left := time.Until(last.Add(quiet))
		if left <= 0 {
			return last
		}
		time.Sleep(left)
	}
}

// ended waits for the program's end, and returns its exit code.
func (c *console) ended() int {
	c.Helper()
	select {
	case <-c.done:
		return c.cmd.ProcessState.ExitCode()
	case <-time.After(patience):
		require.Fail(c, "still running", c.wire.String())
		return 0
	}
}

// kill ends the program as the kernel does when memory runs out.
func (c *console) kill() {
	c.Helper()
	require.NoError(c, c.cmd.Process.Signal(syscall.SIGKILL))
	gone(c, c.cmd.Process.Pid, patience)
}
