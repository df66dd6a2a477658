package jetstream

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

// childLocal names the directory for a child's lock file.
const childLocal = "CHOICETUI_JETSTREAM_LOCAL"

// process is a child under the test's control.
type process struct {
	t     testing.TB
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines *bufio.Scanner
}

func start(t testing.TB, s *Store, mode string, args ...string) *process {
	t.Helper()
	cmd := exec.Command(os.Args[0], append([]string{s.link.options.URL, s.link.options.Bucket}, args...)...)
	cmd.Env = append(os.Environ(), childMode+"="+mode, "GOMAXPROCS=2", childLocal+"="+s.link.options.Local)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	p := &process{t: t, cmd: cmd, in: in, lines: bufio.NewScanner(out)}
	t.Cleanup(p.kill)
	return p
}

func (p *process) line() string {
	p.t.Helper()
	require.True(p.t, p.lines.Scan(), "the child ended")
	return p.lines.Text()
}

// kill sends SIGKILL.
func (p *process) kill() {
	if p.cmd.ProcessState == nil {
		_ = p.cmd.Process.Kill()
		_, _ = p.cmd.Process.Wait()
	}
}

func childOf(mode string, args []string) error {
	s, err := Open(Options{URL: args[0], Bucket: args[1], Local: os.Getenv(childLocal)})
	if err != nil {
		return err
	}
	return map[string]func(context.Context, *Store, []string) error{
		"announce": childAnnounce, "race": childRace, "echo": childEcho, "settle": childSettle,
	}[mode](context.Background(), s, args[2:])
}

func childAnnounce(ctx context.Context, s *Store, _ []string) error {
	if s.link.options.Local == "" { // with a lock file, only the lock may reveal its death
		quicken(s)
	}
	if _, err := s.Announce(ctx, queue.Presence{Instance: "child", Role: queue.RoleBridge}); err != nil {
		return err
	}
	fmt.Println("ready")
	_, err := io.Copy(io.Discard, os.Stdin)
	return err
}

// childRace races for each session whose "<id>\n" it reads, and prints the verdict.
func childRace(ctx context.Context, s *Store, args []string) error {
	var racer int
	if _, err := fmt.Sscan(args[0], &racer); err != nil {
		return err
	}
	store := queue.Store(s)
	if args[1] == "blind" {
		store = storetest.Blind(s)
	}
	if _, err := store.CountHistory(ctx); err != nil { // connected before it starts
		return err
	}
	fmt.Println("ready")
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		verdict, err := storetest.Race(ctx, store, racer, in.Text())
		if err != nil {
			return err
		}
		fmt.Println(verdict)
	}
	return nil
}

// childEcho prints each session that it sees, with the time.
func childEcho(ctx context.Context, s *Store, _ []string) error {
	w, err := s.Watch(ctx, queue.AllNews)
	if err != nil {
		return err
	}
	for {
		ch, err := w.Next(ctx)
		if err != nil {
			return err
		}
		at := time.Now().UnixNano()
		if len(ch.Sessions) == 0 {
			fmt.Println("ready", at)
		}
		for _, v := range ch.Sessions {
			fmt.Println(v.ID, at)
		}
	}
}

// childSettle answers each session that it is told, and prints the time at which it began.
func childSettle(ctx context.Context, s *Store, _ []string) error {
	q := queue.New(s)
	if _, err := s.CountHistory(ctx); err != nil {
		return err
	}
	fmt.Println("ready")
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		id := strings.TrimSpace(in.Text())
		at := time.Now().UnixNano()
		if _, err := q.Do(ctx, id, queue.Command{Do: queue.Settle{Answer: storetest.Answer("a")}}); err != nil {
			return err
		}
		fmt.Println(id, at)
	}
	return nil
}

// quicken makes a store notice dead processes within two seconds instead of twenty. On a busy machine a beat may be a
// second late.
func quicken(s *Store) {
	s.silentAfter = 1500 * time.Millisecond
	s.running.times = times{beat: 100 * time.Millisecond, look: 300 * time.Millisecond, grace: 1600 * time.Millisecond}
}
