package keys

import (
	"testing"

	"github.com/rivo/uniseg"
	"github.com/stretchr/testify/require"
)

func TestARemovedActionInTheSettingsIsReportedToDoctorAndIsNoProblem(t *testing.T) {
	own := map[string][]string{"half_up": {"f5"}, "all_recommended": {"f6"}, "note": {"N"}}
	_, problems := New(own, uniseg.StringWidth)
	require.Empty(t, problems)
	require.Equal(t, []string{"keys.all_recommended has no effect any more: r and Enter on each question do the same",
		"keys.half_up has no effect any more: PgUp moves up"}, Removed(own))
}

func TestWithoutATeamItsKeysAreFreeAndItsPlacesEmpty(t *testing.T) {
	alone := Table.WithoutTeam()
	for _, key := range []string{"w", "b", "c", "f", "d", "e"} {
		require.Nil(t, alone.Lookup(PlaceQuestion, key), key)
	}
	require.Nil(t, alone.Lookup(PlaceLetter, "enter"))
	require.NotNil(t, Table.Lookup(PlaceQuestion, "w"))
	require.NotNil(t, Table.Lookup(PlaceLetter, "enter"))
	require.NotNil(t, alone.Lookup(PlaceQuestion, "x"))
}
