//go:build agents

package e2e

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The lab: real agents with a scripted model on loopback, in terminals of their own beside a real dashboard.
//
//	CHOICETUI_AGENTS=DIR go test -tags agents -run 'TestAgents/claude/plan' ./app/e2e
//
// DIR is the node_modules that has the agents (.ci/clients installs them). LONG=1 makes the long waits longer.
//
//	a row ─► a world: home, model, tmux server, clean environment ─► dashboard ─► agent ─► the row's steps
//
// Rows are in agents_claude_test.go and agents_others_test.go, their scripts in testdata/clients/plays.json.

// row is one case: how the agent is started, and what happens then.
type row struct {
	name    string
	setup   string // arguments of `choicetui setup`; "-" leaves it out, empty takes the agent's usual ones
	home    string // a shell's command that changes the home after the setup
	run     string // the agent's command line; empty starts none
	late    bool   // no dashboard is open at first
	bare    bool   // the dashboard knows of no tmux
	missing string // the behaviour that choicetui lacks: the row must fail until it has it
	steps   []step
}

// step is one thing that a person does, or that must come true.
type step struct {
	says string
	do   func(w *world) error
}

// kind is an agent: how it is set up offline, and its rows. $MODEL, $WORK, $OTHER, $NODE, $ELICITS and $EDITOR are
// replaced in files and env.
type kind struct {
	name    string // as `choicetui setup` knows it
	setup   string // the usual arguments of `choicetui setup`
	program string // its command; empty: its name
	env     []string
	files   map[string]string // what a person who uses it has in the home already
	rows    []row

	fetches string // a directory of the home into which it fetches packages
}

// The two screens of most rows.
const (
	dash = "dash" // the dashboard
	cli  = "cli"  // the agent
)

const (
	agentPatience = 90 * time.Second // how long anything may take: an agent in a new home takes its time
	promptly      = 20 * time.Second // how soon what was answered or given up must have left the screens and the queue
)

// long is how long a long wait is.
func long() time.Duration {
	if os.Getenv("LONG") != "" {
		return 120 * time.Second
	}
	return 20 * time.Second
}

// kinds are the agents of the lab.
var kinds = []*kind{&claudeKind, &clineKind, &codexKind, &continueKind, &copilotKind, &geminiKind, &kiloKind,
	&opencodeKind, &piKind, &qwenKind}

// agentsDir is the node_modules with the agents.
func agentsDir(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("CHOICETUI_AGENTS")
	switch {
	case dir != "":
		return dir
	case os.Getenv("CHOICETUI_E2E") == "require":
		t.Fatal("CHOICETUI_AGENTS names no directory with the agents, and CHOICETUI_E2E=require allows no skipping")
	}
	t.Skip("CHOICETUI_AGENTS names no directory with the agents")
	return ""
}

func TestAgents(t *testing.T) {
	dir := agentsDir(t)
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			t.Logf("ran with %s %s", k.name, version(t, dir, cmp.Or(k.program, k.name)))
			for _, r := range k.rows {
				t.Run(r.name, func(t *testing.T) {
					t.Parallel()
					r.play(t, k, dir)
				})
			}
		})
	}
}

// version runs an agent's --version, and fails where it does not run.
func version(t testing.TB, dir, agent string) string {
	t.Helper()
	cmd := exec.Command(filepath.Join(dir, ".bin", agent), "--version")
	cmd.Env = []string{"PATH=" + filepath.Join(dir, ".bin") + ":/usr/bin:/bin", "HOME=" + t.TempDir()}
	out, err := cmd.Output()
	require.NoError(t, err, "%s does not run", agent)
	for word := range strings.FieldsSeq(string(out)) {
		if word[0] >= '0' && word[0] <= '9' {
			return strings.TrimSuffix(word, ".")
		}
	}
	require.Fail(t, "no version", "%s says %q", agent, out)
	return ""
}

// play runs a row in a world of its own.
func (r row) play(t *testing.T, k *kind, dir string) {
	w := newWorld(t, k, dir)
	w.setUp(r)
	switch {
	case r.bare:
		w.keep(dash, w.mux.open(120, 40, "env", "-u", "TMUX", "-u", "TMUX_PANE", w.bin))
	case !r.late:
		w.opensDashboard()
	}
	if r.run != "" {
		w.starts(cli, w.work, r.run)
	}
	for i, s := range r.steps {
		err := s.do(w)
		switch {
		case err == nil:
		case r.missing != "":
			t.Skipf("choicetui lacks: %s\nstep %d, %s: %v", r.missing, i+1, s.says, err)
		default:
			t.Fatalf("step %d, %s: %v\n%s", i+1, s.says, err, w.scene())
		}
	}
	if r.missing != "" {
		t.Fatalf("choicetui has it now, so the mark goes: %s", r.missing)
	}
}

