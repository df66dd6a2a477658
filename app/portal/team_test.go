package portal

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/portal/door"
	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
)

func TestAHintStandsAboveThePromptOnThePage(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	a := one(queue.ModeSingle, nil)
	a.Prompt = "[WIDEN-HINT] Ask the <b>team</b>\u202e.\nWe need a store."
	page := b.open("/choice/" + b.ask(a).ID)
	page.shows("main", `<p class="nudge">Ask the &lt;b&gt;team&lt;/b&gt;&lt;U&#43;202E&gt;.</p>`)
	require.NotContains(t, page.part("main"), "WIDEN-HINT")
}

// asked asks the team about a question.
func (b *bench) askedTeam(id, thread string) {
	b.t.Helper()
	b.elsewhere(id, queue.Widen{Widened: queue.Widened{
		Decision: "01KPXFGJ3T7Q2M9V5B8D0C4N6R", Mission: "shop", QuestionID: "q", ThreadURL: thread,
		Team: []queue.Member{{UserID: "U1", Name: "Alice <i>Johnson</i>"}, {UserID: "U2", Name: "Carol\u202e Lee"}},
	}})
}

func TestAQuestionThatIsWithTheTeamIsDeferredWithAReason(t *testing.T) {
	t.Parallel()
	for name, does := range map[string]struct{ begin, end func(*tab) }{
		"keys":   {func(c *tab) { c.presses("d") }, func(c *tab) { c.presses("enter") }},
		"clicks": {func(c *tab) { c.clicks("defer", 0) }, func(c *tab) { c.clicks("send", 0) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			s := b.ask(one(queue.ModeSingle, nil))
			page := b.open("/choice/" + s.ID)
			page.shows("main", `role="timer"`)
			b.askedTeam(s.ID, "https://chat.example/archives/C1/p1")
			page.shows("foot", `data-do="defer"`)
			does.begin(page)
			page.shows("main", "Why does it have to wait?")
			page.shows("main", `id="f-own"`)
			require.NotContains(t, page.part("foot"), `data-do="cancel"`, "it is not the agent's question")
			does.end(page)
			require.True(t, b.get(s.ID).Pending(), "there is no reason yet")
			page.types("own", "until the audit")
			does.end(page)
			over := b.settled(s.ID)
			require.Equal(t, queue.StatusDeferred, over.Outcome.Status)
			require.Equal(t, "until the audit", over.Outcome.Team.Rationale)
		})
	}
}

func TestWhyItHasToWaitIsLeftWithItsText(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.ask(one(queue.ModeSingle, nil))
	b.askedTeam(s.ID, "")
	page := b.open("/choice/" + s.ID)
	page.presses("d")
	page.shows("main", "Why does it have to wait?")
	page.types("own", "until Friday")
	page.does(pageEvent{Do: "done", Field: "own"})
	page.clicks("back", 0)
	page.shows("foot", `data-do="defer"`)
	page.presses("d")
	page.until(func(m message) bool { return m.Values["f-own"] == "until Friday" })
	require.True(t, b.get(s.ID).Pending())
}

func TestAQuestionThatIsWithTheTeamSaysSoAndIsAnsweredAllTheSame(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.ask(one(queue.ModeSingle, nil))
	page := b.open("/choice/" + s.ID)
	page.shows("main", `role="timer"`)
	b.askedTeam(s.ID, "https://chat.example/archives/C1/p1")
	page.shows("main", "with the team · clock paused")
	page.shows("main", "Alice &lt;i&gt;Johnson&lt;/i&gt;, Carol&lt;U&#43;202E&gt; Lee; you are waiting for them.")
	page.shows("main", `<a href="https://chat.example/archives/C1/p1" target="_blank" rel="noopener noreferrer">https://chat.example/archives/C1/p1</a>`)
	page.shows("main", "that decides it")
	require.NotContains(t, page.part("main"), `role="timer"`, "no countdown")
	require.NotContains(t, page.part("main"), "<progress")
	b.elsewhere(s.ID, queue.Regroup{State: queue.WidenParked})
	page.shows("main", "with the team · clock paused")
	page.shows("main", "; not waiting since ")
	page.clicks("digit", 2)
	page.shows("foot", ">SQLite<")
	page.clicks("send", 0)
	over := b.settled(s.ID)
	require.Equal(t, []string{"lite"}, over.Outcome.Answer.Replies[0].Selected)
	require.Equal(t, queue.SourceManual, over.Outcome.Team.Summary.Source)
	page.shows("main", "Answered: SQLite")
}

