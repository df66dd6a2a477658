package e2e

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/choicetui/choicetui/queue"
)

// harness2 plays the service of opencode 2: the plugin is loaded once for each directory, as a module of its own, and
// each time hears the events of all of them. What it answers is printed. `--standalone` is a service that has not
// written down how it is reached.
const harness2 = `
import http from "node:http";
import fs from "node:fs";
import readline from "node:readline";
const sessions = {}, lists = { "/api/permission/request": [], "/api/form": [] }, streams = [];
const say = (line) => console.log(JSON.stringify(line));
const info = http.createServer((req, res) => {
  let body = "";
  req.on("data", (d) => (body += d));
  req.on("end", () => {
    const { pathname, searchParams } = new URL(req.url, "http://x");
    const basic = Buffer.from((req.headers.authorization ?? "").split(" ")[1] ?? "", "base64").toString();
    if (basic !== "opencode:secret") res.writeHead(401).end();
    else if (req.method === "GET") {
      const directory = searchParams.get("location[directory]");
      const data = lists[pathname].filter((one) => sessions[one.sessionID]?.location.directory === directory);
      res.end(JSON.stringify({ location: { directory }, data }));
    } else {
      say({ method: req.method, url: pathname, body: body && JSON.parse(body) });
      res.writeHead(pathname.includes("gone") ? 404 : 204).end();
    }
  });
}).listen(0, "127.0.0.1");
await new Promise((done) => info.on("listening", done));
fs.mkdirSync(process.env.XDG_STATE_HOME + "/opencode", { recursive: true });
const down = (pid) => fs.writeFileSync(process.env.XDG_STATE_HOME + "/opencode/service.json",
  JSON.stringify({ id: "x", pid, url: "http://127.0.0.1:" + info.address().port, password: "secret" }));
down(process.pid);
const ctx = (directory) => ({
  location: { directory },
  event: { subscribe: ({ signal }) => (async function* () {
    const stream = { events: [], wake() {} };
    streams.push(stream);
    signal.addEventListener("abort", () => stream.wake());
    while (!signal.aborted) {
      while (stream.events.length) {
        const event = stream.events.shift();
        if (event === "overflow") return;
        yield event;
      }
      await new Promise((wake) => (stream.wake = wake));
    }
  })() },
  session: {
    get: async ({ sessionID }) => sessions[sessionID] ?? Promise.reject(new Error("no such session")),
    prompt: async (input) => say({ directory, prompt: input }),
  },
  permission: { reply: async (input) => {
    say({ directory, permission: input });
    if (input.requestID.includes("gone")) throw new Error("no such request");
  } },
});
// keep has the lists say what is open after an event, as the service does.
const over = new Set();
const keep = ({ type, data }) => {
  const [path, one] = type.startsWith("form.") ? ["/api/form", data.form ?? data] : ["/api/permission/request", data];
  const id = one.requestID ?? one.id;
  lists[path] = lists[path].filter((open) => open.id !== id);
  if (/(replied|cancelled)$/.test(type)) over.add(id);
  else if (/(asked|created)$/.test(type) && !over.has(id)) lists[path].push(one);
  else if (/execution|deleted/.test(type)) {
    for (const list of Object.keys(lists)) lists[list] = lists[list].filter((open) => open.sessionID !== data.sessionID);
  }
};
const cleanups = {};
for await (const line of readline.createInterface({ input: process.stdin })) {
  const { dir, session, open, event, pid, leaves } = JSON.parse(line);
  if (open) Object.assign(lists, open);
  if (session) sessions[session.id] = session;
  if (pid) down(pid);
  if (dir) cleanups[dir] = await (await import(process.argv[2] + "?" + dir)).default.setup(ctx(dir));
  if (leaves) await cleanups[leaves]();
  if (event?.data) keep(event);
  if (event) for (const s of streams) { s.events.push(event); s.wake(); }
}
process.exit(0);
`

