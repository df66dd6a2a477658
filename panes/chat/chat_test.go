package chat_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/chat"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

func TestALineIsTypedIntoTheAgentsPane(t *testing.T) {
	b := shopBench(t, 80, 24)
	require.Equal(t, "chat · to shop · claude, tmux 2:1", b.room.Empty())
	b.write("fix the README")
	b.press("ctrl+j")
	b.Write(b.room, "in the same commit, q i 1 x")
	require.Equal(t, "⏎ Send to shop · claude", b.enter())
	b.press("enter")
	require.Equal(t, []string{"claude-code: fix the README\nin the same commit, q i 1 x"}, b.ways.pasted)
	require.Nil(t, b.room.Field(), "sent: the keys are the screen's again")
	require.Zero(t, b.room.Rows(80, 24))
	require.Empty(t, b.Said)
	b.open()
	require.Empty(t, b.room.Field().Text())
}

func TestWhileAQuestionWaitsNothingIsSentAndTheTextStays(t *testing.T) {
	b := shopBench(t, 80, 24)
	b.write("fix the README")
	b.Ask(ask("Deploy 2.4.1 to production?", 300), infra())
	b.Ask(ask("Which endpoints get a rate limit?", 552), web())
	require.Contains(t, b.picture(), "─ chat closed: 2 waiting · to shop · claude ─")
	require.Contains(t, b.picture(), "─ opens when they are answered ─")
	require.Equal(t, "Can't send: “Deploy 2.4.1 to production?” and 1 more are waiting", b.enter())
	b.press("enter", "enter", "x", "1", "q")
	require.Equal(t, "fix the READMEx1q", b.room.Field().Text(), "letters are text, never commands")
	require.Empty(t, b.ways.pasted)
	require.NoError(t, b.View().Send())
	b.Calm()
	require.Equal(t, "Can't send: “Which endpoints get a rate limit?” is waiting. Your text is kept.", b.enter())
	require.Contains(t, b.picture(), "─ opens when it is answered ─")
	require.Equal(t, []string{""}, b.room.Lower())
	require.NoError(t, b.View().Send())
	b.Calm()
	require.Empty(t, b.ways.pasted, "nothing is sent by itself when it opens")
	b.press("enter")
	require.Len(t, b.ways.pasted, 1)
}

func TestAQuestionWhoseCallerIsGoneForAMinuteClosesNoChat(t *testing.T) {
	b := shopBench(t, 80, 24)
	b.Ask(ask("Deploy?", 3000), b.otherBridge(infra()))
	b.write("hello")
	b.present() // its process runs on
	b.Pass(59 * time.Second)
	require.Contains(t, b.picture(), "─ chat closed: 1 waiting (agent gone) ·")
	b.press("enter")
	require.Empty(t, b.ways.pasted)
	b.Pass(time.Second)
	require.Contains(t, b.picture(), "─ chat · to infra · codex, tmux 3:0 ─")
	require.Equal(t, []string{"chat to infra · codex, tmux 3:0", "chat open", ""}, b.room.Lower())
}

func TestALineToAnAgentsOwnSessionNamesNoPaneAndIsSent(t *testing.T) {
	b := shopBench(t, 80, 24)
	b.ways.at["claude-code"] = desk.Reached{Alive: true, Direct: true}
	b.write("hello")
	require.Contains(t, b.picture(), "─ chat · to shop · claude, in its own session ─")
	require.Equal(t, "⏎ Send to shop · claude", b.enter(), "it is not kept")
	b.press("enter")
	require.Len(t, b.ways.pasted, 1)
}

func TestWhatCannotBeDeliveredStaysInTheComposerWithTheReason(t *testing.T) {
	for name, c := range map[string]struct {
		mode string
		at   desk.Reached
		fail error
		want string
	}{
		"a shell in front": {config.DeliverTmux, desk.Reached{Alive: true, Err: errors.New("zsh is in front")}, nil,
			"not sent: zsh is in front. Your text is kept."},
		"tmux fails before": {config.DeliverTmux, desk.Reached{Alive: true, Where: "2:1"}, errors.New("no server"),
			"not sent: no server. Your text is kept."},
		"tmux fails in the paste": {config.DeliverAuto, desk.Reached{Alive: true, Where: "2:1"},
			&queue.Doubt{Err: errors.New("hiccup")}, "perhaps sent; look at its pane first: hiccup"},
		"it arrives unnoted": {config.DeliverAuto, desk.Reached{Alive: true, Where: "2:1"},
			&queue.Doubt{Err: &desk.Unnoted{Err: errors.New("the disk is full")}},
			"perhaps sent; look at its pane first: it arrived, but the queue could not record it: the disk is full"},
		"no tmux": {config.DeliverTmux, desk.Reached{Alive: true, Err: desk.ErrNoTmux}, nil,
			"not sent: it can only be typed into a tmux pane, and there is no tmux here. Your text is kept."},
	} {
		t.Run(name, func(t *testing.T) {
			b := shopBench(t, 80, 24)
			b.deliver(c.mode)
			b.ways.at["claude-code"], b.ways.fail = c.at, c.fail
			b.write("hello")
			b.press("enter")
			require.Equal(t, c.want, b.Said)
			require.Equal(t, "hello", b.room.Field().Text())
			require.Empty(t, b.ways.pasted)
		})
	}
}

