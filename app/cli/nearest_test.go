package cli

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNearest_FindsWhatWasMeant(t *testing.T) {
	names := []string{"theme", "transport", "timeout_seconds", "timeout_override", "notify.bell", "notify.desktop", "peek"}
	for word, want := range map[string][]string{
		"thme": {"theme"}, "Thema": {"theme"}, "trasnport": {"transport"}, "notify": {"notify.bell", "notify.desktop"},
		"timeout": {"timeout_seconds", "timeout_override"}, "pek": {"peek"}, "pk": nil, "colour": nil, "": nil,
	} {
		assert.Equal(t, want, nearest(word, names), word)
	}
	assert.Equal(t, []string{"dark"}, nearest("drak", []string{"auto", "dark", "light", "mono"}))
	assert.Len(t, nearest("t", []string{"ta", "tb", "tc", "td", "te"}), mostMeant)
}

func TestDifferences_CountsCharacters(t *testing.T) {
	for _, c := range []struct {
		a, b string
		n    int
	}{{"", "", 0}, {"a", "", 1}, {"dark", "drak", 1}, {"list", "lists", 1}, {"show", "sohw", 1}, {"web", "mcp", 3}, {"é", "e", 1}} {
		assert.Equal(t, c.n, differences(c.a, c.b), c)
		assert.Equal(t, c.n, differences(c.b, c.a), c)
	}
}

func TestDidYouMean_NamesTheWholeCommand(t *testing.T) {
	assert.Equal(t, "did you mean choicetui list?", didYouMean("lsit", []string{"list", "log"}, "choicetui ", ""))
	assert.Empty(t, didYouMean("xyzzy", []string{"list", "log"}, "choicetui ", ""))
}
