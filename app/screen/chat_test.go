package screen

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

// panesFake is tmux as a test wants it: agents by name, and what was pasted.
type panesFake struct {
	at     map[string]desk.Reached // by client
	pasted []string
}

func (f *panesFake) Reach(_ context.Context, o queue.Origin) desk.Reached { return f.at[o.Client] }

func (f *panesFake) Send(_ context.Context, s queue.Session) (desk.Sent, error) {
	o, text := s.Origin, s.Ask.Prompt
	f.pasted = append(f.pasted, o.Client+": "+text)
	return desk.Sent{Surface: queue.SurfaceTmux, Where: f.at[o.Client].Where}, nil
}

// chatBench returns a dashboard where one question of shop was answered: chat is open, to shop · claude in tmux 2:1.
func chatBench(t *testing.T, w, h int) (*bench, *panesFake) {
	ways := &panesFake{at: map[string]desk.Reached{"claude-code": {Alive: true, Where: "2:1"},
		"codex-mcp-client":      {Alive: true, Where: "3:0"},
		"gemini-cli-mcp-client": {Alive: true, Err: errors.New("zsh is in front in its pane")}}}
	b := newBenchWith(t, w, h, func(o *Options) { o.Chat = ways })
	b.ask(database(), shop())
	b.calm()
	b.press("enter")
	b.calm()
	return b, ways
}

// typedLine returns the text in the open composer.
func (b *bench) typedLine() string {
	b.t.Helper()
	require.True(b.t, b.line.Open())
	require.Equal(b.t, b.line.Text(), b.rooms.chat.Field().Text(), "what is sent is what is seen")
	return b.line.Text()
}

// unfetched are the messages to the addressed agent that it has not fetched.
func (b *bench) unfetched() []queue.Session { return b.line.Unfetched(b.line.Addressed()) }

// fetch returns the agent fetching a message through next_message.
func (b *bench) fetch(s queue.Session) queue.Session {
	b.t.Helper()
	claim := queue.Claim{Instance: "bridge", Conn: "9"}
	take, deliver := queue.Take{Claim: claim}, queue.Deliver{Claim: claim, Surface: queue.SurfaceMCP}
	for _, do := range []queue.Action{take, deliver} {
		now, err := b.o.Queue.Do(b.t.Context(), s.ID, queue.Command{By: queue.ByCaller, Do: do})
		require.NoError(b.t, err)
		s = now
	}
	return s
}

// archive returns what was archived, newest first.
func (b *bench) archive() []queue.Session {
	b.t.Helper()
	page, _, err := b.o.Queue.Store.History(b.t.Context(), "", 100, queue.Whole)
	require.NoError(b.t, err)
	return page
}

func (b *bench) ctrl(k tcell.Key) {
	b.Key(tcell.NewEventKey(k, 0, tcell.ModNone))
	b.settle()
}

func TestALineIsTypedIntoTheAgentsPaneAndKeptInHistory(t *testing.T) {
	b, ways := chatBench(t, 80, 24)
	require.Contains(t, b.picture(), "─ chat · to shop · claude, tmux 2:1 ─")
	b.press("i")
	b.write("fix the README")
	b.press("ctrl+j")
	b.write("in the same commit, q i 1 x")
	require.Contains(t, b.footer(), "⏎ Send to shop · claude")
	b.press("enter")
	require.Equal(t, []string{"claude-code: fix the README\nin the same commit, q i 1 x"}, ways.pasted)
	require.False(t, b.line.Open(), "sent: the keys are the dashboard's again")
	s := b.archive()[0]
	require.Equal(t, "sent to shop · claude, pasted into its tmux pane (2:1)", s.Summary())
	require.Equal(t, "fix the README\nin the same commit, q i 1 x", s.Ask.Prompt)
	require.Equal(t, "a1", s.Origin.Agent)
	require.Contains(t, b.picture(), "✓ “fix the README” → shop: sent")
	require.Len(t, b.desk.Today().Took(b.now()), 1, "a message is no answer")
	b.press("i")
	require.Empty(t, b.typedLine())
}

func TestTheComposerOpensOverAQuestionAndKeysOfItWaitAMomentAfterwards(t *testing.T) {
	b, _ := chatBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.calm()
	b.press("i")
	b.write("y")
	b.press("esc", "enter")
	require.Equal(t, "Not yet: press Enter again", b.footer())
	require.Equal(t, queue.StatusPending, b.get(s.ID).Status())
}

func TestTheScreenIsDrawnWhenTheMinuteOfAGoneCallerIsOver(t *testing.T) {
	b, ways := chatBench(t, 80, 24)
	b.runs("other", queue.RoleBridge)
	o := infra()
	o.Instance = "other"
	b.ask(small("Deploy?", 3000), o)
	b.press("i")
	b.write("hello")
	b.ends("other")
	b.clock.Pass(59 * time.Second)
	require.False(t, b.nextTick().After(b.now().Add(time.Second)))
	b.clock.Pass(time.Second)
	b.press("enter")
	require.Len(t, ways.pasted, 1)
}

