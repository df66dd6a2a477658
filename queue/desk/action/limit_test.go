package action

import (
	"slices"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
)

// TestThereIsLittleToLearn counts what a person meets where no team is set up. An action counts once, and a letter with
// two meanings counts twice.
func TestThereIsLittleToLearn(t *testing.T) {
	actions, letters, rows := 0, "", 0
	alone := Keys.WithoutTeam()
	for _, b := range alone {
		if !b.bound() {
			continue
		}
		actions++
		for _, k := range b.Keys {
			if r := []rune(k); b.IsIn(PlaceQuestion) && len(r) == 1 && unicode.IsLetter(r[0]) &&
				!slices.Contains([]rune("jkgG"), r[0]) {
				letters += k
			}
		}
	}
	for _, place := range placeNames {
		rows = max(rows, len(Keys.HelpOf(place.Place))-1)
	}
	t.Logf("actions %d, letters %d (%s), help rows %d", actions, len(letters), letters, rows)
	const instead = "people learn no more than this: a new one takes the place of another"
	assert.LessOrEqual(t, actions, 62, instead)
	assert.LessOrEqual(t, len(letters), 20, "%s; %s", instead, letters)
	assert.LessOrEqual(t, rows, 19, instead)
}
