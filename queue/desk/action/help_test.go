package action

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestHelpExplainsEachKeyOnce(t *testing.T) {
	rows, explained := Keys.HelpRows(), 0
	for _, r := range rows {
		if r.Heading == "" {
			explained++
		}
	}
	assert.Less(t, explained, len(Keys), "keys that belong together share a row")
	assert.GreaterOrEqual(t, explained, 50)
	at := slices.Index(rows, HelpRow{Heading: "the queue"})
	require.Positive(t, at)
	assert.Equal(t, HelpRow{Keys: "Enter", Words: "open the question"}, rows[at+1])
	assert.Equal(t, HelpRow{Keys: "1-9", Words: "go to that question in the queue"}, rows[at+2])
	assert.NotEmpty(t, rows[at+3].Heading, "J and K were explained above")
}

func TestTheHelpOfAPlaceExplainsItsOwnKeys(t *testing.T) {
	rows := Keys.HelpOf(PlaceApproval)
	assert.Equal(t, HelpRow{Heading: "an approval"}, rows[0])
	assert.Contains(t, rows, HelpRow{Keys: "J K", Words: "next or previous question in the queue"})
	assert.Contains(t, rows, HelpRow{Keys: "x", Words: "leave it to the agent, which then asks with its own prompt"})
	assert.Contains(t, Keys.HelpRows(), HelpRow{Keys: "v V", Words: Of(Hidden).Group})
	assert.NotContains(t, Keys.HelpOf(PlaceQuestion), HelpRow{Keys: "v V", Words: Of(Hidden).Group}, "few need it")
}

func TestHelpNarrowsToTheRowsThatHoldEveryWord(t *testing.T) {
	rows := Keys.HelpRows()
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
