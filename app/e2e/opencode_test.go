package e2e

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/mcpbridge/agents/agenttest"
	"github.com/choicetui/choicetui/queue"
)

// plugin is opencode's plugin as choicetui sees it: it sends lines and reads replies.
type plugin struct {
	testing.TB
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan string
}

func (r *room) plugin() *plugin {
	r.Helper()
	p := &plugin{TB: r, cmd: r.command("native", "opencode"), lines: make(chan string, 16)}
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	var err error
	p.in, err = p.cmd.StdinPipe()
	require.NoError(r, err)
	out, err := p.cmd.StdoutPipe()
	require.NoError(r, err)
	require.NoError(r, p.cmd.Start())
	r.Cleanup(func() { _ = p.cmd.Process.Kill() })
	go func() {
		defer close(p.lines)
		for s := bufio.NewScanner(out); s.Scan(); {
			p.lines <- s.Text()
		}
	}()
	return p
}

func (p *plugin) send(line string) {
	p.Helper()
	_, err := io.WriteString(p.in, strings.TrimSpace(line)+"\n")
	require.NoError(p, err)
}

func (p *plugin) reply() string {
	p.Helper()
	select {
	case line := <-p.lines:
		return line
	case <-time.After(patience):
		require.Fail(p, "no reply")
		return ""
	}
}

// leave is the end of opencode.
func (p *plugin) leave() {
	p.Helper()
	require.NoError(p, p.in.Close())
	require.NoError(p, p.cmd.Wait())
}

// idOf is the id of a line.
func idOf(t testing.TB, line []byte) string {
	var l struct{ ID string }
	require.NoError(t, json.Unmarshal(line, &l))
	return l.ID
}

func TestOpencodeIsAnsweredFromTheDashboardInItsOwnForm(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.dashboard()
	q := queue.New(r.store())
	p := r.plugin()
	for _, c := range agenttest.All(t, "opencode") {
		p.send(string(c.Stdin))
		if c.IsLeft() {
			if c.Unfit != "" {
				require.Equal(t, c.Unfit, r.needs(q).Notice.Why)
				p.send(fmt.Sprintf(`{"type":"closed","id":%q}`, idOf(t, c.Stdin)))
				until(t, "the row ends", func() bool {
					present, err := q.Store.Present(t.Context(), queue.RoleNotice)
					return err == nil && len(present) == 0
				})
			}
			continue
		}
		s := r.asked(q)
		require.Equal(t, "opencode", s.Origin.Client)
		require.Equal(t, "/src/work", s.Origin.Cwd)
		_, err := q.Do(t.Context(), s.ID, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceDashboard, Do: c.Does(t)})
		require.NoError(t, err)
		if len(c.Stdout) > 0 {
			require.Equal(t, strings.TrimSpace(string(c.Stdout)), p.reply(), c.Name)
			p.send(fmt.Sprintf(`{"type":"closed","id":%q}`, idOf(t, c.Stdin))) // opencode says so first
			p.send(fmt.Sprintf(`{"type":"done","id":%q,"taken":true}`, idOf(t, c.Stdin)))
		}
		_, collected := r.ended(q, s.ID).Last(queue.EventCollected)
		require.True(t, collected, c.Name)
		if len(c.Stdout) == 0 {
			p.send(fmt.Sprintf(`{"type":"closed","id":%q}`, idOf(t, c.Stdin)))
		}
		// The same name stands for another question now, which opencode itself never does.
		forget(t, r, s.ID)
	}
	p.leave()
}

// forget takes a session out of the history, once it is there and nowhere else.
func forget(t testing.TB, r *room, id string) {
	t.Helper()
	require.Eventually(t, func() bool {
		_, err := os.Stat(filepath.Join(r.queue, "live", id))
		return errors.Is(err, fs.ErrNotExist)
	}, patience, 5*time.Millisecond)
	files, err := filepath.Glob(filepath.Join(r.queue, "done", "*", "*-"+id+".json"))
	require.NoError(t, err)
	for _, f := range files {
		require.NoError(t, exec.Command("rm", f).Run())
	}
}

