package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue/desk"
)

// tmux is a tmux server of the test's own, without anybody's settings. It ends with the test.
type tmux struct {
	*room
	name string
}

var servers atomic.Int64

func (r *room) tmux() *tmux {
	r.Helper()
	need(r, "tmux")
	m := &tmux{room: r, name: fmt.Sprintf("choicetui-e2e-%d-%d", os.Getpid(), servers.Add(1))}
	m.do("start-server", ";", "set", "-g", "default-terminal", "tmux-256color", ";", "set", "-g", "remain-on-exit", "on", ";",
		"set", "-g", "status", "off", ";", "set", "-g", "exit-empty", "off")
	r.Cleanup(m.end)
	return m
}

// end kills the server, and waits for the programs in it: they still write into the room.
func (m *tmux) end() {
	m.Helper()
	panes, _ := m.command("list-panes", "-a", "-F", "#{pane_pid}").Output() // fails when every pane was closed
	var pids []int
	for _, word := range strings.Fields(string(panes)) {
		if pid, err := strconv.Atoi(word); err == nil {
			pids = append(pids, family(pid)...)
		}
	}
	m.do("kill-server")
	for _, pid := range pids {
		gone(m, pid, patience)
	}
}

// family is a process with all that it started.
func family(pid int) []int {
	all := []int{pid}
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid)) // any thread may start a process
	for _, name := range threads {
		children, _ := os.ReadFile(name)
		for _, word := range strings.Fields(string(children)) {
			if child, err := strconv.Atoi(word); err == nil {
				all = append(all, family(child)...)
			}
		}
	}
	return all
}

func (m *tmux) command(args ...string) *exec.Cmd {
	cmd := exec.Command("tmux", append([]string{"-u", "-L", m.name, "-f", "/dev/null"}, args...)...)
	cmd.Env, cmd.Dir, cmd.WaitDelay = m.env, m.work, patience
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: m.as}
	return cmd
}

func (m *tmux) do(args ...string) string {
	m.Helper()
	out, err := m.command(args...).CombinedOutput()
	require.NoError(m, err, "tmux %q: %s", args, out)
	return strings.TrimSuffix(string(out), "\n")
}

// socket is what $TMUX says first in a pane of this server.
func (m *tmux) socket() string { return m.do("display-message", "-p", "#{socket_path}") }

// pane is a terminal a person looks at.
type pane struct {
	*tmux
	id      string
	last    string    // the last key
	pressed time.Time // when it was pressed
}

// open starts a program on a terminal of its own, w by h.
func (m *tmux) open(w, h int, argv ...string) *pane {
	m.Helper()
	args := []string{"new-session", "-d", "-P", "-F", "#{pane_id}", "-x", strconv.Itoa(w), "-y", strconv.Itoa(h), "-c", m.work, "--"}
	if len(argv) == 1 {
		argv = append([]string{"env"}, argv...) // one word alone tmux would give to a shell
	}
	return &pane{tmux: m, id: m.do(append(args, argv...)...)}
}

// dashboard opens choicetui and waits until it looks at the queue.
func (m *tmux) dashboard(w, h int) *pane {
	m.Helper()
	p := m.open(w, h, m.bin)
	p.see("? keys")
	return p
}

// shell opens a bash as a person has it, without anybody's rc file.
func (m *tmux) shell(w, h int) *pane {
	m.Helper()
	need(m, "bash")
	p := m.open(w, h, "env", "PS1=$ ", "bash", "--norc", "--noprofile", "-i")
	p.see("$")
	return p
}

// press sends keys by tmux's names, one by one as a person does: Enter, Escape, C-z, J. A person sees what a key did
// before the next one; a program that is held up would else read two keys at once, which counts as a paste.
func (p *pane) press(keys ...string) {
	p.Helper()
	for i, key := range keys {
		before := ""
		if i < len(keys)-1 {
			before = p.screen()
		}
		wait := between
		if key == p.last {
			wait *= 2 // it is no repeat of a held key
		}
		time.Sleep(time.Until(p.pressed.Add(wait)))
		p.do("send-keys", "-t", p.id, key)
		p.pressed, p.last = time.Now(), key
		for end := time.Now().Add(unseen); i < len(keys)-1 && time.Now().Before(end) && p.screen() == before; {
			time.Sleep(glance)
		}
	}
}

// write types text as it stands.
func (p *pane) write(text string) {
	p.Helper()
	p.do("send-keys", "-t", p.id, "-l", "--", text)
}

// line types a command line and runs it.
func (p *pane) line(text string) {
	p.Helper()
	p.write(text)
	p.press("Enter")
}

func (p *pane) screen() string {
	p.Helper()
	return p.do("capture-pane", "-p", "-t", p.id)
}

func (p *pane) rows() []string { return strings.Split(p.screen(), "\n") }

// told is a format of tmux for this pane, such as #{alternate_on}.
func (p *pane) told(format string) string {
	p.Helper()
	return p.do("display-message", "-p", "-t", p.id, format)
}

