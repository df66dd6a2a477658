//go:build linux

package term

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"
	"golang.org/x/sys/unix"
)

// childEnv names the variable that makes the test binary run as one of the programs below, on a real terminal.
const childEnv = "CHOICETUI_TERM_CHILD"

func TestMain(m *testing.M) {
	switch mode := os.Getenv(childEnv); mode {
	case "":
		os.Exit(m.Run())
	case "shell":
		os.Exit(miniShell())
	default:
		os.Exit(childApp(mode))
	}
}

// childApp is the smallest program that draws: it prints ready, and reacts to keys.
func childApp(mode string) int {
	if mode == "nohup" {
		signal.Ignore(unix.SIGHUP)
	}
	screen, err := Open()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	app := tview.NewApplication()
	t := New(app, screen)
	view := tview.NewTextView().SetText("ready")
	app.SetRoot(view, true).SetInputCapture(func(event *tcell.EventKey) *tcell.EventKey {
		switch {
		case event.Key() == tcell.KeyCtrlZ:
			if err := t.Suspend(); err != nil {
				view.SetText("suspend: " + err.Error())
			}
		case event.Rune() == 'p':
			t.Go(func() { panic("in a goroutine \x1b]52;") })
		case event.Rune() == 'P':
			panic("on the event loop")
		case event.Rune() == 'e':
			t.Lend(func(ctx context.Context) {
				_ = exec.CommandContext(ctx, "sleep", "60").Run()
			})
		case event.Rune() == 'S':
			screen.Screen.(interface{ Lock() }).Lock() // as after a panic while tcell draws
			t.Go(func() { panic("with the lock taken") })
			select {}
		case event.Rune() == 'q':
			app.Stop()
		default:
			view.SetText("got " + event.Name())
		}
		return nil
	})
	err = t.Run(context.Background())
	fmt.Fprintln(os.Stderr, "END", err)
	var sig Signal
	if errors.As(err, &sig) {
		return sig.ExitCode()
	}
	if err != nil {
		return 1
	}
	return 0
}

// miniShell does the work of a job-control shell for one job: it reports that the job stopped, and continues it when
// told to on fd 3.
func miniShell() int {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"=app")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Foreground: true, Ctty: 0}
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	signal.Ignore(unix.SIGTTOU)
	orders := os.NewFile(3, "orders")
	fmt.Fprintf(os.Stdout, "PID=%d;", cmd.Process.Pid)
	for {
		var status unix.WaitStatus
		if _, err := unix.Wait4(cmd.Process.Pid, &status, unix.WUNTRACED, nil); err == unix.EINTR {
			continue
		} else if err != nil {
			return 1
		}
		_ = unix.IoctlSetPointerInt(0, unix.TIOCSPGRP, unix.Getpgrp())
		if !status.Stopped() {
			return status.ExitStatus()
		}
		fmt.Fprint(os.Stdout, "STOPPED")
		if _, err := orders.Read(make([]byte, 1)); err != nil {
			return 1
		}
		_ = unix.IoctlSetPointerInt(0, unix.TIOCSPGRP, cmd.Process.Pid)
		_ = unix.Kill(-cmd.Process.Pid, unix.SIGCONT)
	}
}

// console is a pseudo-terminal with a program running on it.
type console struct {
	t        *testing.T
	pty, tty *os.File
	cmd      *exec.Cmd
	before   *unix.Termios
	orders   *os.File

	out    locked
	stderr locked
	quit   chan struct{} // closed: stop reading
	idle   chan struct{} // closed: reading has stopped
	exited chan error
}

// locked is a buffer for two goroutines.
type locked struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *locked) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

func (l *locked) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func (l *locked) Reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.b.Reset()
}

func startOn(t *testing.T, mode string) *console {
	t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		t.Skipf("no pseudo terminal here: %v", err)
	}
	_ = pty.Setsize(master, &pty.Winsize{Rows: 10, Cols: 60})
	c := &console{t: t, pty: master, tty: slave, exited: make(chan error, 1),
		quit: make(chan struct{}), idle: make(chan struct{})}
	c.before = c.termios()
	c.cmd = exec.Command(os.Args[0])
	c.cmd.Env = append(os.Environ(), childEnv+"="+mode, "TERM=tmux-256color", "LC_ALL=C.UTF-8")
	c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = slave, slave, &c.stderr
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c.cmd.ExtraFiles, c.orders = []*os.File{r}, w
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = r.Close()
	go c.read()
	go func() { c.exited <- c.cmd.Wait() }()
	t.Cleanup(func() {
		_ = c.cmd.Process.Kill()
		_ = w.Close()
		c.hangUp()
	})
	c.waitFor("ready")
	return c
}

// read polls, because a blocked read of a pty would keep it open after Close.
func (c *console) read() {
	defer close(c.idle)
	b := make([]byte, 4096)
	fd := int(c.pty.Fd())
	for {
		select {
		case <-c.quit:
			return
		default:
		}
		ready := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		if n, _ := unix.Poll(ready, 20); n <= 0 {
			continue
		}
		n, err := unix.Read(fd, b)
		if n <= 0 || err != nil {
			return
		}
		_, _ = c.out.Write(b[:n])
	}
}

// hangUp closes the terminal while the program runs.
func (c *console) hangUp() {
	select {
	case <-c.quit:
	default:
		close(c.quit)
	}
	<-c.idle
	_ = c.tty.Close()
	_ = c.pty.Close()
}

func (c *console) output() string { return c.out.String() }

func (c *console) forget() { c.out.Reset() }

func (c *console) waitFor(text string) {
	c.t.Helper()
	defer func() {
		if c.t.Failed() {
			c.t.Logf("on the terminal: %q, said %q", c.output(), c.stderr.String())
		}
	}()
	eventually(c.t, fmt.Sprintf("%q on the terminal", text), func() bool { return strings.Contains(c.output(), text) })
}

func (c *console) press(keys string) { _, _ = io.WriteString(c.pty, keys) }

func (c *console) termios() *unix.Termios {
	c.t.Helper()
	state, err := unix.IoctlGetTermios(int(c.tty.Fd()), unix.TCGETS)
	if err != nil {
		c.t.Fatal(err)
	}
	return state
}

// wait waits for the program and returns its exit code.
func (c *console) wait() int {
	c.t.Helper()
	select {
	case err := <-c.exited:
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return exit.ExitCode()
		}
		return 0
	case <-time.After(10 * time.Second):
		c.t.Fatalf("still running; wrote %q, said %q", c.output(), c.stderr.String())
		return -1
	}
}

// asFound checks that the terminal is as before: its modes, and the last sequences that it received.
func (c *console) asFound() {
	c.t.Helper()
	if now := c.termios(); !reflect.DeepEqual(now, c.before) {
		c.t.Errorf("modes: before %+v, now %+v", c.before, now)
	}
	for on, off := range map[string]string{"\x1b[?1049h": "\x1b[?1049l", "\x1b[?2004h": "\x1b[?2004l",
		"\x1b[?25l": "\x1b[?25h", "\x1b[?1004h": "\x1b[?1004l", "\x1b[?1007l": "\x1b[?1007r"} {
		eventually(c.t, fmt.Sprintf("%q after the last %q in %q", off, on, c.output()), func() bool {
			out := c.output()
			at := strings.LastIndex(out, off)
			if off == "\x1b[?25h" && at < 0 {
				at = strings.LastIndex(out, "\x1b[34h\x1b[?25h")
			}
			return at >= 0 && at > strings.LastIndex(out, on)
		})
	}
}
