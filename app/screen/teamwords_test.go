package screen

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/queue"
)

func TestTheWordThatLeavesTheNamesIsNotThereTheNextTime(t *testing.T) {
	b := newTeamBench(t, 120, 40)
	toNames(b.bench)
	b.clock.pass(time.Second)
	b.write("cancel")
	require.Contains(t, b.foot(), "⏎ leave it, nobody is asked")
	b.press("enter")
	require.Equal(t, keys.PlaceQuestion, b.room().Place())
	b.calm()
	b.press("w")
	b.clock.pass(time.Second)
	require.Empty(t, b.room().Field().Text())
	require.Contains(t, b.foot(), "⏎ on with Alice Johnson")
}

func TestAnEditorThatEmptiesTheCandidateLeavesItToBeAccepted(t *testing.T) {
	b := newTeamBench(t, 120, 40)
	toReview(b.bench)
	id := b.shown()
	b.seat.Team.Edited(" \n")
	b.calm()
	b.press("a")
	require.Contains(t, b.foot(), "⏎ accept PostgreSQL")
	b.calm()
	b.press("enter")
	require.Equal(t, queue.SourceTeam, b.get(id).Outcome.Team.Summary.Source)
}

func TestWordsWrittenInTheEditorStayWhenTheQuestionEndsElsewhere(t *testing.T) {
	b := newTeamBench(t, 120, 40)
	toReview(b.bench)
	id := b.shown()
	b.seat.Team.Edited("SQLite, until we have a server")
	b.calm()
	b.press("a")
	b.write("it is one file")
	b.settleElsewhere(b.get(id), queue.SurfaceWeb, "lite")
	require.Equal(t, keys.PlaceOver, b.room().Place())
	require.Contains(t, strings.Join(b.seat.FormOf(id).Typed(), " "), "SQLite, until we have a server")
	require.Contains(t, strings.Join(b.seat.FormOf(id).Typed(), " "), "it is one file")
	require.Contains(t, b.picture(), "y copies it")
}
