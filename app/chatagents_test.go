package app

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// deadAndAlive is a dashboard where shop · claude runs and infra · codex, whose question was the last one, is gone.
func deadAndAlive(t *testing.T, w, h int) (*bench, *panesFake) {
	b, ways := chatBench(t, w, h)
	o := infra()
	o.Instance = "other"
	b.present["other"] = queue.RoleBridge
	b.ask(database(), o)
	b.calm()
	b.press("enter")
	b.calm()
	b.leaves(ways, "codex-mcp-client")
	return b, ways
}

// leaves lets an agent and its bridge go: only the one called bridge stays.
func (b *bench) leaves(ways *panesFake, client string) {
	ways.at[client] = Reached{Err: errors.New("it does not run any more")}
	b.arrived(batch{changes: queue.Changes{Presence: true}, present: []queue.Presence{{Instance: "bridge", Role: queue.RoleBridge}}})
	b.settle()
}

func TestTellingAnAgentThatIsGoneSendsNothingToAnother(t *testing.T) {
	b, ways := deadAndAlive(t, 120, 40)
	before := len(b.archive())
	b.press("h")
	require.Contains(t, b.picture(), "i tell infra · codex")
	b.press("i", "enter")
	require.Empty(t, ways.pasted)
	require.Len(t, b.archive(), before)
	require.Contains(t, b.picture(), "─ chat · to infra · codex, gone ─")
	require.Contains(t, b.picture(), "› > “Which database?” → PostgreSQL")
	require.Equal(t, "not sent: infra · codex is gone. The text stays.", b.foot())
	b.write("x")
	require.Equal(t, "⏎ not sent: infra · codex is gone. The text stays.", b.foot(), "one truth, before Enter and after it")

	b.press("tab")
	require.Contains(t, b.picture(), "─ chat · to shop · claude, tmux 2:1 ─")
	b.press("enter")
	require.Equal(t, []string{"claude-code: > “Which database?” → PostgreSQL\nx"}, ways.pasted, "the person took it there")
}

func TestAnAgentThatGoesWhileItsLineIsTypedGetsNothingAndNobodyElseEither(t *testing.T) {
	b, ways := chatBench(t, 80, 24)
	o := infra()
	o.Instance = "other"
	b.present["other"] = queue.RoleBridge
	b.ask(database(), o)
	b.calm()
	b.press("enter")
	b.calm()
	b.press("i")
	b.write("hello")
	require.Contains(t, b.foot(), "⏎ send to infra · codex")
	b.leaves(ways, "codex-mcp-client")
	require.Contains(t, b.picture(), "─ chat · to infra · codex, gone ─")
	require.NotContains(t, b.picture(), "working")
	require.Equal(t, "⏎ not sent: infra · codex is gone. The text stays.", b.foot())
	b.press("enter", "enter")
	require.Empty(t, ways.pasted)
	require.Equal(t, "hello", b.chat.editor.Text())
}

func TestTabLeadsFromAnAgentThatIsGoneToTheOnlyOneThatRuns(t *testing.T) {
	b, _ := deadAndAlive(t, 80, 24)
	b.press("h", "i")
	require.Contains(t, b.picture(), "Tab next agent")
	b.press("tab")
	require.Contains(t, b.picture(), "─ chat · to shop · claude")
	require.NotContains(t, b.picture(), "Tab next agent", "nothing is kept for the one that is gone")
}

func TestTheComposerOpensToOneThatRunsWhileTheAddressedOneIsGone(t *testing.T) {
	b, _ := deadAndAlive(t, 80, 24)
	require.Contains(t, b.picture(), "─ chat · to shop · claude")
	b.press("i")
	require.Contains(t, b.foot(), "type a line to shop · claude")
}

func TestWithEverybodyGoneTheRuleStillKnowsWhomItMeans(t *testing.T) {
	b, ways := deadAndAlive(t, 80, 24)
	delete(b.present, "bridge")
	ways.at["claude-code"] = Reached{Err: errors.New("it does not run any more")}
	b.arrived(batch{changes: queue.Changes{Presence: true}})
	b.settle()
	require.NotContains(t, b.picture(), "no agent known yet")
	require.Contains(t, b.picture(), "─ chat · to infra · codex, gone ─")
	b.press("i")
	require.Contains(t, b.foot(), "infra · codex is gone")
	b.press("esc")
	require.Contains(t, b.picture(), "─ chat · to infra · codex, gone ─")
}

func TestAPaneThatCannotBeTypedIntoIsSaidBeforeEnterAndLookedAtAgainByIt(t *testing.T) {
	b, ways := chatBench(t, 80, 24)
	b.Dashboard.settings.Chat.Deliver = "tmux"
	ways.at["claude-code"] = Reached{Alive: true, Err: errors.New("no such tmux pane")}
	b.press("i")
	b.write("hello")
	require.Equal(t, "⏎ not sent: no such tmux pane. The text stays.", b.foot())
	b.press("enter")
	require.Equal(t, "not sent: no such tmux pane. The text stays.", b.foot())
	ways.at["claude-code"] = Reached{Alive: true, Where: "2:1"}
	b.press("enter")
	require.Empty(t, ways.pasted, "the Enter line said that it would not be sent")
	require.Equal(t, "⏎ send to shop · claude", b.foot())
	b.press("enter")
	require.Len(t, ways.pasted, 1)
}

