package portal

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/portal/door"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
)

func TestTheListHasWhatWaitsAndTheLastAnswers(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	page := b.open("/")
	page.shows("main", "Nothing is waiting.")
	s := b.ask(one(queue.ModeSingle, nil))
	page.shows("main", "Which database?")
	page.shows("main", "shop · claude")
	page.until(func(m message) bool { return m.Times[s.ID].Left == "5:00" || m.Times[s.ID].Left == "4:59" })
	page.presses("j", "enter")
	page.until(func(m message) bool { return m.Path == "/choice/"+s.ID })
	page.presses("2", "enter")
	b.settled(s.ID)
	page.shows("main", "Answered: SQLite")
	page.presses("esc")
	page.until(func(m message) bool { return m.Path == "/" })
	page.shows("main", "Last answers")
	page.shows("main", "SQLite")
}

func TestTheListSaysThatHostsAreInTheDashboard(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	page := b.open("/")
	page.shows("main", "Nothing is waiting.")
	b.owned(func() {
		s := b.d.Settings()
		s.Remotes = map[string]string{"build1": "", "box": "docker exec -i box"}
		b.d.SetSettings(s)
	})
	b.ask(one(queue.ModeSingle, nil))
	page.shows("main", "Questions on box and build1 are in the dashboard in your terminal, not on this page.")
}

func TestTheListNamesTheAgentsThatNeedThePersonInTheirPanes(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	page := b.open("/")
	page.shows("main", "Nothing is waiting.")
	release, err := b.q.Store.Announce(t.Context(), queue.Presence{Instance: "n", Role: queue.RoleNotice,
		Origin: &queue.Origin{Client: "claude-code", Cwd: "/src/shop"},
		Notice: &queue.Notice{Says: "<b>needs</b> your permission", At: time.Now()}})
	require.NoError(t, err)
	page.shows("main", "Needs you in its own pane")
	page.shows("main", "&lt;b&gt;needs&lt;/b&gt; your permission")
	page.shows("main", "shop · claude")
	require.NoError(t, release())
	page.until(func(m message) bool { return m.Parts["main"] != "" && !strings.Contains(m.Parts["main"], "own pane") })
}

func TestAClosedPageIsEnteredAgainWithWhatWasTyped(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.ask(one(queue.ModeText, nil))
	page := b.open("/choice/" + s.ID)
	page.types("own", "half \u202ea\ufeff\u009b sen")
	require.NoError(t, page.conn.CloseNow())
	require.Eventually(t, func() bool { return b.pages.Looking() == 0 }, patience, 5*time.Millisecond)
	list := b.open("/")
	list.shows("main", "draft")
	b.wait(time.Second)
	list.does(pageEvent{Do: "open", Path: "/choice/" + s.ID})
	list.until(func(m message) bool { return m.Values["f-own"] == "half a sen" })
	list.shows("main", "Drafted in the browser.")
}

func TestAnAnswerACancelAndATimeOutElsewhereCloseThePageAndSaySo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		does func(*bench, queue.Session)
		want string
	}{
		"answered": {func(b *bench, s queue.Session) {
			b.elsewhere(s.ID, queue.Settle{Answer: queue.Answer{Replies: []queue.Reply{{Question: "q1",
				Selected: []string{"lite"}}}}})
		}, "Answered: SQLite"},
		"cancelled": {func(b *bench, s queue.Session) { b.elsewhere(s.ID, queue.Cancel{Reason: "no"}) }, "Cancelled: “no”"},
		"timed out": {func(b *bench, _ queue.Session) {
			b.wait(6 * time.Minute)
			b.owned(b.d.Tick)
		}, "Timed out: no answer"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			s := b.ask(one(queue.ModeHybrid, nil))
			page, other := b.open("/choice/"+s.ID), b.open("/choice/"+s.ID)
			page.types("own", "what I had to say")
			c.does(b, s)
			page.shows("main", c.want)
			other.shows("main", c.want)
			page.shows("main", "Your text was not sent. It is saved.")
			page.shows("main", "what I had to say")
			require.Empty(t, page.part("foot"))
			page.presses("enter")
			require.Contains(t, page.part("main"), c.want)
			page.presses("y")
			page.until(func(message) bool { return page.copied == "what I had to say" })
		})
	}
}

