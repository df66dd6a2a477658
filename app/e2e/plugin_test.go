package e2e

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/choicetui/choicetui/queue"
)

// harness plays opencode to the plugin: it hands it events, answers what it asks for, and prints what it posts.
const harness = `
import readline from "node:readline";
const { server } = (await import(process.argv[2])).default;
const open = { "/question": [], "/permission": [] };
const client = (dir) => ({ _client: {
  get: async ({ url }) => url.startsWith("/session/") ? { data: open[url] }
    : { data: dir === "/src/late" ? open[url] : [] },
  post: async ({ url, body }) => {
    console.log(JSON.stringify({ dir, url, body }));
    return { response: { ok: !url.includes("gone") } };
  },
} });
const plugins = {};
for await (const line of readline.createInterface({ input: process.stdin })) {
  const { dir, open: late, event } = JSON.parse(line);
  if (late) {
    Object.assign(open, late);
    console.log(JSON.stringify({ opened: Object.keys(late) }));
  }
  plugins[dir] ??= await server({ client: client(dir), directory: dir });
  if (event) await plugins[dir].event({ event });
}
process.exit(0);
`

// opencode starts the plugin that setup installs, in a stand-in for opencode 1.
func (r *room) opencode() *plugin {
	r.Helper()
	return r.plays(harness)
}

// plays starts the plugin that setup installs, in a stand-in for opencode. in are the directories where that has it.
func (r *room) plays(harness string, in ...string) *plugin {
	r.Helper()
	need(r, "node")
	config := filepath.Join(r.dir, "config", "opencode")
	require.NoError(r, os.MkdirAll(config, 0o700))
	require.NoError(r, os.WriteFile(filepath.Join(config, "opencode.json"), []byte("{}"), 0o600))
	got := r.run("setup", "opencode", "--yes")
	require.Zero(r, got.code, got.err)
	file := filepath.Join(config, "plugins", "choicetui.js")
	text, err := os.ReadFile(file)
	require.NoError(r, err)
	module := filepath.Join(r.dir, filepath.Join(in...), "choicetui.mjs") // opencode takes a .js file for a module, node does not
	require.NoError(r, os.MkdirAll(filepath.Dir(module), 0o700))
	require.NoError(r, os.WriteFile(module, text, 0o600))
	play := filepath.Join(r.dir, "harness.mjs")
	require.NoError(r, os.WriteFile(play, []byte(harness), 0o600))
	p := &plugin{TB: r, cmd: exec.Command("node", play, module), lines: make(chan string, 16)}
	p.cmd.Dir, p.cmd.Env = r.work, r.env
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	p.in, err = p.cmd.StdinPipe()
	require.NoError(r, err)
	var out io.Reader
	out, err = p.cmd.StdoutPipe()
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

const oneQuestion = `{"id":"que_ID","sessionID":"ses_1","questions":[{"question":"Go?","header":"Go",` +
	`"options":[{"label":"Yes (Recommended)","description":""},{"label":"No","description":""}]}]}`

func TestThePluginThatSetupInstallsCarriesQuestionsAndAnswers(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.dashboard()
	q := queue.New(r.store())
	p := r.opencode()
	p.send(`{"dir":"/src/a","event":{"type":"session.idle","properties":{}}}`)
	p.send(`{"dir":"/src/b"}`)
	p.send(`{"dir":"/src/a","event":{"type":"question.asked","properties":` + strings.ReplaceAll(oneQuestion, "ID", "1") + `}}`)
	s := r.asked(q)
	require.Equal(t, "/src/a", s.Origin.Cwd)
	yes := queue.Answer{Replies: []queue.Reply{{Question: "q1", Selected: []string{"Yes (Recommended)"}}}}
	_, err := q.Do(t.Context(), s.ID, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceDashboard,
		Do: queue.Settle{Answer: yes}})
	require.NoError(t, err)
	require.JSONEq(t, `{"dir":"/src/a","url":"/question/que_1/reply","body":{"answers":[["Yes (Recommended)"]]}}`, p.reply())
	r.ended(q, s.ID)

	// Answered in opencode, in the other directory.
	p.send(`{"dir":"/src/b","event":{"type":"question.asked","properties":` + strings.ReplaceAll(oneQuestion, "ID", "2") + `}}`)
	until(t, "it is asked", func() bool {
		live, _, err := q.Store.Live(t.Context())
		require.NoError(t, err)
		if len(live) == 1 {
			s = live[0]
		}
		return len(live) == 1 && live[0].Origin.Cwd == "/src/b"
	})
	p.send(`{"dir":"/src/b","event":{"type":"question.rejected","properties":{"sessionID":"ses_1","requestID":"que_2"}}}`)
	s = r.ended(q, s.ID)
	require.Equal(t, queue.StatusElsewhere, s.Status())
	require.Equal(t, queue.ReasonInterrupted, s.Outcome.ReasonCode, "the person pressed Esc there")
	p.leave()
}

