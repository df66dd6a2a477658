package e2e

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/widen/contractserver"
	"github.com/choicetui/choicetui/queue"
)

var update = flag.Bool("update", false, "write the golden transcripts anew")

// charter is an interview of three questions: the first goes to the team and is waited for, the second is parked, the
// third takes its default.
const charter = `mission: shop-charter
questions:
  - id: charter.db
    text: Which database do we use for orders?
    default: SQLite
  - id: charter.license
    text: Under which license do we publish?
    default: MIT
  - id: charter.name
    text: What is it called?
    default: shop
`

// model is what a model answers to the discussion about a question.
var model = map[string]string{
	"charter.db": `{ "candidate_summary": "Consensus is PostgreSQL.", "candidate_answer": "PostgreSQL, with a plan for ` +
		`migration from day 1.", "source_hint": "slack_extraction" }`,
	"charter.license": `{ "candidate_summary": "MIT is simple.", "candidate_answer": "MIT", "source_hint": "slack_extraction" }`,
}

// interviewee is a person, with a model beside them, who is interviewed on lines: they answer each prompt.
type interviewee struct {
	*room
	server *contractserver.Server
	args   []string
	p      *running
	in     io.WriteCloser
	read   int // of the output
	seen   strings.Builder
	typed  int
}

func newInterviewee(t *testing.T) *interviewee {
	i := &interviewee{room: newRoom(t), server: contractserver.New()}
	t.Cleanup(i.server.Close)
	i.server.Say("", "Alice Johnson", "We should definitely go with PostgreSQL for this.")
	i.server.Say("", "Carol Lee", "Agreed, but let's make sure we consider the migration path.")
	token := filepath.Join(i.dir, "token")
	require.NoError(t, os.WriteFile(token, []byte(contractserver.Token+"\n"), 0o600))
	i.config(`{"widen": {"backend": "http", "base_url": %q, "token_file": %q}}`, i.server.URL, token)
	i.write("charter.yaml", charter, 0o600)
	i.env = append(i.env, "EDITOR="+i.write("editor", "#!/bin/sh\necho 'Apache-2.0, for its patent grant.' > \"$1\"\n", 0o700))
	i.args = []string{"interview", "charter.yaml", "--plain"}
	return i
}

func (i *interviewee) config(format string, values ...any) {
	dir := filepath.Join(i.dir, "config", "choicetui")
	require.NoError(i, os.MkdirAll(dir, 0o700))
	require.NoError(i, os.WriteFile(filepath.Join(dir, "config.json"), fmt.Appendf(nil, format, values...), 0o600))
}

// write writes a file where the interview is, and returns its path.
func (i *interviewee) write(name, text string, mode os.FileMode) string {
	path := filepath.Join(i.work, name)
	require.NoError(i, os.WriteFile(path, []byte(text), mode))
	return path
}

func (i *interviewee) file(name string) string {
	raw, err := os.ReadFile(filepath.Join(i.work, name))
	require.NoError(i, err)
	return string(raw)
}

func (i *interviewee) begin() {
	i.Helper()
	i.p = &running{t: i, cmd: i.command(i.args...), done: make(chan error, 1)}
	i.p.cmd.Stdout, i.p.cmd.Stderr = &i.p.out, &i.p.err
	i.p.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	in, err := i.p.cmd.StdinPipe()
	require.NoError(i, err)
	require.NoError(i, i.p.cmd.Start())
	i.in, i.read = in, 0
	p := i.p
	go func() { p.done <- p.cmd.Wait() }()
	i.Cleanup(func() { _ = p.cmd.Process.Kill() })
}

// prompts are what waits for a line, by the end of what was written.
var prompts = regexp.MustCompile(`(?:\[!cancel\]|Audience >|\(default: b\):|Waiting >|\[d\]efer:?|` +
	`\(press Enter to skip\):|yourself, d to defer\.)\n$`)

// prompted waits for the next prompt; false: the interview has ended.
func (i *interviewee) prompted() (said string, ok bool) {
	i.Helper()
	ended := false
	defer func() {
		if i.Failed() {
			i.Logf("seen: %s%s", i.seen.String(), i.p.out.String()[i.read:])
		}
	}()
	until(i, "the interview asks", func() bool {
		select {
		case err := <-i.p.done:
			i.p.done <- err
			ended = true
		default:
		}
		said = i.p.out.String()[i.read:]
		return ended || prompts.MatchString(said)
	})
	i.read += len(said)
	i.seen.WriteString(said)
	return said, !ended
}

