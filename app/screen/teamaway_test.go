package screen

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/widen"
)

func TestWhileTheTeamIsAskedBehindItTheQuestionSaysSoAndDoesNotOfferItAgain(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {120, 40}} {
		b := newTeamBench(t, size[0], size[1])
		toUntil(b.bench)
		require.NoError(t, b.view.Team.Do(func(c *widen.Consult) (widen.Want, error) {
			_, err := c.Settle(b.view.Form().Answer())
			return widen.Want{}, err
		}))
		require.Equal(t, action.PlaceQuestion, b.room().Place())
		b.calm()
		require.Contains(t, b.picture(), "The team is being asked", size)
		require.NotContains(t, b.picture(), "w ask the team")
		require.Contains(t, b.footer(), "Send PostgreSQL")
		b.press("w")
		require.Equal(t, action.PlaceQuestion, b.room().Place())
		require.Equal(t, "the team is being asked already", b.said())
	}
}

func TestTheQuestionItselfIsNotLeftOut(t *testing.T) {
	b := newTeamBench(t, 80, 24)
	toMessage(b.bench)
	b.press("2", "1", "enter")
	b.calm()
	b.press("enter")
	require.Empty(t, b.team.Calls)
	require.Equal(t, "they have to read the question too", b.said())
}

func TestWhyAskingFailedIsOnScreenAtAnySize(t *testing.T) {
	for _, size := range sizes {
		b := newTeamBench(t, size[0], size[1])
		toUntil(b.bench)
		b.team.Unasked = errors.New("The server team.example.org did not answer in time. Try again.")
		b.press("enter")
		b.asksOfTeam(widen.Asking)
		require.Contains(t, b.picture(), "! The server", size)
		b.team.Unasked = nil
		b.calm()
		b.press("enter")
		b.reached(action.PlaceQuestion)
		require.Len(t, b.team.Calls, 2)
	}
}

func TestWhatCanBeDoneAboutAQuestionThatIsWaitedForIsReachedInASmallPane(t *testing.T) {
	b := newTeamBench(t, 40, 12)
	toTeam(b.bench)
	b.press("?", "/")
	b.write("answer others")
	require.Contains(t, b.picture(), " c ")
	b.press("esc", "esc", "esc")
	b.press("?", "/")
	b.write("put off")
	require.Contains(t, b.picture(), " d ")
}
