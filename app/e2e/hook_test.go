package e2e

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/mcpbridge/agents/agenttest"
	"github.com/choicetui/choicetui/queue"
)

// leavesRecorded sees what becomes of a recording without an answer: it is shown, or stays with the agent with a reason
// that the person is told, or nothing is asked.
func (r *room) leavesRecorded(q *queue.Queue, p *running, c agenttest.Recording) {
	r.Helper()
	if c.Title != "" && c.Unfit == "" {
		require.Equal(r, c.Title, r.asked(q).Ask.Title)
		return
	}
	r.leavesIt(q, p)
	if c.Unfit != "" {
		n := r.needs(q)
		require.Equal(r, c.Unfit, n.Notice.Why)
		require.Equal(r, c.Title, n.Notice.Says)
	}
}

// needs waits for the agent that needs its person in its own pane.
func (r *room) needs(q *queue.Queue) (n queue.Presence) {
	r.Helper()
	until(r, "the person is told", func() bool {
		present, err := q.Store.Present(r.Context(), queue.RoleNotice)
		require.NoError(r, err)
		if len(present) == 1 {
			n = present[0]
		}
		return len(present) == 1
	})
	return n
}

// dashboard says that a dashboard is open, until close is called.
func (r *room) dashboard() (closes func()) {
	r.Helper()
	release, err := r.store().Announce(r.Context(), queue.Presence{Instance: queue.NewToken(), Role: queue.RoleDashboard})
	require.NoError(r, err)
	r.Cleanup(func() { _ = release() })
	return func() { require.NoError(r, release()) }
}

// hook starts the hook of Claude Code as that does: a process of its own that gets one object on its input.
func (r *room) hook(stdin []byte) *running { return r.hookOf("claude", stdin) }

// hookOf starts the hook of an agent.
func (r *room) hookOf(agent string, stdin []byte, flags ...string) *running {
	r.Helper()
	p := &running{t: r, cmd: r.command(append([]string{"hook", agent}, flags...)...), done: make(chan error, 1)}
	p.cmd.Stdin = strings.NewReader(string(stdin))
	p.cmd.Stdout, p.cmd.Stderr = &p.out, &p.err
	p.cmd.SysProcAttr.Setsid = true
	require.NoError(r, p.cmd.Start())
	go func() { p.done <- p.cmd.Wait() }()
	r.Cleanup(func() { _ = p.cmd.Process.Kill() })
	return p
}

// asked waits for the one question.
func (r *room) asked(q *queue.Queue) (s queue.Session) {
	r.Helper()
	until(r, "it is asked", func() bool {
		live, _, err := q.Store.Live(r.Context())
		require.NoError(r, err)
		if len(live) == 1 {
			s = live[0]
		}
		return len(live) == 1
	})
	return s
}

// leavesIt sees a hook end without a word, and without a question.
func (r *room) leavesIt(q *queue.Queue, p *running) {
	r.Helper()
	require.Equal(r, result{}, p.wait(), "nothing is said, and nobody is denied")
	live, _, err := q.Store.Live(r.Context())
	require.NoError(r, err)
	require.Empty(r, live)
}

// passesOn does what the person did, and sees the hook tell the agent what was recorded.
func (r *room) passesOn(q *queue.Queue, p *running, s queue.Session, c agenttest.Recording) {
	r.Helper()
	_, err := q.Do(r.Context(), s.ID, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceDashboard, Do: c.Does(r)})
	require.NoError(r, err)
	require.Equal(r, result{out: string(c.Stdout)}, p.wait())
	_, collected := r.ended(q, s.ID).Last(queue.EventCollected)
	require.True(r, collected)
}

// ended waits until a session is over and was put away, as its hook does.
func (r *room) ended(q *queue.Queue, id string) (s queue.Session) {
	r.Helper()
	until(r, "it is over", func() bool {
		var err error
		s, err = q.Store.Get(r.Context(), id)
		require.NoError(r, err)
		return s.Final
	})
	return s
}

func TestAHookAnswersClaudeInItsOwnForm(t *testing.T) {
	t.Parallel()
	for _, c := range agenttest.All(t, "claude") {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			r := newRoom(t)
			r.dashboard()
			q := queue.New(r.store())
			p := r.hook(c.Stdin)
			if c.IsLeft() {
				r.leavesRecorded(q, p, c)
				return
			}
			s := r.asked(q)
			require.Equal(t, "claude-code", s.Origin.Client)
			require.Equal(t, "/src/shop", s.Origin.Cwd)
			require.True(t, s.EndsWithCall())
			r.passesOn(q, p, s, c)
		})
	}
}