func TestWithoutAPaneTheLineIsKeptForNextMessage(t *testing.T) {
	b, ways := chatBench(t, 80, 24)
	ways.at["claude-code"] = desk.Reached{Alive: true, Err: errors.New("not inside tmux")}
	b.press("i")
	b.write("hello")
	require.Contains(t, b.footer(), "⏎ Send to shop · claude · delivered when it next asks")
	b.press("enter")
	require.False(t, b.line.Open())
	require.Contains(t, b.picture(), "✓ “hello” → shop: delivered when it next asks")
	s := b.unfetched()[0]
	require.Nil(t, s.Claim, "anybody may take it for the agent")
	require.Empty(t, b.desk.Waiting())

	b.press("i")
	require.Contains(t, b.picture(), "working · 1 not delivered")
	b.ctrl(tcell.KeyCtrlR)
	require.Equal(t, "hello", b.typedLine(), "taken back")
	require.Equal(t, queue.StatusCancelled, b.get(s.ID).Status())
	b.calm()
	b.press("enter", "i")
	s = b.unfetched()[0]
	b.fetch(s)
	b.clock.Pass(time.Hour)
	b.settle()
	b.press("esc")
	require.Contains(t, b.picture(), "✓ “hello” → shop · claude: delivered 14:02")
	require.Empty(t, b.view.Missed(), "nothing was missed")
}

func TestAnAgentThatListensIsShownAsWaitingAndKnownBeforeItAsked(t *testing.T) {
	b := newBench(t, 80, 24)
	o := web()
	o.Instance = "bridge"
	b.desk.Take(queue.Changes{Presence: true}, []queue.Presence{
		{Instance: "bridge", Role: queue.RoleBridge}, {Instance: "bridge-1", Role: queue.RoleListener, Origin: &o}})
	require.Contains(t, b.picture(), "─ chat · to web · gemini ─")
	b.press("i")
	require.Contains(t, b.picture(), " waiting ─")
}

func TestALineIsOpenedToTheAgentThatTheFooterNamesAlsoWithQuestionsMissed(t *testing.T) {
	b, ways := chatBench(t, 80, 24)
	b.ask(small("Rename the flag?", 20), web())
	b.clock.Pass(40 * time.Second)
	b.tick()
	b.settle()
	b.clock.Pass(20 * time.Second)
	b.tick()
	b.settle()
	b.ask(database(), shop())
	b.clock.Pass(time.Second)
	b.press("enter")
	require.Contains(t, b.picture(), "! 1 timed out unanswered")
	require.Contains(t, b.picture(), "press h, then i, to message the agent")
	require.Contains(t, b.picture(), "─ chat · to shop · claude")
	b.press("i")
	require.Empty(t, b.typedLine())
	require.Contains(t, b.picture(), "─ chat · to shop · claude")
	b.press("esc", "h", "down", "i")
	require.Equal(t, "> “Rename the flag?” → timed out, no answer\n", b.typedLine())
	require.Contains(t, b.picture(), "chat · to web · gemini")
	b.write("yes")
	b.press("tab", "enter")
	require.Len(t, ways.pasted, 1)
}

func TestTheCountIsShownOnEveryChangeAndTakenAwayByTheLastDashboard(t *testing.T) {
	c := &countFake{}
	b := newBenchWith(t, 80, 24, func(o *Options) { o.Count = c })
	s := b.ask(database(), shop())
	b.ask(small("Two?", 300), infra())
	b.press("j")
	b.settleElsewhere(s, queue.SurfaceWeb, "pg")
	require.Equal(t, []int{0, 1, 2, 1}, c.shown)
	b.runs("other", queue.RoleDashboard)
	b.clearCount()
	require.False(t, c.cleared)
	b.ends("other")
	b.clearCount()
	require.True(t, c.cleared)
}

type countFake struct {
	shown   []int
	cleared bool
}

func (c *countFake) Show(n int) { c.shown = append(c.shown, n) }
func (c *countFake) Clear()     { c.cleared = true }

// lineAtSizes compares the screen at every size, once three agents have each asked something, shop · claude last.
func lineAtSizes(t *testing.T, name string, set func(b *bench)) {
	for _, s := range sizes {
		t.Run(fmt.Sprintf("%dx%d", s[0], s[1]), func(t *testing.T) {
			ways := &panesFake{at: map[string]desk.Reached{"claude-code": {Alive: true, Where: "2:1"}}}
			b := newBenchWith(t, s[0], s[1], func(o *Options) { o.Chat = ways })
			for _, o := range []queue.Origin{infra(), web(), shop()} {
				b.ask(database(), o)
				b.calm()
				b.press("enter")
				b.calm()
			}
			set(b)
			b.golden(fmt.Sprintf("%s-%dx%d", name, s[0], s[1]))
		})
	}
}

const stillSQLite = "the README still says SQLite, please fix it in the same commit"

func TestScreenChat(t *testing.T) {
	lineAtSizes(t, "chat-open", func(b *bench) {
		b.press("i")
		b.write(stillSQLite)
	})
}

func TestScreenChatClosed(t *testing.T) {
	lineAtSizes(t, "chat-closed", func(b *bench) {
		b.press("i")
		b.write(stillSQLite)
		b.ask(small("Deploy 2.4.1 to production?", 42), infra())
		b.ask(endpoints(), web())
		b.clock.Pass(time.Second)
	})
}

func TestScreenChatToShop(t *testing.T) {
	lineAtSizes(t, "chat-empty", func(*bench) {})
}