func TestATextThatIsKeptIsSeenOnTheClosedComposer(t *testing.T) {
	b, _ := chatBench(t, 50, 20)
	b.press("i")
	b.write("please fix the README, it still says SQLite everywhere")
	b.press("esc")
	require.Equal(t, "› please fix the README, it still… ✎ shop · claude", b.foot())
	b.ask(database(), infra())
	b.calm()
	b.press("enter")
	b.calm()
	b.clock.pass(saidFor)
	require.Contains(t, b.picture(), "─ chat · to infra · codex")
	require.Contains(t, b.foot(), "… ✎ shop · claude", "it waits for its agent, whoever asked since")
	b.press("i")
	require.Empty(t, b.chat.editor.Text(), "it does not stand in for the one whose question was last on screen")
	require.Contains(t, b.picture(), " ✎ 1 kept ─", "and it is said so")
	b.write("for codex")
	b.press("esc")
	require.Contains(t, b.foot(), "for codex ✎ infra · codex +1")
}

func TestAQuoteThatWasNotTouchedLeavesWithTheComposer(t *testing.T) {
	b, _ := chatBench(t, 80, 24)
	b.press("h", "i")
	require.Contains(t, b.chat.editor.Text(), "> “Which database?”")
	b.press("esc", "esc")
	require.Equal(t, "›", b.foot(), "it was no text of the person")
	b.press("i")
	require.Empty(t, b.chat.editor.Text())
	b.write("mine")
	b.press("esc", "h", "i")
	require.Equal(t, "mine\n> “Which database?” → PostgreSQL\n", b.chat.editor.Text())
	b.press("esc", "esc", "i")
	require.Equal(t, "mine", b.chat.editor.Text(), "what was there before stays")
	b.press("esc", "h", "i")
	b.write("so")
	b.press("esc", "esc", "i")
	require.Equal(t, "mine\n> “Which database?” → PostgreSQL\nso", b.chat.editor.Text(), "touched, it is kept")
}

func TestWhatWasMissedIsOfferedOnlyForAnAgentThatIsThere(t *testing.T) {
	b, ways := chatBench(t, 80, 24)
	o := web()
	o.Instance = "other"
	b.present["other"] = queue.RoleBridge
	b.ask(small("Rename the flag?", 20), o)
	b.clock.pass(40 * time.Second)
	b.tick()
	b.settle()
	b.clock.pass(20 * time.Second)
	b.tick()
	b.settle()
	require.Contains(t, b.picture(), "i tells the agent what you would have said")
	b.leaves(ways, "gemini-cli-mcp-client")
	require.NotContains(t, b.picture(), "i tells the agent")
	b.press("i")
	require.Contains(t, b.picture(), "─ chat · to shop · claude")
	require.Empty(t, b.chat.editor.Text())
}

func TestADraftIsSavedForItsOwnAgentWhenAnotherQuestionComesUpAtOnce(t *testing.T) {
	b, _ := chatBench(t, 80, 24)
	b.clock.t = time.Now() // drafts are kept for a day of the store's own clock
	b.press("i")
	b.write("hello")
	to := b.chat.to
	b.ask(database(), infra())
	b.press("esc")
	b.chatAbout(queue.Session{Origin: infra(), AskedAt: b.now()})
	b.saveChatDraft()
	b.settle()
	drafts, err := b.o.Queue.Store.Drafts(t.Context(), chatDraft(to))
	require.NoError(t, err)
	require.Len(t, drafts, 1)
	assert.Equal(t, "hello", drafts[0].Answer.Comment)
}

func TestTabIsOfferedInAnEmptyComposerWhoseAgentIsGone(t *testing.T) {
	b, ways := chatBench(t, 80, 24)
	o := infra()
	o.Instance = "other"
	b.present["other"] = queue.RoleBridge
	b.ask(database(), o)
	b.calm()
	b.press("enter")
	b.calm()
	b.press("i")
	b.leaves(ways, "codex-mcp-client")
	require.Contains(t, b.picture(), "─ chat · to infra · codex, gone ─")
	require.Contains(t, b.picture(), "Tab next agent")
	require.Contains(t, b.picture(), "1 of 2 agents")
	b.press("tab")
	require.Contains(t, b.foot(), "type a line to shop · claude")
}

func TestTabLeavesAQuoteBehindThatTheTextBeforeItKeepsFromGoingAlong(t *testing.T) {
	b, _ := chatBench(t, 80, 24)
	b.press("i")
	b.write("mine")
	b.press("esc")
	b.ask(database(), infra())
	b.calm()
	b.press("enter")
	b.press("h", "j", "i")
	require.Equal(t, "mine\n> “Which database?” → PostgreSQL\n", b.chat.editor.Text())
	b.press("tab")
	require.Empty(t, b.chat.editor.Text())
	b.press("tab")
	require.Equal(t, "mine", b.chat.editor.Text())
}

func TestALookAtWhatWouldBeToldAddressesNobodyElseAfterwards(t *testing.T) {
	b, _ := chatBench(t, 80, 24)
	b.ask(database(), infra())
	b.calm()
	b.press("enter")
	b.calm()
	b.press("h", "j", "i")
	require.Contains(t, b.picture(), "─ chat · to shop · claude")
	b.press("esc", "esc", "i")
	require.Contains(t, b.picture(), "─ chat · to infra · codex", "its question was last on screen")
}