const (
	ofSession1 = `{"session":{"id":"ses_1","location":{"directory":"/src/a"}}}`
	// tool2 and asks2 are what opencode 2 says before it runs a command.
	tool2 = `{"event":{"type":"session.tool.called","data":{"sessionID":"ses_1","id":"call_1","input":{"command":"npm test","workdir":"/src/a"}}}}`
	asks2 = `{"event":{"type":"permission.asked","data":{"id":"per_%s","sessionID":"ses_1","action":"shell","resources":["npm test"],` +
		`"save":["npm *"],"source":{"type":"tool","messageID":"msg_1","id":"call_1"}}}}`
	form2 = `{"event":{"type":"form.created","data":{"form":{"id":"frm_%s","sessionID":"ses_1","title":"Questions",` +
		`"metadata":{"kind":%q,"tool":{}},"fields":[{"key":"q0","type":"string","title":"Go","description":"Go on?",` +
		`"options":[{"value":"y","label":"Yes"},{"value":"n","label":"No"}],"custom":true},` +
		`{"key":"q1","type":"multiselect","title":"Parts","description":"Which parts?",` +
		`"options":[{"value":"a","label":"Intro"},{"value":"b","label":"Body"}]}]}}}}`
)

// opencode2 is the plugin in two directories, with a session in the second one.
func (r *room) opencode2() *plugin {
	r.Helper()
	p := r.plays(harness2)
	p.send(`{"dir":"/src/other"}`)
	p.send(`{"dir":"/src/a"}`)
	p.send(ofSession1)
	return p
}

// alone is the one question, which stays the only one.
func (r *room) alone(q *queue.Queue) queue.Session {
	r.Helper()
	time.Sleep(300 * time.Millisecond) // the other directory heard of it too, and what was before is over
	s := r.asked(q)
	require.Equal(r, "/src/a", s.Origin.Cwd, "the session's directory")
	require.Equal(r, "ses_1", s.Origin.Thread)
	require.Empty(r, s.Origin.Pane, "the service's")
	require.Zero(r, s.Origin.PID)
	return s
}

func (r *room) answers(q *queue.Queue, id string, replies ...queue.Reply) {
	r.Helper()
	_, err := q.Do(r.Context(), id, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceDashboard,
		Do: queue.Settle{Answer: queue.Answer{Replies: replies}, Confirmed: true}})
	require.NoError(r, err)
}

func TestAPermissionOfOpencode2IsAskedOnceAndAnsweredWhereItsSessionIs(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.dashboard()
	q := queue.New(r.store())
	p := r.opencode2()
	p.send(tool2)
	p.send(fmt.Sprintf(asks2, "1"))
	s := r.alone(q)
	require.Equal(t, []queue.Part{{Kind: queue.PartCommand, Text: "npm test"},
		{Kind: queue.PartText, Label: "with", Text: "workdir: /src/a"}}, s.Ask.Approval.Parts)
	require.Equal(t, "Allow every command that begins with “npm”, in every session", s.Ask.Questions[0].Options[1].Label)
	r.answers(q, s.ID, queue.Reply{Question: "approval", Selected: []string{"refuse"},
		Notes: map[string]string{"refuse": "use make"}})
	require.JSONEq(t, `{"directory":"/src/a","permission":{"sessionID":"ses_1","requestID":"per_1","decision":"reject",`+
		`"message":"use make"}}`, p.reply())
	r.ended(q, s.ID)

	p.send(fmt.Sprintf(asks2, "gone")) // it cannot be delivered
	s = r.alone(q)
	r.answers(q, s.ID, queue.Reply{Question: "approval", Selected: []string{"once"}})
	p.reply()
	until(t, "it is not closed as delivered", func() bool {
		now, err := q.Store.Get(t.Context(), s.ID)
		return err == nil && now.Outcome != nil && !now.Final
	})
	p.leave()
}

