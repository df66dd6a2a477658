package cli

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"encoding/pem"
	"errors"
	"flag"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/jetstream"
	"github.com/choicetui/choicetui/queue/rules"
	"github.com/choicetui/choicetui/queue/spool"
	"github.com/choicetui/choicetui/queue/storetest"
)

// The scripts in testdata/script run choicetui as its own process. Beside testscript's commands they have:
//
//	ask [-ago=1h] NAME ASK.json  puts an ask into the queue and its id into $NAME
//	collect $NAME                does what a bridge does with an answer: collects it, closes and archives the session
//	team VERB $NAME              does what the team does to a question; byTeam has the verbs
//	there $NAME WHERE            ends a question as answered at its agent, as its intake does
//	rule AGO ID CLIENT DIR TEXT  writes a rule that was made AGO into the person's file; rule LINE: any line
//	dashboard                    announces an open dashboard until the script ends
//	nats [bare|tls|narrow]       runs a server that lets ana in with the word right, $NATS; bare: without JetStream;
//	                             tls: with a certificate that nobody knows but the file authority; narrow: she may not
//	                             read the history, and bob may
//	slow TIME                    sets $SLOW to the address of $NATS behind a link with this round trip
//	tidy stdout                  copies an output to the file tidied, with fixed times in place of real ones

func TestMain(m *testing.M) {
	_ = flag.Set("test.parallel", "8") // the scripts mostly wait; go test -parallel still applies
	testscript.Main(m, map[string]func(){"choicetui": func() { os.Exit(Main(nil)) }})
}

func TestScripts(t *testing.T) {
	t.Parallel()
	p := scripts(func(e *testscript.Env) error { return nil })
	p.Dir = filepath.Join("..", "..", "testdata", "script")
	testscript.Run(t, p)
}

// scripts returns the parameters with which the scripts run. more sets up what only some of them need.
func scripts(more func(*testscript.Env) error) testscript.Params {
	return testscript.Params{
		Setup: func(e *testscript.Env) error {
			e.Setenv("HOME", filepath.Join(e.WorkDir, "home"))
			e.Setenv("XDG_STATE_HOME", filepath.Join(e.WorkDir, "state"))
			e.Setenv("XDG_CONFIG_HOME", filepath.Join(e.WorkDir, "config"))
			e.Setenv("XDG_RUNTIME_DIR", e.WorkDir)
			e.Setenv("QUEUE", filepath.Join(e.WorkDir, "state", "choicetui", "queue"))
			e.Setenv("TZ", "UTC")
			e.Setenv("GORACE", "atexit_sleep_ms=0") // else each command takes a second longer under -race
			return more(e)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"ask": askScript, "collect": collectScript, "tidy": tidyScript,
			"dashboard": dashboardScript, "team": teamScript, "there": thereScript,
			"rule": ruleScript, "nats": natsScript, "slow": slowScript,
		},
		Condition: func(name string) (bool, error) {
			if name != "events" {
				return false, fmt.Errorf("unknown condition %s", name)
			}
			_, err := watchOnce()
			return err == nil, nil
		},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	}
}

func scriptQueue(ts *testscript.TestScript, ago time.Duration) *queue.Queue {
	store, err := scriptStore(ts, ts.Getenv("QUEUE"))
	ts.Check(err)
	q := queue.New(store)
	q.Now = func() time.Time { return time.Now().Add(-ago) }
	return q
}

func scriptStore(ts *testscript.TestScript, place string) (queue.Store, error) {
	if !jetstream.IsAddress(place) {
		return spool.Open(place)
	}
	o := jetstream.Options{URL: place}
	if strings.HasPrefix(place, "tls://") { // see natsScript
		o.Authority, o.Credentials = ts.MkAbs("authority"), ts.MkAbs("ana")
	}
	store, err := jetstream.Open(o)
	if err == nil {
		ts.Defer(func() { _ = store.Close() })
	}
	return store, err
}