func TestADeadlineThatIsMovedInOnePlaceIsMovedEverywhere(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.ask(one(queue.ModeSingle, nil))
	page, other := b.open("/choice/"+s.ID), b.open("/")
	page.clicks("more_time", 0)
	other.until(func(m message) bool { return strings.HasPrefix(m.Times[s.ID].Left, "5:5") })
	b.elsewhere(s.ID, queue.Move{By: time.Hour})
	page.until(func(m message) bool { return m.Times[s.ID].Left == "1h" })
	other.until(func(m message) bool { return m.Times[s.ID].Left == "1h" })
}

func TestTheTimeIsToldEachSecond(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.ask(one(queue.ModeSingle, nil))
	page := b.open("/choice/" + s.ID)
	seen := map[string]bool{}
	due := time.Now().Add(3500 * time.Millisecond)
	for time.Now().Before(due) {
		page.mu.Lock()
		seen[page.all.Times[s.ID].Left] = true
		page.mu.Unlock()
		time.Sleep(20 * time.Millisecond)
	}
	require.GreaterOrEqual(t, len(seen), 3)
}

func TestAPersonIsToldOnceThatTheTimeIsNearlyUpAndThatItIs(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.ask(one(queue.ModeSingle, nil))
	page, list := b.open("/choice/"+s.ID), b.open("/")
	b.wait(292 * time.Second)
	told := func(c *tab, n int) func() bool {
		return func() bool { c.mu.Lock(); defer c.mu.Unlock(); return len(c.alerts) == n }
	}
	require.Eventually(t, told(page, 1), patience, 10*time.Millisecond)
	require.Eventually(t, told(list, 1), patience, 10*time.Millisecond)
	time.Sleep(1100 * time.Millisecond)
	require.True(t, told(page, 1)(), "once")
	require.Equal(t, "Which database?", page.alerts[0].Title)
	b.wait(10 * time.Second)
	b.owned(b.d.Tick)
	require.Eventually(t, told(page, 2), patience, 10*time.Millisecond)
	require.Contains(t, page.alerts[1].Body, "Timed out, no answer")
}

func TestADraftBegunElsewhereIsTakenOverWithAWord(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.ask(one(queue.ModeHybrid, nil))
	page := b.open("/choice/" + s.ID)
	_, err := b.q.Store.Announce(t.Context(), queue.Presence{Instance: "terminal", Role: queue.RoleDashboard})
	require.NoError(t, err)
	require.NoError(t, b.q.Store.SaveDraft(t.Context(), queue.Draft{Session: s.ID, Instance: "terminal-1",
		At: b.q.Now().Add(time.Millisecond), Answer: queue.Answer{Replies: []queue.Reply{{Question: "q1",
			Selected: []string{"dynamo"}, Text: "begun there"}}}}))
	page.until(func(m message) bool { return m.Values["f-own"] == "begun there" })
	page.shows("main", "Drafted in the dashboard.")
	page.shows("foot", "DynamoDB &#43; your text")
	page.types("own", "begun there, finished here")
	page.until(func(m message) bool { return !strings.Contains(m.Parts["main"], "Drafted in") })
	require.Eventually(t, func() bool {
		drafts, _ := b.q.Store.Drafts(context.Background(), s.ID)
		return len(drafts) == 2 && drafts[0].Answer.Replies[0].Text == "begun there, finished here"
	}, patience, 10*time.Millisecond)
}

func TestNotesAndPlaceholdersThatAreSwitchedOffLeaveThePageAtOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.ask(one(queue.ModeHybrid, func(q *queue.Question) { q.Placeholder = "or name another" }))
	page := b.open("/choice/" + s.ID)
	page.shows("main", "or name another")
	page.shows("main", "Add a note")
	page.shows("main", "Add a comment")
	page.does(pageEvent{Do: "set", Field: "annotations_enabled", Value: "off"})
	page.does(pageEvent{Do: "set", Field: "placeholder_visible", Value: "off"})
	page.until(func(m message) bool {
		main := m.Parts["main"]
		return !strings.Contains(main, "or name another") && !strings.Contains(main, "Add a")
	})
	require.Eventually(t, func() bool {
		now := config.Open(b.settings.Path()).Settings()
		return !now.AnnotationsEnabled && !now.PlaceholderVisible
	}, patience, 10*time.Millisecond, "they are in the file")
}

func TestAPageWithoutALiveQuestionSaysSo(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, path := range []string{"/choice/00000000", "/choice/..%2f..%2fetc", "/choice/<b>"} {
		b.open(path).shows("main", "There is no such question")
	}
	b.open("/nowhere").shows("main", "Nothing is waiting.")
	b.open("/choice/").shows("main", "Nothing is waiting.")
}