func TestAFormOfOpencode2IsAnsweredByItsValues(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.dashboard()
	q := queue.New(r.store())
	p := r.opencode2()
	p.send(fmt.Sprintf(form2, "0", "picker"))
	p.send(fmt.Sprintf(form2, "1", "question"))
	s := r.alone(q)
	require.Equal(t, "Go on?", s.Ask.Questions[0].Text)
	require.True(t, s.Ask.Questions[0].TakesText())
	require.False(t, s.Ask.Questions[1].TakesText())
	r.answers(q, s.ID, queue.Reply{Question: "q1", Selected: []string{"No"}}, queue.Reply{Question: "q2", Selected: []string{"Intro", "Body"}})
	require.JSONEq(t, `{"method":"POST","url":"/api/session/ses_1/form/frm_1/reply","body":{"answer":{"q0":"n","q1":["a","b"]}}}`, p.reply())
	r.ended(q, s.ID)

	p.send(fmt.Sprintf(form2, "2", "question"))
	s = r.alone(q)
	_, err := q.Do(t.Context(), s.ID, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceDashboard, Do: queue.Cancel{}})
	require.NoError(t, err)
	require.JSONEq(t, `{"method":"DELETE","url":"/api/session/ses_1/form/frm_2","body":""}`, p.reply())
	r.ended(q, s.ID)

	p.send(`{"pid":1}`) // this service is not reached over HTTP, another one is
	p.send(fmt.Sprintf(form2, "3", "question"))
	p.send(fmt.Sprintf(asks2, "1"))
	require.Equal(t, queue.KindApproval, r.alone(q).Ask.Kind, "a form that nobody here can answer stays there")
	p.leave()
}

func TestWhatOpencode2EndsEndsHere(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.dashboard()
	q := queue.New(r.store())
	p := r.opencode2()
	for i, c := range []struct {
		asks, ends  string
		interrupted bool
	}{
		{asks2, `"permission.replied","data":{"sessionID":"ses_1","requestID":"per_%d","reply":"once"}`, false},
		{form2, `"form.replied","data":{"sessionID":"ses_1","id":"frm_%d"}`, false},
		{form2, `"form.cancelled","data":{"sessionID":"ses_1","id":"frm_%d"}`, true},
		{asks2, `"session.execution.interrupted","data":{"sessionID":"ses_1","n":%d}`, true}, // no permission.replied then
	} {
		asks := fmt.Sprintf(asks2, fmt.Sprint(i))
		if c.asks == form2 {
			asks = fmt.Sprintf(form2, fmt.Sprint(i), "question")
		}
		p.send(asks)
		s := r.alone(q)
		p.send(`{"event":{"type":"session.execution.succeeded","data":{"sessionID":"ses_2"}}}`) // another one's
		p.send(fmt.Sprintf(`{"event":{"type":`+c.ends+`}}`, i))
		s = r.ended(q, s.ID)
		require.Equal(t, queue.StatusElsewhere, s.Status(), c.ends)
		require.Equal(t, c.interrupted, s.Outcome.ReasonCode == queue.ReasonInterrupted, c.ends)
		p.send(asks) // heard late in another directory
	}
	time.Sleep(300 * time.Millisecond)
	live, _, err := q.Store.Live(t.Context())
	require.NoError(t, err)
	require.Empty(t, live)
	p.leave()
}

func TestOpencode2IsSeenLateAndAfterItsEventsBrokeOff(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.dashboard()
	q := queue.New(r.store())
	p := r.plays(harness2)
	p.send(`{"session":{"id":"ses_1","location":{"directory":"/src/late"}}}`)
	var asked struct {
		Event struct{ Data json.RawMessage }
	}
	require.NoError(t, json.Unmarshal(fmt.Appendf(nil, asks2, "1"), &asked))
	p.send(`{"dir":"/src/late","open":{"/api/permission/request":[` + string(asked.Event.Data) + `]}}`)
	s := r.asked(q)
	require.Equal(t, "/src/late", s.Origin.Cwd)
	p.send(`{"open":{"/api/permission/request":[]},"event":"overflow"}`)
	require.Equal(t, queue.StatusElsewhere, r.ended(q, s.ID).Status(), "it was over meanwhile")
	p.leave()
}

func TestALineReachesTheSessionOfOpencode2ThatAsked(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.dashboard()
	q := queue.New(r.store())
	p := r.opencode2()
	p.send(fmt.Sprintf(asks2, "1"))
	asked := r.alone(q)
	until(t, "lines are taken", func() bool { return prompt.TakesLines(t.Context(), q, asked.Origin) })
	require.NoError(t, r.says(q, asked.Origin, "/fix @it"))
	require.JSONEq(t, `{"directory":"/src/a","prompt":{"sessionID":"ses_1","text":"/fix @it"}}`, p.reply())
	p.send(`{"session":{"id":"ses_1","parentID":"ses_0","location":{"directory":"/src/a"}}}`)
	require.ErrorIs(t, r.says(q, asked.Origin, "hello"), prompt.ErrUngiven)
	p.leave()
}
