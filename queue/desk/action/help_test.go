package action

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestHelpExplainsEachKeyOnceAndNamesItWhereItHoldsToo(t *testing.T) {
	m := Keys
	for _, first := range []Place{PlaceQuestion, PlaceHistory, PlaceSettings} {
		rows := m.HelpRows(first)
		require.Equal(t, first, placeNamed(rows[0].Heading), "the place it was opened from comes first")
		explained := 0
		for _, r := range rows {
			if r.Heading == "" && !r.Also {
				explained++
			}
		}
		assert.Less(t, explained, len(Keys), "keys that belong together share a row")
		assert.GreaterOrEqual(t, explained, 50)
	}
	rows := m.HelpRows(PlaceQuestion)
	at := 0
	for rows[at].Heading != "the queue" {
		at++
	}
	assert.Equal(t, HelpRow{Keys: "Enter", Words: "open the question"}, rows[at+1])
	assert.Equal(t, HelpRow{Keys: "1-9", Words: "go to that question in the queue"}, rows[at+2])
	assert.True(t, rows[at+3].Also)
	assert.Contains(t, rows[at+3].Words, "J  K  ")
	assert.NotContains(t, rows[at+3].Words, "Enter")
}

func placeNamed(name string) Place {
	for _, p := range placeNames {
		if p.Name == name {
			return p.Place
		}
	}
	return 0
}

func TestHelpNarrowsToTheRowsThatHoldEveryWord(t *testing.T) {
	rows := Keys.HelpRows(PlaceQuestion)
	kept, found := Narrowed(rows, "Minute ADD")
	assert.Equal(t, []HelpRow{{Heading: "a question"}, {Keys: "+ -", Words: "add or remove a minute (never below 1:00)"}}, kept)
	assert.Equal(t, 1, found)

	kept, found = Narrowed(rows, "chat line")
	assert.Equal(t, 1, found)
	assert.Equal(t, "chat", kept[0].Heading, "a heading's words count for its rows")

	kept, found = Narrowed(rows, "no such words")
	assert.Empty(t, kept)
	assert.Zero(t, found)
}