func TestASettledQuestionIsReadFromTheArchive(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.ask(one(queue.ModeSingle, nil))
	b.elsewhere(s.ID, queue.Cancel{Reason: "no"})
	over, err := b.q.Do(t.Context(), s.ID, queue.Command{By: queue.ByCaller,
		Do: queue.Collect{Claim: queue.Claim{Instance: "bridge", Conn: "1"}}})
	require.NoError(t, err)
	require.NoError(t, b.q.Store.Archive(t.Context(), over))
	page := b.open("/choice/" + s.ID)
	page.shows("main", "Cancelled: “no”")
	page.shows("main", "received")
}

func TestALinkForOneQuestionOpensNothingElse(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s, other := b.ask(one(queue.ModeSingle, nil)), b.ask(asking("Another?", question("q1", queue.ModeSingle)))
	confirmed := one(queue.ModeSingle, nil)
	confirmed.Confirm = true
	c := b.ask(confirmed)
	b.web = door.Session{May: door.RightsQuestion, Question: s.ID, Agent: "claude"}
	own := "/choice/" + s.ID
	for path, want := range map[string]string{"/": "/", "/choice/" + other.ID: own, own: own} {
		page := b.open(path)
		page.until(func(m message) bool { return m.Path == want })
		assert.NotContains(t, page.all.Times, other.ID)
		for _, part := range []string{"main", "top", "foot"} {
			assert.NotContains(t, page.part(part), "Another?")
			assert.NotContains(t, page.part(part), `data-do="settings"`)
			assert.NotContains(t, page.part(part), `data-path="/"`)
		}
		b.wait(time.Second)
		for _, d := range []pageEvent{{Do: "open", Path: "/choice/" + other.ID}, {Do: "next"}, {Do: "settings"}, {Do: "open_one", N: 1},
			{Do: "set", Field: "single_submit_mode", Value: "on"}, {Do: "key", Key: "J"}, {Do: "key", Key: "s"}} {
			page.does(d)
		}
		page.calm()
		require.NotContains(t, page.part("main"), "Another?")
		require.Empty(t, page.part("panel"))
	}
	require.False(t, b.settings.Settings().SingleSubmitMode)
	page := b.open("/choice/" + s.ID)
	page.presses("2", "enter")
	require.Equal(t, "claude", b.settled(s.ID).Outcome.Given, "the trail says whose link it was")
	page.shows("main", "by the link given to claude")
	b.web = door.Session{May: door.RightsQuestion, Question: c.ID, Agent: "claude"}
	page = b.open("/choice/" + c.ID)
	page.shows("main", "This link does not open that question")
	page.presses("enter", "y", "enter")
	page.types("own", "x")
	require.True(t, b.get(c.ID).Pending())
}

func TestTwoPagesAndADashboardRaceAndOneAnswerIsStored(t *testing.T) {
	t.Parallel()
	for range 10 {
		b := newBench(t)
		s := b.ask(one(queue.ModeSingle, nil))
		one, two := b.open("/choice/"+s.ID), b.open("/choice/"+s.ID)
		b.wait(time.Second)
		var all sync.WaitGroup
		for _, race := range []func(){
			func() { one.does(pageEvent{Do: "digit", N: 1}); one.does(pageEvent{Do: "send"}) },
			func() { two.does(pageEvent{Do: "digit", N: 2}); two.does(pageEvent{Do: "send"}) },
			func() {
				_, _ = b.q.Do(context.Background(), s.ID, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceDashboard,
					Do: queue.Settle{Answer: queue.Answer{Replies: []queue.Reply{{Question: "q1", Selected: []string{"dynamo"}}}}}})
			},
		} {
			all.Go(race)
		}
		all.Wait()
		over := b.settled(s.ID)
		settles := 0
		for _, e := range over.Events {
			if e.Kind == queue.EventSettled {
				settles++
			}
		}
		require.Equal(t, 1, settles)
		one.shows("main", "Answered: "+over.Summary())
		two.shows("main", "Answered: "+over.Summary())
	}
}

