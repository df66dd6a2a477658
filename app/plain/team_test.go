package plain

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/widen"
)

// echoing is a team whose conversations say what they read, until a line is "over".
type echoing struct {
	widen.Team
	fail  error
	ready bool
}

func (e echoing) Ready(context.Context) error {
	if !e.ready {
		return errors.New("nobody is there")
	}
	return nil
}

func (e echoing) SetUp() bool                                 { return true }
func (e echoing) Ring()                                       {}
func (e echoing) Tell(ctx context.Context, _ func(err error)) { <-ctx.Done() }

func (e echoing) discuss(_ context.Context, _ action.Name, session string, on Exchange) error {
	fmt.Fprintf(on.Out, "about %s\n", session)
	for {
		on.Want()
		select {
		case text, more := <-on.In:
			if !more || text == "over" {
				return e.fail
			}
			fmt.Fprintf(on.Out, "heard %s\n", text)
		case <-on.Interrupt:
			_, _ = io.WriteString(on.Out, "interrupted\n")
			return nil
		}
	}
}

// with sets a team and its conversations.
func with(e echoing) func(*Options) { return func(o *Options) { o.Team, o.Discuss = e, e.discuss } }

// talking waits until the conversation wants a line, or is over.
func (b *bench) talking() {
	b.t.Helper()
	require.Eventually(b.t, func() bool {
		b.desk.Drain()
		return b.team.wants || !b.team.underWay()
	}, 5*time.Second, time.Millisecond)
}

// hears gives the conversation lines.
func (b *bench) hears(lines ...string) {
	b.t.Helper()
	for _, text := range lines {
		b.talking()
		require.True(b.t, b.ready())
		b.routeLine(line{text, b.Clock.T}, true)
	}
	b.talking()
	b.settle()
}

func TestAConversationHasTheLinesAndOtherNewsIsToldAfterIt(t *testing.T) {
	b := newBench(t, with(echoing{}))
	s := b.ask(database())
	b.news()
	text := b.types("widen")
	b.talking()
	other := b.put(one(queue.ModeText, nil))
	b.settle()
	b.hears("cancel", "1", "quit")
	assert.Equal(t, "about "+s.ID+"\nheard cancel\nheard 1\nheard quit\n", text+b.news())
	b.hears("over")
	text = b.news()
	assert.Contains(t, text, other.ID, "told after the conversation")
	assert.Contains(t, text, "Question "+s.ID+": Which database?", "what is on view is written again")
	assert.Nil(t, b.get(s.ID).Outcome)
	assert.Contains(t, b.types("2"), "Not taken", "a question that was just written is guarded")
}

func TestAConversationIsAboutTheQuestionThatIsNamed(t *testing.T) {
	b := newBench(t, with(echoing{}))
	b.ask(database())
	second := b.ask(one(queue.ModeText, nil))
	for _, named := range []string{second.ID, "2"} {
		text := b.types("fetch " + named)
		b.hears("over")
		assert.Contains(t, text+b.news(), "about "+second.ID+"\n")
		b.wait(time.Second)
	}
	assert.Contains(t, b.types("defer 9"), "No pending question is called \"9\". list shows them all.")
}

func TestWhatKeepsAConversationFromBeingHadIsSaid(t *testing.T) {
	b := newBench(t, with(echoing{fail: errors.New("the disk is full")}))
	b.ask(database())
	b.types("widen")
	b.hears("over")
	assert.Contains(t, b.news(), "! the disk is full\n")
	none := newBench(t, nil)
	none.ask(database())
	assert.Contains(t, none.types("widen"), "There is no way to ask a team here.")
}

func TestTheEndOfTheInputEndsAConversationAndThenTheLines(t *testing.T) {
	b := newBench(t, with(echoing{}))
	s := b.ask(database())
	b.types("widen")
	b.talking()
	b.routeLine(line{}, false)
	b.talking()
	b.settle()
	assert.True(t, b.over)
	assert.Contains(t, b.news(), "The input ended; 1 question stays in the queue.")
	assert.Nil(t, b.get(s.ID).Outcome)
}

func TestCtrlCIsTheConversations(t *testing.T) {
	b := newBench(t, with(echoing{}))
	b.ask(database())
	b.types("widen")
	b.talking()
	b.team.interrupt()
	require.Eventually(t, func() bool { b.desk.Drain(); return !b.team.underWay() }, 5*time.Second, time.Millisecond)
	assert.Contains(t, b.news(), "interrupted\n")
	assert.False(t, b.over)
}

func TestAGateThatBecomesNarrowBetweenTwoLinesLetsTheWantedOneIn(t *testing.T) {
	g := newGate()
	g.awaitTurn()
	g.lineTaken()
	g.readOneByOne()
	g.letLineIn()
	passed := make(chan bool)
	go func() { g.awaitTurn(); passed <- true }()
	select {
	case <-passed:
	case <-time.After(5 * time.Second):
		t.Fatal("the line that is wanted is not let in")
	}
}

func TestALineThatAConversationDidNotComeToIsRefused(t *testing.T) {
	leave := make(chan bool)
	b := newBench(t, func(o *Options) {
		o.Discuss = func(_ context.Context, _ action.Name, _ string, on Exchange) error { // reads nothing that it wanted
			on.Want()
			<-leave
			return nil
		}
	})
	b.ask(database())
	b.types("widen")
	b.talking()
	b.routeLine(line{"cancel", b.Clock.T}, true)
	close(leave)
	b.talking()
	b.settle()
	assert.Contains(t, b.news(), "Not taken: \"cancel\" came too soon.")
}