func TestAnAddressThatIsNoPlainHTTPSIsTextOnThePage(t *testing.T) {
	t.Parallel()
	for address, link := range map[string]bool{
		"https://chat.example/archives/C1": true, "https://chat.example:8443/x?y=1#z": true,
		"http://chat.example/": false, "javascript:alert(1)": false, "data:text/html,x": false, "HTTPS:evil": false,
		"https://slack.com@evil.example/": false, "https://slack.com\\@evil.example/": false, "https:///x": false,
		"https://slack.com\u202e/": false, "https://sl\u0430ck.com/": false, "https://chat.example/\" onclick=\"x": false,
		" https://chat.example/": false, "//chat.example/": false, "": false,
	} {
		require.Equal(t, link, mayBeLink(address), address)
	}
	b := newBench(t)
	s := b.ask(one(queue.ModeSingle, nil))
	b.askedTeam(s.ID, `javascript:alert("<1>")`)
	page := b.open("/choice/" + s.ID)
	page.shows("main", `Their thread: javascript:alert(&#34;&lt;1&gt;&#34;)</p>`)
	require.NotContains(t, page.part("main"), "<a ")
}

func TestWhatTheTeamSaidStandsUnderTheAnswerOnThePage(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.ask(one(queue.ModeSingle, nil))
	b.askedTeam(s.ID, "")
	page := b.open("/choice/" + s.ID)
	page.shows("main", "with the team")
	require.NotContains(t, page.part("main"), "Their thread")
	b.elsewhere(s.ID, queue.Defer{Rationale: "the <audit> first", Summary: "Nobody\nknows."})
	page.shows("main", "Put off: “the &lt;audit&gt; first”")
	page.shows("main", "The team: Nobody\nknows.")
}

// teamBench is a portal with a team.
func teamBench(t *testing.T) (*bench, *roomtest.Team) {
	t.Helper()
	b := newBench(t)
	b.stop()
	team := &roomtest.Team{Queue: b.q, Said: roomtest.Talk(), Summary: roomtest.Agreed()}
	b.team = team
	b.start()
	return b, team
}

func TestTheTeamIsAskedOnThePage(t *testing.T) {
	t.Parallel()
	for name, does := range map[string]func(*tab){
		"keys": func(c *tab) {
			c.presses("w")
			c.shows("main", "Carol Lee")
			c.presses("2", "4", "enter")
			c.shows("main", "What do they read?")
			c.presses("2", "enter")
			c.shows("main", "What do you do until they reply?")
			c.presses("2")
			c.shows("foot", "2: Alice Johnson, Carol Lee · 2: The question, The agent&#39;s message")
			c.presses("enter")
		},
		"clicks": func(c *tab) {
			c.clicks("ask_team", 0)
			c.shows("main", "Carol Lee")
			c.clicks("digit", 2)
			c.clicks("digit", 4)
			c.clicks("send", 0)
			c.shows("main", "What do they read?")
			c.clicks("digit", 2)
			c.clicks("send", 0)
			c.shows("main", "What do you do until they reply?")
			c.clicks("digit", 2)
			c.clicks("send", 0)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, team := teamBench(t)
			s := b.ask(one(queue.ModeSingle, nil))
			page := b.open("/choice/" + s.ID)
			page.shows("foot", `data-do="ask_team"`)
			does(page)
			require.Eventually(t, func() bool { return b.get(s.ID).Parked() }, patience, 5*time.Millisecond)
			b.owned(func() {
				require.Len(t, team.Calls, 1)
				require.True(t, team.Calls[0].WithPrompt)
				require.Empty(t, team.Calls[0].Before)
				require.Len(t, team.Calls[0].Invited, 2)
			})
		})
	}
}