// ofClaude is what was recorded under a name.
func ofClaude(t testing.TB, name string) agenttest.Recording {
	for _, r := range agenttest.All(t, "claude") {
		if r.Name == name {
			return r
		}
	}
	require.Fail(t, "not recorded: "+name)
	return agenttest.Recording{}
}

func TestAHookSaysNothingWhereNoDashboardIsOpenOrTheQueueCannotBeUsed(t *testing.T) {
	t.Parallel()
	c := ofClaude(t, "question")
	t.Run("no queue", func(t *testing.T) {
		r := newRoom(t)
		require.Equal(t, result{}, r.hook(c.Stdin).wait())
		require.NoDirExists(t, r.queue, "looking makes nothing")
	})
	t.Run("no dashboard", func(t *testing.T) {
		r := newRoom(t)
		r.dashboard()()
		require.Equal(t, result{}, r.hook(c.Stdin).wait())
	})
	t.Run("a queue that is not the person's alone", func(t *testing.T) {
		r := newRoom(t)
		r.dashboard()
		require.NoError(t, os.Chmod(r.queue, 0o777))
		require.Equal(t, result{}, r.hook(c.Stdin).wait())
		require.NoError(t, os.Chmod(r.queue, 0o700))
	})
	t.Run("settings that cannot be read", func(t *testing.T) {
		r := newRoom(t)
		r.dashboard()
		dir := filepath.Join(r.dir, "config", "choicetui")
		require.NoError(t, os.MkdirAll(dir, 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "config.json"), []byte("{"), 0o600))
		require.Equal(t, result{}, r.hook(ofClaude(t, "silent_other_tool").Stdin).wait())
	})
	t.Run("too much input", func(t *testing.T) {
		r := newRoom(t)
		r.dashboard()
		much := strings.Replace(string(c.Stdin), `"tool_name"`, `"x":"`+strings.Repeat("y", 17<<20)+`","tool_name"`, 1)
		require.Equal(t, result{}, r.hook([]byte(much)).wait())
		require.Contains(t, r.run("doctor").out, "claude's hook PreToolUse could not be read, 1 time")
	})
}

func TestAHookThatIsToldToEndSaysThatClaudeWasInterrupted(t *testing.T) {
	t.Parallel()
	for sig, says := range map[syscall.Signal]string{syscall.SIGTERM: "interrupted in claude",
		syscall.SIGHUP: "withdrawn by the agent: " + queue.CallerGone} { // its terminal was closed
		r := newRoom(t)
		r.dashboard()
		q := queue.New(r.store())
		p := r.hook(ofClaude(t, "permission_once").Stdin)
		s := r.asked(q)
		require.NoError(t, p.cmd.Process.Signal(sig))
		require.Equal(t, result{}, p.wait())
		require.Equal(t, says, r.ended(q, s.ID).Summary())
	}
}

func TestAHookWhoseAgentWasKilledWithdrawsItsQuestion(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.dashboard()
	q := queue.New(r.store())
	// The agent is a shell that keeps the hook as its child, and is killed.
	agent := r.command()
	in := filepath.Join(r.dir, "stdin")
	require.NoError(t, os.WriteFile(in, ofClaude(t, "permission_once").Stdin, 0o600))
	agent.Path, agent.Args = "/bin/sh", []string{"sh", "-c", `"$0" hook claude < "$1"; true`, r.bin, in}
	agent.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	out, err := agent.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, agent.Start())
	s := r.asked(q)
	killed := time.Now()
	require.NoError(t, agent.Process.Kill())
	s = r.ended(q, s.ID)
	require.Less(t, time.Since(killed), 5*time.Second)
	require.Equal(t, queue.StatusCancelled, s.Status())
	require.Equal(t, queue.CallerGone, s.Outcome.Reason)
	said, _ := io.ReadAll(out) // ends with the hook
	require.Empty(t, said)
	_ = agent.Wait()
}

