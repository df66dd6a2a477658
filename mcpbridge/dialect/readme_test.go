package dialect

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	jsonBlock = regexp.MustCompile("(?s)([^\n]*)\n```json\n(.*?)\n```")
	marker    = regexp.MustCompile(`^<!-- example: (\w+) (input|output) -->$`)
)

// TestREADMEsExamplesAreWhatTheToolsTakeAndGive: every JSON block of README says what it is in the line above it.
func TestREADMEsExamplesAreWhatTheToolsTakeAndGive(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	require.NoError(t, err)
	seen := map[string]bool{}
	for _, block := range jsonBlock.FindAllStringSubmatch(string(raw), -1) {
		said := marker.FindStringSubmatch(block[1])
		require.NotNil(t, said, "a JSON block without `<!-- example: TOOL input -->` above it: %.60s", block[2])
		name, example := said[1], []byte(block[2])
		d := For(name)
		require.Equal(t, name, d.Tool.Name)
		seen[name+" "+said[2]] = true
		if said[2] == "output" {
			require.NoError(t, compile(t, d.Tool.Output).Validate(plain(t, example)), block[2])
			continue
		}
		require.NoError(t, compile(t, d.Tool.Input).Validate(plain(t, example)), block[2])
		req, err := d.Parse(json.RawMessage(example))
		require.NoError(t, err)
		if req.Poll == nil {
			require.Empty(t, Advise(name, req.Ask), "an example is a good one")
		}
	}
	for _, d := range asking {
		require.True(t, seen[d.Tool.Name+" input"], d.Tool.Name)
	}
	require.Equal(t, strings.Count(string(raw), "```json"), len(jsonBlock.FindAllString(string(raw), -1)))
}