// TestAConversationHearsEveryLineThatItWants has many conversations in a row, with each line at once behind what it
// answers: the one that reads lines may then be anywhere between two of them.
func TestAConversationHearsEveryLineThatItWants(t *testing.T) {
	in, typed := io.Pipe()
	out := &sharedText{}
	b := newBench(t, func(o *Options) { o.In, o.Out, o.Discuss, o.Typed = in, out, echoing{}.discuss, true })
	s := b.put(database())
	ended := make(chan error, 1)
	go func() {
		_, err := Run(t.Context(), b.o)
		ended <- err
	}()
	require.Eventually(t, func() bool { return strings.Contains(out.String(), s.ID) }, 5*time.Second, time.Millisecond)
	send := func(text string) { _, _ = io.WriteString(typed, text+"\n") }
	for i := range 200 {
		go func() {
			send("widen")
			send(fmt.Sprintf("line %d", i))
			send("over")
		}()
		heard := func() bool { return strings.Contains(out.String(), fmt.Sprintf("heard line %d\n", i)) }
		require.Eventually(t, heard, 5*time.Second, time.Millisecond, "%d", i)
	}
	require.NoError(t, typed.Close())
	require.NoError(t, <-ended)
}

func TestLinesAreReadOneByOneWhileAConversationLasts(t *testing.T) {
	in, typed := io.Pipe()
	g := newGate()
	lines := readLines(t.Context(), in, g, time.Now)
	next := func() string {
		select {
		case l := <-lines:
			g.lineTaken()
			return l.text
		case <-time.After(20 * time.Millisecond):
			return ""
		}
	}
	put := func(text string) { go func() { _, _ = io.WriteString(typed, text+"\n") }() }
	put("first")
	require.Equal(t, "first", next())
	g.readOneByOne()
	put("being read")
	g.letLineIn()
	require.Equal(t, "being read", next())
	put("not wanted yet")
	require.Empty(t, next(), "an editor has the terminal")
	g.letLineIn()
	require.Equal(t, "not wanted yet", next())
	g.readAll()
	put("as before")
	require.Equal(t, "as before", next())
}

func TestAQuestionThatIsWithTheTeamSaysSoAndOffersToFetchOrDefer(t *testing.T) {
	for _, state := range []string{queue.WidenBlocked, queue.WidenParked} {
		t.Run(state, func(t *testing.T) {
			b := newBench(t, with(echoing{ready: true}))
			s := b.put(one(queue.ModeSingle, func(q *queue.Question) { q.Defaults = []string{"pg"} }))
			do := func(a queue.Action) {
				_, err := b.o.Queue.Do(t.Context(), s.ID, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceWeb, Do: a})
				require.NoError(t, err)
			}
			do(queue.Widen{Widened: queue.Widened{Decision: "01ARZ3NDEKTSV4RRFFQ69G5FAV",
				Team: []queue.Member{{UserID: "1", Name: "Alice"}}, Mission: "m", QuestionID: "q", At: b.Clock.T,
				ThreadURL: "https://slack.com/p1", Response: []byte(`{}`)}})
			if state == queue.WidenParked {
				do(queue.Regroup{State: queue.WidenParked})
			}
			b.settle()
			text := b.news()
			assert.Contains(t, text, "[pending-external-input] With the team since ")
			waits := map[string]string{queue.WidenBlocked: "you are waiting for them", queue.WidenParked: "you don't have to wait"}[state]
			assert.Contains(t, text, ": Alice; "+waits+"\nTheir thread: https://slack.com/p1\n"+
				"[f]etch & resolve | [local answer]=type answer | [d]efer\n")
			assert.NotContains(t, text, "[w]iden")
			b.wait(time.Second)
			b.news()
			assert.Equal(t, "This question is with your team, so Enter sends nothing. Choose an answer, or type f to fetch "+
				"what they said, d to defer.\n", b.types(""))
			assert.Contains(t, b.types("2"), "Press Enter to send it")
			for _, letter := range []string{"f", "d"} {
				text := b.types(letter)
				b.hears("over")
				assert.Contains(t, text+b.news(), "about "+s.ID+"\n")
			}
			assert.Nil(t, b.get(s.ID).Outcome)
		})
	}
}

func TestWidenIsOfferedWhereTheTeamCanBeAsked(t *testing.T) {
	b := newBench(t, with(echoing{ready: true}))
	b.ask(database())
	require.Eventually(t, func() bool { b.desk.Drain(); return b.team.offered }, 5*time.Second, time.Millisecond)
	assert.Contains(t, b.news(), "[w]iden asks your team.\n")
	assert.Contains(t, b.types("show"), "; [w]iden asks your team;")
	approval := newBench(t, with(echoing{ready: true}))
	ask := database()
	ask.Kind = queue.KindApproval
	approval.ask(ask)
	approval.rest()
	assert.NotContains(t, approval.news(), "[w]iden")
	none := newBench(t, with(echoing{}))
	none.ask(database())
	none.rest()
	assert.NotContains(t, none.news()+none.types("show"), "[w]iden")
}

func TestABoxIsReadableInASCII(t *testing.T) {
	assert.Equal(t, "+- Widened ok -+\n| x |\n", plainASCII("╭─ Widened ✓ ─╮\n│ x │\n"))
}