func (i *interviewee) types(line string) {
	i.typed++
	i.seen.WriteString("» " + line + "\n")
	_, _ = io.WriteString(i.in, line+"\n") // it may have been killed
}

// reply is what the person types where this was written.
func (i *interviewee) reply(said string) string {
	seen := i.seen.String()
	about, latest := "", -1
	for id, text := range map[string]string{"charter.db": "database do we", "charter.license": "license do we",
		"charter.name": "What is it"} {
		if at := strings.LastIndex(seen, text); at > latest {
			about, latest = id, at
		}
	}
	switch last := said[strings.LastIndex(strings.TrimSuffix(said, "\n"), "\n")+1:]; {
	case strings.HasPrefix(last, "[enter]") && about == "charter.name":
		return ""
	case strings.HasPrefix(last, "[enter]"):
		return "w"
	case strings.HasPrefix(last, "[f]etch") && !strings.Contains(seen, "Pending Widened"):
		return ""
	case strings.HasPrefix(last, "[f]etch"), strings.HasPrefix(last, "Waiting >"):
		return "f"
	case strings.HasPrefix(last, "Audience"):
		return "carol lee, alice johnson, Mallory"
	case strings.HasPrefix(last, "Block"):
		return map[string]string{"charter.db": "b", "charter.license": "c"}[about]
	case strings.HasPrefix(last, "Waiting for the summary"):
		return model[about]
	case strings.HasPrefix(last, "Optional"):
		return "our lawyers want the patent grant"
	default:
		return map[string]string{"charter.db": "a", "charter.license": "e"}[about]
	}
}

// go_ answers until so many lines were typed in all, or the interview has ended, which it reports.
func (i *interviewee) answers(most int) (ended bool) {
	i.Helper()
	for i.typed < most {
		said, more := i.prompted()
		if !more {
			return true
		}
		i.types(i.reply(said))
	}
	return false
}

var (
	ulid    = regexp.MustCompile(`\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b`)
	widened = regexp.MustCompile(`Widened at: \d{4}-\d\d-\d\d \d\d:\d\d UTC`)
)

// steady is a transcript with what differs each time made equal: the decisions are numbered.
func steady(text string) string {
	known := map[string]string{}
	text = ulid.ReplaceAllStringFunc(text, func(id string) string {
		if known[id] == "" {
			known[id] = fmt.Sprintf("%026d", len(known)+1)
		}
		return known[id]
	})
	return widened.ReplaceAllString(text, "Widened at: 2026-04-23 16:00 UTC")
}

func TestInterviewWithTwoWidenedQuestionsIsAsRecorded(t *testing.T) {
	t.Parallel()
	i := newInterviewee(t)
	i.begin()
	require.True(t, i.answers(100))
	assert.Zero(t, i.p.wait().code, i.p.err.String())
	assert.Empty(t, i.p.err.String())
	got := steady(i.seen.String() + "\n=== answers.yaml\n" + i.file("answers.yaml") +
		"\n=== decisions.json\n" + i.file("decisions.json"))
	golden := filepath.Join("..", "..", "testdata", "widen", "interview.golden")
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	assert.Equal(t, string(want), got)
	for _, name := range []string{"answers.yaml.partial", "widen-pending.jsonl"} {
		raw, err := os.ReadFile(filepath.Join(i.work, name))
		assert.True(t, os.IsNotExist(err) || len(raw) == 0, "%s is left: %s", name, raw)
	}
	told := i.server.Requests(contractserver.Resolve)
	require.Len(t, told, 2)
	assert.JSONEq(t, `{"final_answer": "PostgreSQL, with a plan for migration from day 1.", "rationale": null,
		"summary_json": {"text": "Consensus is PostgreSQL.", "source": "slack_extraction"}}`, string(told[0].Body))
	assert.JSONEq(t, `{"final_answer": "Apache-2.0, for its patent grant.",
		"rationale": "our lawyers want the patent grant",
		"summary_json": {"text": "MIT is simple.", "source": "mission_owner_override"}}`, string(told[1].Body))
	var asked struct {
		Names []string `json:"invited_names"`
	}
	require.NoError(t, json.Unmarshal(i.server.Requests(contractserver.Widen)[0].Body, &asked))
	assert.Equal(t, []string{"Alice Johnson", "Carol Lee", "Mallory"}, asked.Names)
}