func TestTheEnterLineSaysThatNoBridgeFetchesTheLine(t *testing.T) {
	b := shopBench(t, 100, 24)
	b.deliver(config.DeliverMCP)
	b.Desk.Take(queue.Changes{Presence: true}, nil)
	b.write("hello")
	require.Equal(t, "Cannot be sent: its choicetui mcp has ended. Your text is kept.", b.enter())
}

func TestALineThatIsBlankOrTooLongIsRefused(t *testing.T) {
	b := shopBench(t, 80, 24)
	b.open()
	require.Equal(t, "type a line to shop · claude", b.enter())
	b.press("enter")
	require.Equal(t, "type a line first", b.Said)
	panes.Paste(b.room, strings.Repeat("x", queue.MaxPromptBytes+1))
	b.press("enter")
	require.Equal(t, "not sent: it has 32769 bytes, but at most 32768 fit", b.Said)
	require.Empty(t, b.ways.pasted)
}

func TestWithoutAPaneTheLineIsKeptForNextMessageAndCanBeTakenBack(t *testing.T) {
	b := shopBench(t, 80, 24)
	b.ways.at["claude-code"] = desk.Reached{Alive: true, Err: errors.New("not inside tmux")}
	b.write("hello")
	require.Equal(t, "⏎ Send to shop · claude · delivered when it next asks", b.enter())
	require.NotContains(t, b.hints(80), "take back")
	b.press("ctrl+r")
	require.Equal(t, "there is no undelivered line to take back", b.Said)
	b.press("enter")
	require.Nil(t, b.room.Field())
	b.open()
	require.Contains(t, b.picture(), "─ working · 1 not delivered ─")
	require.Contains(t, b.hints(80), "^R take back")
	b.press("ctrl+r")
	require.Equal(t, "taken back", b.Said)
	require.Equal(t, "hello", b.room.Field().Text())
	b.press("enter")
	b.open()
	s := b.Chat.Unfetched(b.Chat.Addressed())[0]
	claim := queue.Claim{Instance: "bridge", Conn: "9"}
	for _, do := range []queue.Action{queue.Take{Claim: claim}, queue.Deliver{Claim: claim, Surface: queue.SurfaceMCP}} {
		_, err := b.Queue.Do(t.Context(), s.ID, queue.Command{By: queue.ByCaller, Do: do})
		require.NoError(t, err)
	}
	b.press("ctrl+r")
	require.Contains(t, b.Said, "too late: ")
	require.Empty(t, b.room.Field().Text())
}

// away is a store whose server does not answer.
type away struct{ queue.Store }

func (away) Create(context.Context, queue.Session) (queue.Session, error) {
	return queue.Session{}, fmt.Errorf("failed to keep session: %w", queue.ErrUnreachable)
}

func TestALineThatTheQueueDoesNotConfirmSaysThatItIsTriedAgainUntilItIsSentOrLeft(t *testing.T) {
	b := shopBench(t, 80, 24)
	store := b.Queue.Store
	b.Queue.Store = away{store}
	b.write("frozen chat")
	for range 2 {
		b.press("enter")
		require.Equal(t, "not sent yet, trying again", b.enter())
		require.Empty(t, b.Said)
		require.Equal(t, "frozen chat", b.room.Field().Text())
	}
	b.press("esc")
	b.Pass(desk.RetryIn)
	b.open()
	require.Equal(t, "⏎ Send to shop · claude", b.enter())
	b.press("enter")
	require.Equal(t, "not sent yet, trying again", b.enter())
	b.Queue.Store = store
	b.Pass(desk.RetryIn)
	require.Equal(t, []string{"claude-code: frozen chat"}, b.ways.pasted)
	require.Nil(t, b.room.Field())
}

func TestALineThatIsLeftBeforeTheQueueConfirmsItIsSaid(t *testing.T) {
	b := shopBench(t, 80, 24)
	b.Queue.Store = away{b.Queue.Store}
	b.write("frozen chat")
	require.NoError(t, b.Chat.Send())
	b.press("esc")
	require.Equal(t, "not sent yet: the queue has not confirmed it. Your text is kept.", b.Said)
}

