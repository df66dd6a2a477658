package peek

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestARowOfAPaneThatSaysNothingTakesNoRow(t *testing.T) {
	for text, want := range map[string]string{
		"":                       "",
		"\n \n\t\n":              "",
		"\n\na\n\n\n  \n\nb\n\n": "a\n\nb",
		"❯ go\n\n✽ Ebbing… (3s · esc to interrupt)\n\n\n────\n❯\u00a0\n": "❯ go\n\n────\n❯",
		"· Thinking…\n⠙ Working...\n* Baking… (12s)\n":                   "",
		"· a point of a list\n* another one, “and so on…”\n":             "· a point of a list\n* another one, “and so on…”",
	} {
		var rows []string
		for _, l := range paneLines(text) {
			rows = append(rows, l.Text)
		}
		require.Equal(t, want, strings.Join(rows, "\n"), "%q", text)
	}
}