// process is the pane's first process.
func (p *pane) process() int {
	p.Helper()
	pid, err := strconv.Atoi(p.told("#{pane_pid}"))
	require.NoError(p, err)
	return pid
}

// when waits until the screen is as it should be, and returns it.
func (p *pane) when(what string, ok func(screen string) bool) string {
	p.Helper()
	last := ""
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(glance) {
		if last = p.screen(); ok(last) {
			return last
		}
	}
	require.Failf(p, "the screen is not as it should be", "never %s on\n%s", what, last)
	return ""
}

// comesBack has the terminal report that it got the focus, while a question is on view that came up on its own: a second
// later the person counts as being here.
func (p *pane) comesBack(title string) {
	p.Helper()
	p.meet(title)
	p.do("send-keys", "-t", p.id, "-H", "1b", "5b", "49")
	time.Sleep(desk.Looks + paused)
}

// sendWords sends the words in the field of a question that came up on its own: Enter asks whether they were meant.
func (p *pane) sendWords() {
	p.Helper()
	p.press("Enter")
	p.see("eant for ")
	time.Sleep(guarded)
	p.press("Enter")
}

// see waits until all of these are on the screen.
func (p *pane) see(wants ...string) string {
	p.Helper()
	return p.when(fmt.Sprintf("%q", wants), func(screen string) bool {
		for _, want := range wants {
			if !strings.Contains(screen, want) {
				return false
			}
		}
		return true
	})
}

// lose waits until this is no longer on the screen.
func (p *pane) lose(what string) string {
	p.Helper()
	return p.when("without "+what, func(screen string) bool { return !strings.Contains(screen, what) })
}

// meet waits for a question and as long as keys are ignored after it came. What is still on the screen of an earlier
// question, such as its title among today's answers, is not taken for it.
func (p *pane) meet(wants ...string) string {
	p.Helper()
	screen := p.when(fmt.Sprintf("%q, and a question", wants), func(screen string) bool {
		return !strings.Contains(screen, "nothing is waiting") && !slices.ContainsFunc(wants, func(want string) bool {
			return !strings.Contains(screen, want)
		})
	})
	time.Sleep(guarded)
	return screen
}

// settle waits until all of these are on the screen. Where the button says that a key was not taken, as it does for
// one that came while an answer was still being stored, it presses Enter as a person does who reads that.
func (p *pane) settle(wants ...string) string {
	p.Helper()
	here := func(screen string) bool {
		return !slices.ContainsFunc(wants, func(want string) bool { return !strings.Contains(screen, want) })
	}
	for range 3 {
		p.when(fmt.Sprintf("%q, or a key that was ignored", wants), func(screen string) bool {
			return here(screen) || strings.Contains(screen, " was ignored")
		})
		time.Sleep(guarded)
		if screen := p.screen(); here(screen) || !strings.Contains(screen, " was ignored") {
			break
		}
		p.press("Enter")
	}
	return p.meet(wants...)
}

// opens presses the key of a text field, and begins to type as late as a person does.
func (p *pane) opens(key string, wants ...string) string {
	p.Helper()
	p.press(key)
	screen := p.see(wants...)
	time.Sleep(guarded)
	return screen
}

// quit leaves as a person does: q, a look at what it says, and q.
func (p *pane) quit() {
	p.Helper()
	p.press("q")
	p.see("q again ")
	time.Sleep(guarded)
	p.press("q")
}

// script starts a shell's command on a terminal of its own; its exit code is what ended returns.
func (m *tmux) script(w, h int, command string) *pane {
	m.Helper()
	return m.open(w, h, "sh", "-c", command+"; echo $? >code")
}

// ended waits until the script in the pane has ended, and returns its exit code. tmux itself does not always learn it.
func (p *pane) ended() int {
	p.Helper()
	code, err := strconv.Atoi(p.text("code"))
	require.NoError(p, err)
	until(p, "all of its output", func() bool { return p.told("#{pane_dead}") == "1" })
	return code
}

// all is everything the pane showed and shows, wrapped lines joined.
func (p *pane) all() string {
	p.Helper()
	return p.do("capture-pane", "-p", "-J", "-S", "-", "-t", p.id)
}

// pid is what `echo $$ >name` left.
func (r *room) pid(name string) int {
	r.Helper()
	pid := 0
	until(r, name, func() bool {
		raw, err := os.ReadFile(filepath.Join(r.work, name))
		if err != nil {
			return false
		}
		pid, err = strconv.Atoi(strings.TrimSpace(string(raw)))
		return err == nil
	})
	return pid
}

// text is what a program left in a file where the agent works.
func (r *room) text(name string) string {
	r.Helper()
	var raw []byte
	until(r, name, func() bool {
		var err error
		raw, err = os.ReadFile(filepath.Join(r.work, name))
		return err == nil && strings.HasSuffix(string(raw), "\n")
	})
	return strings.TrimSpace(string(raw))
}
