package desk_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

func TestALineIsTypedIntoTheAgentsPaneAndKeptInTheArchive(t *testing.T) {
	l := newLines(t)
	require.Equal(t, "2:1", l.chat.Addressed().At.Where, "it was looked for already")
	l.write("fix the README\nin the same commit, q i 1 x")
	require.NoError(t, l.send())
	require.Equal(t, []string{"claude-code: fix the README\nin the same commit, q i 1 x"}, l.ways.pasted)
	require.NoError(t, last[desk.LineSent](t, l.bench).Err)
	require.False(t, l.chat.Open())
	s := l.archive()[0]
	assert.Equal(t, "sent to shop · claude, pasted into its tmux pane (2:1)", s.Summary())
	assert.Equal(t, "fix the README\nin the same commit, q i 1 x", s.Ask.Prompt)
	assert.Equal(t, "a1", s.Origin.Agent)
	assert.Equal(t, s.ID, l.Last().ID)
	assert.True(t, l.Last().Message)
	assert.Len(t, l.Today().Took(l.rig.Clock.T), 1, "a message is no answer")
	l.open()
	require.Empty(t, l.chat.Text())
}

func TestALineGoesToTheAgentsOwnSessionWhereItsServerTakesIt(t *testing.T) {
	for _, mode := range []string{config.DeliverAuto, config.DeliverTmux} {
		l := newLines(t)
		l.set.S.Chat.Deliver = mode
		l.SetSettings(l.set.S)
		l.ways.at["claude-code"] = desk.Reached{Alive: true, Direct: true}
		l.write("fix the README")
		require.NoError(t, l.chat.Unreachable(l.chat.Addressed()))
		require.NoError(t, l.send())
		require.NoError(t, last[desk.LineSent](t, l.bench).Err)
		s := l.archive()[0]
		assert.Equal(t, queue.SurfaceNative, s.Outcome.Surface)
		assert.Equal(t, "sent to shop · claude, delivered to its own session", s.Summary())
		require.Empty(t, l.unfetched(), "next_message does not deliver it too")
	}
}

func TestALineThatItsServerMayHaveTakenIsNotSentAgain(t *testing.T) {
	l := newLines(t)
	l.ways.at["claude-code"] = desk.Reached{Alive: true, Direct: true}
	l.ways.fail = &queue.Doubt{Err: errors.New("hiccup")}
	l.write("fix the README")
	require.NoError(t, l.send())
	var unsure *queue.Doubt
	require.ErrorAs(t, last[desk.LineSent](t, l.bench).Err, &unsure)
	require.Equal(t, "sent to shop · claude, delivered to its own session (perhaps: hiccup)", l.archive()[0].Summary())
	require.Empty(t, l.unfetched())
}

func TestALineThatWasNotedByWhoGaveItIsSent(t *testing.T) {
	l := newLines(t)
	l.ways.at["claude-code"] = desk.Reached{Alive: true, Direct: true}
	l.ways.note = queue.Deliver{Surface: queue.SurfaceNative}
	l.write("fix the README")
	require.NoError(t, l.send())
	require.NoError(t, last[desk.LineSent](t, l.bench).Err)
	require.Equal(t, "sent to shop · claude, delivered to its own session", l.archive()[0].Summary())
	require.False(t, l.chat.Open())

	l.ways.note, l.ways.fail = queue.Cancel{Reason: "it did not take it"}, errors.New("it did not take it")
	l.set.S.Chat.Deliver = config.DeliverTmux
	l.SetSettings(l.set.S)
	l.write("again")
	require.NoError(t, l.send())
	require.EqualError(t, last[desk.LineSent](t, l.bench).Err, "it did not take it")
	require.Empty(t, l.unfetched())
	require.Equal(t, "again", l.chat.Text())
}

func TestALineIsHeldOnlyForAnAgentWhoseBridgeCanFetchIt(t *testing.T) {
	l := newLines(t)
	l.ways.at["opencode"] = desk.Reached{Alive: true, Err: errors.New("no such tmux pane")}
	asker := queue.Origin{Client: "opencode", Dialect: queue.DialectNative, Source: "opencode:ses_1/que_1", Thread: "ses_1",
		Cwd: "/src/tool", Agent: "9-1", Instance: "other"}
	l.run(other)
	l.answer(asker)
	require.EqualError(t, l.chat.Unreachable(l.chat.Addressed()), "no such tmux pane", "what asks for it fetches nothing")
	bridge := asker
	bridge.Dialect, bridge.Source, bridge.Thread, bridge.Instance = "provide_choice", "", "", "bridge"
	l.answer(bridge)
	asker.Source = "opencode:ses_1/que_2"
	l.answer(asker)
	require.Equal(t, "ses_1", l.chat.Addressed().Origin.Thread)
	require.NoError(t, l.chat.Unreachable(l.chat.Addressed()), "the bridge of the same process does")
}

