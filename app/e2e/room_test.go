package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/spool"
)

// room is one person's machine: a home, settings and a queue of its own, and nothing of the person who runs the tests.
type room struct {
	testing.TB
	bin   string
	dir   string
	work  string // where the agent works
	queue string
	env   []string

	as     *syscall.Credential // who runs its programs; nil: whoever runs the tests
	inside []string            // the command that runs them inside a container
}

func newRoom(t testing.TB) *room {
	t.Helper()
	need(t)
	bin, err := program()
	require.NoError(t, err)
	dir, err := os.MkdirTemp("", "ct") // short: a socket's name has room for 107 bytes
	require.NoError(t, err)
	t.Cleanup(func() { // a program that is ending may still write
		until(t, "the room is cleared", func() bool { return os.RemoveAll(dir) == nil })
	})
	r := &room{TB: t, bin: bin, dir: dir, work: filepath.Join(dir, "src", "shop"), queue: filepath.Join(dir, "state", "choicetui", "queue")}
	for _, d := range []string{r.work, filepath.Join(dir, "home"), filepath.Join(dir, "state"), filepath.Join(dir, "config")} {
		require.NoError(t, os.MkdirAll(d, 0o700))
	}
	r.env = []string{
		"PATH=" + filepath.Dir(bin) + ":" + os.Getenv("PATH"), "HOME=" + filepath.Join(dir, "home"),
		"XDG_STATE_HOME=" + filepath.Join(dir, "state"), "XDG_CONFIG_HOME=" + filepath.Join(dir, "config"),
		"XDG_CACHE_HOME=" + dir, "XDG_DATA_HOME=" + dir, "XDG_RUNTIME_DIR=" + dir, "TMUX_TMPDIR=" + dir, "TMPDIR=" + dir,
		"LC_ALL=C.UTF-8", "LANG=C.UTF-8", "TERM=xterm-256color", "SHELL=/bin/sh",
		"GORACE=atexit_sleep_ms=10 log_path=" + filepath.Join(scratch, "race"),
	}
	return r
}

// command is choicetui with arguments, started where the agent works. It has no terminal unless it is given one.
func (r *room) command(args ...string) *exec.Cmd {
	args = append(append(r.inside[:len(r.inside):len(r.inside)], r.bin), args...)
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Env = r.work, append(r.env[:len(r.env):len(r.env)], "PWD="+r.work)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: r.as}
	return cmd
}

// result is how a command ended.
type result struct {
	out, err string
	code     int
}

// run runs a command for a script: no terminal, nothing on stdin.
func (r *room) run(args ...string) result {
	r.Helper()
	return r.start(args...).wait()
}

// running is a command under way.
type running struct {
	t        testing.TB
	cmd      *exec.Cmd
	out, err locked
	done     chan error
}

func (r *room) start(args ...string) *running { return r.startWith(nil, args...) }

// startWith starts a command without a terminal, with more environment.
func (r *room) startWith(env []string, args ...string) *running {
	r.Helper()
	p := &running{t: r, cmd: r.command(args...), done: make(chan error, 1)}
	p.cmd.Env = append(p.cmd.Env, env...)
	p.cmd.Stdout, p.cmd.Stderr = &p.out, &p.err
	p.cmd.SysProcAttr.Setsid = true // or it would find the terminal the tests run in
	require.NoError(r, p.cmd.Start())
	go func() { p.done <- p.cmd.Wait() }()
	r.Cleanup(func() { _ = p.cmd.Process.Kill() })
	return p
}

func (p *running) wait() result {
	p.t.Helper()
	select {
	case err := <-p.done:
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			require.NoError(p.t, err)
		}
		return result{out: p.out.String(), err: p.err.String(), code: p.cmd.ProcessState.ExitCode()}
	case <-time.After(patience):
		require.Failf(p.t, "still running", "%q wrote %q, said %q", p.cmd.Args, p.out.String(), p.err.String())
		return result{}
	}
}

// listed is one row of `choicetui list --json`.
type listed struct {
	ID, Title, Status string
	Perhaps           string
	Deadline          time.Time
	Gone, Attached    bool
}

// list is what waits, as scripts see it.
func (r *room) list() []listed {
	r.Helper()
	got := r.run("list", "--json")
	require.Zero(r, got.code, got.err)
	var all []listed
	require.NoError(r, json.Unmarshal([]byte(got.out), &all))
	return all
}

// only is the one session that waits.
func (r *room) only() listed {
	r.Helper()
	all := r.list()
	require.Len(r, all, 1)
	return all[0]
}

// show is a session's `show --json`.
func (r *room) show(id string) map[string]any {
	r.Helper()
	got := r.run("show", id, "--json")
	require.Zero(r, got.code, got.err)
	var m map[string]any
	require.NoError(r, json.Unmarshal([]byte(got.out), &m))
	return m
}

// store is the queue as a test reaches into it.
func (r *room) store() *spool.Store {
	r.Helper()
	s, err := spool.Open(r.queue)
	require.NoError(r, err)
	return s
}

// put asks without an agent: nobody waits for the answer.
func (r *room) put(ask queue.Ask) queue.Session {
	r.Helper()
	host, _ := os.Hostname()
	s, err := queue.New(r.store()).Create(r.Context(), queue.Session{Ask: ask,
		Origin: queue.Origin{Dialect: "provide_choice", Client: "claude-code", Host: host, Cwd: r.work}})
	require.NoError(r, err)
	return s
}

// database is a question as agents ask it.
func database() queue.Ask {
	return queue.Ask{
		Kind: queue.KindChoice, Title: "Which database?", Prompt: "The order service needs transactions across carts and payments.",
		Questions: []queue.Question{{ID: "choice", Mode: queue.ModeSingle, Min: 1, Max: 1, Annotate: true, Options: []queue.Option{
			{ID: "pg", Label: "PostgreSQL", Description: "Transactions, JSONB, the team knows it", Recommended: true},
			{ID: "sqlite", Label: "SQLite", Description: "One file, no server"},
			{ID: "dynamo", Label: "DynamoDB"},
		}}},
		TimeoutSeconds: 600, OnTimeout: queue.OnTimeoutNone,
	}
}

// until looks again and again, as long as patience lasts.
func until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	require.Eventually(t, ok, patience, glance, what)
}

// gone waits until a process has ended, zombies included.
func gone(t testing.TB, pid int, within time.Duration) {
	t.Helper()
	require.Eventually(t, func() bool {
		now := state(pid)
		return now == "Z" || now == "" && errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
	}, within, glance, "process %d still runs", pid)
}

// state is the letter /proc has for what a process does, T for stopped; empty where there is none.
func state(pid int) string {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return ""
	}
	_, letter, _ := strings.Cut(string(stat), ") ")
	return letter[:min(len(letter), 1)]
}

// locked is a buffer for two goroutines.
type locked struct {
	mu sync.Mutex
	b  bytes.Buffer
}

var _ io.Writer = (*locked)(nil)

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
