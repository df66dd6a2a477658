package app

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// panesFake is tmux as a test wants it: agents by name, and what was pasted.
type panesFake struct {
	at     map[string]Reached // by client
	fail   error
	pasted []string
	during func() // runs while a paste is under way
}

func (f *panesFake) Reach(_ context.Context, o queue.Origin) Reached { return f.at[o.Client] }

func (f *panesFake) Paste(_ context.Context, o queue.Origin, text string) (string, error) {
	if f.during != nil {
		f.during()
	}
	if f.fail != nil {
		return f.at[o.Client].Where, f.fail
	}
	f.pasted = append(f.pasted, o.Client+": "+text)
	return f.at[o.Client].Where, nil
}

// chatBench is a dashboard where one question of shop was answered: chat is open, to shop · claude in tmux 2:1.
func chatBench(t *testing.T, w, h int) (*bench, *panesFake) {
	b := newBench(t, w, h)
	ways := &panesFake{at: map[string]Reached{"claude-code": {Alive: true, Where: "2:1"},
		"codex-mcp-client": {Alive: true, Where: "3:0"}, "gemini-cli-mcp-client": {Alive: true, Err: errors.New("zsh is in front in its pane")}}}
	b.o.Chat = ways
	b.ask(database(), shop())
	b.calm()
	b.press("enter")
	b.calm()
	return b, ways
}

// archive is what was archived, newest first.
func (b *bench) archive() []queue.Session {
	b.t.Helper()
	page, _, err := b.o.Queue.Store.History(b.t.Context(), "", 100)
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
	require.Contains(t, b.foot(), "⏎ send to shop · claude")
	b.press("enter")
	require.Equal(t, []string{"claude-code: fix the README\nin the same commit, q i 1 x"}, ways.pasted)
	require.False(t, b.chat.open, "sent: the keys are the dashboard's again")
	s := b.archive()[0]
	require.Equal(t, "sent to shop · claude, pasted into its tmux pane (2:1)", s.Summary())
	require.Equal(t, "fix the README\nin the same commit, q i 1 x", s.Ask.Prompt)
	require.Equal(t, "a1", s.Origin.Agent)
	require.Contains(t, b.picture(), "✓ “fix the README” → shop: sent")
	require.Len(t, b.day.today(b.now()), 1, "a message is no answer")
	b.press("i")
	require.Empty(t, b.chat.editor.Text())
}

func TestWhileAQuestionWaitsNothingIsSentAndTheTextStays(t *testing.T) {
	b, ways := chatBench(t, 80, 24)
	b.press("i")
	b.write("fix the README")
	s := b.ask(small("Deploy 2.4.1 to production?", 300), infra())
	b.ask(endpoints(), web())
	require.True(t, b.chat.open, "an arrival moves no focus")
	require.Contains(t, b.picture(), "─ chat closed: 2 wait ·")
	require.Contains(t, b.foot(), "⏎ not sent: “Deploy 2.4.1 to production?” and 1 more wait. The text stays.")
	b.press("enter", "enter", "x", "1", "q")
	require.Equal(t, "fix the READMEx1q", b.chat.editor.Text(), "letters are text, never commands")
	require.Empty(t, ways.pasted)
	require.Equal(t, queue.StatusPending, b.get(s.ID).Status())

	b.settleElsewhere(s, queue.SurfaceWeb, "pg")
	b.press("esc")
	b.calm()
	b.press("i")
	require.Contains(t, b.foot(), "“Which endpoints get a rate limit?” waits. The text stays.")
	require.Equal(t, "fix the READMEx1q", b.chat.editor.Text())
	for id, live := range b.live {
		if live.At(b.now()).Pending() {
			_, err := b.o.Queue.Do(t.Context(), id, queue.Command{Do: queue.Cancel{}})
			require.NoError(t, err)
		}
	}
	b.settle()
	require.Empty(t, ways.pasted, "nothing is sent by itself when it opens")
	require.Contains(t, b.foot(), "⏎ send to")
	b.press("enter")
	require.Len(t, ways.pasted, 1)
}

func TestTheComposerOpensOverAQuestionAndKeysOfItWaitAMomentAfterwards(t *testing.T) {
	b, _ := chatBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.calm()
	b.press("i")
	b.write("y")
	b.press("esc", "enter")
	require.Contains(t, b.foot(), "ignored ⏎: this had just appeared")
	require.Equal(t, queue.StatusPending, b.get(s.ID).Status())
}

