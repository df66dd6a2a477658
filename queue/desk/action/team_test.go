package action_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
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
	b.slowly(action.AskTeam)
	require.Equal(t, action.PlaceQuestion, action.PlaceOf(b.View().Form()))
	require.True(t, b.View().OfTeam())
	b.slowly(action.Mark, action.Enter) // without Alice Johnson
	b.slowly(action.Down, action.Mark, action.Enter)
	b.slowly(action.TabNext)
	require.True(t, b.View().Form().Reviewing(), "all of it can be looked at together")
	b.slowly(action.TabBack, action.Down)
	require.Empty(t, team.Calls)
	b.slowly(action.Enter)
	require.Len(t, team.Calls, 1)
	require.Equal(t, widen.Call{Invited: roomtest.Mates()[1:], WithPrompt: true}, team.Calls[0])
	require.Equal(t, queue.WidenParked, b.stored().Widen.State)

	b.slowly(action.Wait)
	b.frontend.shown[len(b.frontend.shown)-1].Offer.Do()
	b.Calm()
	require.Equal(t, queue.WidenBlocked, b.stored().Widen.State)
	b.slowly(action.Fetch)
	b.frontend.shown[len(b.frontend.shown)-1].Offer.Do()
	b.Calm()
	b.Calm() // the summary
	require.Equal(t, widen.Reviewing, b.View().Team.On().Stage)
	b.slowly(action.Back, action.Fetch)
	require.True(t, b.View().OfTeam(), "the same replies, without a call")
	require.Equal(t, 1, team.Summarising)
	b.slowly(action.Fetch)
	b.frontend.shown[len(b.frontend.shown)-1].Offer.Do()
	b.Calm()
	b.Calm()
	require.Equal(t, 2, team.Summarising, "they are read again")
	b.calm()
	b.press(action.Digit, 1)
	b.slowly(action.Enter)
	require.Equal(t, queue.SourceTeam, b.stored().Outcome.Team.Summary.Source)
}

// An Enter that was still meant for what they read asks nobody.
func TestEnterAsksTheTeamOnlyOnceTheLastQuestionHasBeenSeen(t *testing.T) {
	b, team := sitWithTeam(t)
	b.slowly(action.AskTeam, action.Enter)
	b.press(action.Enter, 0)
	b.press(action.Enter, 0)
	require.Equal(t, 2, b.View().Form().At())
	require.Empty(t, team.Calls)
	b.slowly(action.Enter)
	require.Len(t, team.Calls, 1)
}

// What is for an agent's question does nothing to what the person is asked about the team; nor does Esc answer it.
func TestAboutTheTeamTheAgentsQuestionIsOutOfReach(t *testing.T) {
	b, team := sitWithTeam(t)
	b.slowly(action.AskTeam)
	for _, a := range []action.Name{action.Cancel, action.Detail, action.Later, action.Hide, action.AskTeam} {
		require.False(t, b.board.At().Can(a), a)
		b.slowly(a)
		require.Equal(t, form.FieldNone, b.View().Form().Typing(), a)
		require.True(t, b.View().OfTeam(), a)
	}
	b.slowly(action.Enter, action.Enter, action.Text)
	require.Equal(t, form.FieldNone, b.View().Form().Typing(), "no reason for a cancel")
	b.slowly(action.Back)
	require.False(t, b.View().OfTeam())
	require.True(t, b.board.At().Can(action.Cancel))
	require.Empty(t, team.Calls)
	require.True(t, b.stored().Pending())
}

func TestTheReasonForADeferralIsTypedThroughTheTable(t *testing.T) {
	b, _ := sitWithTeam(t)
	b.slowly(action.AskTeam, action.Enter, action.Enter, action.Enter, action.Defer, action.Enter)
	require.True(t, b.stored().Pending(), "there is no reason yet")
	b.View().Form().Type("after the load test")
	b.slowly(action.Back, action.Back, action.Defer)
	require.Equal(t, "after the load test", b.View().Form().Here().Words(), "it is kept")
	b.slowly(action.Enter)
	require.Equal(t, "after the load test", b.stored().Outcome.Team.Rationale)
}
