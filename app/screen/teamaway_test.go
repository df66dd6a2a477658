package screen

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/queue/desk"
)

func TestWhileTheTeamIsAskedBehindItTheQuestionSaysSoAndDoesNotOfferItAgain(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {120, 40}} {
		b := newTeamBench(t, size[0], size[1])
		toLetter(b.bench)
		b.seat.Team.On().Stage = desk.TeamCalling // a server that is slow
		b.press("esc")
		require.Equal(t, keys.PlaceQuestion, b.room().Place())
		b.calm()
		require.Contains(t, b.picture(), "The team is being asked", size)
		require.NotContains(t, b.picture(), "w ask the team")
		require.Contains(t, b.foot(), "send PostgreSQL")
		b.press("w")
		require.Equal(t, keys.PlaceQuestion, b.room().Place())
		require.Equal(t, "the team is being asked already", b.said())
	}
}

func TestARefusedEnterOnTheLetterSaysWhyInOneLine(t *testing.T) {
	for _, size := range teamSizes {
		b := newTeamBench(t, size[0], size[1])
		toLetter(b.bench)
		b.press("enter")
		rows := strings.Split(strings.TrimSpace(b.picture()), "\n")
		require.NotContains(t, rows[len(rows)-1], "people", size)
		require.NotContains(t, rows[len(rows)-1], "unread", size)
		require.Contains(t, b.picture(), "y marks it to be sent to 4 people", size)
	}
}

func TestWhatCanBeDoneAboutAQuestionThatIsWaitedForIsReachedInASmallPane(t *testing.T) {
	b := newTeamBench(t, 40, 12)
	toTeam(b.bench)
	b.press("?", "/")
	b.write("park")
	require.Contains(t, b.picture(), " c ")
	b.press("esc", "esc", "esc")
	b.press("?", "/")
	b.write("defer")
	require.Contains(t, b.picture(), " d ")
}