func TestThePluginSaysInWhichAgentItRuns(t *testing.T) {
	t.Parallel()
	for dir, name := range map[string]string{"kilo/plugin": "kilo", "mimocode/plugins": "mimo", "opencode/plugins": "opencode"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRoom(t)
			r.dashboard()
			q := queue.New(r.store())
			p := r.plays(harness, dir)
			p.send(`{"dir":"/src/a","event":{"type":"question.asked","properties":` + oneQuestion + `}}`)
			s := r.asked(q)
			require.Equal(t, name, s.Origin.Client)
			p.send(`{"dir":"/src/a","event":{"type":"question.replied","properties":{"sessionID":"ses_1","requestID":"que_ID"}}}`)
			require.Equal(t, "in "+name, r.ended(q, s.ID).Outcome.Reason)
			p.leave()
		})
	}
}

func TestThePluginGivesALineToTheSessionThatAskedAsItWorks(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.dashboard()
	q := queue.New(r.store())
	p := r.opencode()
	const session = `{"dir":"/src/a","open":{"/session/ses_1":{"id":"ses_1","directory":"/src/a","agent":"plan",` +
		`"model":{"id":"m","providerID":"fake","variant":"high"}%s}}}`
	const opened = `{"opened":["/session/ses_1"]}`
	p.send(fmt.Sprintf(session, ""))
	require.Equal(t, opened, p.reply())
	p.send(`{"dir":"/src/a","event":{"type":"question.asked","properties":` + strings.ReplaceAll(oneQuestion, "que_ID", "que_1") + `}}`)
	asked := r.asked(q)
	until(t, "lines are taken", func() bool { return prompt.TakesLines(t.Context(), q, asked.Origin) })
	require.NoError(t, r.says(q, asked.Origin, "/fix @it"))
	require.JSONEq(t, `{"dir":"/src/a","url":"/session/ses_1/prompt_async","body":{"agent":"plan","variant":"high",`+
		`"model":{"providerID":"fake","modelID":"m"},"parts":[{"type":"text","text":"/fix @it"}]}}`, p.reply())

	for _, other := range []string{`,"parentID":"ses_0"`, `,"directory":"/src/b"`, `,"id":"ses_2"`, `,"agent":""`} {
		p.send(fmt.Sprintf(session, other))
		require.Equal(t, opened, p.reply())
		require.ErrorIs(t, r.says(q, asked.Origin, "hello"), prompt.ErrUngiven, other)
	}
	require.Empty(t, p.lines)
	require.NoError(t, p.cmd.Process.Kill())
	_ = p.cmd.Wait()
	until(t, "nobody takes lines any more", func() bool { return !prompt.TakesLines(t.Context(), q, asked.Origin) })
}

// says offers a line to an agent, as a dashboard does.
func (r *room) says(q *queue.Queue, to queue.Origin, text string) error {
	r.Helper()
	draft := queue.NewMessage(to, text)
	draft.Claim = &queue.Claim{Instance: "desk", Conn: "1"}
	s, err := q.Create(r.Context(), draft)
	require.NoError(r, err)
	return prompt.OfferLine(r.Context(), q, s)
}

func TestThePluginDoesNothingInAnOpencodeThatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.dashboard()
	p := r.opencode()
	require.NoError(t, p.in.Close())
	require.NoError(t, p.cmd.Wait())
	cmd := exec.Command("node", "--input-type=module", "-e", `const { server, setup } = (await import(process.argv[1])).default;
for (const ctx of [undefined, {}, { client: {} }, { client: { _client: {} }, directory: "/src" }])
  console.log(JSON.stringify(await server(ctx)), await setup(ctx));`, filepath.Join(r.dir, "choicetui.mjs"))
	cmd.Env = r.env
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	require.Equal(t, strings.Repeat("{} undefined\n", 4), string(out), "opencode 1 may call setup too")
}

func TestThePluginSeesWhatOpencodeAskedBeforeAndGoesWithIt(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.dashboard()
	q := queue.New(r.store())
	p := r.opencode()
	p.send(`{"dir":"/src/late","open":{"/permission":[{"id":"per_1","sessionID":"ses_1","permission":"bash",` +
		`"patterns":["ls"],"metadata":{"command":"ls"},"always":[]}]}}`)
	s := r.asked(q)
	require.Equal(t, queue.KindApproval, s.Ask.Kind)
	require.NoError(t, p.cmd.Process.Kill())
	killed := time.Now()
	require.Equal(t, queue.CallerGone, r.ended(q, s.ID).Outcome.Reason)
	require.Less(t, time.Since(killed), 5*time.Second)
	_ = p.cmd.Wait()
}
