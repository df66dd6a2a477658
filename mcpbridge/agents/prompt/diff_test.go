package prompt

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDiffText_HasWhatDiffersOnceAndAllLines(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ before, after, want string }{
		"one line":               {"a", "b", "-a\n+b"},
		"one of three":           {"a\nb\nc", "a\nx\nc", " a\n-b\n+x\n c"},
		"one more":               {"a\nc\n", "a\nb\nc\n", " a\n+b\n c\n\\ both end with a newline"},
		"one less":               {"a\nb\nc\n", "a\nc\n", " a\n-b\n c\n\\ both end with a newline"},
		"far apart":              {lines("a", 20) + "x\n" + lines("b", 20), lines("a", 20) + "y\n" + lines("b", 20), ""},
		"two places":             {"x\n" + lines("a", 20) + "x\n", "y\n" + lines("a", 20) + "y\n", ""},
		"the end gets a newline": {"a\nb", "a\nb\n", " a\n-b\n\\ no newline at the end\n+b"},
		"the end loses it":       {"a\nb\n", "a\nb", " a\n-b\n+b\n\\ no newline at the end"},
		"a new file":             {"", "a\nb\n", "+a\n+b"},
		"a new file without":     {"", "a\nb", "+a\n+b\n\\ no newline at the end"},
		"all goes":               {"a\nb\n", "", "-a\n-b"},
		"nothing":                {"", "", "\\ an empty file"},
		"lines like headings":    {"@@ -1,2 +3 @@\n--- a\n\\ No newline at end of file\n", "@@ -9 @@\n--- a\n\\ No newline at end of file\n", ""},
	} {
		got := DiffText(c.before, c.after)
		if c.want != "" {
			require.Equal(t, c.want, got, name)
		}
		requireSides(t, c.before, c.after, name)
	}
}

func lines(name string, n int) string {
	return strings.Repeat(name+strings.Repeat("-", len(name))+"\n", n)
}

// requireSides sees that both texts can be read off the diff, and that no line is on both sides of one place.
func requireSides(t *testing.T, before, after, name string) {
	var old, changed strings.Builder
	for _, l := range diffLines(before, after) {
		if l.sign != "+" {
			old.WriteString(l.text)
		}
		if l.sign != "-" {
			changed.WriteString(l.text)
		}
	}
	require.Equal(t, before, old.String(), name)
	require.Equal(t, after, changed.String(), name)
}

func FuzzDiffText(f *testing.F) {
	f.Add("a\nb\n", "a\nc")
	f.Add("", "\n\n")
	f.Add("@@ -1,2 +1,2 @@\n", "\\ No newline at end of file")
	f.Fuzz(func(t *testing.T, before, after string) { requireSides(t, before, after, "") })
}