func TestHostileTextIsInert(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	evil := `<img src=x onerror=alert(1)></p></pre></textarea><script>alert(2)</script>"'` + "\u202e\u200b\x1b[31m"
	a := one(queue.ModeHybrid, func(q *queue.Question) {
		q.Options[0].Label, q.Options[0].Description, q.Options[0].Note = evil, evil, evil
		q.Placeholder, q.Text = evil, evil
	})
	a.Title, a.Prompt, a.Comment = evil, evil+"\n\n```\n"+evil+"\n```\n\n|a|\n|-|\n|"+evil+"|", evil
	s := b.ask(a)
	page := b.open("/choice/" + s.ID)
	page.shows("main", "&lt;img src=x onerror=alert(1)&gt;")
	page.shows("main", "&lt;U+202E&gt;")
	page.shows("main", "Hidden characters")
	for _, part := range []string{"main", "foot", "top", "status"} {
		for _, bad := range []string{"<img", "<script", "\u202e", "\u200b", "\x1b", "</textarea><"} {
			assert.NotContains(t, page.part(part), bad)
		}
	}
	for _, text := range page.all.Values {
		assert.NotContains(t, text, "\u202e")
	}
	list := b.open("/")
	list.shows("main", "&lt;img")
	assert.NotContains(t, list.part("main"), "<img")
}

func TestWhatNoPageSaysIsPassedOver(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.ask(asking("Set up", question("q1", queue.ModeSingle), question("q2", queue.ModeText)))
	page := b.open("/choice/" + s.ID)
	b.wait(time.Second)
	require.NoError(t, page.conn.Write(t.Context(), websocket.MessageText, []byte("{no json")))
	require.NoError(t, page.conn.Write(t.Context(), websocket.MessageBinary, []byte{0, 1, 2}))
	for _, b := range action.Table {
		name := b.Name
		for _, n := range []int{-1, 0, 1, 99} {
			if name != "cancel" && name != "enter" {
				page.does(pageEvent{Do: string(name), N: n})
			}
		}
	}
	for _, d := range []pageEvent{{}, {Do: "nothing"}, {Do: "tab", N: 99}, {Do: "tab", N: -7}, {Do: "reason", N: 5}, {Do: "change_one", N: 9},
		{Do: "text", Field: "note", N: 77, Value: "x"}, {Do: "text", Field: "reason", Value: "x"}, {Do: "set"}, {Do: "unhide", N: 3},
		{Do: "key", Key: strings.Repeat("k", 1000)}, {Do: "open", Path: strings.Repeat("/", 5000)}, {Do: "send"}, {Do: "offer"}} {
		page.does(d)
	}
	page.does(pageEvent{Do: "open", Path: "/choice/" + s.ID})
	page.calm()
	page.does(pageEvent{Do: "back"})
	page.does(pageEvent{Do: "back"})
	page.shows("main", "Set up")
	require.True(t, b.get(s.ID).Pending())
}

func TestAPageThatDoesNotReadIsDroppedAndHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	box := &browser{bell: make(chan struct{}, 1)}
	for range 10000 {
		box.add(func(m *message) { m.Parts["main"] = strings.Repeat("x", 1000) })
	}
	raw, err := json.Marshal(box.takeMessage())
	require.NoError(t, err)
	require.Less(t, len(raw), 2000, "what is newer takes the place of what is older")
}

func TestAPageThatDoesNotAnswerIsGone(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.pages.pingEvery = 700 * time.Millisecond // a busy page still answers in that time
	there := b.open("/")
	deaf, _, err := websocket.Dial(t.Context(), "ws"+strings.TrimPrefix(b.server.URL, "http")+"/live", nil)
	require.NoError(t, err)
	defer deaf.CloseNow() // its messages are not read
	require.Eventually(t, func() bool { return b.pages.Looking() == 2 }, patience, time.Millisecond)
	require.Eventually(t, func() bool { return b.pages.Looking() == 1 }, patience, time.Millisecond)
	time.Sleep(2 * b.pages.pingEvery)
	require.False(t, there.gone)
	require.Equal(t, 1, b.pages.Looking(), "who answers stays")
}

func TestAPageThatLeavesGivesItsViewUp(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.ask(one(queue.ModeSingle, nil))
	names := map[string]bool{}
	for range 3 {
		page := b.open("/choice/" + s.ID)
		require.Equal(t, 1, b.pages.Looking())
		b.owned(func() { names[b.pages.open[0].view.Instance()] = true })
		require.NoError(t, page.conn.CloseNow())
		require.Eventually(t, func() bool {
			n := -1
			b.owned(func() { n = len(b.pages.open) })
			return n == 0 && b.pages.Looking() == 0
		}, patience, 5*time.Millisecond)
	}
	require.Len(t, names, 3, "no two seats save drafts under one name")
}

