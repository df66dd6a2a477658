//go:build linux

package term

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/rivo/tview"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func TestASignalLeavesTheTerminalAsFound(t *testing.T) {
	heard := make(chan os.Signal, 1) // so that the program does not inherit an ignored signal from nohup
	signal.Notify(heard, unix.SIGHUP)
	t.Cleanup(func() { signal.Stop(heard) })
	for _, sig := range []unix.Signal{unix.SIGTERM, unix.SIGHUP, unix.SIGINT} {
		t.Run(unix.SignalName(sig), func(t *testing.T) {
			t.Parallel()
			c := startOn(t, "app")
			if reflect.DeepEqual(c.termios(), c.before) {
				t.Fatal("the program never went raw: the test would show nothing")
			}
			_ = c.cmd.Process.Signal(sig)
			if code := c.wait(); code != 128+int(sig) {
				t.Errorf("exit code %d, said %q", code, c.stderr.String())
			}
			c.asFound()
		})
	}
}

func TestAPanicLeavesTheTerminalAsFound(t *testing.T) {
	for key, want := range map[string]string{"p": "in a goroutine <U+001B>]52;", "P": "on the event loop", "S": "with the lock taken"} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			c := startOn(t, "app")
			c.press(key)
			if code := c.wait(); code != crashCode {
				t.Errorf("exit code %d", code)
			}
			if said := c.stderr.String(); !strings.Contains(said, want) || !strings.Contains(said, "pty_test.go") {
				t.Errorf("said %q", said)
			}
			c.asFound()
		})
	}
}

func TestANormalExitLeavesTheTerminalAsFound(t *testing.T) {
	c := startOn(t, "app")
	c.press("q")
	if code := c.wait(); code != 0 || !strings.Contains(c.stderr.String(), "END <nil>") {
		t.Errorf("exit code %d, said %q", code, c.stderr.String())
	}
	c.asFound()
}

func TestALostTerminalEndsTheRun(t *testing.T) {
	c := startOn(t, "nohup")
	c.hangUp()
	if c.wait(); !strings.Contains(c.stderr.String(), ErrGone.Error()) {
		t.Errorf("said %q", c.stderr.String())
	}
}

func TestSIGTERMWhileAnEditorHasTheTerminal(t *testing.T) {
	c := startOn(t, "app")
	c.press("e")
	c.waitFor("\x1b[?1049l")
	_ = c.cmd.Process.Signal(unix.SIGINT) // Ctrl-C in the editor is for the editor
	time.Sleep(50 * time.Millisecond)
	_ = c.cmd.Process.Signal(unix.SIGTERM)
	if code := c.wait(); code != 128+int(unix.SIGTERM) {
		t.Errorf("exit code %d, said %q", code, c.stderr.String())
	}
	c.asFound()
}

func TestCtrlZStopsAndTheShellContinues(t *testing.T) {
	c := startOn(t, "shell")
	c.waitFor("PID=")
	_, rest, _ := strings.Cut(c.output(), "PID=")
	pid, err := strconv.Atoi(rest[:strings.Index(rest, ";")])
	if err != nil {
		t.Fatal(err)
	}
	stop := map[string]func(){
		"Ctrl-Z":  func() { c.press("\x1a") },
		"SIGTSTP": func() { _ = unix.Kill(pid, unix.SIGTSTP) },
	}
	for name, stop := range stop {
		c.forget()
		stop()
		c.waitFor("STOPPED")
		c.asFound()
		c.forget()
		_, _ = c.orders.Write([]byte("f"))
		for _, want := range []string{"\x1b[?1049h", "\x1b[?2004h"} {
			c.waitFor(want)
		}
		if !strings.Contains(name, "x") {
			c.press("z")
			c.waitFor("z]")
		}
		if reflect.DeepEqual(c.termios(), c.before) {
			t.Errorf("%s: not raw again", name)
		}
	}
	c.forget()
	_ = unix.Kill(pid, unix.SIGSTOP) // a process cannot handle this signal
	c.waitFor("STOPPED")
	if err := unix.IoctlSetTermios(int(c.tty.Fd()), unix.TCSETS, c.before); err != nil { // like a shell
		t.Fatal(err)
	}
	c.forget()
	_, _ = c.orders.Write([]byte("f"))
	c.waitFor("z]")
	eventually(t, "raw again", func() bool { return !reflect.DeepEqual(c.termios(), c.before) })
	c.press("q")
	if code := c.wait(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	c.asFound()
}

func TestCtrlZWithoutAShellIsRefused(t *testing.T) {
	c := startOn(t, "app") // a session leader, as in `tmux split-window choicetui`
	c.press("\x1a")
	c.waitFor("no shell")
	c.press("q")
	c.wait()
}

func runFake(t *testing.T, ctx context.Context) (*Terminal, *fakeTty, chan error) {
	t.Helper()
	screen, tty := openFake(t, 40, 5)
	app := tview.NewApplication()
	terminal := New(app, screen)
	app.SetRoot(tview.NewTextView().SetText("ready"), true)
	ended := make(chan error, 1)
	go func() { ended <- terminal.Run(ctx) }()
	return terminal, tty, ended
}

func ends(t *testing.T, ended chan error) error {
	t.Helper()
	select {
	case err := <-ended:
		return err
	case <-time.After(5 * time.Second):
		t.Fatal("Run did not return")
		return nil
	}
}

func TestUpdateNeverBlocksAfterTheRun(t *testing.T) {
	terminal, _, ended := runFake(t, context.Background())
	if !terminal.Update(func() {}) {
		t.Error("while running")
	}
	terminal.Stop()
	if err := ends(t, ended); err != nil {
		t.Error(err)
	}
	if terminal.Update(func() {}) {
		t.Error("after the run")
	}
}

func TestAContextThatEndedBeforeEndsTheRun(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, _, ended := runFake(t, ctx)
	if err := ends(t, ended); err != nil {
		t.Error(err)
	}
}

func TestALostTerminalIsErrGone(t *testing.T) {
	_, tty, ended := runFake(t, context.Background())
	close(tty.input)
	if err := ends(t, ended); !errors.Is(err, ErrGone) {
		t.Error(err)
	}
}

func TestTheErrorOfASignalHasItsExitCode(t *testing.T) {
	err := fmt.Errorf("dashboard: %w", Signal{unix.SIGTERM})
	var sig Signal
	if !errors.As(err, &sig) || sig.ExitCode() != 143 || !strings.Contains(err.Error(), "SIGTERM") {
		t.Error(err)
	}
}

func TestWhatWasTypedAndNotReadIsDroppedAlsoAnUnfinishedLine(t *testing.T) {
	person, terminal, err := pty.Open()
	require.NoError(t, err)
	t.Cleanup(func() { person.Close(); terminal.Close() })
	lines := make(chan string, 3)
	go func() {
		for sc := bufio.NewScanner(terminal); sc.Scan(); {
			lines <- sc.Text()
		}
	}()
	_, err = person.WriteString("a")
	require.NoError(t, err)
	time.Sleep(20 * time.Millisecond) // time for the input to reach the line discipline
	DropTyped(terminal)
	_, err = person.WriteString("b\n")
	require.NoError(t, err)
	assert.Equal(t, "b", <-lines)
}