func TestAHookEndsSilentlySoonAfterTheLastDashboardWasClosed(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	first, second := r.dashboard(), r.dashboard()
	q := queue.New(r.store())
	p := r.hook(ofClaude(t, "question").Stdin)
	s := r.asked(q)
	first()
	time.Sleep(1500 * time.Millisecond)
	got, err := q.Store.Get(t.Context(), s.ID)
	require.NoError(t, err)
	require.True(t, got.Pending(), "one is still open")
	second()
	closed := time.Now()
	require.Equal(t, result{}, p.wait())
	require.Less(t, time.Since(closed), 10*time.Second)
	require.Equal(t, "left to the agent because no dashboard is open any more", r.ended(q, s.ID).Outcome.Reason)
}

func TestAHookWaitsNoLongerThanItsAgentOrTheSettingsSay(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.dashboard()
	q := queue.New(r.store())
	p := r.hook(ofClaude(t, "question").Stdin)
	s := r.asked(q)
	require.Equal(t, 300, s.Ask.TimeoutSeconds, "the setting's")
	require.NoError(t, p.cmd.Process.Kill())
	p.wait()

	r = newRoom(t)
	r.dashboard()
	q = queue.New(r.store())
	p = &running{t: r, cmd: r.command("hook", "claude", "--timeout", "7"), done: make(chan error, 1)}
	p.cmd.Stdin = strings.NewReader(string(ofClaude(t, "question").Stdin))
	p.cmd.Stdout, p.cmd.Stderr = &p.out, &p.err
	require.NoError(t, p.cmd.Start())
	go func() { p.done <- p.cmd.Wait() }()
	s = r.asked(q)
	require.Equal(t, 2, s.Ask.TimeoutSeconds, "5 seconds less than the agent waits")
	require.Equal(t, result{}, p.wait())
	require.Equal(t, queue.StatusTimeout, r.ended(q, s.ID).Status())
}

func TestTheSameQuestionOfClaudesIsAskedOnceAndBothHooksAnswerIt(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.dashboard()
	q := queue.New(r.store())
	c := ofClaude(t, "question")
	one := r.hook(c.Stdin)
	s := r.asked(q)
	two := r.hook(c.Stdin)
	time.Sleep(300 * time.Millisecond)
	require.Equal(t, s.ID, r.asked(q).ID)
	_, err := q.Do(t.Context(), s.ID, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceDashboard, Do: c.Does(t)})
	require.NoError(t, err)
	require.Equal(t, string(c.Stdout), one.wait().out)
	require.Contains(t, []string{string(c.Stdout), ""}, two.wait().out, "the same, or nothing where it came too late")
}

func TestAQuestionOfAHookThatWasKilledMayBeAskedAgain(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.dashboard()
	q := queue.New(r.store())
	c := ofClaude(t, "question")
	one := r.hook(c.Stdin)
	s := r.asked(q)
	require.NoError(t, one.cmd.Process.Kill())
	one.wait()
	require.NoError(t, q.Sweep(t.Context(), []queue.Session{s}), "as a dashboard does at once")
	got, err := q.Store.Get(t.Context(), s.ID)
	require.NoError(t, err)
	require.Equal(t, queue.StatusCancelled, got.Status())
	two := r.hook(c.Stdin)
	until(t, "it is asked again", func() bool {
		got, err = q.Store.Get(t.Context(), s.ID)
		return err == nil && got.Pending()
	})
	_, err = q.Do(t.Context(), s.ID, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceDashboard, Do: c.Does(t)})
	require.NoError(t, err)
	require.Equal(t, string(c.Stdout), two.wait().out)
}

// BenchmarkAHookWithNothingToDo is the whole process of a hook: no dashboard is open. It may take 15 ms.
func BenchmarkAHookWithNothingToDo(b *testing.B) {
	r := newRoom(b)
	r.dashboard()()
	stdin := ofClaude(b, "question").Stdin
	for b.Loop() {
		require.Equal(b, result{}, r.hook(stdin).wait())
	}
}

