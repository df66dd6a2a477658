package screen

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/desk"
	"github.com/choicetui/choicetui/panes/keys"
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