func TestAQuestionWhoseCallerIsGoneForAMinuteClosesNoChat(t *testing.T) {
	b, ways := chatBench(t, 80, 24)
	b.present["other"] = queue.RoleBridge
	o := infra()
	o.Instance = "other"
	b.ask(small("Deploy?", 3000), o)
	b.press("i")
	b.write("hello")
	delete(b.present, "other")
	b.stale = true
	b.refresh()
	b.clock.pass(59 * time.Second)
	b.press("enter")
	require.Empty(t, ways.pasted)
	next := b.nextTick()
	require.False(t, next.After(b.now().Add(time.Second)), "the screen is told when it opens")
	b.clock.pass(time.Second)
	require.Contains(t, b.picture(), "─ chat · to ")
	b.press("enter")
	require.Len(t, ways.pasted, 1)
}

func TestWhatCannotBeDeliveredStaysInTheComposerWithTheReason(t *testing.T) {
	for name, c := range map[string]struct {
		mode   string
		at     Reached
		fail   error
		bridge bool
		want   string
		kept   string // what history says; empty: nothing was stored
	}{
		"a shell in front":        {"tmux", Reached{Alive: true, Err: errors.New("zsh is in front in its pane")}, nil, true, "not sent: zsh is in front in its pane. The text stays.", ""},
		"no way at all":           {"auto", Reached{Alive: true, Err: errors.New("not inside tmux")}, nil, false, "not sent: not inside tmux. The text stays.", ""},
		"it is gone":              {"mcp", Reached{}, nil, false, "not sent: shop · claude is gone. The text stays.", ""},
		"tmux fails before":       {"tmux", Reached{Alive: true, Where: "2:1"}, errors.New("no server"), true, "not sent: no server. The text stays.", "not sent to shop · claude: no server"},
		"tmux fails in the paste": {"auto", Reached{Alive: true, Where: "2:1"}, &queue.Doubt{Err: errors.New("hiccup")}, true, "perhaps sent, look at its pane first: hiccup", "sent to shop · claude, pasted into its tmux pane (2:1, perhaps: hiccup)"},
	} {
		t.Run(name, func(t *testing.T) {
			b, ways := chatBench(t, 80, 24)
			b.Dashboard.settings.Chat.Deliver = c.mode
			ways.at["claude-code"], ways.fail = c.at, c.fail
			if !c.bridge {
				delete(b.present, "bridge")
				b.chat.agents[b.chat.to].at.Alive = true
			}
			b.press("i")
			b.write("hello")
			before := len(b.archive())
			b.press("enter")
			require.Equal(t, c.want, b.foot())
			require.True(t, b.chat.open)
			require.Equal(t, "hello", b.chat.editor.Text())
			require.Empty(t, ways.pasted)
			if c.kept == "" {
				require.Len(t, b.archive(), before)
				return
			}
			require.Equal(t, c.kept, b.archive()[0].Summary())
			require.Empty(t, b.unfetched(b.addressed()), "next_message does not deliver it too")
		})
	}
}

func TestWithoutAPaneTheLineIsKeptForNextMessage(t *testing.T) {
	b, ways := chatBench(t, 80, 24)
	ways.at["claude-code"] = Reached{Alive: true, Err: errors.New("not inside tmux")}
	b.press("i")
	b.write("hello")
	require.Contains(t, b.foot(), "⏎ send to shop · claude · kept until it calls next_message")
	b.press("enter")
	require.False(t, b.chat.open)
	require.Contains(t, b.picture(), "✓ “hello” → shop: kept for next_message")
	a := b.addressed()
	s := b.unfetched(a)[0]
	require.Nil(t, s.Claim, "anybody may take it for the agent")
	require.Empty(t, b.waiting)

	b.press("i")
	require.Contains(t, b.picture(), "working · 1 not fetched")
	b.ctrl(tcell.KeyCtrlR)
	require.Equal(t, "hello", b.chat.editor.Text(), "taken back")
	require.Equal(t, queue.StatusCancelled, b.get(s.ID).Status())
	b.press("enter", "i")
	s = b.unfetched(a)[0]
	claim := queue.Claim{Instance: "bridge", Conn: "9"}
	for _, do := range []queue.Action{queue.Take{Claim: claim}, queue.Deliver{Claim: claim, Surface: queue.SurfaceMCP}} {
		_, err := b.o.Queue.Do(t.Context(), s.ID, queue.Command{By: queue.ByCaller, Do: do})
		require.NoError(t, err)
	}
	b.clock.pass(time.Hour)
	b.settle()
	b.press("esc")
	require.Contains(t, b.picture(), "✓ “hello” → shop · claude: received 14:02")
	require.Empty(t, b.missed, "nothing was missed")
}

