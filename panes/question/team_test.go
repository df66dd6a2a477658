package question

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/widen"
)

// newTeamBench is newBench with a team, and with a question that can go to it.
func newTeamBench(t *testing.T, w, h int) (*bench, *roomtest.Team) {
	t.Helper()
	team := &roomtest.Team{Said: roomtest.Talk(), Summary: roomtest.Agreed()}
	b := newBenchWith(t, w, h, func(o *desk.Options) { o.Team, team.Queue = team, o.Queue })
	b.ask(database(), shop())
	b.calm()
	return b, team
}

// acts does actions one by one, behind the guard.
func (b *bench) acts(list ...action.Name) {
	for _, a := range list {
		b.calm()
		b.room.Keyboard().Act(action.Input{Action: a}, b.Clock.T)
		b.Calm()
	}
	b.calm()
}

func TestRoom_ShowsWhatIsAskedAboutTheTeam(t *testing.T) {
	b, team := newTeamBench(t, 80, 24)
	b.acts(action.AskTeam)
	require.True(t, b.View().OfTeam())
	require.Contains(t, b.picture(), "Who is asked?")
	require.Contains(t, b.picture(), "Esc back")
	b.acts(action.Enter)
	require.Contains(t, b.picture(), "What do they read?")
	b.acts(action.Back)
	require.NotContains(t, b.picture(), "What do they read?")
	require.Contains(t, b.picture(), "PostgreSQL")

	team.Unasked = errors.New("The server does not answer. Try again.")
	b.acts(action.AskTeam, action.Enter, action.Enter, action.Enter, action.Enter)
	require.Contains(t, b.picture(), "! The server does not answer. Try again.")
	require.True(t, b.View().OfTeam(), "Enter tries it again")
	team.Unasked = nil
	b.acts(action.Enter)
	require.Contains(t, b.picture(), "With the team since")
	require.Contains(t, b.picture(), "and tell the team")
}

func TestRoom_SaysThatTheTeamIsBeingAsked(t *testing.T) {
	b, _ := newTeamBench(t, 80, 24)
	b.acts(action.AskTeam)
	require.NoError(t, b.View().Team.Do(func(c *widen.Consult) (widen.Want, error) {
		_, err := c.Settle(b.View().Form().Answer())
		return widen.Want{}, err // the call is still under way
	}))
	require.False(t, b.View().OfTeam())
	require.Contains(t, b.picture(), "The team is being asked; you can answer here meanwhile.")
}