// world is a person's machine for one row, with a model and a tmux server of its own.
type world struct {
	*room
	kind    *kind
	mux     *tmux
	panes   map[string]*pane
	names   []string // of the panes, in order
	heard   string   // the model's log
	before  map[string]string
	expands *strings.Replacer
}

func newWorld(t testing.TB, k *kind, dir string) *world {
	t.Helper()
	return newRoom(t).world(k, dir)
}

// world makes a world of a room. Its programs run as the room's do.
func (r *room) world(k *kind, dir string) *world {
	t := r.TB
	t.Helper()
	home := filepath.Join(r.dir, "home")
	w := &world{room: r, kind: k, panes: map[string]*pane{}, heard: filepath.Join(r.dir, "heard")}
	r.queue = filepath.Join(home, ".local", "state", "choicetui", "queue")
	other := filepath.Join(r.dir, "src", "other")
	for _, d := range []string{other, filepath.Join(r.dir, "run"), filepath.Join(r.dir, "tmp")} {
		require.NoError(t, os.MkdirAll(d, 0o700))
	}
	r.env = []string{
		"PATH=" + filepath.Dir(r.bin) + ":" + filepath.Join(dir, ".bin") + ":/usr/local/bin:/usr/bin:/bin",
		"HOME=" + home,
		"XDG_STATE_HOME=" + home + "/.local/state", "XDG_CONFIG_HOME=" + home + "/.config",
		"XDG_DATA_HOME=" + home + "/.local/share", "XDG_CACHE_HOME=" + home + "/.cache",
		"XDG_RUNTIME_DIR=" + r.dir + "/run",
		"TMUX_TMPDIR=" + r.dir, "TMPDIR=" + r.dir + "/tmp", "LANG=C.UTF-8", "LC_ALL=C.UTF-8", "TERM=xterm-256color",
		"SHELL=/bin/bash",
	}
	clients, err := filepath.Abs("../../testdata/clients")
	require.NoError(t, err)
	node := filepath.Join(dir, ".bin", "node")
	w.expands = strings.NewReplacer("$MODEL", w.model(node, clients), "$WORK", r.work, "$OTHER", other, "$NODE", node,
		"$ELICITS", filepath.Join(clients, "elicits.mjs"), "$EDITOR", filepath.Join(clients, "acp.mjs"))
	for _, line := range k.env {
		r.env = append(r.env, w.expands.Replace(line))
	}
	for name, content := range k.files {
		file := filepath.Join(home, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
		require.NoError(t, os.WriteFile(file, []byte(w.expands.Replace(content)), 0o600))
	}
	if r.as != nil {
		r.must("chown", "-R", fmt.Sprintf("%d:%d", r.as.Uid, r.as.Gid), r.dir)
	}
	w.mux = r.tmux()
	t.Cleanup(w.end)
	return w
}

// model starts the model, and returns its address.
func (w *world) model(node, clients string) string {
	w.Helper()
	port := filepath.Join(w.dir, "port")
	cmd := exec.Command(node, filepath.Join(clients, "model.mjs"), port, w.heard)
	cmd.Env = append(w.env[:len(w.env):len(w.env)], "WORK="+w.work, fmt.Sprintf("LONG=%.0f", long().Seconds()))
	var stderr locked
	cmd.Stderr = &stderr
	require.NoError(w, cmd.Start())
	w.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	var raw []byte
	until(w, "the model listens: "+stderr.String(), func() bool {
		raw, _ = os.ReadFile(port)
		return len(raw) > 0
	})
	return "http://127.0.0.1:" + string(raw)
}

// setUp connects the agent as a person does.
func (w *world) setUp(r row) {
	w.Helper()
	args := r.setup
	if args == "" {
		args = w.kind.setup
	}
	if args != "-" {
		require.NoError(w, w.shell("choicetui setup "+args+" --yes"))
		w.fetch()
	}
	if r.home != "" {
		require.NoError(w, w.shell("cd && "+w.expands.Replace(r.home)))
	}
}

// fetched has a *sync.Once for each directory that keeps what an agent has fetched: kinds may share one.
var fetched sync.Map

// fetch spares an agent what it fetches in each new home: only the first row waits for that.
func (w *world) fetch() {
	w.Helper()
	if w.kind.fetches == "" {
		return
	}
	from, kept := filepath.Join(w.dir, "home", w.kind.fetches), filepath.Join(scratch, "fetched-"+w.kind.name)
	once, _ := fetched.LoadOrStore(kept, new(sync.Once))
	once.(*sync.Once).Do(func() {
		require.NoError(w, w.shell(fmt.Sprintf("%s run play=say </dev/null && mkdir %s && cp -r %s/{node_modules,package*.json} %s",
			w.kind.name, kept, from, kept)))
	})
	require.NoError(w, w.shell("cp -rn "+kept+"/. "+from))
}

// shell runs a command where the agent works.
func (w *world) shell(command string) error {
	cmd := exec.Command("bash", "-c", command)
	cmd.Env, cmd.Dir = w.env, w.work
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: w.as}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", command, err, out)
	}
	return nil
}