// ofOpencode is the line that was recorded under a name, with another id and directory.
func ofOpencode(t testing.TB, name, id, dir string) string {
	for _, c := range agenttest.All(t, "opencode") {
		if c.Name == name {
			return strings.NewReplacer(idOf(t, c.Stdin), id, "/src/work", dir).Replace(string(c.Stdin))
		}
	}
	require.Fail(t, "not recorded: "+name)
	return ""
}

func TestWhatIsAnsweredInOpencodeFirstEndsHere(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.dashboard()
	q := queue.New(r.store())
	p := r.plugin()
	p.send(ofOpencode(t, "question", "que_1", "/src/a"))
	s := r.asked(q)
	p.send(`{"type":"closed","id":"que_1"}`)
	s = r.ended(q, s.ID)
	require.Equal(t, queue.StatusElsewhere, s.Status())
	require.Equal(t, "in opencode", s.Outcome.Reason)
	p.leave()
	require.Empty(t, p.lines, "and opencode is told nothing")
}

func TestADashboardThatComesLateSeesWhatOpencodeAsksInEachOfItsDirectories(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.dashboard()() // the queue is there
	q := queue.New(r.store())
	p := r.plugin()
	p.send(ofOpencode(t, "question", "que_1", "/src/a"))
	p.send(ofOpencode(t, "permission_once", "per_1", "/src/b"))
	p.send(ofOpencode(t, "question", "que_2", "/src/c"))
	p.send(`{"type":"closed","id":"que_2"}`)
	time.Sleep(1500 * time.Millisecond)
	live, _, err := q.Store.Live(t.Context())
	require.NoError(t, err)
	require.Empty(t, live, "nobody looks")
	r.dashboard()
	until(t, "both are asked", func() bool {
		live, _, err = q.Store.Live(t.Context())
		return err == nil && len(live) == 2
	})
	places := map[string]bool{live[0].Origin.Cwd: true, live[1].Origin.Cwd: true}
	require.Equal(t, map[string]bool{"/src/a": true, "/src/b": true}, places)
	p.leave()
	for _, s := range live {
		s = r.ended(q, s.ID)
		require.Equal(t, queue.StatusCancelled, s.Status(), "opencode is gone")
		require.Equal(t, queue.CallerGone, s.Outcome.Reason)
	}
}

func TestAReplyThatOpencodeDidNotTakeIsNotCollected(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.dashboard()
	q := queue.New(r.store())
	p := r.plugin()
	p.send(ofOpencode(t, "permission_once", "per_1", "/src/a"))
	s := r.asked(q)
	once := queue.Answer{Replies: []queue.Reply{{Question: "approval", Selected: []string{"once"}}}}
	_, err := q.Do(t.Context(), s.ID, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceDashboard,
		Do: queue.Settle{Answer: once, Confirmed: true}})
	require.NoError(t, err)
	p.reply()
	p.send(`{"type":"done","id":"per_1","taken":false}`)
	p.leave()
	s, err = q.Store.Get(t.Context(), s.ID)
	require.NoError(t, err)
	require.False(t, s.Final)
}

func TestAnOpencodeThatIsStartedAnewAsksWhatIsOpenAgain(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.dashboard()
	q := queue.New(r.store())
	p := r.plugin()
	p.send(ofOpencode(t, "question", "que_1", "/src/a"))
	s := r.asked(q)
	require.NoError(t, p.cmd.Process.Kill())
	_ = p.cmd.Wait()
	p = r.plugin()
	p.send(ofOpencode(t, "question", "que_1", "/src/a"))
	until(t, "the new one waits for it", func() bool {
		got, err := q.Store.Get(t.Context(), s.ID)
		return err == nil && got.Pending() && got.Claim.Instance != s.Claim.Instance
	})
	p.leave()
	r.ended(q, s.ID)
}