func askScript(ts *testscript.TestScript, neg bool, args []string) {
	var ago time.Duration
	if len(args) == 3 {
		var err error
		ago, err = time.ParseDuration(strings.TrimPrefix(args[0], "-ago="))
		ts.Check(err)
		args = args[1:]
	}
	if len(args) != 2 || neg {
		ts.Fatalf("usage: ask [-ago=1h] NAME ASK.json")
	}
	var draft queue.Session
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[1])), &draft))
	s, err := scriptQueue(ts, ago).Create(context.Background(), draft)
	ts.Check(err)
	ts.Setenv(args[0], s.ID)
}

func thereScript(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 || neg {
		ts.Fatalf("usage: there ID WHERE")
	}
	_, err := scriptQueue(ts, 0).Do(context.Background(), args[0], queue.Command{By: queue.ByCaller,
		Surface: queue.SurfaceClient, Do: queue.Elsewhere{Where: args[1]}})
	ts.Check(err)
}

// byTeam maps the verbs of the script command team to the actions of a team.
var byTeam = map[string]queue.Action{
	"asked": queue.Widen{Widened: queue.Widened{
		Decision: "01KPXFGJ3T7Q2M9V5B8D0C4N6R", Mission: "shop", QuestionID: "provide_choice.x",
		Team:      []queue.Member{{UserID: "U1", Name: "Alice Johnson"}, {UserID: "U2", Name: "Carol\u202e Lee"}},
		ThreadURL: "https://chat.example/\x1b[31m",
	}},
	"parked":  queue.Regroup{State: queue.WidenParked},
	"wanted":  queue.AskSummary{ID: "r1", Block: "what they said"},
	"written": queue.WriteSummary{ID: "r1"},
	"given":   queue.GiveSummary{Candidate: queue.Candidate{Summary: "They agree.", SourceHint: queue.SourceTeam}},
	"decided": queue.Settle{
		Answer: queue.Answer{Replies: []queue.Reply{{Question: "q1", Selected: []string{"a"}}}},
		Team: &queue.Resolution{Rationale: "one file\nis enough",
			Summary: queue.Summary{Text: "They want\nthe other.", Source: queue.SourceOwner}},
	},
	"deferred": queue.Defer{Rationale: "the audit comes first", Summary: "Nobody knows."},
}

func teamScript(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 || neg || byTeam[args[0]] == nil {
		ts.Fatalf("usage: team VERB SESSION")
	}
	by, surface := queue.ByHuman, queue.SurfaceDashboard
	if args[0] == "written" || args[0] == "given" {
		by, surface = queue.ByCaller, queue.SurfaceClient
	}
	_, err := scriptQueue(ts, 0).Do(context.Background(), args[1], queue.Command{By: by, Surface: surface, Do: byTeam[args[0]]})
	ts.Check(err)
}

func collectScript(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 || neg {
		ts.Fatalf("usage: collect SESSION")
	}
	ctx, q, claim := context.Background(), scriptQueue(ts, 0), queue.Claim{Instance: "script", Conn: "1"}
	var s queue.Session
	for _, do := range []queue.Action{queue.Take{Claim: claim}, queue.Collect{Claim: claim}} {
		var err error
		s, err = q.Do(ctx, args[0], queue.Command{By: queue.ByCaller, Surface: queue.SurfaceClient, Do: do})
		ts.Check(err)
	}
	ts.Check(q.Store.Archive(ctx, s))
}

func ruleScript(ts *testscript.TestScript, neg bool, args []string) {
	text := []byte(strings.Join(args, " "))
	if len(args) == 5 && !neg {
		ago, err := time.ParseDuration(args[0])
		ts.Check(err)
		made := time.Now().Add(-ago).UTC()
		text, err = json.Marshal(rules.Rule{ID: args[1], Client: args[2], Dir: args[3], Text: args[4], Tool: "Bash",
			Kind: queue.PartCommand, Hash: strings.Repeat("ab", 32), MadeAt: made, Until: made.Add(rules.MaxLife),
			Thread: strings.TrimPrefix(args[2], "codex"), From: "k7f3m2qx"})
		ts.Check(err)
	}
	file := filepath.Join(ts.Getenv("XDG_STATE_HOME"), "choicetui", "rules.jsonl")
	ts.Check(os.MkdirAll(filepath.Dir(file), 0o700))
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	ts.Check(err)
	_, err = f.Write(append(text, '\n'))
	ts.Check(errors.Join(err, f.Close()))
}

