package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/widen/contractserver"
	"github.com/choicetui/choicetui/queue"
)

// Agents on two other hosts, a user of a real sshd on loopback and a container, are answered in a dashboard here.

// connected waits until a dashboard elsewhere is open on the host.
func (h *host) connected() {
	h.Helper()
	until(h, "a dashboard is open on "+h.name, func() bool {
		files, _ := filepath.Glob(filepath.Join(h.queue, "present", "*"))
		for _, name := range files {
			raw, _ := os.ReadFile(name)
			if strings.Contains(string(raw), `"role":"`+queue.RoleDashboard+`"`) {
				return true
			}
		}
		return false
	})
}

// drafted waits until a draft with this text is kept on the host.
func (h *host) drafted(text string) {
	h.Helper()
	until(h, "the draft is kept on "+h.name, func() bool {
		files, _ := filepath.Glob(filepath.Join(h.queue, "drafts", "*"))
		for _, name := range files {
			if raw, _ := os.ReadFile(name); strings.Contains(string(raw), text) {
				return true
			}
		}
		return false
	})
}

// selected is what the agent was told.
func (c *call) selected() any {
	c.t.Helper()
	got := c.answer()
	ids, _ := got.selection()["selected_ids"].([]any)
	require.Len(c.t, ids, 1, got.text)
	return ids[0]
}

// settled returns how often a session of the host was settled, as its log has it.
func (h *host) settled(id string) (times int) {
	h.Helper()
	got := h.run("log", "--json")
	require.Zero(h, got.code, got.err)
	for line := range strings.Lines(got.out) {
		var e struct {
			ID    string `json:"session_id"`
			Event string
		}
		require.NoError(h, json.Unmarshal([]byte(line), &e))
		if e.ID == id && e.Event == queue.EventSettled {
			times++
		}
	}
	return times
}

func TestAgentsOfASSHHostAreAnsweredHere(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	s := r.sshd()
	h := s.host("build1")
	s.named(h)
	r.adds(h)
	m := r.tmux()
	p := m.dashboard(120, 40)
	h.connected()
	a := h.connect("claude-code")

	call := a.ask(which())
	p.meet("Which database?", "─ shop · claude @build1 ·", " 9:5")
	gate := h.run("gate")
	assert.Equal(t, 2, gate.code)
	assert.Contains(t, gate.err, "“Which database?” (shop · claude)")
	p.press("j", "Enter")
	require.Equal(t, "sqlite", call.selected())
	p.see("nothing is waiting", "SQLite → shop · claude @build1")
	assert.Zero(t, h.run("gate").code)

	t.Run("drafts survive", func(t *testing.T) {
		call := a.ask(which())
		p.typeNote("only the managed offering")
		h.drafted("only the managed offering")
		require.NoError(t, syscall.Kill(p.process(), syscall.SIGKILL))
		p = m.dashboard(120, 40)
		p.meet("only the managed offering")
		p.press("1")
		p.see("⏎ Send PostgreSQL + “only the managed offering”")
		p.press("Enter")
		require.Contains(t, call.answer().text, "only the managed offering")
	})
	t.Run("cancel", func(t *testing.T) {
		call := a.ask(which())
		p.meet("Which database?")
		p.opens("x", "⏎ Cancel and tell")
		p.write("show me the cost")
		p.press("Enter")
		got := call.answer()
		assert.Equal(t, "cancelled", got.status())
		assert.Contains(t, got.text, "show me the cost")
		p.see("nothing is waiting")
	})
	t.Run("a line", func(t *testing.T) {
		heard := a.calls("next_message", object{})
		p.see("chat · to shop · claude @build1")
		p.opens("i", "type a line to shop · claude @build1")
		p.write("hello there")
		p.press("Enter")
		assert.Equal(t, "hello there", heard.answer().structured["text"])
		p.see("✓ “hello there” → shop", "delivered")
		p.press("Escape")
	})
	t.Run("history", func(t *testing.T) {
		p.press("h")
		p.see("Which database?", "shop on build1", "show me the cost", "SQLite")
		p.press("Escape")
		p.see("nothing is waiting")
	})
	t.Run("commands", func(t *testing.T) {
		call := a.ask(which())
		p.see("1 waiting") // the answered questions of today have the same title
		id := "build1/" + h.only().ID
		shown := r.run("show", id)
		assert.Zero(t, shown.code, shown.err)
		assert.Contains(t, shown.out, "The order service needs transactions")
		wrong := r.run("answer", id, "--select", "oracle")
		assert.NotZero(t, wrong.code)
		got := r.run("answer", id, "--select", "pg")
		assert.Zero(t, got.code, got.err)
		require.Equal(t, "pg", call.selected())
		p.see(" answered ", "PostgreSQL")
		missing := r.run("show", "build2/k7f3m2qx")
		assert.Contains(t, missing.err, "build2")
		assert.NotZero(t, missing.code)
	})
	require.NoError(t, syscall.Kill(p.process(), syscall.SIGTERM))
	until(t, "no relay is left", func() bool { return len(h.processes("choicetui relay")) == 0 })
}

