package spool

import (
	"bufio"
	"context"
	"encoding/json"
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

// childMode makes the test binary run as another process of the queue.
const childMode = "CHOICETUI_SPOOL_CHILD"

// process is a child under the test's control.
type process struct {
	t     testing.TB
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines *bufio.Scanner
}

func start(t testing.TB, mode, dir string, args ...string) *process {
	t.Helper()
	cmd := exec.Command(os.Args[0], append([]string{dir}, args...)...)
	cmd.Env = append(os.Environ(), childMode+"="+mode, "GOMAXPROCS=2")
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

// kill sends SIGKILL. Earlier output can still be read.
func (p *process) kill() {
	if p.cmd.ProcessState == nil {
		_ = p.cmd.Process.Kill()
		_, _ = p.cmd.Process.Wait()
	}
}

func child(mode string) int {
	store, err := Open(os.Args[1])
	if err == nil {
		err = map[string]func(context.Context, *Store, []string) error{
			"announce": childAnnounce, "race": childRace, "work": childWork, "echo": childEcho, "settle": childSettle,
		}[mode](context.Background(), store, os.Args[2:])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "child:", err)
		return 1
	}
	return 0
}

func childAnnounce(ctx context.Context, s *Store, _ []string) error {
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
	fmt.Println("ready")
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		verdict, err := storetest.Race(ctx, s, racer, in.Text())
		if err != nil {
			return err
		}
		fmt.Println(verdict)
	}
	return nil
}

// childWork works until it is killed, and prints each acknowledgement.
func childWork(ctx context.Context, s *Store, shared []string) error {
	return storetest.Work(ctx, s, shared, func(session, event string) { fmt.Println(session, event) })
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

// sample returns a finished session, settled at a time.
func sample(at time.Time) queue.Session {
	return queue.Session{
		Schema: queue.Schema, ID: queue.NewID(), Revision: 3, Ask: storetest.Ask(), AskedAt: at.Add(-time.Minute), Final: true,
		Outcome: &queue.Outcome{Status: queue.StatusSelected, By: queue.ByHuman, Answer: storetest.Answer("a"), At: at},
	}
}

// file writes a session into done/ like Archive, without fsync.
func file(s *Store, v queue.Session) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	month, name := doneName(v)
	if err := s.makeDir(s.path(doneDir, month)); err != nil {
		return err
	}
	return s.writeNew(s.path(doneDir, month, name), raw, volatile)
}
