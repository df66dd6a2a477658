package desk_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

func TestAViewThatIsLeftSavesWhatWasTypedThere(t *testing.T) {
	b := newBench(t, nil)
	one := view(b)
	s := b.ask("Which database?", 300)
	b.pass(time.Second)
	one.Form().Here().Move(1)
	one.DraftSoon()
	b.CloseView(one)
	b.calm()
	require.Len(t, drafts(b, s.ID), 1)
	two := view(b)
	b.pass(time.Second)
	require.Equal(t, []string{"lite"}, two.Form().Here().Selected())
	require.NotEqual(t, one.Instance(), two.Instance(), "its drafts have a name of their own")
}

func TestAViewThatIsLeftSendsTheAnswerThatItHeldBack(t *testing.T) {
	b := newBench(t, holding)
	one := view(b)
	s := b.ask("Which database?", 300)
	b.pass(time.Second)
	require.NoError(t, one.Send())
	b.calm()
	require.True(t, b.stored(s.ID).Pending())
	b.CloseView(one)
	b.calm()
	require.Equal(t, "PostgreSQL", b.stored(s.ID).Summary())
}

func TestTheTimeOfTheQuestionOnViewIsSetFromNow(t *testing.T) {
	b := newBench(t, nil)
	one := view(b)
	require.ErrorIs(t, one.MoveTo(time.Minute), desk.ErrOver, "nothing is on view")
	s := b.ask("Which database?", 300)
	b.pass(time.Second)
	require.ErrorIs(t, one.MoveTo(25*time.Hour), desk.ErrMost)
	require.NoError(t, one.MoveTo(90*time.Second))
	b.calm()
	require.Equal(t, b.rig.Clock.T.Add(90*time.Second), b.stored(s.ID).Deadline)
}

func TestAViewThatIsLeftKeepsTheLineThatWasTypedThereAndHearsNoMore(t *testing.T) {
	l := newLines(t)
	before := l.Subscribers()
	page := view(l.bench)
	c := desk.NewChat(page)
	require.Equal(t, before+1, l.Subscribers())
	c.Compose()
	c.Type("fix the README")
	l.CloseView(page)
	l.calm()
	require.Equal(t, before, l.Subscribers())

	again := desk.NewChat(view(l.bench))
	again.Compose()
	l.calm()
	require.Equal(t, "fix the README", again.Text())
}

func TestALineThatIsOnItsWayWhenItsViewIsLeftIsSentAndKeptNoMore(t *testing.T) {
	l := newLines(t)
	before := l.Subscribers()
	page := view(l.bench)
	c := desk.NewChat(page)
	c.Compose()
	c.Type("fix the README")
	require.NoError(t, c.Send())
	l.CloseView(page)
	l.calm()
	require.Equal(t, []string{"claude-code: fix the README"}, l.ways.pasted)
	require.Equal(t, before, l.Subscribers())
	again := desk.NewChat(view(l.bench))
	again.Compose()
	l.calm()
	require.Empty(t, again.Text())
}

func TestAViewThatIsTakenLaterKnowsWhoAskedAndWhoListens(t *testing.T) {
	l := newLines(t)
	o := placeOf(web(), "bridge")
	l.run(queue.Presence{Instance: "bridge-1", Role: queue.RoleListener, Origin: &o})
	for _, s := range l.archive() {
		l.Take(queue.Changes{Gone: []string{s.ID}}, nil)
	}
	c := desk.NewChat(view(l.bench))
	var names []string
	for _, a := range c.Choices() {
		names = append(names, c.NameOf(a))
	}
	require.Equal(t, []string{"shop · claude", "web · gemini"}, names)
	require.True(t, c.Listens(c.Choices()[1]))
}