func TestTwoSessionsOfOneProcessAreTwoAgents(t *testing.T) {
	l := newLines(t)
	one, two := infra(), infra()
	one.Thread, two.Thread = "t1", "t2"
	l.answer(one)
	l.write("for one")
	l.answer(two)
	require.Equal(t, "t1", l.chat.Addressed().Origin.Thread, "the composer stays with its agent")
	require.True(t, l.next())
	l.close()
	l.answer(two)
	require.Equal(t, "t2", l.chat.Addressed().Origin.Thread)
}

func TestWhileAQuestionWaitsNoLineIsSentAndItsTextStays(t *testing.T) {
	l := newLines(t)
	l.write("fix the README")
	l.askAs("Deploy?", 300, infra())
	l.askAs("Which endpoints?", 600, web())
	require.True(t, l.chat.Open(), "an arrival closes nothing")
	require.ErrorIs(t, l.send(), desk.ErrClosed)
	require.Empty(t, l.ways.pasted)
	require.Equal(t, "fix the README", l.chat.Text())
	require.NoError(t, l.view.Send())
	l.calm()
	require.ErrorIs(t, l.send(), desk.ErrClosed, "one still waits")
	require.NoError(t, l.view.Send())
	l.calm()
	require.Empty(t, l.ways.pasted, "nothing is sent by itself when it opens")
	require.NoError(t, l.send())
	require.Equal(t, []string{"claude-code: fix the README"}, l.ways.pasted)
}

func TestALineIsFreeOnceTheOnlyCallerIsGoneForAMinuteAndItsAgentIsLookedFor(t *testing.T) {
	l := newLines(t)
	l.run(other)
	o := placeOf(infra(), "other")
	o.PID = 4711 // its process may outlive its bridge
	l.askAs("Deploy?", 3000, o)
	l.run()
	require.Equal(t, "infra · codex", l.to())
	l.pass(59 * time.Second)
	require.False(t, l.chat.Addressed().At.Looked, "the face says something else meanwhile")
	require.False(t, l.NextTick().After(l.Now().Add(time.Second)), "the face is told when it opens")
	l.pass(time.Second)
	require.Equal(t, "3:0", l.chat.Addressed().At.Where)
	l.write("hello")
	require.NoError(t, l.send())
	require.Equal(t, []string{"codex-mcp-client: hello"}, l.ways.pasted)
}

// undeliverable lists the ways in which a line fails to arrive.
var undeliverable = map[string]struct {
	mode   string
	at     desk.Reached
	fail   error
	bridge bool
	want   string
	kept   string // the status in the archive; empty: nothing was stored
}{
	"a shell in front": {"tmux", desk.Reached{Alive: true, Err: errors.New("zsh is in front in its pane")}, nil, true,
		"zsh is in front in its pane", ""},
	"no way at all": {"auto", desk.Reached{Alive: true, Err: errors.New("not inside tmux")}, nil, false,
		"not inside tmux", ""},
	"its bridge is gone": {"mcp", desk.Reached{Alive: true}, nil, false, desk.ErrNoBridge.Error(), ""},
	"it is gone":         {"mcp", desk.Reached{}, nil, false, desk.ErrAgentGone.Error(), ""},
	"tmux fails before": {"tmux", desk.Reached{Alive: true, Where: "2:1"}, errors.New("no server"), true,
		"no server", "not sent to shop · claude: no server"},
	"tmux fails in the paste": {"auto", desk.Reached{Alive: true, Where: "2:1"},
		&queue.Doubt{Err: errors.New("hiccup")}, true,
		"hiccup", "sent to shop · claude, pasted into its tmux pane (2:1, perhaps: hiccup)"},
}

