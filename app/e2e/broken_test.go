package e2e

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The queue's directory as it should not be.

func TestAQueueOpenToOthersIsRefusedWithItsRepair(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.put(database())
	require.NoError(t, os.Chmod(r.queue, 0o755))
	want := "choicetui: the queue directory " + r.queue + " is open to other users (mode 0755)\n" +
		"choicetui: hint: to repair it run: chmod 700 '" + r.queue + "'\n"
	for _, args := range [][]string{{"list"}, {"log"}, {"attach", "k7f3m2qx"}, {"answer", "k7f3m2qx", "--select", "pg"}} {
		assert.Equal(t, result{err: want, code: 1}, r.run(args...), args)
	}
	said := r.connect("claude-code").ask(which()).refusal()
	assert.Contains(t, said, "chmod 700 '"+r.queue+"'")

	p := r.tmux().shell(200, 24)
	p.line("clear; choicetui; echo code $?")
	p.see("mode 0755", "chmod 700 '"+r.queue+"'", "code 1")
	p.line("clear; chmod 700 '" + r.queue + "'; choicetui")
	p.see("Which database?", "? keys")
}

func TestABrokenSessionIsSetAsideAndTheRestGoesOn(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	p := r.tmux().script(100, 24, "choicetui")
	p.see("? keys")
	good, broken := r.put(database()), "00000000"
	p.meet("Which database?")
	r.plant(broken, `{"schema":1,"id":"000`)
	p.see(broken+" cannot be read and was set aside", "Which database?")
	assert.NoDirExists(t, filepath.Join(r.queue, "live", broken))
	assert.Len(t, r.aside(broken), 1)

	p.press("j", "Enter")
	p.see("nothing is waiting")
	v, err := r.store().Get(t.Context(), good.ID)
	require.NoError(t, err)
	assert.Equal(t, "SQLite", v.Summary())

	p.quit()
	assert.Zero(t, p.ended())
	r.plant(broken, "\x1b]2;x\x07")
	got := r.run("list")
	assert.Equal(t, result{"Nothing is waiting.\n", got.err, 0}, got)
	assert.Contains(t, got.err, "choicetui: warning: "+broken+" cannot be read: ")
	assert.NotContains(t, got.err, "\x1b")
}

func TestABrokenSessionIsReportedWhoeverSetsItAside(t *testing.T) {
	t.Parallel()
	needEvents(t) // a look once a second does not see what came and went in between
	r := newRoom(t)
	c := r.console(100, 24, r.command())
	c.see("? keys")
	r.connect("claude-code").ask(which())
	c.see("Which database?")
	require.NoError(t, c.cmd.Process.Signal(syscall.SIGSTOP)) // so that the bridge finds it
	until(t, "the dashboard is stopped", func() bool { return state(c.cmd.Process.Pid) == "T" })
	broken := "00000000"
	r.plant(broken, "?")
	until(t, "the bridge sets it aside", func() bool {
		_, err := os.Lstat(filepath.Join(r.queue, "live", broken))
		return errors.Is(err, os.ErrNotExist)
	})
	require.NoError(t, c.cmd.Process.Signal(syscall.SIGCONT))
	c.see(broken + " cannot be read and was set aside")
}

// aside are the reasons noted for what was set aside under a name.
func (r *room) aside(name string) []string {
	r.Helper()
	reasons, err := filepath.Glob(filepath.Join(r.queue, "aside", name+".*.reason"))
	require.NoError(r, err)
	return reasons
}

// plant puts something into the queue that is no session.
func (r *room) plant(id, content string) {
	r.Helper()
	staged := filepath.Join(r.queue, "tmp", "planted")
	require.NoError(r, os.Mkdir(staged, 0o700))
	require.NoError(r, os.WriteFile(filepath.Join(staged, "000001.json"), []byte(content), 0o600))
	require.NoError(r, os.Rename(staged, filepath.Join(r.queue, "live", id)))
}

// smallDisk mounts a tiny file system, for which one has to be root.
func smallDisk(t *testing.T, dir, size string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can mount a small disk")
	}
	if err := mount(dir, size); err != nil {
		t.Skipf("this machine mounts no tmpfs, even for root: %v", err)
	}
	t.Cleanup(func() { until(t, "the small disk is let go", func() bool { return unmount(dir) == nil }) })
}

// fill writes until the disk is full, and returns what frees it again.
func fill(t *testing.T, dir string) (free func()) {
	t.Helper()
	name := filepath.Join(dir, "ballast")
	f, err := os.Create(name)
	require.NoError(t, err)
	for block := []byte(strings.Repeat("x", 4096)); err == nil; {
		_, err = f.Write(block)
	}
	require.ErrorIs(t, err, syscall.ENOSPC)
	require.NoError(t, f.Close())
	return func() { require.NoError(t, os.Remove(name)) }
}

func TestOnAFullDiskTheAnswerStaysOnTheFormAndGoesOutLater(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	disk := filepath.Join(r.dir, "state")
	smallDisk(t, disk, "64k")
	p := r.tmux().dashboard(100, 24)
	a := r.connect("claude-code")
	call := a.ask(which())
	p.meet("Which database?")
	id := r.only().ID
	free := fill(t, disk)

	p.press("j", "Enter")
	p.see("Which database?", "● SQLite", "not saved yet, trying again")
	assert.Equal(t, id, r.only().ID, "it still waits")
	another := which()
	another["title"] = "Which cache?"
	assert.Contains(t, a.ask(another).refusal(), "no space left on device")
	got := r.run("answer", id, "--select", "pg")
	assert.Equal(t, 1, got.code)
	assert.Contains(t, got.err, "the disk that holds the queue is full, nothing was stored")

	free()
	assert.Equal(t, []any{"sqlite"}, call.answer().selection()["selected_ids"])
	p.see("nothing is waiting", "SQLite → shop · claude: delivered")
	assert.Empty(t, r.list())
}

func TestWhoQuitsOnAFullDiskIsToldThatTheAnswerIsNotSaved(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	disk := filepath.Join(r.dir, "state")
	smallDisk(t, disk, "64k")
	p := r.tmux().shell(100, 24)
	s := r.put(database())
	p.line("clear; choicetui; echo code $?")
	p.meet("Which database?")
	fill(t, disk)
	p.press("j")
	p.meet("⏎ Send SQLite")
	p.press("Enter")
	p.see("not saved yet, trying again")
	p.press("q")
	p.see("an answer is not saved yet; q again quits without saving it")
	time.Sleep(guarded)
	p.press("q")
	p.see("choicetui: the answer to "+s.ID+" was not saved: no space left on device", "code 1")
}

func TestTheNoteTypedOnAFullDiskIsSentOnceThereIsRoom(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	disk := filepath.Join(r.dir, "state")
	smallDisk(t, disk, "64k")
	p := r.tmux().dashboard(100, 24)
	s := r.put(database())
	p.meet("Which database?")
	free := fill(t, disk)
	p.opens("n", "Done")
	p.write("managed")
	p.see("managed", "the draft is not saved")
	p.press("Enter")
	p.see("⏎ Send PostgreSQL + “managed”")
	p.press("Enter")
	p.see("not saved yet, trying again")
	free()
	p.see("nothing is waiting")
	v, err := r.store().Get(t.Context(), s.ID)
	require.NoError(t, err)
	require.NotNil(t, v.Outcome)
	assert.Equal(t, fmt.Sprint(map[string]string{"pg": "managed"}), fmt.Sprint(v.Outcome.Answer.Replies[0].Notes))
}
