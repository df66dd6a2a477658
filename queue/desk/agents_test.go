package desk_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

// oneGone returns a desk where shop · claude runs and infra · codex, whose question was the last one, is gone.
func oneGone(t *testing.T) *lines {
	t.Helper()
	l := newLines(t)
	l.run(other)
	l.answer(placeOf(infra(), "other"))
	l.leave("codex-mcp-client")
	return l
}

func (l *lines) tell(o queue.Origin) {
	l.chat.Tell(o, "“Which database?” → PostgreSQL")
	l.calm()
}

const theQuote = "> “Which database?” → PostgreSQL\n"

func TestNextAddressesTheNextAgentAndTheTextGoesAlong(t *testing.T) {
	l := newLines(t)
	l.answer(infra())
	l.write("hello")
	require.Equal(t, "infra · codex", l.to())
	require.True(t, l.next())
	require.Equal(t, "shop · claude", l.to())
	require.Equal(t, "hello", l.chat.Text())
	l.close()
	l.open()
	require.NoError(t, l.send())
	require.Equal(t, []string{"claude-code: hello"}, l.ways.pasted)
}

func TestWithOneAgentThereIsNoNext(t *testing.T) {
	l := newLines(t)
	l.write("hello")
	require.False(t, l.next())
	require.Equal(t, "hello", l.chat.Text())
}

func TestEachAgentKeepsItsOwnText(t *testing.T) {
	l := newLines(t)
	l.write("for claude")
	l.close()
	l.answer(infra())
	l.open()
	require.Empty(t, l.chat.Text(), "the question of codex was last on view")
	require.Equal(t, "infra · codex", l.to())
	l.next()
	require.Equal(t, "for claude", l.chat.Text(), "it waits for its agent")
	l.next()
	require.Empty(t, l.chat.Text(), "it stays with its agent")
	l.chat.Type("for codex")
	l.next()
	require.Equal(t, "for claude", l.chat.Text(), "there is one kept for it")
	l.next()
	require.Equal(t, "for codex", l.chat.Text())
	keeping := l.chat.Keeping()
	require.Len(t, keeping, 2)
	require.Equal(t, "codex-mcp-client", keeping[0].Origin.Client, "the addressed one first")
	require.Equal(t, "for claude", l.chat.TextFor(keeping[1]))
}

func TestWhatWasTypedBeforeAnyAgentWasKnownIsForTheFirstOne(t *testing.T) {
	b := newBench(t, nil)
	one := view(b)
	c := desk.NewChat(one)
	c.Compose()
	c.Type("hello")
	c.Close()
	b.ask("Which database?", 300)
	require.NoError(t, one.Send())
	b.calm()
	c.Compose()
	require.Equal(t, "hello", c.Text())
	require.Equal(t, "shop · claude", c.NameOf(c.Addressed()))
}

func TestTheAddressedAgentStaysWhileTheComposerIsOpen(t *testing.T) {
	l := newLines(t)
	l.write("hello")
	l.answer(infra())
	l.pass(time.Minute)
	require.Equal(t, "shop · claude", l.to())
	require.NoError(t, l.send())
	require.Equal(t, []string{"claude-code: hello"}, l.ways.pasted)
}

func TestTellingAnAgentThatIsGoneSendsNothingToAnother(t *testing.T) {
	l := oneGone(t)
	before := len(l.archive())
	l.tell(infra())
	require.ErrorIs(t, l.send(), desk.ErrLookAway)
	require.ErrorIs(t, last[desk.LineRefused](t, l.bench).Err, desk.ErrAgentGone)
	require.Empty(t, l.ways.pasted)
	require.Len(t, l.archive(), before)
	require.Equal(t, "infra · codex", l.to())
	require.False(t, l.chat.Here(l.chat.Addressed()))
	l.chat.Type(theQuote + "x")
	require.ErrorIs(t, l.chat.Unreachable(l.chat.Addressed()), desk.ErrAgentGone, "one truth, before Send and after it")
	l.next()
	require.Equal(t, "shop · claude", l.to())
	require.NoError(t, l.send())
	require.Equal(t, []string{"claude-code: " + theQuote + "x"}, l.ways.pasted, "the person took it there")
}

func TestAnAgentThatGoesWhileItsLineIsTypedGetsNothingAndNobodyElseEither(t *testing.T) {
	l := newLines(t)
	l.run(other)
	l.answer(placeOf(infra(), "other"))
	l.write("hello")
	require.NoError(t, l.chat.Unreachable(l.chat.Addressed()))
	l.leave("codex-mcp-client")
	require.Equal(t, "infra · codex", l.to())
	require.ErrorIs(t, l.chat.Unreachable(l.chat.Addressed()), desk.ErrAgentGone)
	require.ErrorIs(t, l.send(), desk.ErrLookAway)
	require.ErrorIs(t, l.send(), desk.ErrLookAway)
	require.Empty(t, l.ways.pasted)
	require.Equal(t, "hello", l.chat.Text())
}