func TestApprovalsInAContainerAreAnsweredHere(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	h := r.container("box")
	r.adds(h)
	prompt := fmt.Sprintf(`{"hook_event_name":"UserPromptSubmit","cwd":%q,"prompt":"more"}`, h.work)
	gate := func() int {
		cmd := h.command("gate", "--hook", "claude")
		cmd.Stdin = strings.NewReader(prompt)
		_ = cmd.Run()
		return cmd.ProcessState.ExitCode()
	}
	p := r.tmux().dashboard(120, 40)
	h.connected()

	hook := h.hook(h.wantsTest(t))
	p.meet("npm test", "shop · claude @box")
	assert.Equal(t, 2, gate(), "a connected dashboard counts as one that is open there")
	p.allowsOnce("npm test")
	require.Equal(t, string(ofClaude(t, "permission_once").Stdout), hook.wait().out)
	p.see("nothing is waiting")
	assert.Zero(t, gate())

	hook = h.hook(h.wantsTest(t))
	p.meet("npm test")
	p.press("M")
	p.meet("⏎ Allow npm test")
	p.press("Enter")
	require.Contains(t, hook.wait().out, `"behavior":"allow"`)
	p.see("nothing is waiting")
	assert.Contains(t, h.run("rules").out, "npm test")
	assert.NotContains(t, r.run("rules").out, "npm test")

	raised := p.told("#{history_size}")
	require.Contains(t, h.hook(h.wantsTest(t)).wait().out, `"behavior":"allow"`)
	assert.Equal(t, raised, p.told("#{history_size}"))
	assert.Equal(t, 1, strings.Count(h.run("log", "--json").out, `"event":"settled","at":`)-strings.Count(
		h.run("log", "--json").out, `"by":"human","surface":"dashboard","detail":"selected"`), "one by the rule")
	p.see("nothing is waiting")

	hook = h.hook(ofClaude(t, "question").Stdin)
	id := h.asked(queue.New(h.store())).ID
	require.Zero(t, r.run("cancel", "box/"+id, "--reason", "not now").code)
	hook.wait()
	p.see("nothing is waiting")
	p.quit()
	h.hook(ofClaude(t, "question").Stdin).wait() // nobody is there to be asked
}

func TestTheTeamIsAskedFromHereAboutAQuestionOfAHost(t *testing.T) {
	t.Parallel()
	r, server := withServer(t)
	h := r.elsewhere("box")
	r.adds(h)
	d := r.tmux().dashboard(110, 34)
	h.connected()
	a := h.connect("claude-code")
	c := a.ask(which())
	d.asksTeam("1")
	d.press("Enter")
	d.meet("With the team since", "clock paused", "claude @box")
	d.fetches()
	asked := c.answer()
	request, ok := asked.structured["summarization_request"].(object)
	require.True(t, ok, asked.text)
	d.acceptsSummary(a, request["session_id"])
	got := a.tool("poll_selection", object{"session_id": request["session_id"]})
	assert.Equal(t, []any{"sqlite"}, got.selection()["selected_ids"])
	until(t, "the team is told", func() bool { return len(server.Requests(contractserver.Resolve)) == 1 })
}

func TestWhatAPersonDoesWithAQuestionOfAHostWorksAsHere(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	shown := filepath.Join(r.dir, "shown")
	notify := filepath.Join(r.dir, "notify")
	require.NoError(t, os.WriteFile(notify, []byte("#!/bin/sh\necho \"$@\" >> "+shown+"\n"), 0o700))
	r.settings(fmt.Sprintf(`{"undo_seconds": 3, "notify": {"desktop": %q}}`, notify))
	h := r.elsewhere("box")
	r.adds(h)
	m := r.tmux()
	p, _ := m.elsewhere("new-window")
	h.connected()
	a := h.connect("claude-code")

	call := a.ask(which())
	p.see("Which database?")
	id := "box/" + h.only().ID
	until(t, "the notification names the host", func() bool {
		raw, _ := os.ReadFile(shown)
		return strings.Contains(string(raw), "Which database? shop · claude @box "+id+" asked")
	})
	m.do("select-window", "-t", p.id)
	p.meet("Send PostgreSQL")
	deadline := h.only().Deadline
	p.press("+")
	until(t, "there is a minute more", func() bool { return h.only().Deadline.Equal(deadline.Add(time.Minute)) })
	p.press("o")
	p.see("its page is on box only")
	p.press("p")
	p.see("cannot go to its pane: it runs on box")

	p.press("L")
	p.meet("⏎ Set it aside")
	p.press("Enter")
	p.see("Enter brings it back now", "⏎ Bring it back now")
	until(t, "it is set aside there", func() bool { return strings.Contains(h.run("list").out, ", later ") })
	p.press("Enter")
	p.meet("Send PostgreSQL")

	p.press("j", "Enter")
	p.see("u takes it back")
	p.press("u")
	p.see("taken back; nothing was sent")
	assert.Zero(t, h.settled(h.only().ID))

	listed := r.run("list")
	assert.Equal(t, "Nothing is waiting.\nQuestions on box are not listed; choicetui list --hosts asks there too.\n", listed.out)
	listed = r.run("list", "--hosts")
	assert.Regexp(t, id+` +[0-9:m]+  Which database\?  shop · claude @box`, listed.out)
	assert.Contains(t, r.run("list", "--hosts", "--json").out, `"id": "`+id+`"`)

	p.meet("Send SQLite")
	p.press("Enter")
	require.Equal(t, "sqlite", call.selected())
	p.see("nothing is waiting")
	p.quit()
	p = m.dashboard(120, 40)
	p.see("1 done", "shop @box", "✓ SQLite") // today's answers of the host are read once it is connected
}