func TestWhyALineIsNotPastedIsRead(t *testing.T) {
	b := shopBench(t, 120, 24)
	b.ways.at["claude-code"] = desk.Reached{Shared: true, Err: errors.New("its app-server may serve several agents")}
	b.write("hello")
	require.Equal(t, "⏎ Send to shop · claude · delivered when it next asks (its pane is not certain)", b.enter())
	require.NotContains(t, b.picture(), "tmux 2:1")
	b.deliver(config.DeliverTmux)
	require.Equal(t, "Cannot be sent: its app-server may serve several agents. Your text is kept.", b.enter())
	b.deliver(config.DeliverMCP)
	require.Equal(t, "⏎ Send to shop · claude · delivered when it next asks", b.enter())
}

func TestAnAgentThatListensIsShownAsWaiting(t *testing.T) {
	b := newBench(t, 80, 24)
	require.Equal(t, "chat · no agents yet", b.room.Empty())
	b.open()
	require.Equal(t, "nothing can be sent: no agent is known yet", b.enter())
	o := web()
	o.Instance = "bridge"
	b.present(queue.Presence{Instance: "bridge-1", Role: queue.RoleListener, Origin: &o})
	require.Contains(t, b.picture(), "─ chat · to nobody yet ─")
	require.Equal(t, "nothing can be sent: Tab picks an agent", b.enter())
	b.press("tab")
	require.Contains(t, b.picture(), "─ chat · to web · gemini ─")
	require.Contains(t, b.picture(), " waiting ─")
	b.Write(b.room, "x")
	require.Equal(t, "⏎ Send to web · gemini", b.enter(), "it is fetched at once")
}

func TestTabAddressesTheNextAgentAndTheTextGoesAlong(t *testing.T) {
	b := shopBench(t, 80, 24)
	b.open()
	require.NotContains(t, b.hints(80), "Tab")
	b.press("tab")
	require.Equal(t, "no other agent is known", b.Said)
	b.press("esc")
	b.answer(infra())
	b.write("hello")
	require.Contains(t, b.picture(), "─ chat · to infra · codex, tmux 3:0 ──")
	require.Contains(t, b.picture(), "agent 1 of 2 · working")
	require.Contains(t, b.hints(80), "Tab next agent")
	b.press("tab")
	require.Contains(t, b.picture(), "─ chat · to shop · claude, tmux 2:1 ──")
	require.Equal(t, "hello", b.room.Field().Text())
	b.press("esc")
	b.open()
	b.press("enter")
	require.Equal(t, []string{"claude-code: hello"}, b.ways.pasted)
}

func TestATextKeptForAnotherAgentIsSaid(t *testing.T) {
	b := shopBench(t, 80, 24)
	b.write("for claude")
	b.press("esc")
	b.answer(infra())
	b.open()
	require.Empty(t, b.room.Field().Text())
	require.Contains(t, b.picture(), "✎ for shop · claude ─")
	b.press("tab")
	require.Equal(t, "for claude", b.room.Field().Text(), "it waits for its agent")
}

func TestATextThatIsKeptIsSeenOnTheClosedComposer(t *testing.T) {
	b := shopBench(t, 50, 20)
	kept := func() string { return ink.Fit(b.room.Kept(false), 50, ink.Unicode) }
	require.Equal(t, "›", kept())
	b.write("please fix the README, it still says SQLite everywhere")
	b.press("esc")
	require.Equal(t, "› please fix the README, it still… ✎ shop · claude", kept())
	b.answer(infra())
	require.Contains(t, b.room.Empty(), "chat · to infra · codex")
	require.Contains(t, kept(), "… ✎ shop · claude", "it waits for its agent, whoever asked since")
	b.open()
	require.Contains(t, b.picture(), " ✎ 1 kept ─")
	b.Write(b.room, "for codex")
	b.press("esc")
	require.Equal(t, "› for codex ✎ infra · codex +1", kept())
}

func TestTellingAnAgentThatIsGoneIsRefusedBeforeEnterAndAfterIt(t *testing.T) {
	b := shopBench(t, 120, 40)
	b.answer(b.otherBridge(infra()))
	b.leave("codex-mcp-client")
	b.Chat.Tell(infra(), "“Which database?” → PostgreSQL")
	b.Calm()
	b.press("enter")
	require.Empty(t, b.ways.pasted)
	require.Contains(t, b.picture(), "─ chat · to infra · codex, gone ─")
	require.NotContains(t, b.picture(), "working")
	require.Contains(t, b.picture(), "› > “Which database?” → PostgreSQL")
	require.Equal(t, "not sent: infra · codex is gone. Your text is kept.", b.Said)
	require.Equal(t, "Cannot be sent: infra · codex is gone. Your text is kept.", b.enter())
	require.Contains(t, b.picture(), "agent 1 of 2")
	b.press("tab")
	require.Contains(t, b.picture(), "─ chat · to shop · claude, tmux 2:1 ─")
	require.Equal(t, "> “Which database?” → PostgreSQL\n", b.room.Field().Text())
}