func TestAnAnswerThatTheStoreDoesNotTakeIsSaidAndTriedAgain(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.ask(one(queue.ModeSingle, nil))
	page := b.open("/choice/" + s.ID)
	b.store.full.Store(true)
	page.presses("2", "enter")
	page.shows("foot", "Your answer is not saved yet, trying again: the disk is full")
	page.presses("enter")
	page.shows("status", "It is being sent")
	b.store.full.Store(false)
	b.wait(desk.RetryIn)
	b.owned(b.d.Tick)
	require.Equal(t, []string{"lite"}, b.settled(s.ID).Outcome.Answer.Replies[0].Selected)
	page.shows("main", "Answered: SQLite")
}

func TestWhatIsSaidIsSaidEachTime(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.ask(one(queue.ModeSingle, nil))
	page := b.open("/choice/" + s.ID)
	for range 3 {
		page.mu.Lock()
		page.all.Parts["status"] = ""
		page.mu.Unlock()
		page.presses("v")
		page.shows("status", "No option is hidden here")
	}
}

func TestALongQueueIsListedAsFarAsAPersonReads(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for i := range mostListed + 5 {
		_, err := b.q.Create(t.Context(), queue.Session{Ask: asking(fmt.Sprint("pending ", i), question("q1", queue.ModeText))})
		require.NoError(t, err)
	}
	page := b.open("/")
	page.shows("main", "and 5 more")
	page.until(func(m message) bool { return len(m.Times) >= mostListed })
	require.Equal(t, mostListed, strings.Count(page.part("main"), `id="r-`))
}

func TestPageAndListSayForWhomAQuestionIsAndWhoAnswersIt(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.owned(func() { b.q.Person = "ben" })
	a := one(queue.ModeSingle, nil)
	a.Audience = []string{"ben"}
	s := b.ask(a)
	list, page := b.open("/"), b.open("/choice/"+s.ID)
	page.shows("main", `<p class="notice">For ben.</p>`)
	list.shows("main", " · for ben")

	require.NoError(t, b.q.Store.SaveDraft(t.Context(), queue.Draft{Session: s.ID, Instance: "anas-1", Person: "ana",
		At: time.Now()}))
	page.shows("main", `<p class="notice">ana is answering.</p>`)
	list.shows("main", " · for ben · ana is answering")
}

func TestLive_NothingIsDoneForASessionThatHasEnded(t *testing.T) {
	t.Parallel()
	for _, ends := range []bool{false, true} {
		b := newBench(t)
		page := b.open("/")
		seconds := func() (n int) {
			b.owned(func() { n = b.d.Settings().TimeoutSeconds })
			return n
		}
		was := seconds()
		goOn := make(chan struct{})
		b.d.Do(func() { <-goOn }) // what comes meanwhile is done after this
		raw, err := json.Marshal(pageEvent{Do: doSet, Field: "timeout_seconds", Value: "77"})
		require.NoError(t, err)
		require.NoError(t, page.conn.Write(t.Context(), websocket.MessageText, raw))
		time.Sleep(100 * time.Millisecond)
		if ends {
			(*b.hangUp.Load())()
		}
		close(goOn)
		if !ends {
			require.Eventually(t, func() bool { return seconds() == 77 }, patience, 5*time.Millisecond)
			continue
		}
		require.Eventually(t, func() bool { return b.pages.Looking() == 0 }, patience, time.Millisecond)
		require.Equal(t, was, seconds())
	}
}

func TestAGivenLinkSuggestsNoWordsOfThePerson(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	first := b.ask(one(queue.ModeSingle, nil))
	_, err := b.q.Do(t.Context(), first.ID, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceCLI,
		Do: queue.Cancel{Reason: "after the release"}})
	require.NoError(t, err)
	s := b.ask(asking("Another?", question("q1", queue.ModeSingle)))
	page := b.open("/choice/" + s.ID)
	page.presses("x")
	page.shows("foot", "after the release")
	page.presses("esc")
	b.web = door.Session{May: door.RightsQuestion, Question: s.ID, Agent: "claude"}
	page = b.open("/choice/" + s.ID)
	page.presses("x")
	page.shows("foot", "not now, do something else first")
	require.NotContains(t, page.part("foot"), "after the release", "an agent may read this page")
}