func TestARefusalIsNotSaidToAPersonWhoHasPressedAnotherKeySince(t *testing.T) {
	l := oneGone(t)
	l.tell(infra())
	require.ErrorIs(t, l.chat.Send(), desk.ErrLookAway)
	l.view.Pressed(l.rig.Clock.T.Add(time.Millisecond))
	l.calm()
	require.Zero(t, happened[desk.LineRefused](l.bench))
}

func TestNextLeadsFromAnAgentThatIsGoneToTheOnlyOneThatRuns(t *testing.T) {
	l := oneGone(t)
	l.tell(infra())
	require.True(t, l.chat.HasOtherAgent())
	l.next()
	require.Equal(t, "shop · claude", l.to())
	require.Equal(t, theQuote, l.chat.Text(), "its agent may have come back as another one")
	require.False(t, l.chat.HasOtherAgent(), "nothing is kept for the one that is gone")
}

func TestTheComposerOpensToOneThatRunsWhileTheAddressedOneIsGone(t *testing.T) {
	l := oneGone(t)
	require.Equal(t, "shop · claude", l.to())
	l.open()
	require.Equal(t, "shop · claude", l.to())
}

func TestWithEverybodyGoneItIsStillKnownWhomALineMeans(t *testing.T) {
	l := oneGone(t)
	l.ways.at["claude-code"] = desk.Reached{Err: errors.New("it is no longer running")}
	l.Take(queue.Changes{Presence: true}, nil)
	l.calm()
	require.Equal(t, "infra · codex", l.to())
	l.open()
	require.Equal(t, "infra · codex", l.to())
	l.close()
	require.Equal(t, "infra · codex", l.to())
	require.ErrorIs(t, l.chat.Unreachable(l.chat.Addressed()), desk.ErrAgentGone)
}

func TestAPaneThatCannotBeTypedIntoIsLookedAtAgainBySending(t *testing.T) {
	l := newLines(t)
	l.set.S.Chat.Deliver = config.DeliverTmux
	l.SetSettings(l.set.S)
	l.ways.at["claude-code"] = desk.Reached{Alive: true, Err: errors.New("no such tmux pane")}
	l.write("hello")
	require.EqualError(t, l.chat.Unreachable(l.chat.Addressed()), "no such tmux pane")
	require.ErrorIs(t, l.send(), desk.ErrLookAway)
	require.Equal(t, 1, happened[desk.LineRefused](l.bench))
	l.ways.at["claude-code"] = desk.Reached{Alive: true, Where: "2:1"}
	require.ErrorIs(t, l.send(), desk.ErrLookAway)
	require.Empty(t, l.ways.pasted, "the person was told that it would not be sent")
	require.Equal(t, 1, happened[desk.LineRefused](l.bench))
	require.NoError(t, l.chat.Unreachable(l.chat.Addressed()))
	require.NoError(t, l.send())
	require.Len(t, l.ways.pasted, 1)
}

func TestAQuoteThatWasNotTouchedLeavesWithTheComposer(t *testing.T) {
	l := newLines(t)
	l.tell(shop())
	require.Equal(t, theQuote, l.chat.Text())
	l.close()
	require.Empty(t, l.chat.Keeping(), "it was no text of the person")
	l.write("mine")
	l.close()
	l.tell(shop())
	require.Equal(t, "mine\n"+theQuote, l.chat.Text())
	l.close()
	l.open()
	require.Equal(t, "mine", l.chat.Text(), "what was there before stays")
	l.close()
	l.tell(shop())
	l.chat.Type(l.chat.Text() + "so")
	l.close()
	l.open()
	require.Equal(t, "mine\n"+theQuote+"so", l.chat.Text(), "touched, it is kept")
}

func TestNextLeavesAQuoteBehindThatTheTextBeforeItKeepsFromGoingAlong(t *testing.T) {
	l := newLines(t)
	l.write("mine")
	l.close()
	l.answer(infra())
	l.tell(shop())
	require.Equal(t, "mine\n"+theQuote, l.chat.Text())
	l.next()
	require.Empty(t, l.chat.Text())
	l.next()
	require.Equal(t, "mine", l.chat.Text())
}