func TestAnotherRoomCanOpenTheLine(t *testing.T) {
	b := shopBench(t, 80, 24)
	b.write("mine")
	b.press("esc")
	b.Chat.Tell(shop(), "Which database?")
	require.Equal(t, "mine\n> Which database?\n", b.room.Field().Text())
	b.Write(b.room, "so")
	require.Equal(t, "mine\n> Which database?\nso", b.Chat.Text())
}

func TestAPaneThatCannotBeTypedIntoIsLookedAtAgainByEnter(t *testing.T) {
	b := shopBench(t, 80, 24)
	b.deliver(config.DeliverTmux)
	b.ways.at["claude-code"] = desk.Reached{Alive: true, Err: errors.New("no such tmux pane")}
	b.open()
	require.Equal(t, "nothing can be sent: no such tmux pane", b.enter())
	b.Write(b.room, "hello")
	require.Equal(t, "Cannot be sent: no such tmux pane. Your text is kept.", b.enter())
	b.press("enter")
	require.Equal(t, "not sent: no such tmux pane. Your text is kept.", b.Said)
	b.ways.at["claude-code"] = desk.Reached{Alive: true, Where: "2:1"}
	b.press("enter")
	require.Empty(t, b.ways.pasted, "the Enter line said that it would not be sent")
	require.Empty(t, b.Said)
	require.Equal(t, "⏎ Send to shop · claude", b.enter())
	b.press("enter")
	require.Len(t, b.ways.pasted, 1)
}

func TestSwitchedOffThereIsNoChat(t *testing.T) {
	b := shopBench(t, 80, 24)
	require.Equal(t, "i", b.room.Key())
	b.deliver(config.DeliverOff)
	require.Empty(t, b.room.Key())
	require.Empty(t, b.room.Empty())
	require.Equal(t, []string{""}, b.room.Lower())
	require.Equal(t, "1 waiting", b.room.Named("1 waiting").String(), "a rule that names no agent stays as it is")
	b.open()
	require.Nil(t, b.room.Field())
	require.Equal(t, "chat is switched off (setting “chat”)", b.room.WhyNot())
}

// form is a host whose desk was opened on one session.
type form struct {
	*roomtest.Bench
	view *desk.View
}

func (f *form) View() *desk.View { return f.view }

func TestAFormOfOneQuestionHasNoChat(t *testing.T) {
	b := newBench(t, 80, 24)
	f := &form{b.Bench, desk.New(desk.Options{Services: desk.Services{Queue: b.Queue, Settings: &roomtest.Settings{S: config.Default()}}, Attach: "a"}).View(desk.ViewOptions{})}
	room := chat.New(f, desk.NewChat(f.view), chat.Options{})
	room.Open()
	require.Equal(t, "chat is only in the dashboard; this form is for one question", room.WhyNot())
	require.Nil(t, room.Field())
}

func TestALineThatGrowsTakesAThirdAtMost(t *testing.T) {
	b := shopBench(t, 80, 24)
	b.open()
	require.Equal(t, 2, b.room.Rows(80, 24))
	panes.Paste(b.room, strings.Repeat("line\n", 20)+"\x1b[31mend")
	require.Equal(t, 9, b.room.Rows(80, 24))
	rows := strings.Split(b.picture(), "\n")
	require.Contains(t, rows[13], "─ chat · to shop · claude")
	require.Equal(t, "  [31mend", rows[21], "controls are left out")
}

func TestWhatIsTypedBehindASentLineStays(t *testing.T) {
	b := shopBench(t, 80, 24)
	b.write("first")
	require.NoError(t, b.Chat.Send())
	require.Equal(t, "sending …", b.enter())
	for _, c := range " second" {
		panes.Type(b.room, roomtest.Event(string(c)))
	}
	b.Calm()
	require.Equal(t, []string{"claude-code: first"}, b.ways.pasted)
	require.Equal(t, " second", b.room.Field().Text())
}

func TestTheEditorTakesTheLineAndGivesItBack(t *testing.T) {
	b := shopBench(t, 80, 24)
	b.write("hello")
	b.press("ctrl+g")
	require.Equal(t, "hello edited", b.room.Field().Text())
	require.Equal(t, "hello edited", b.Chat.Text())
	without := chat.New(b.Bench, b.Chat, chat.Options{})
	b.Press(without, "ctrl+g")
	require.Equal(t, "no editor here", b.Said)
}

func TestTheKeysOfTheComposerLeaveWithTheTextKept(t *testing.T) {
	b := shopBench(t, 80, 24)
	b.write("hello")
	require.Equal(t, "^J new line  ^G editor  Esc leave (keeps text)", b.hints(80))
	b.press("esc")
	require.Nil(t, b.room.Field())
	b.open()
	require.Equal(t, "hello", b.room.Field().Text())
}
