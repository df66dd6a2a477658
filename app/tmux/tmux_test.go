package tmux

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// server starts a tmux for the test and puts this process inside it; it returns the first pane.
func server(t *testing.T) (pane string) {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		if os.Getenv("CHOICETUI_E2E") == "require" {
			t.Fatal("tmux is required and not installed")
		}
		t.Skip("tmux is not installed")
	}
	name := fmt.Sprintf("choicetui-test-%d-%d", os.Getpid(), time.Now().UnixNano())
	t.Setenv("TMUX", "")
	dir, err := os.MkdirTemp("", "ct") // short: a socket's name has room for 107 bytes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	t.Setenv("TMUX_TMPDIR", dir)
	tmux := func(args ...string) string {
		out, err := exec.Command("tmux", append([]string{"-L", name, "-f", "/dev/null"}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("tmux %q: %v: %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	out := tmux("new-session", "-d", "-s", "work", "-x", "120", "-y", "40", "-P", "-F", "#{socket_path} #{pid} #{pane_id}", "sleep", "300")
	f := strings.Fields(out)
	t.Cleanup(func() { tmux("kill-server") })
	t.Setenv("TMUX", f[0]+","+f[1]+",0")
	t.Setenv("TMUX_PANE", f[2])
	return f[2]
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(5 * time.Second); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("never: " + what)
		}
	}
}

func TestASplitRunsTheArgumentsAsTheyAre(t *testing.T) {
	pane := server(t)
	ctx := context.Background()
	file := filepath.Join(t.TempDir(), "args")
	script := filepath.Join(t.TempDir(), "a script; $(touch nothing)")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nfor a; do printf '%s\\n' \"$a\"; done >'"+file+".t'\nprintf '%s' \"$NOTE\" >>'"+
		file+".t'\nmv '"+file+".t' '"+file+"'\nsleep 300\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	args := []string{"it's", "$(id)", `"q"`, "-x", "a;", "#{pane_id}", `\;`, "", "a b"}
	id, err := SplitBeside(ctx, pane, append([]string{script}, args...), []string{"NOTE=x y;"})
	if err != nil || !paneID.MatchString(id) || id == pane {
		t.Fatalf("%q %v", id, err)
	}
	want := strings.Join(args, "\n") + "\nx y;"
	eventually(t, "the program's own arguments", func() bool { _, err := os.Stat(file); return err == nil })
	if got, _ := os.ReadFile(file); string(got) != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if active, _ := runTmux(ctx, "display-message", "-p", "-t", "work", "#{pane_id}"); active != pane {
		t.Errorf("the focus went to %s", active)
	}
}

func TestASplitOfOneWordIsNotGivenToAShell(t *testing.T) {
	pane := server(t)
	mark := filepath.Join(t.TempDir(), "mark")
	id, err := SplitBeside(context.Background(), pane, []string{"touch " + mark}, nil)
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "the pane closes", func() bool { ok, _ := PaneExists(context.Background(), id); return !ok })
	if _, err := os.Stat(mark); err == nil {
		t.Error("a shell ran it")
	}
}

func TestPanesAreFoundAndSelected(t *testing.T) {
	pane := server(t)
	ctx := context.Background()
	id, err := SplitBeside(ctx, pane, []string{"sleep", "300"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if ok, err := PaneExists(ctx, id); !ok || err != nil {
		t.Errorf("exists: %v %v", ok, err)
	}
	if at := PaneLocation(ctx, id); at != "0:1" {
		t.Errorf("location %q", at)
	}
	if err := SelectPane(ctx, id); err != nil {
		t.Fatal(err)
	}
	if active, _ := runTmux(ctx, "display-message", "-p", "-t", "work", "#{pane_id}"); active != id {
		t.Errorf("selected %s, want %s", active, id)
	}
	other, err := runTmux(ctx, "new-session", "-d", "-s", "other", "-P", "-F", "#{pane_id}", "sleep", "300")
	if err != nil {
		t.Fatal(err)
	}
	if err := SelectPane(ctx, other); err != nil { // no client is attached, so there is nothing to switch, and no error
		t.Error(err)
	}
}

func TestAPaneIsFoundFromAProcessDeepInIt(t *testing.T) {
	pane := server(t)
	ctx := context.Background()
	file := filepath.Join(t.TempDir(), "pid")
	id, err := SplitBeside(ctx, pane, []string{"sh", "-c", "sh -c 'echo $$ >" + file + "; sleep 300; :'; :"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var pid int
	eventually(t, "the pid", func() bool {
		text, _ := os.ReadFile(file)
		pid, _ = strconv.Atoi(strings.TrimSpace(string(text)))
		return pid > 0
	})
	if got, err := PaneOf(ctx, Agent{PID: pid}); got != id || err != nil {
		t.Errorf("found %q %v, want %q", got, err, id)
	}
	if _, err := PaneOf(ctx, Agent{PID: os.Getpid()}); !errors.Is(err, ErrNoPane) {
		t.Errorf("this test is in no pane of it: %v", err)
	}
	if got, err := PaneOf(ctx, Agent{PID: os.Getpid(), Pane: id}); !errors.Is(err, ErrNoPane) {
		t.Errorf("nor where another server has a pane of that name: %q %v", got, err)
	}
	if _, err := PaneOf(ctx, Agent{Pane: id}); !errors.Is(err, ErrGone) {
		t.Errorf("a name without a process: %v", err)
	}
}

func TestWhatIsNotThereIsSaidSo(t *testing.T) {
	server(t)
	ctx := context.Background()
	for _, id := range []string{"%999", "", "work", "-t", "%1;kill-server", "{last}"} {
		if ok, err := PaneExists(ctx, id); ok || err != nil {
			t.Errorf("%q: %v %v", id, ok, err)
		}
		if _, err := SplitBeside(ctx, id, []string{"true"}, nil); !errors.Is(err, ErrNoPane) {
			t.Errorf("split %q: %v", id, err)
		}
		if err := SelectPane(ctx, id); !errors.Is(err, ErrNoPane) {
			t.Errorf("select %q: %v", id, err)
		}
		if at := PaneLocation(ctx, id); at != "" {
			t.Errorf("location %q: %q", id, at)
		}
	}
}

func TestOutsideTmuxNothingIsRun(t *testing.T) {
	t.Setenv("TMUX", "")
	if _, err := SplitBeside(context.Background(), "%0", []string{"true"}, nil); !errors.Is(err, ErrOutside) || Inside() {
		t.Errorf("%v", err)
	}
}

func TestAHangingTmuxIsGivenUp(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "tmux"), []byte("#!/bin/sh\nsleep 60\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	t.Setenv("TMUX", "/nowhere,1,0")
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	start := time.Now()
	if _, err := PaneOf(ctx, Agent{PID: os.Getpid()}); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 2*time.Second {
		t.Errorf("%v after %s", err, time.Since(start))
	}
}