func TestTwoUsersOfAHostSeeTheirOwnQueues(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	s := r.sshd()
	ana, bob := s.host("ana"), s.host("bob")
	r.adds(ana)
	r.adds(bob)
	other := newRoom(t)
	other.adds(bob)
	p, q := r.tmux().dashboard(120, 40), other.tmux().dashboard(120, 40)
	ana.connected()
	bob.connected()
	first, second := which(), which()
	second["title"] = "Which cache?"
	toAna, toBob := ana.connect("claude-code").ask(first), bob.connect("claude-code").ask(second)
	p.see("2 waiting", "Which database?", "Which cache?")
	q.meet("1 waiting", "Which cache?")
	assert.NotContains(t, q.screen(), "Which database?")
	assert.NotZero(t, other.run("show", "bob/"+ana.only().ID).code)
	q.press("j", "Enter")
	require.Equal(t, "sqlite", toBob.selected())
	p.see("1 waiting", "today · h history")
	require.Zero(t, r.run("answer", "ana/"+ana.only().ID, "--select", "pg").code)
	require.Equal(t, "pg", toAna.selected())
	require.NotEqual(t, 0, ana.as.Uid)
	for _, h := range []*host{ana, bob} {
		until(t, "asked, settled, collected", func() bool { // the last follows the answer
			return len(strings.Split(strings.TrimSpace(h.run("log").out), "\n")) == 3
		})
	}
}

func TestAHostWithoutAUsableChoicetuiIsExplained(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	s := r.sshd()
	h := s.host("build1")
	s.named(h)
	add := func() string { // an open dashboard begins anew
		r.run("remote", "remove", "build1")
		got := r.run("remote", "add", "build1")
		require.Zero(t, got.code, got.err)
		return got.out
	}
	program := filepath.Join(filepath.Dir(h.bin), "choicetui")
	require.NoError(t, os.Rename(program, program+".away"))
	assert.Contains(t, add(), "build1 is not connected: choicetui is not installed there, or not on the PATH · "+
		"docs/install.md says how to install it\n")
	p := r.tmux().dashboard(120, 40)
	p.see("build1 is not connected: choicetui is not installed there", "docs/install.md says how to install it")

	const older = "#!/bin/sh\necho 'choicetui: there is no command \"relay\"' >&2\nexit 2\n"
	require.NoError(t, os.WriteFile(program, []byte(older), 0o755))
	assert.Contains(t, add(), "build1 is not connected: choicetui there is older: update it · "+
		"docs/install.md says how\n")
	p.see("build1 is not connected: choicetui there is older")
	require.NoError(t, os.Remove(program))
	require.NoError(t, os.Rename(program+".away", program))
	h.connected()
	p.lose("not connected")

	require.NoError(t, os.Remove(filepath.Join(h.dir, "home", ".ssh", "authorized_keys")))
	assert.Contains(t, add(), "build1 is not connected: ssh does not let you in without a password")
}

func TestARelayWatchesCodexOnItsHost(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	home := codexHome(t)
	h := r.elsewhere("box")
	h.via += " CODEX_HOME=" + home
	r.adds(h)
	p := r.tmux().dashboard(120, 40)
	h.connected()
	s := h.codex(home, "question", "01a2000d-938f-77a0-9c03-595a8ce1966f")
	p.see("1 waiting", "codex @box")
	p.quit()
	until(t, "nobody watches Codex any more", func() bool { return s.connected() == 0 })
}

// allowsOnce answers an approval. Behind a mark Enter waits longer there than elsewhere.
func (p *pane) allowsOnce(what string) {
	p.Helper()
	p.meet(what)
	p.press("y")
	time.Sleep(paused)
	p.press("Enter")
}