func TestALineThatCannotBeDeliveredStaysWithTheReason(t *testing.T) {
	for name, c := range undeliverable {
		t.Run(name, func(t *testing.T) {
			l := newLines(t)
			l.set.S.Chat.Deliver = c.mode
			l.SetSettings(l.set.S)
			l.ways.at["claude-code"], l.ways.fail = c.at, c.fail
			if !c.bridge {
				l.Take(queue.Changes{Presence: true}, nil)
				l.calm()
			}
			l.write("hello")
			before := len(l.archive())
			require.EqualError(t, undelivered(t, l, l.send()), c.want)
			require.True(t, l.chat.Open())
			require.Equal(t, "hello", l.chat.Text())
			require.Empty(t, l.ways.pasted)
			require.NotEqual(t, "hello", l.Last().Session.Ask.Title, "nothing is said to be sent")
			if c.kept == "" {
				require.Len(t, l.archive(), before)
				return
			}
			require.Equal(t, c.kept, l.archive()[0].Summary())
			require.Empty(t, l.unfetched(), "next_message does not deliver it too")
		})
	}
}

// undelivered returns the error of a line that did not arrive: at once, after another look, or after an attempt.
func undelivered(t *testing.T, l *lines, err error) error {
	t.Helper()
	switch {
	case err == nil:
		return last[desk.LineSent](t, l.bench).Err
	case errors.Is(err, desk.ErrLookAway):
		return last[desk.LineRefused](t, l.bench).Err
	}
	return err
}

func TestALineOfDoubtSaysSo(t *testing.T) {
	l := newLines(t)
	l.ways.fail = &queue.Doubt{Err: errors.New("hiccup")}
	l.write("hello")
	require.NoError(t, l.send())
	var unsure *queue.Doubt
	require.ErrorAs(t, last[desk.LineSent](t, l.bench).Err, &unsure)
}

func TestAPasteThatFailedLeavesTheLineToNextMessageWhereThatMayBe(t *testing.T) {
	l := newLines(t)
	l.ways.fail = errors.New("no server")
	l.write("hello")
	require.NoError(t, l.send())
	require.NoError(t, last[desk.LineSent](t, l.bench).Err)
	require.Len(t, l.unfetched(), 1)
	require.False(t, l.chat.Open())
}

func TestWithoutAPaneALineIsKeptForNextMessageAndCanBeTakenBack(t *testing.T) {
	l := newLines(t)
	l.ways.at["claude-code"] = desk.Reached{Alive: true, Err: errors.New("not inside tmux")}
	l.write("hello")
	require.NoError(t, l.send())
	require.False(t, l.chat.Open())
	s := l.unfetched()[0]
	require.Nil(t, s.Claim, "anybody may take it for the agent")
	require.Empty(t, l.Waiting())

	l.write("and more")
	require.True(t, l.chat.TakeBack())
	l.calm()
	require.Equal(t, "hello\nand more", l.chat.Text(), "what was typed since stands behind it")
	require.Equal(t, queue.StatusCancelled, l.stored(s.ID).Status())
	require.True(t, l.Last().TakenBack)
	require.NoError(t, last[desk.LineTakenBack](t, l.bench).Err)
	require.True(t, last[desk.LineTakenBack](t, l.bench).Restored)
	require.Equal(t, 1, happened[desk.LineChanged](l.bench))
	require.False(t, l.chat.TakeBack(), "there is none left")
}

func TestALineThatWasFetchedIsReceivedAndCannotBeTakenBack(t *testing.T) {
	l := newLines(t)
	l.ways.at["claude-code"] = desk.Reached{Alive: true, Err: errors.New("not inside tmux")}
	l.write("hello")
	require.NoError(t, l.send())
	s := l.unfetched()[0]
	l.open()
	claim := queue.Claim{Instance: "bridge", Conn: "9"}
	for _, do := range []queue.Action{queue.Take{Claim: claim}, queue.Deliver{Claim: claim, Surface: queue.SurfaceMCP}} {
		_, err := l.q.Do(t.Context(), s.ID, queue.Command{By: queue.ByCaller, Do: do})
		require.NoError(t, err)
	}
	require.True(t, l.chat.TakeBack(), "nobody has told the desk yet")
	l.calm()
	require.Error(t, last[desk.LineTakenBack](t, l.bench).Err)
	require.False(t, last[desk.LineTakenBack](t, l.bench).Restored)
	require.Empty(t, l.chat.Text())
	require.True(t, l.Last().Received)
	l.pass(time.Hour)
	require.Empty(t, l.view.Missed(), "nothing was missed")
}

