package action_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/widen"
)

// sitWithTeam is sit where there is a team.
func sitWithTeam(t *testing.T) (*view, *roomtest.Team) {
	t.Helper()
	team := &roomtest.Team{Said: roomtest.Talk(), Summary: roomtest.Agreed()}
	b := &view{t: t, frontend: &frontend{facts: action.Facts{Edits: true}}}
	b.Bench = roomtest.New(t, 80, 24, nil, func(o *desk.Options) { o.Team, team.Queue = team, o.Queue })
	b.board = action.NewKeyboard(b.View(), b.frontend)
	b.s = b.Ask(roomtest.Database(), roomtest.Shop())
	b.calm()
	return b, team
}

// slowly does actions one by one, behind the guard.
func (b *view) slowly(actions ...action.Name) {
	for _, a := range actions {
		b.calm()
		b.press(a, 0)
	}
	b.calm()
}

func TestEveryFrontendGoesTheWholeWayToTheTeamThroughTheTable(t *testing.T) {
	b, team := sitWithTeam(t)
	c := b.View().Team.On()
	b.slowly(action.AskTeam)
	require.Equal(t, widen.LineNames, c.Line())
	c.Type("bob smith")
	b.slowly(action.Area, action.PromptToo, action.Enter, action.GoOn, action.Wait, action.Down)
	require.Empty(t, team.Calls)
	require.True(t, c.Sends() && c.Parks && c.WithPrompt && !c.WithBefore)
	b.slowly(action.Enter)
	require.Len(t, team.Calls, 1)
	require.Equal(t, "Bob Smith", team.Calls[0].Invited[0].Name)
	require.Equal(t, queue.WidenParked, b.stored().Widen.State)

	b.slowly(action.Wait)
	b.frontend.shown[len(b.frontend.shown)-1].Offer.Do()
	b.Calm()
	require.Equal(t, queue.WidenBlocked, b.stored().Widen.State)
	b.slowly(action.Fetch)
	b.frontend.shown[len(b.frontend.shown)-1].Offer.Do()
	b.Calm()
	b.Calm() // the summary
	require.Equal(t, widen.Reviewing, c.Stage)
	b.slowly(action.Accept)
	offer := b.frontend.shown[len(b.frontend.shown)-1].Offer
	require.Same(t, c, offer.Consult)
	offer.Do()
	b.Calm()
	require.Equal(t, queue.SourceTeam, b.stored().Outcome.Team.Summary.Source)
}

func TestAFrontendThatShowsAllPartsGoesToTheOneThatThePersonTurnsTo(t *testing.T) {
	b, team := sitWithTeam(t)
	b.slowly(action.AskTeam)
	for _, part := range []widen.Part{widen.PartUntil, widen.PartLetter, widen.PartNames, widen.PartUntil} {
		b.press(action.Area, int(part)+1)
		require.Equal(t, part, b.View().Team.On().Part)
	}
	b.press(action.Enter, 0)
	require.Empty(t, team.Calls, "the part had just come up")
	b.slowly(action.Enter)
	require.Len(t, team.Calls, 1)
	require.Nil(t, b.stored().Outcome)
}

func TestTheReasonForADeferralIsTypedThroughTheTable(t *testing.T) {
	b, _ := sitWithTeam(t)
	b.slowly(action.AskTeam, action.Enter, action.Enter, action.Enter, action.Defer, action.Enter)
	require.Equal(t, "team", b.frontend.said, "there is no reason yet")
	b.View().Team.On().Type("after the load test")
	b.slowly(action.Back, action.Defer, action.Enter)
	require.Equal(t, "after the load test", b.stored().Outcome.Team.Rationale)
}