func (w *world) opensDashboard() {
	w.Helper()
	w.keep(dash, w.mux.dashboard(120, 40))
}

// starts starts an agent in a pane of that name.
func (w *world) starts(name, dir, command string) {
	w.Helper()
	w.keep(name, w.mux.open(120, 40, "bash", "-c", "cd "+dir+" && exec "+w.expands.Replace(command)))
}

func (w *world) keep(name string, p *pane) {
	w.panes[name] = p
	w.names = append(w.names, name)
}

// end ends the agents by their processes, and what Codex leaves behind.
func (w *world) end() {
	for name, p := range w.panes {
		if name != dash {
			w.signal(p, syscall.SIGTERM)
		}
	}
	w.endDaemon(syscall.SIGTERM)
	deadline := time.Now().Add(3 * time.Second)
	for name, p := range w.panes {
		for name != dash && p.told("#{pane_dead}") == "0" {
			if time.Now().After(deadline) {
				w.signal(p, syscall.SIGKILL)
				break
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
}

// signal sends a signal to a pane's processes, while it has any.
func (w *world) signal(p *pane, s syscall.Signal) {
	if p.told("#{pane_dead}") != "0" {
		return
	}
	for _, pid := range family(p.process()) {
		_ = syscall.Kill(pid, s)
	}
}

// endDaemon ends the servers that Codex and Cline leave behind, and what updates that of Codex.
func (w *world) endDaemon(s syscall.Signal) {
	home := filepath.Join(w.dir, "home")
	files, _ := filepath.Glob(filepath.Join(home, ".codex", "app-server-daemon", "*.pid"))
	hubs, _ := filepath.Glob(filepath.Join(home, ".cline", "data", "locks", "hub", "*.json"))
	for _, file := range append(files, hubs...) {
		var daemon struct{ PID int }
		if raw, err := os.ReadFile(file); err == nil && json.Unmarshal(raw, &daemon) == nil && daemon.PID > 1 {
			_ = syscall.Kill(daemon.PID, s)
		}
	}
}

// turn is one request of the model, and its reply.
type turn struct {
	At    int64 // milliseconds, when the reply was sent
	Tools []string
	Heard []string // since its last reply
	Calls []string
	Says  string
}

// turns returns all that the model was asked.
func (w *world) turns() (all []turn) {
	raw, _ := os.ReadFile(w.heard)
	for line := range bytes.Lines(raw) {
		var r turn
		if json.Unmarshal(line, &r) == nil {
			all = append(all, r)
		}
	}
	return all
}

// output runs choicetui, and returns what it writes.
func (w *world) output(args ...string) string {
	w.Helper()
	got := w.run(args...)
	require.Zero(w, got.code, got.err)
	return got.out
}

// scene is everything that helps to see why a row failed.
func (w *world) scene() string {
	var b strings.Builder
	for _, name := range w.names {
		fmt.Fprintf(&b, "-- %s\n%s\n", name, strings.TrimRight(w.panes[name].screen(), "\n "))
	}
	fmt.Fprintf(&b, "-- choicetui list\n%s\n", w.run("list").out)
	fmt.Fprintf(&b, "-- choicetui log\n%s\n-- the model\n", w.run("log", "--json").out)
	for _, r := range w.turns() {
		fmt.Fprintf(&b, "heard %.600q calls %q says %.300q\n", r.Heard, r.Calls, r.Says)
	}
	return b.String()
}

// wait looks until something is true, at most so long.
func wait(most time.Duration, ok func() bool) bool {
	for end := time.Now().Add(most); ; time.Sleep(100 * time.Millisecond) {
		if ok() {
			return true
		}
		if time.Now().After(end) {
			return false
		}
	}
}

var errNever = errors.New("never came true")

// eventually is a step that waits until something is true.
func eventually(says string, most time.Duration, ok func(w *world) bool) step {
	return step{says, func(w *world) error {
		if wait(most, func() bool { return ok(w) }) {
			return nil
		}
		return errNever
	}}
}
