package portal

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/portal/door"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

// tmuxWays replaces tmux: every agent is in one pane.
type tmuxWays struct{ pasted chan string }

func (w *tmuxWays) Reach(context.Context, queue.Origin) desk.Reached {
	return desk.Reached{Alive: true, Where: "2:1"}
}

func (w *tmuxWays) Send(_ context.Context, s queue.Session) (desk.Sent, error) {
	w.pasted <- s.Ask.Prompt
	return desk.Sent{Surface: queue.SurfaceTmux, Where: "2:1"}, nil
}

// lineBench returns a portal with an agent that has asked a question and was answered.
func lineBench(t *testing.T) (*bench, *tmuxWays) {
	t.Helper()
	b, ways := newBench(t), &tmuxWays{make(chan string, 8)}
	b.stop()
	b.ways = ways
	b.start()
	s := b.ask(one(queue.ModeSingle, nil))
	b.elsewhere(s.ID, queue.Settle{Answer: queue.Answer{Replies: []queue.Reply{{Question: "q1", Selected: []string{"pg"}}}}})
	b.settled(s.ID)
	require.Eventually(t, func() (open bool) {
		b.owned(func() { n, _ := b.d.Closing(); open = n == 0 && len(b.d.Waiting()) == 0 })
		return open
	}, patience, time.Millisecond)
	return b, ways
}

func TestALineIsWrittenToAnAgentOnThePage(t *testing.T) {
	t.Parallel()
	for name, does := range map[string]struct{ begin, end func(*tab) }{
		"keys":   {func(c *tab) { c.presses("i") }, func(c *tab) { c.presses("enter") }},
		"clicks": {func(c *tab) { c.clicks("chat", 0) }, func(c *tab) { c.clicks("send", 0) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, ways := lineBench(t)
			page := b.open("/")
			page.shows("top", `data-do="chat"`)
			does.begin(page)
			page.shows("foot", "To shop · claude, tmux 2:1")
			page.shows("foot", `aria-disabled="true"`)
			does.end(page)
			page.shows("status", "Type a line first")
			page.types("line", "fix the README\nin the same commit")
			page.shows("foot", "send to shop · claude")
			does.end(page)
			require.Equal(t, "fix the README\nin the same commit", <-ways.pasted)
			page.until(func(m message) bool { return m.Parts["foot"] == "" })
		})
	}
}

func TestALineIsNotSentWhileAQuestionWaitsAndIsKept(t *testing.T) {
	t.Parallel()
	b, ways := lineBench(t)
	s := b.ask(one(queue.ModeSingle, nil))
	page := b.open("/choice/" + s.ID)
	page.presses("i")
	page.types("line", "fix the README")
	page.shows("foot", "can&#39;t send: “Which database?” from shop · claude is waiting. Your text is kept.")
	page.presses("enter")
	require.Empty(t, ways.pasted)
	page.presses("esc")
	page.shows("foot", `id="send"`)
	page.presses("2", "enter")
	b.settled(s.ID)
	page.presses("i")
	page.until(func(m message) bool { return m.Values["f-line"] == "fix the README" })
	page.clicks("send", 0)
	require.Equal(t, "fix the README", <-ways.pasted)
}

func TestALineOnThePageIsLeftByAClickOnAnOption(t *testing.T) {
	t.Parallel()
	b, _ := lineBench(t)
	page := b.open("/choice/" + b.ask(one(queue.ModeSingle, nil)).ID)
	page.presses("i")
	page.types("line", "fix the README")
	page.clicks("digit", 2)
	page.shows("foot", ">SQLite<")
	page.presses("i")
	page.until(func(m message) bool { return m.Values["f-line"] == "fix the README" })
}

func TestALineIsKeptForThePageThatIsOpenedNext(t *testing.T) {
	t.Parallel()
	b, _ := lineBench(t)
	page := b.open("/")
	page.presses("i")
	page.types("line", "fix the README")
	page.conn.CloseNow()
	require.Eventually(t, func() (gone bool) {
		b.owned(func() { gone = len(b.pages.open) == 0 })
		return gone
	}, patience, time.Millisecond)
	again := b.open("/")
	again.presses("i")
	again.until(func(m message) bool { return m.Values["f-line"] == "fix the README" })
}

func TestALineThatRanOnFromItsKeyIsSentByTheSecondEnter(t *testing.T) {
	t.Parallel()
	b, ways := lineBench(t)
	page := b.open("/")
	page.calm()
	b.wait(time.Second)
	defer b.stand()()
	page.does(pageEvent{Do: "key", Key: "i"})
	page.calm()
	page.does(pageEvent{Do: "text", Field: "line", Value: "s it done?"})
	page.calm()
	page.does(pageEvent{Do: "key", Key: "enter"})
	page.shows("foot", "Was this meant for shop · claude? Enter sends it")
	require.Empty(t, ways.pasted)
	b.wait(twice)
	page.does(pageEvent{Do: "key", Key: "enter"})
	require.Equal(t, "s it done?", <-ways.pasted)
}

func TestALineIsForTheOwnMachineAndWhereChatIsOn(t *testing.T) {
	t.Parallel()
	b, _ := lineBench(t)
	b.web = door.Session{May: door.RightsDevice}
	page := b.open("/")
	page.presses("i")
	page.shows("status", "Messages to agents are written on your own machine, not from here")
	require.NotContains(t, page.part("top"), `data-do="chat"`)
	b.web = door.Session{May: door.RightsAll}
	require.NoError(t, b.settings.Update(func(c *config.Settings) { c.Chat.Deliver = config.DeliverOff }))
	b.owned(func() { b.d.SetSettings(b.settings.Settings()) })
	page = b.open("/")
	page.presses("i")
	page.shows("status", "Chat is switched off (setting “chat”)")
}

func TestALineThatWasNotDeliveredIsTakenBackOnThePage(t *testing.T) {
	t.Parallel()
	b, _ := lineBench(t)
	require.NoError(t, b.settings.Update(func(c *config.Settings) { c.Chat.Deliver = config.DeliverMCP }))
	b.owned(func() { b.d.SetSettings(b.settings.Settings()) })
	page := b.open("/")
	page.presses("i")
	page.types("line", "fix the README")
	page.shows("foot", "delivered when it next asks")
	page.presses("enter")
	page.until(func(m message) bool { return m.Parts["foot"] == "" })
	page.presses("i")
	page.shows("foot", "working · 1 not delivered")
	page.clicks("take_back", 0)
	page.shows("status", "Taken back")
	page.until(func(m message) bool { return m.Values["f-line"] == "fix the README" })
}