func TestALineForAnAgentWhosePaneCannotBeToldIsNotPastedAndTheReasonIsRead(t *testing.T) {
	b, ways := chatBench(t, 120, 24)
	ways.at["claude-code"] = Reached{Shared: true, Err: errors.New("no pane is surely its own: its app-server may serve several agents")}
	b.press("i")
	b.write("hello")
	require.Contains(t, b.foot(), "⏎ send to shop · claude · kept until it calls next_message: no pane is surely its own")
	require.NotContains(t, b.picture(), "tmux 2:1")
	b.press("enter")
	require.Empty(t, ways.pasted)
	require.Contains(t, b.picture(), "✓ “hello” → shop · claude: kept for next_message")

	b.fixed().Chat.Deliver = deliverTmux
	b.newSettings()
	b.press("i")
	b.write("hello")
	require.Contains(t, b.foot(), "not sent: no pane is surely its own: its app-server may serve several agents. The text stays.")
	b.press("enter")
	require.Empty(t, ways.pasted)
	require.Equal(t, "hello", b.chat.editor.Text())

	delete(b.present, "bridge")
	b.stale = true
	b.refresh()
	b.write("!")
	require.Contains(t, b.foot(), "not sent: shop · claude is gone. The text stays.", "that its server runs says nothing of it")
}

func TestAnAgentThatListensIsShownAsWaitingAndKnownBeforeItAsked(t *testing.T) {
	b := newBench(t, 80, 24)
	o := web()
	o.Instance = "bridge"
	b.arrived(batch{changes: queue.Changes{Presence: true}, present: []queue.Presence{
		{Instance: "bridge", Role: queue.RoleBridge}, {Instance: "bridge-1", Role: queue.RoleListener, Origin: &o}}})
	require.Contains(t, b.picture(), "─ chat · to web · gemini ─")
	b.press("i")
	require.Contains(t, b.picture(), " waiting ─")
}

func TestTabAddressesTheNextAgentAndTheTextGoesAlong(t *testing.T) {
	b, ways := chatBench(t, 80, 24)
	b.ask(database(), infra())
	b.calm()
	b.press("enter")
	b.calm()
	b.press("i")
	require.Contains(t, b.picture(), "─ chat · to infra · codex, tmux 3:0 ──")
	require.Contains(t, b.picture(), "working · 1 of 2 agents")
	b.write("hello")
	b.press("tab")
	require.Contains(t, b.picture(), "─ chat · to shop · claude, tmux 2:1 ──")
	require.Equal(t, "hello", b.chat.editor.Text())
	b.press("esc", "i", "enter")
	require.Equal(t, []string{"claude-code: hello"}, ways.pasted)
}

func TestEachAgentKeepsItsOwnText(t *testing.T) {
	b, _ := chatBench(t, 80, 24)
	b.press("i")
	b.write("for claude")
	b.press("esc")
	b.ask(database(), infra())
	b.calm()
	b.press("enter")
	b.calm()
	b.press("i")
	require.Empty(t, b.chat.editor.Text(), "the question of codex was last on screen")
	require.Contains(t, b.picture(), "chat · to infra · codex")
	require.Contains(t, b.picture(), "✎ for shop · claude")
	b.press("tab")
	require.Equal(t, "for claude", b.chat.editor.Text(), "it waits for its agent")
	b.press("tab")
	require.Empty(t, b.chat.editor.Text(), "it stays with its agent")
	b.write("for codex")
	b.press("tab")
	require.Equal(t, "for claude", b.chat.editor.Text(), "there is one kept for it")
	b.press("tab")
	require.Equal(t, "for codex", b.chat.editor.Text())
}

func TestTheAddressedAgentStaysWhileTheComposerIsOpen(t *testing.T) {
	b, ways := chatBench(t, 80, 24)
	b.press("i")
	b.write("hello")
	s := b.ask(database(), infra())
	b.settleElsewhere(s, queue.SurfaceWeb, "pg")
	b.clock.pass(time.Minute)
	b.tick()
	b.settle()
	require.Contains(t, b.picture(), "─ chat · to shop · claude")
	b.press("enter")
	require.Equal(t, []string{"claude-code: hello"}, ways.pasted)
}

func TestWhatIsTypedForAnAgentSurvivesTheDashboard(t *testing.T) {
	b, _ := chatBench(t, 80, 24)
	b.clock.t = time.Now() // drafts are kept for a day of the store's own clock
	b.press("i")
	b.write("hello")
	b.saveChatDraft()
	b.settle()
	again, _ := chatBench(t, 80, 24)
	again.o.Queue.Store, again.o.Instance = b.o.Queue.Store, "me2"
	again.press("i")
	require.Equal(t, "hello", again.chat.editor.Text())
	again.press("enter")
	drafts, err := b.o.Queue.Store.Drafts(t.Context(), chatDraft(again.chat.to))
	require.NoError(t, err)
	require.Empty(t, drafts, "sent: neither dashboard offers it again")
}

