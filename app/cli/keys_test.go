package cli

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
)

func TestHelpKeysListsEveryRowWithThePersonsOwnKeys(t *testing.T) {
	m, problems := keys.New(map[string][]string{"note": {"N"}, "all": {}}, ink.Width)
	require.Empty(t, problems)
	text := keysText(m)
	for _, row := range m.HelpRows(keys.PlaceQuestion) {
		assert.Contains(t, text, row.Heading)
		words := strings.Join(strings.Fields(row.Keys+" "+row.Words), " ")
		assert.Contains(t, strings.Join(strings.Fields(text), " "), words)
	}
	assert.Contains(t, text, "\n  N             a note on this option\n")
	assert.NotContains(t, text, "\n  n             a note")
	for l := range strings.SplitSeq(text, "\n") {
		assert.LessOrEqual(t, ink.Width(l), 80, l)
	}
}