func TestALineForAnAgentWhosePaneCannotBeToldIsNotPasted(t *testing.T) {
	l := newLines(t)
	l.ways.at["claude-code"] = desk.Reached{Shared: true, Err: errors.New("its pane is not certain")}
	l.write("hello")
	require.NoError(t, l.chat.Unreachable(l.chat.Addressed()))
	require.NoError(t, l.send())
	require.Empty(t, l.ways.pasted)
	require.Len(t, l.unfetched(), 1)

	l.set.S.Chat.Deliver = config.DeliverTmux
	l.SetSettings(l.set.S)
	l.write("hello")
	require.EqualError(t, l.chat.Unreachable(l.chat.Addressed()), "its pane is not certain")
	require.ErrorIs(t, l.send(), desk.ErrLookAway)
	require.Empty(t, l.ways.pasted)
	require.Equal(t, "hello", l.chat.Text())

	l.Take(queue.Changes{Presence: true}, nil)
	l.calm()
	why := l.chat.Unreachable(l.chat.Addressed())
	require.ErrorIs(t, why, desk.ErrAgentGone, "that its server runs says nothing of it")
}

func TestAnAgentThatListensIsKnownBeforeItAskedAndWaits(t *testing.T) {
	b := newBench(t, nil)
	c := desk.NewChat(view(b))
	require.Nil(t, c.Addressed())
	require.False(t, c.Known())
	o := placeOf(web(), "bridge")
	b.Take(queue.Changes{Presence: true}, []queue.Presence{{Instance: "bridge", Role: queue.RoleBridge},
		{Instance: "bridge-1", Role: queue.RoleListener, Origin: &o}})
	b.calm()
	require.Equal(t, "web · gemini", c.NameOf(c.Addressed()))
	require.True(t, c.Listens(c.Addressed()))
	require.True(t, c.WaitsFor(c.Addressed()))
}

func TestWhatIsNotSentForWantOfAnythingSaysWhy(t *testing.T) {
	b := newBench(t, nil)
	c := desk.NewChat(view(b))
	c.Compose()
	c.Type("hello")
	require.ErrorIs(t, c.Send(), desk.ErrNobody)
	l := newLines(t)
	l.write(" \n")
	require.ErrorIs(t, l.send(), desk.ErrBlank)
	l.chat.Type(strings.Repeat("x", queue.MaxPromptBytes+1))
	require.ErrorIs(t, l.send(), desk.ErrTooLong)
	require.True(t, l.chat.Open())
	require.Empty(t, l.ways.pasted)
}

func TestTheSettingSwitchesChatOff(t *testing.T) {
	l := newLines(t)
	require.False(t, l.chat.Off())
	l.set.S.Chat.Deliver = config.DeliverOff
	l.SetSettings(l.set.S)
	require.True(t, l.chat.Off())
	attached := newBench(t, func(o *desk.Options) { o.Attach = "some" })
	require.True(t, desk.NewChat(view(attached)).Off())
}

func TestNothingTypedWhileALineIsSentIsLostNorTakenElsewhere(t *testing.T) {
	l := newLines(t)
	l.answer(infra())
	l.write("first")
	require.NoError(t, l.chat.Send())
	require.True(t, l.chat.Busy())
	require.ErrorIs(t, l.chat.Send(), desk.ErrBusy)
	require.True(t, l.chat.Next())
	require.Equal(t, "infra · codex", l.to(), "the text belongs to the agent it is on its way to")
	require.Equal(t, "first", l.chat.Text())
	l.chat.Type("first second")
	l.calm()
	require.Equal(t, []string{"codex-mcp-client: first"}, l.ways.pasted)
	require.True(t, l.chat.Open())
	require.Equal(t, " second", l.chat.Text())
	require.Equal(t, 1, happened[desk.LineChanged](l.bench), "the field has another text now")
}

func TestALineIsKnownAtAViewThatIsTakenLater(t *testing.T) {
	l := newLines(t)
	l.pass(time.Second)
	l.askAs("Deploy?", 300, infra())
	late := desk.NewChat(view(l.bench))
	require.NotNil(t, late.Addressed())
	require.Equal(t, "infra · codex", late.NameOf(late.Addressed()))
}
