package screen

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue/desk/action"
)

func TestWhileTheTeamIsAskedBehindItTheQuestionSaysSoAndDoesNotOfferItAgain(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {120, 40}} {
		b := newTeamBench(t, size[0], size[1])
		toUntil(b.bench)
		_, err := b.view.Team.On().Enter() // a server that is slow
		require.NoError(t, err)
		b.press("esc")
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

func TestARefusedEnterOnTheLastPartSaysWhyInOneLine(t *testing.T) {
	for _, size := range teamSizes {
		b := newTeamBench(t, size[0], size[1])
		toNames(b.bench)
		b.clock.pass(time.Second)
		b.write("Zed")
		b.press("tab", "tab")
		b.calm()
		b.press("enter")
		require.Empty(t, b.team.Calls)
		require.Contains(t, b.footer(), "nobody on the team has that name", size)
	}
}

func TestWhyAskingFailedIsOnScreenAtAnySize(t *testing.T) {
	for _, size := range teamSizes {
		b := newTeamBench(t, size[0], size[1])
		toUntil(b.bench)
		b.team.Unasked = errors.New("The server team.example.org did not answer in time. Try again.")
		b.press("enter")
		require.Equal(t, action.PlaceTeamChoice, b.room().Place())
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
