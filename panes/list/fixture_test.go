package list_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/list"
	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// TestMain has clock times on screen as the fixtures have them.
func TestMain(m *testing.M) {
	time.Local = time.UTC
	os.Exit(m.Run())
}

// bench is the queue beside a question that notes which of its rows were asked for.
type bench struct {
	*roomtest.Bench
	list     *list.Room
	focused  bool
	left     int // how often the focus was given back
	question panes.Table
	did      []action.Name
	went     []queue.Origin // agents whose panes were gone to
}

func newBench(t *testing.T, w, h int) *bench {
	b := &bench{Bench: roomtest.New(t, w, h, nil), focused: true}
	for _, a := range []action.Name{action.Cancel, action.More, action.Less, action.PageUp, action.PageDown} {
		b.question = append(b.question, action.Row{Name: a, Do: action.Just(func() { b.did = append(b.did, a) })})
	}
	b.list = list.New(b, list.Options{Where: func(string) string { return "2:1" }, Leave: func() { b.left++ },
		Question: func() panes.Table { return b.question }, Focused: func() bool { return b.focused },
		ToPane: func(o queue.Origin) { b.went = append(b.went, o) }})
	return b
}

func (b *bench) press(names ...string) { b.Press(b.list, names...) }

func (b *bench) write(text string) { b.Write(b.list, text) }

func (b *bench) up() string { return b.View().Session().Ask.Title }

func (b *bench) picture() string { return b.Picture(b.list) }

// rowWith returns the row on screen with these words; empty if there is none.
func (b *bench) rowWith(words string) string {
	for row := range strings.SplitSeq(b.picture(), "\n") {
		if strings.Contains(row, words) {
			return row
		}
	}
	return ""
}

// hints returns the keys that the footer lists, each with its word.
func (b *bench) hints() (list []string) {
	for _, h := range b.list.Footer().Hints {
		list = append(list, h.Text())
	}
	return list
}

// askGone asks for a caller whose process is gone.
func (b *bench) askGone(a queue.Ask, o queue.Origin) {
	b.T.Helper()
	b.AskGone(a, o)
}

// five puts the five questions of the golden screens into the queue.
func five(b *bench) {
	b.Ask(ask("Which database?", 300), shop())
	b.Pass(time.Minute)
	b.Ask(ask("Deploy 2.4.1 to production?", 42), infra())
	b.Ask(ask("Which endpoints get a rate limit?", 552), shop())
	b.Ask(ask("Name the design-token package", 14*60+30), web())
	b.Ask(ask("Which auth provider?", 2*3600+60), web())
}

func ask(title string, seconds int) queue.Ask {
	q := queue.Question{ID: "q1", Mode: queue.ModeSingle, Min: 1, Max: 1, Annotate: true, Options: []queue.Option{
		{ID: "a", Label: "PostgreSQL", Recommended: true}, {ID: "b", Label: "SQLite"}, {ID: "c", Label: "DynamoDB"}}}
	return queue.Ask{Kind: queue.KindChoice, Title: title, Prompt: "Three ways are open.",
		Questions: []queue.Question{q}, TimeoutSeconds: seconds, OnTimeout: queue.OnTimeoutNone}
}

func shop() queue.Origin {
	return queue.Origin{Client: "claude-code", Cwd: "/home/me/src/shop", Pane: "%1", Agent: "a1"}
}

func infra() queue.Origin {
	return queue.Origin{Client: "codex-mcp-client", Cwd: "/home/me/src/infra", Agent: "a2"}
}

func web() queue.Origin {
	return queue.Origin{Client: "gemini-cli-mcp-client", Cwd: "/home/me/src/web", Agent: "a3"}
}
