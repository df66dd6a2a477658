package screen

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/keys"
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
