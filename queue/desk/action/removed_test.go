package action

import (
	"testing"

	"github.com/rivo/uniseg"
	"github.com/stretchr/testify/require"
)

func TestARemovedActionInTheSettingsIsReportedToDoctorAndIsNoProblem(t *testing.T) {
	own := map[string][]string{"half_up": {"f5"}, "tell": {"f6"}, "note": {"N"}}
	_, problems := New(own, uniseg.StringWidth)
	require.Empty(t, problems)
	require.Equal(t, []string{"keys.half_up has no effect any more: PgUp moves up",
		"keys.tell has no effect any more: keys.chat also binds this in the history"}, Removed(own))
}

func TestKeysOfEarlierVersionsAreNoProblem(t *testing.T) {
	own := map[string][]string{}
	for _, action := range []string{"all", "change", "change_back", "connect", "half_down", "half_up",
		"next_agent", "statistics", "tell", "undo", "write"} {
		own[action] = []string{"f5"}
	}
	_, problems := New(own, uniseg.StringWidth)
	require.Empty(t, problems)
	require.Len(t, Removed(own), len(own))
}

func TestWithoutATeamItsKeysAreFree(t *testing.T) {
	alone := Keys.WithoutTeam()
	for _, key := range []string{"w", "b", "c", "f", "d"} {
		require.Nil(t, alone.Lookup(PlaceQuestion, key), key)
	}
	require.NotNil(t, Keys.Lookup(PlaceQuestion, "w"))
	require.NotNil(t, alone.Lookup(PlaceQuestion, "x"))
}