const (
	finished = "mission: shop-charter\nanswers:\n  charter.db: PostgreSQL, with a plan for migration from day 1.\n" +
		"  charter.license: Apache-2.0, for its patent grant.\n  charter.name: shop\n"
	typedLines = 13 // that the person types in all, where nothing is killed
)

func TestInterviewKilledAtAnyStepGoesOnWhereItWas(t *testing.T) {
	t.Parallel()
	for _, when := range []string{"at the prompt", "at once"} {
		for at := range typedLines {
			t.Run(fmt.Sprintf("%d lines typed, %s", at, when), func(t *testing.T) {
				t.Parallel()
				i := newInterviewee(t)
				i.begin()
				require.False(t, i.answers(at))
				if when == "at the prompt" {
					i.prompted()
				}
				require.NoError(t, i.p.cmd.Process.Kill())
				<-i.p.done
				i.seen.Reset()
				i.typed = 0
				i.begin()
				require.True(t, i.answers(100))
				assert.Zero(t, i.p.wait().code, i.p.err.String())
				assert.Equal(t, finished, i.file("answers.yaml"), i.seen.String())
				assert.Empty(t, i.list())
				assert.Equal(t, 3, strings.Count(i.run("log").out, "  asked  "), "no question is asked twice")
				decisions := map[string]bool{}
				for _, r := range i.server.Requests(contractserver.Widen) {
					decisions[r.Decision] = true
				}
				assert.Len(t, decisions, 2, "the team is asked once about each")
			})
		}
	}
}

func TestInterviewKilledAfterItsLastLineLosesNothing(t *testing.T) {
	t.Parallel()
	for after := range 8 {
		t.Run(fmt.Sprintf("%d ms", 2*after), func(t *testing.T) {
			t.Parallel()
			i := newInterviewee(t)
			i.begin()
			require.False(t, i.answers(typedLines))
			time.Sleep(time.Duration(2*after) * time.Millisecond)
			_ = i.p.cmd.Process.Kill() // or it has ended
			<-i.p.done
			i.seen.Reset()
			i.typed = 0
			i.begin()
			i.answers(100)
			if got := i.p.wait(); got.code != 0 {
				assert.Contains(t, got.err, "answers.yaml is there already; --force overwrites it")
			}
			assert.Equal(t, finished, i.file("answers.yaml"), i.seen.String())
		})
	}
}

func TestInterviewCancelledCanBeResumed(t *testing.T) {
	t.Parallel()
	i := newInterviewee(t)
	i.begin()
	require.False(t, i.answers(3)) // w, names, b
	i.prompted()
	i.types("!cancel")
	i.prompted()
	got := i.p.wait()
	assert.Equal(t, 3, got.code)
	assert.Contains(t, got.err, "the interview was stopped: 0 of 3 questions are decided and kept in answers.yaml.partial")
	assert.Equal(t, "widened", i.only().Status)
	i.seen.Reset()
	i.begin()
	require.True(t, i.answers(100))
	assert.True(t, strings.HasPrefix(i.seen.String(), "╭─ Waiting for widened discussion"), i.seen.String())
	assert.Equal(t, finished, i.file("answers.yaml"))
}

func TestInterviewQuestionIsAnsweredOnTheCommandLineToo(t *testing.T) {
	t.Parallel()
	i := newInterviewee(t)
	i.begin()
	i.prompted()
	require.Zero(t, i.run("answer", i.only().ID, "--text", "Oracle").code)
	said, more := i.prompted()
	require.True(t, more)
	assert.Contains(t, said, "This question was already answered: “Oracle” (by a person, on the command line).\n")
	assert.Contains(t, said, "Under which license do we publish? [MIT]:")
	require.NoError(t, i.in.Close())
	i.prompted()
	assert.Equal(t, 3, i.p.wait().code)
	assert.Contains(t, i.p.out.String(), "The input ended.\n")
	assert.Contains(t, i.file("answers.yaml.partial"), "final_answer: Oracle")
}