func TestALookAtWhatWouldBeToldAddressesNobodyElseAfterwards(t *testing.T) {
	l := newLines(t)
	l.answer(infra())
	l.tell(shop())
	require.Equal(t, "shop · claude", l.to())
	l.close()
	l.open()
	require.Equal(t, "infra · codex", l.to(), "its question was last on view")
}

func TestAMissedQuestionChangesNothingOfWhomALineGoesTo(t *testing.T) {
	l := newLines(t)
	l.run(other)
	l.askAs("Rename the flag?", 20, placeOf(web(), "other"))
	l.pass(40 * time.Second)
	l.pass(20 * time.Second)
	l.answer(shop())
	require.Len(t, l.view.Missed(), 1)
	named := l.chat.Addressed()
	l.open()
	require.Same(t, named, l.chat.Addressed())
	require.Equal(t, "shop · claude", l.to())
	require.Empty(t, l.chat.Text())
}

// hookOf returns the origin of a hook that shows the agent's own prompts of one session.
func hookOf(o queue.Origin, client, thread string) queue.Origin {
	o.Client, o.Thread, o.Dialect, o.Source = client, thread, queue.DialectNative, client+":"+thread+"/"+queue.NewToken()
	o.OneSession = client == "claude-code" || client == "gemini-cli"
	return o
}

func TestTwoBridgesOfOneParentAreTwoAgents(t *testing.T) {
	l := newLines(t)
	parent := queue.Origin{Host: "h", Agent: "7-1", PID: 7}
	alpha, beta := parent, parent
	alpha.Client, alpha.Cwd, alpha.Instance = "alpha", "/src/a", "bridge"
	beta.Client, beta.Cwd, beta.Instance = "beta", "/src/b", "other"
	l.run(other)
	l.ways.at["alpha"], l.ways.at["beta"] = desk.Reached{Alive: true}, desk.Reached{Alive: true}
	l.answer(beta)
	l.answer(alpha)
	l.write("to alpha")
	require.Equal(t, "a · alpha", l.to())
	require.True(t, l.chat.HasOtherAgent())
	require.Len(t, l.chat.Choices(), 3, "shop, alpha and beta")
	require.NoError(t, l.send())
	line := l.unfetched()[0]
	alive := func(string) bool { return true }
	require.True(t, line.MessageFor(alpha, alive))
	require.False(t, line.MessageFor(beta, alive))
}

func TestAnAgentThatAsksInSeveralWaysIsOneAgent(t *testing.T) {
	claude := queue.Origin{Client: "claude-code", Cwd: "/src/shop", Agent: "7-1", PID: 7, Host: "h", Instance: "bridge"}
	gemini, codex, opencode := claude, claude, claude
	gemini.Client = "gemini-cli-mcp-client-choicetui"
	codex.Client, codex.Thread, codex.Agent, codex.PID = "codex-mcp-client", "t1", "8-2", 5
	opencode.Client = "opencode"
	socket := hookOf(codex, "codex", "t1")
	socket.Agent = ""
	below := hookOf(claude, "claude-code", "s1")
	below.Cwd = "/src/shop/api"
	for name, asked := range map[string][]queue.Origin{
		"its bridge, then its hook": {claude, hookOf(claude, "claude-code", "s1")},
		"its hook, then its bridge": {hookOf(claude, "claude-code", "s1"), claude},
		"after a cd and a /clear":   {below, claude, hookOf(claude, "claude-code", "s2"), claude},
		"gemini":                    {gemini, hookOf(gemini, "gemini-cli", "s1"), gemini},
		"codex and its socket":      {codex, socket, codex},
		"the socket first":          {socket, codex},
		"opencode and its plugin":   {opencode, hookOf(opencode, "opencode", "s1")},
	} {
		b := newBench(t, func(o *desk.Options) { o.Go = func(f func()) { f() } })
		one := view(b)
		c := desk.NewChat(one)
		bridge := queue.Presence{Instance: "bridge", Role: queue.RoleBridge}
		b.Take(queue.Changes{Presence: true}, []queue.Presence{bridge, other})
		for _, o := range asked {
			if o.Source != "" {
				o.Instance = "other"
			}
			b.askAs("Which database?", 300, o)
			require.NoError(t, one.Send(), name)
			b.calm()
			require.Len(t, c.Choices(), 1, name)
		}
		b.Take(queue.Changes{Presence: true}, []queue.Presence{bridge}) // a hook runs only for a moment
		b.calm()
		require.Len(t, c.Choices(), 1, name)
		require.NoError(t, c.Unreachable(c.Addressed()), "%s: its bridge fetches", name)
		c.Compose()
		c.Type("hello")
		require.NoError(t, c.Send(), name)
		b.calm()
		line := c.Unfetched(c.Addressed())[0]
		require.Equal(t, "bridge", line.Origin.Instance, "%s: it is kept for the bridge", name)
	}
}

