package action

import (
	"testing"

	"github.com/rivo/uniseg"
	"github.com/stretchr/testify/require"
)

func TestKeysAreReboundUnboundAndSwapped(t *testing.T) {
	m, problems := New(map[string][]string{"note": {"a"}, "comment": {"n"}, "text": nil, "cancel": {"X", "f8"}},
		uniseg.StringWidth)
	require.Empty(t, problems)
	require.Equal(t, "a", m.KeyOf(PlaceQuestion, Note))
	require.Equal(t, "n", m.KeyOf(PlaceQuestion, Comment))
	require.Empty(t, m.KeyOf(PlaceQuestion, Text))
	require.Nil(t, m.Lookup(PlaceQuestion, "t"))
	require.Equal(t, Cancel, m.Lookup(PlaceQuestion, "f8").Name)
	require.Nil(t, m.Lookup(PlaceQuestion, "x"))
}

func TestAKeyThatCannotBeIsSaidAndTheTablesOneStays(t *testing.T) {
	for name, c := range map[string]struct {
		own  map[string][]string
		want []string
	}{
		"no action": {map[string][]string{"dance": {"d"}}, []string{"keys.dance is not an action"}},
		"cancel unbound": {map[string][]string{"cancel": nil},
			[]string{"keys.cancel cannot be unbound, only rebound"}},
		"taken": {map[string][]string{"note": {"x"}}, []string{`keys.note: "x" is already used for cancel`}},
		"taken twice": {map[string][]string{"note": {"N"}, "comment": {"N"}},
			[]string{`keys.note: "N" is already used for comment`}},
		"in the way at last": {map[string][]string{"note": {"a"}, "comment": {"x"}},
			[]string{`keys.comment: "x" is already used for cancel`, "keys.comment: it has no key now"}},
		"text while typing": {map[string][]string{"enter": {"o"}},
			[]string{`keys.enter: "o" is text where this is pressed while typing`}},
	} {
		t.Run(name, func(t *testing.T) {
			m, problems := New(c.own, uniseg.StringWidth)
			require.Equal(t, c.want, problems)
			require.NotNil(t, m.Lookup(PlaceQuestion, "x"))
			require.Equal(t, Enter, m.Lookup(PlaceQuestion, "enter").Name)
		})
	}
	m, problems := New(map[string][]string{"note": {"shift+n"}}, uniseg.StringWidth)
	require.Len(t, problems, 1)
	require.Contains(t, problems[0], `"shift+n" is not a key`)
	require.Equal(t, "n", m.KeyOf(PlaceQuestion, Note))
}

func TestAKeyThatMovedIsSaid(t *testing.T) {
	m, _ := New(map[string][]string{"note": {"N"}, "comment": nil}, uniseg.StringWidth)
	require.Equal(t, "n was note, now N: your own keys", m.Moved(PlaceQuestion, "n"))
	require.Equal(t, "a is unbound: comment has no key in the settings", m.Moved(PlaceQuestion, "a"))
	require.Empty(t, m.Moved(PlaceQuestion, "l"))
}

func TestOneBadKeyLeavesEveryGoodOne(t *testing.T) {
	m, problems := New(map[string][]string{"note": {"N", "shift+n", "x"}, "comment": {"l"}, "cancel": {},
		"nosuch": {"z"}, "text": {"shift+t"}}, uniseg.StringWidth)
	require.Len(t, problems, 5)
	require.Contains(t, problems[0], "keys.cancel cannot be unbound")
	require.Contains(t, problems[1], "keys.nosuch is not an action")
	require.Contains(t, problems[2], `keys.note: "shift+n" is not a key`)
	require.Contains(t, problems[3], `keys.note: "x" is already used for cancel`)
	require.Contains(t, problems[4], `keys.text: "shift+t" is not a key`)
	for a, key := range map[Name]string{Note: "N", Comment: "l", Cancel: "x", Text: "t"} {
		require.Equal(t, key, m.KeyOf(PlaceQuestion, a), a)
	}

	m, _ = New(map[string][]string{"cancel": {"t"}, "text": {"shift+t"}}, uniseg.StringWidth)
	require.Equal(t, Cancel, m.Lookup(PlaceQuestion, "t").Name, "whose key it was has been moved away from it")
}

func TestTheCaseOfAKeysNameDoesNotMatter(t *testing.T) {
	m, problems := New(map[string][]string{"help": {"F1", "?"}, "note": {"Ctrl+T"}, "comment": {"ALT+Q"},
		"recommended": {"PgUp"}}, uniseg.StringWidth)
	require.Equal(t, []string{`keys.recommended: "pgup" is already used for page_up`}, problems)
	require.Equal(t, Help, m.Lookup(PlaceQuestion, "f1").Name)
	require.Equal(t, Note, m.Lookup(PlaceQuestion, "ctrl+t").Name)
	require.Equal(t, Comment, m.Lookup(PlaceQuestion, "alt+Q").Name, "that of a character does")
}

// Every place has a way back, a way out and the words for its keys, and no key means two things in it.
func TestNoKeyMeansTwoThingsInOnePlace(t *testing.T) {
	for _, p := range placeNames {
		seen := map[string]Name{}
		for _, b := range Keys {
			if !b.IsIn(p.Place) {
				continue
			}
			require.NotEmpty(t, b.Help, b.Name)
			for _, k := range b.Keys {
				require.Empty(t, seen[k], "%s: %s is %s and %s", p.Name, k, seen[k], b.Name)
				seen[k] = b.Name
			}
		}
		require.Contains(t, seen, "esc", p.Name)
		require.Contains(t, seen, "ctrl+c", p.Name)
	}
}