func TestInterviewWithATeamThatCannotBeReachedStillAsks(t *testing.T) {
	t.Parallel()
	for name, order := range map[string]contractserver.Order{
		"401": {Status: 401}, "429": {Status: 429, RetryAfter: "3600"}, "half": {Half: true}, "hang": {Hang: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := newInterviewee(t)
			i.server.Misbehave(contractserver.Audience, order, order, order, order, order, order, order, order)
			i.begin()
			require.False(t, i.answers(1)) // w
			said, _ := i.prompted()
			assert.Regexp(t, `^Widen failed: .+\.\nReturning to interview prompt\.\n\nWhich database`, said)
			i.types("MySQL")
			i.prompted()
			assert.Empty(t, i.server.Requests(contractserver.Widen))
		})
	}
	i := newInterviewee(t)
	i.server.Close()
	i.begin()
	said, _ := i.prompted()
	assert.NotContains(t, said, "[w]iden")
}

func TestInterviewWithAServerThatMisbehavesKeepsTheQuestion(t *testing.T) {
	t.Parallel()
	bad := map[string]contractserver.Order{"401": {Status: 401}, "half": {Half: true}, "no JSON": {Body: "<html>"},
		"429": {Status: 429, RetryAfter: "3600"}, "500": {Status: 500}}
	for name, order := range bad {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := newInterviewee(t)
			for range 8 {
				i.server.Misbehave(contractserver.Widen, order)
				i.server.Misbehave(contractserver.Discussion, order)
			}
			i.begin()
			require.False(t, i.answers(2)) // w, names
			said, _ := i.prompted()
			assert.Regexp(t, `Widen failed: .+\.\nReturning to interview prompt\.\n\nWhich database`, said)
			assert.Equal(t, "pending", i.only().Status)
			i.server.Forgive(contractserver.Widen)
			i.types(i.reply(said))
			require.False(t, i.answers(6)) // w, names, b, f
			said, _ = i.prompted()
			assert.Regexp(t, `^Fetch failed: .+\.\nWaiting >\n$`, said)
			assert.Equal(t, "widened", i.only().Status)
			assert.NotContains(t, i.seen.String(), contractserver.Token)
		})
	}
}

func TestInterviewOfOneFileRunsOnce(t *testing.T) {
	t.Parallel()
	i := newInterviewee(t)
	i.begin()
	i.prompted()
	got := i.run("interview", "charter.yaml", "--plain")
	assert.Equal(t, 1, got.code)
	assert.Contains(t, got.err, "another choicetui asks the questions of charter.yaml at this moment")
	assert.Len(t, i.list(), 1)
}

func TestPlainDashboardAsksTheTeamAboutAnAgentsQuestion(t *testing.T) {
	t.Parallel()
	i := newInterviewee(t)
	s, err := queue.New(i.store()).Create(t.Context(), queue.Session{Ask: database(),
		Origin: queue.Origin{Dialect: "provide_choice", Client: "claude-code", Cwd: i.work, Instance: "gone"}})
	require.NoError(t, err)
	i.args = []string{"--plain"}
	i.begin()
	until(t, "the question is written", func() bool { return strings.Contains(i.p.out.String(), "Type a number.") })
	time.Sleep(guarded)
	say := func(line, want string) {
		t.Helper()
		before := len(i.p.out.String())
		i.types(line)
		until(t, want, func() bool {
			said := i.p.out.String()[before:]
			if strings.Contains(said, "Type it again.") { // it came too soon, as the machine was busy
				before += len(said)
				i.types(line)
			}
			return strings.Contains(said, want)
		})
	}
	say("widen", "Audience >\n")
	say("bob smith", "Block here or continue with other questions? [b/c] (default: b):\n")
	say("c", "Question parked as pending. fetch brings what the team said.\n")
	assert.Equal(t, "widened", i.only().Status)
	say("list", s.ID+", with the team, not waiting")
	say("fetch "+s.ID, "Please write the answer manually.\n") // its agent is not there to sum up
	say("e", "Which one do you mean?\n  1: PostgreSQL\n")
	say("1", "Decision resolved.\n")
	assert.Equal(t, "PostgreSQL", i.show(s.ID)["summary"])
	require.NoError(t, i.in.Close())
	assert.Zero(t, i.p.wait().code)
	until(t, "the team is told", func() bool { return len(i.server.Requests(contractserver.Resolve)) == 1 })
}