func TestChat_LooksForAgentThatReplacesOneThatIsGone(t *testing.T) {
	l := newLines(t)
	l.run(other)
	gone, runs := shop(), infra()
	gone.Client, gone.PID, runs.PID = "gemini-cli", 7, 8
	l.ways.at["gemini-cli"] = desk.Reached{Err: errors.New("it is no longer running")}
	l.ways.at[runs.Client] = desk.Reached{Alive: true, Where: "3:0"}
	l.askAs("Which day?", 600, queue.Origin{Dialect: queue.DialectInterview, Instance: "bridge"}) // it closes chat
	for _, o := range []queue.Origin{runs, gone} {
		l.pass(time.Second)
		s := l.askAs("Which database?", 300, placeOf(o, "other"))
		l.view.Show(s.ID)
		require.NoError(t, l.view.Send())
		l.calm()
	}
	l.run()
	require.NoError(t, l.view.Send())
	l.calm()
	l.Drain() // the result of the second look
	require.Equal(t, runs.Client, l.chat.Addressed().Origin.Client)
	assert.True(t, l.chat.Addressed().At.Looked, "no key was pressed meanwhile")
}

func TestTwoAgentsOfOneNameAreNotTakenForOne(t *testing.T) {
	claude := queue.Origin{Client: "claude-code", Cwd: "/src/shop", Agent: "7-1", PID: 7, Host: "h", Instance: "bridge"}
	second := claude
	second.Agent, second.PID = "8-2", 8
	opencode := claude
	opencode.Client, opencode.Agent = "opencode", "9-3"
	for name, asked := range map[string][]queue.Origin{
		"the hook of the other one":          {claude, hookOf(second, "claude-code", "s1")},
		"two sessions of opencode":           {hookOf(opencode, "opencode", "s1"), hookOf(opencode, "opencode", "s2")},
		"a bridge between them joins one":    {hookOf(opencode, "opencode", "s1"), opencode, hookOf(opencode, "opencode", "s2")},
		"one that starts after both is none": {hookOf(second, "claude-code", "s1"), claude},
	} {
		b := newBench(t, nil)
		one := view(b)
		c := desk.NewChat(one)
		for _, o := range asked {
			b.askAs("Which database?", 300, o)
			require.NoError(t, one.Send(), name)
			b.calm()
		}
		require.Len(t, c.Choices(), 2, name)
	}
}

func TestALineInTheMakingSurvivesTheProcessAndIsOfferedNoMoreOnceSent(t *testing.T) {
	l := newLines(t)
	l.write("hello")
	l.chat.Settle()
	l.calm()
	again := newBench(t, func(o *desk.Options) {
		o.Queue, o.Instance, o.Chat, o.Go = l.q, "me2", l.ways, func(f func()) { f() }
	})
	c := desk.NewChat(view(again))
	for _, s := range l.archive() {
		again.Take(queue.Changes{Sessions: []queue.Session{s}}, nil)
	}
	again.Take(queue.Changes{Sessions: []queue.Session{l.Last().Session}}, nil)
	again.calm()
	c.Compose()
	again.calm()
	require.Equal(t, "hello", c.Text())
	require.Equal(t, 1, happened[desk.LineChanged](again))
	name := desk.LineName(c.Addressed().Key)
	kept, err := l.q.Store.Drafts(t.Context(), name)
	require.NoError(t, err)
	require.Len(t, kept, 1)
	require.NoError(t, c.Send())
	again.calm()
	kept, err = l.q.Store.Drafts(t.Context(), name)
	require.NoError(t, err)
	require.Empty(t, kept, "neither process offers it again")
}

func TestALineIsSavedForItsOwnAgentWhenAnotherQuestionComesUpAtOnce(t *testing.T) {
	l := newLines(t)
	l.write("hello")
	name := desk.LineName(l.chat.Addressed().Key)
	l.chat.Close()
	l.askAs("Deploy?", 300, infra())
	require.Equal(t, "infra · codex", l.to())
	kept, err := l.q.Store.Drafts(t.Context(), name)
	require.NoError(t, err)
	require.Len(t, kept, 1)
	assert.Equal(t, "hello", kept[0].Answer.Comment)
}

func TestAnInterviewIsNobodyToWriteTo(t *testing.T) {
	l := newLines(t)
	l.answer(queue.Origin{Dialect: queue.DialectInterview, Client: "interview", Cwd: "/src/shop", Agent: "i1"})
	l.write("hello")
	require.Equal(t, "shop · claude", l.to())
	require.False(t, l.next(), "there is no other")
}