func dashboardScript(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 0 || neg {
		ts.Fatalf("usage: dashboard")
	}
	release, err := scriptQueue(ts, 0).Store.Announce(context.Background(),
		queue.Presence{Instance: queue.NewToken(), Role: queue.RoleDashboard})
	ts.Check(err)
	ts.Defer(func() { _ = release() })
}

func natsScript(ts *testscript.TestScript, neg bool, args []string) {
	bare, encrypted := slices.Contains(args, "bare"), slices.Contains(args, "tls")
	o := &server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, StoreDir: ts.MkAbs("nats"), JetStream: !bare,
		SyncAlways: true, NoSigs: true, NoLog: true, Users: []*server.User{{Username: "ana", Password: "right"}}}
	if slices.Contains(args, "narrow") {
		o.Users[0].Permissions = &server.Permissions{Publish: &server.SubjectPermission{Deny: []string{
			"$JS.API.CONSUMER.CREATE.choicetui_done.>", "$JS.API.STREAM.MSG.GET.choicetui_done"}}}
		o.Users = append(o.Users, &server.User{Username: "bob", Password: "right"})
	}
	if encrypted {
		web := httptest.NewTLSServer(nil)
		web.Close()
		o.TLSConfig = &tls.Config{Certificates: web.TLS.Certificates}
		ts.Check(os.WriteFile(ts.MkAbs("authority"), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE",
			Bytes: web.Certificate().Raw}), 0o644))
	}
	n, err := server.NewServer(o)
	ts.Check(err)
	n.Start()
	ts.Defer(n.Shutdown)
	if neg || !n.ReadyForConnections(10*time.Second) {
		ts.Fatalf("the server does not start")
	}
	address := n.ClientURL()
	if encrypted {
		address = strings.Replace(address, "nats://", "tls://", 1)
	}
	ts.Setenv("NATS", address)
}

func slowScript(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 || neg {
		ts.Fatalf("usage: slow TIME")
	}
	round, err := time.ParseDuration(args[0])
	ts.Check(err)
	address, stop, err := storetest.SlowLink(ts.Getenv("NATS"), round/2)
	ts.Check(err)
	ts.Defer(stop)
	ts.Setenv("SLOW", address)
}

var times = regexp.MustCompile(`\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?Z?|\b\d\d:\d\d:\d\d\b`)

func tidyScript(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 || neg {
		ts.Fatalf("usage: tidy stdout")
	}
	tidied := times.ReplaceAllString(ts.ReadFile(args[0]), "TIME")
	ts.Check(os.WriteFile(ts.MkAbs("tidied"), []byte(tidied), 0o600))
}

// onAServer lists the scripts that expect neither a file of the queue nor a person's name.
var onAServer = []string{"approval", "ask", "complete", "dialects", "elsewhere", "list", "mcp", "mcp_http", "narrowed",
	"rules"}

// TestScriptsOnAServer runs the scripts about commands with the queue on a server. The commands must behave the same
// there.
func TestScriptsOnAServer(t *testing.T) {
	t.Parallel()
	p := scripts(func(e *testscript.Env) error {
		address, err := startServer(e)
		e.Setenv("QUEUE", address)
		e.Setenv("CHOICETUI_QUEUE", address)
		return err
	})
	for _, name := range onAServer {
		p.Files = append(p.Files, filepath.Join("..", "..", "testdata", "script", name+".txtar"))
	}
	own, err := filepath.Glob(filepath.Join("..", "..", "testdata", "script", "server", "*.txtar"))
	require.NoError(t, err)
	require.NotEmpty(t, own)
	p.Files = append(p.Files, own...)
	testscript.Run(t, p)
}

// startServer starts a server for one script.
func startServer(e *testscript.Env) (address string, err error) {
	n, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true,
		StoreDir: filepath.Join(e.WorkDir, "nats"), NoSigs: true, NoLog: true})
	if err != nil {
		return "", err
	}
	n.Start()
	e.Defer(n.Shutdown)
	if !n.ReadyForConnections(10 * time.Second) {
		return "", context.DeadlineExceeded
	}
	return n.ClientURL(), nil
}