func TestWhatTheAgentWasDoingIsAddedByItsBoxAlone(t *testing.T) {
	t.Parallel()
	b, team := teamBench(t)
	b.owned(func() { team.Doing = "It ran <make>" })
	s := b.ask(one(queue.ModeSingle, nil))
	page := b.open("/choice/" + s.ID)
	page.shows("foot", `data-do="ask_team"`)
	page.presses("w")
	page.shows("main", "Carol Lee")
	page.presses("enter")
	page.shows("main", "It ran &lt;make&gt;")
	page.clicks("digit", 3)
	for range 2 {
		page.clicks("send", 0)
	}
	require.Eventually(t, func() bool { return b.get(s.ID).Widen != nil }, patience, 5*time.Millisecond)
	b.owned(func() {
		require.Equal(t, "It ran <make>", team.Calls[0].Before)
		require.False(t, team.Calls[0].WithPrompt)
	})
}

func TestNobodyIsAskedBeforeTheLastEnterAndEscLeavesIt(t *testing.T) {
	t.Parallel()
	b, team := teamBench(t)
	s := b.ask(one(queue.ModeSingle, nil))
	page := b.open("/choice/" + s.ID)
	page.shows("foot", `data-do="ask_team"`)
	page.presses("w")
	page.shows("main", "Carol Lee")
	page.presses("enter", "enter")
	page.shows("foot", "Ask the team · 4: Alice Johnson, Bob Smith, Carol Lee, Dana Park · The question")
	page.presses("esc")
	page.shows("foot", `data-do="ask_team"`)
	require.Empty(t, team.Calls)
	require.Nil(t, b.get(s.ID).Widen)
}

func TestWhatTheTeamSaidIsReviewedAndAcceptedOnThePage(t *testing.T) {
	t.Parallel()
	b, _ := teamBench(t)
	s := b.ask(one(queue.ModeSingle, nil))
	page := b.open("/choice/" + s.ID)
	b.askedTeam(s.ID, "")
	page.shows("foot", `data-do="team_fetch"`)
	page.clicks("team_fetch", 0)
	page.clicks("offer", 0)
	page.shows("main", "Proposed answer")
	page.shows("main", "migration-from-day-1")
	page.shows("main", "consider the migration path.")
	page.presses("enter")
	require.True(t, b.get(s.ID).Pending(), "Enter alone accepts nothing")
	page.presses("1")
	page.shows("foot", "Accept “PostgreSQL”")
	page.presses("enter")
	over := b.settled(s.ID)
	require.Equal(t, queue.SourceTeam, over.Outcome.Team.Summary.Source)
	require.Equal(t, []string{"pg"}, over.Outcome.Answer.Replies[0].Selected)
}

func TestALinkToOneQuestionAsksNoTeam(t *testing.T) {
	t.Parallel()
	b, _ := teamBench(t)
	s := b.ask(one(queue.ModeSingle, nil))
	b.web = door.Session{May: door.RightsQuestion, Question: s.ID, Agent: "claude"}
	page := b.open("/choice/" + s.ID)
	page.presses("w")
	page.shows("status", "This link opens one question")
	require.NotContains(t, page.part("foot"), "ask_team")
}

func TestInABrowserTheTeamIsAskedAndItsAnswerAccepted(t *testing.T) {
	t.Parallel()
	b, team := teamBench(t)
	s := b.ask(one(queue.ModeSingle, nil))
	w := newBrowser(t, b)
	w.to("/choice/" + s.ID)
	w.press("w")
	w.shows("Who is asked?")
	w.press("2", kb.Enter)
	w.shows("What do they read?")
	w.press(kb.Enter)
	w.shows("What do you do until they reply?")
	w.shows("Ask the team · 3: Alice Johnson, Carol Lee, Dana Park · The question")
	w.press(kb.Enter)
	w.shows("with the team · clock paused")
	b.owned(func() { require.Len(t, team.Calls, 1) })
	w.press("f")
	w.press(kb.Enter)
	w.shows("Proposed answer")
	w.press("2", kb.Enter)
	w.shows("Your answer to")
	w.types("SQLite, which is like")
	w.press(kb.Escape, kb.Escape)
	w.shows("Proposed answer")
	w.press("1")
	w.press(kb.Enter)
	require.Equal(t, []string{"pg"}, b.settled(s.ID).Outcome.Answer.Replies[0].Selected)
	require.Empty(t, w.complaints())
}