func TestSwitchedOffThereIsNoChat(t *testing.T) {
	b, _ := chatBench(t, 80, 24)
	b.Dashboard.settings.Chat.Deliver = "off"
	require.NotContains(t, b.picture(), "chat")
	b.press("i")
	require.False(t, b.chat.open)
	require.Contains(t, b.foot(), "chat is switched off")
	b.ask(database(), shop())
	require.NotContains(t, b.picture(), "chat closed")
}

func TestWhatWasMissedIsQuotedToItsAgent(t *testing.T) {
	b, ways := chatBench(t, 80, 24)
	b.ask(small("Rename the flag?", 20), web())
	b.clock.pass(40 * time.Second)
	b.tick()
	b.settle()
	b.clock.pass(20 * time.Second)
	b.tick()
	b.settle()
	require.Contains(t, b.picture(), "i tells the agent what you would have said")
	b.press("i")
	require.Equal(t, "> “Rename the flag?” → timed out, no answer\n", b.chat.editor.Text())
	require.Contains(t, b.picture(), "chat · to web · gemini")
	b.write("yes")
	b.press("tab", "enter")
	require.Len(t, ways.pasted, 1)
}

func TestALineThatGrowsTakesAThirdAtMost(t *testing.T) {
	b, _ := chatBench(t, 80, 24)
	b.press("i")
	b.Paste(strings.Repeat("line\n", 20) + "\x1b[31mend")
	rows := strings.Split(b.picture(), "\n")
	require.Contains(t, rows[13], "─ chat · to shop · claude")
	require.Equal(t, "  [31mend", rows[21], "controls are left out")
}

func TestNothingTypedWhileALineIsSentIsLost(t *testing.T) {
	b, ways := chatBench(t, 80, 24)
	b.press("i")
	b.write("first")
	b.Key(event("enter"))
	require.Contains(t, b.foot(), "sending")
	b.Key(event("enter"))
	for _, r := range " second" {
		b.Key(tcell.NewEventKey(tcell.KeyRune, r, tcell.ModNone))
	}
	b.settle()
	require.Equal(t, []string{"claude-code: first"}, ways.pasted)
	require.True(t, b.chat.open)
	require.Equal(t, " second", b.chat.editor.Text())
}

func TestTheCountIsShownOnEveryChangeAndTakenAwayByTheLastDashboard(t *testing.T) {
	b := newBench(t, 80, 24)
	c := &countFake{}
	b.o.Count = c
	s := b.ask(database(), shop())
	b.ask(small("Two?", 300), infra())
	b.press("j")
	b.settleElsewhere(s, queue.SurfaceWeb, "pg")
	require.Equal(t, []int{1, 2, 1}, c.shown)
	b.present["other"] = queue.RoleDashboard
	b.uncount()
	require.False(t, c.cleared)
	delete(b.present, "other")
	b.uncount()
	require.True(t, c.cleared)
}

type countFake struct {
	shown   []int
	cleared bool
}

func (c *countFake) Show(n int) { c.shown = append(c.shown, n) }
func (c *countFake) Clear()     { c.cleared = true }

func TestScreenChat(t *testing.T) {
	atSizes(t, "chat-open", func(b *bench) {
		threeAgents(b)
		b.press("i")
		b.write("the README still says SQLite, please fix it in the same commit")
	})
}

func TestScreenChatClosed(t *testing.T) {
	atSizes(t, "chat-closed", func(b *bench) {
		threeAgents(b)
		b.press("i")
		b.write("the README still says SQLite, please fix it in the same commit")
		b.ask(small("Deploy 2.4.1 to production?", 42), infra())
		b.ask(endpoints(), web())
		b.clock.pass(time.Second)
	})
}

func TestScreenChatToShop(t *testing.T) {
	atSizes(t, "chat-empty", func(b *bench) { threeAgents(b) })
}

// threeAgents have each asked something, shop · claude last.
func threeAgents(b *bench) {
	b.o.Chat = &panesFake{at: map[string]Reached{"claude-code": {Alive: true, Where: "2:1"}}}
	for _, o := range []queue.Origin{infra(), web(), shop()} {
		b.ask(database(), o)
		b.calm()
		b.press("enter")
		b.calm()
	}
}