// BenchmarkANativeAskIsVisible is from the start of a hook to what it asks being told by a watch. It may take 20 ms.
func BenchmarkANativeAskIsVisible(b *testing.B) {
	r := newRoom(b)
	r.dashboard()
	watch, err := r.store().Watch(b.Context(), queue.AllNews)
	require.NoError(b, err)
	defer watch.Close()
	_, err = watch.Next(b.Context())
	require.NoError(b, err)
	stdin := ofClaude(b, "permission_once").Stdin
	for b.Loop() {
		p := r.hook(stdin)
		for seen := false; !seen; {
			ch, err := watch.Next(b.Context())
			require.NoError(b, err)
			for _, s := range ch.Sessions {
				seen = seen || s.Pending()
			}
		}
		b.StopTimer()
		require.NoError(b, p.cmd.Process.Signal(syscall.SIGTERM))
		p.wait()
		for settled := false; !settled; {
			ch, err := watch.Next(b.Context())
			require.NoError(b, err)
			settled = len(ch.Gone) > 0
		}
		b.StartTimer()
	}
}

// TestAnAgentThatNeedsItsPersonIsListedUntilItContinues runs the hook of a notification as Claude Code does, and
// changes what that says of its process.
func TestAnAgentThatNeedsItsPersonIsListedUntilItContinues(t *testing.T) {
	r := newRoom(t)
	home := t.TempDir()
	state := filepath.Join(home, "sessions", fmt.Sprintf("%d.json", os.Getpid()))
	require.NoError(t, os.MkdirAll(filepath.Dir(state), 0o700))
	says := func(status string) {
		require.NoError(t, os.WriteFile(state, fmt.Appendf(nil, `{"sessionId":"s1","status":%q}`, status), 0o600))
	}
	listed := func(words string, is bool) {
		t.Helper()
		until(r, "the list says so", func() bool {
			raw, err := r.command("list").CombinedOutput()
			return err == nil && strings.Contains(string(raw), words) == is
		})
	}
	says("waiting")
	p := r.hook(fmt.Appendf(nil, `{"session_id":"s1","transcript_path":%q,"cwd":"/src/shop","message":"Claude needs you",`+
		`"hook_event_name":"Notification","notification_type":"permission_prompt"}`,
		filepath.Join(home, "projects", "-src-shop", "s1.jsonl")))
	require.Equal(t, result{}, p.wait(), "the hook itself ends at once")
	listed("shop · claude needs you in its own pane since", true)
	require.NoError(t, r.command("gate").Run(), "prompts may be sent: nothing waits here for an answer")
	says("busy")
	listed("needs you in its own pane", false)
}

func TestHook_DoesNotWaitForTheEndOfItsInput(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.dashboard()
	q := queue.New(r.store())
	c := ofClaude(t, "permission_once")
	p := &running{t: r, cmd: r.command("hook", "claude"), done: make(chan error, 1)}
	in, err := p.cmd.StdinPipe()
	require.NoError(t, err)
	defer in.Close()
	p.cmd.Stdout, p.cmd.Stderr = &p.out, &p.err
	p.cmd.SysProcAttr.Setsid = true
	require.NoError(t, p.cmd.Start())
	go func() { p.done <- p.cmd.Wait() }()
	_, err = in.Write(c.Stdin)
	require.NoError(t, err)
	r.passesOn(q, p, r.asked(q), c)
}

func TestHook_SaysThatClaudeWithoutAPersonRefusesUnasked(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.dashboard()
	q := queue.New(r.store())
	r.env = append(r.env, "CLAUDE_CODE_SESSION_ATTENDED=0")
	t.Cleanup((&intakeRoom{room: r}).endNotices)
	r.leavesIt(q, r.hook(ofClaude(t, "unfit_password").Stdin))
	require.True(t, r.needs(q).Notice.Unasked)
	got := r.run("list")
	require.Zero(t, got.code, got.err)
	require.Contains(t, got.out, "claude refuses this unasked: it asks for a secret: A form of s")
	require.NotContains(t, got.out, "Nothing is waiting")
}

func TestHook_NotesWhatIsNotJSONForDoctor(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.dashboard()
	q := queue.New(r.store())
	for _, text := range []string{`{"hook_event_name": "PermissionRequest", "secret words`, `{"hook_event_name": "PermissionRequest", oops}`, "[]"} {
		r.leavesIt(q, r.hook([]byte(text)))
	}
	got := r.run("doctor").out
	require.Contains(t, got, "claude's hook PermissionRequest could not be read, 1 time")
	require.Contains(t, got, "it ended before its JSON object did")
	require.Contains(t, got, "it is not a JSON object")
	require.NotContains(t, got, "secret words")
}
