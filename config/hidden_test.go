package config

import (
	"slices"
	"testing"
)

func TestAHiddenOptionStandsInTheListOnceAndIsTakenOutWherever(t *testing.T) {
	a, b, other := HiddenOption{"codex", "a", "A"}, HiddenOption{"codex", "b", "B"}, HiddenOption{"claude-code", "a", "A"}
	for _, c := range []struct {
		list []HiddenOption
		hide bool
		want []HiddenOption
	}{
		{nil, true, []HiddenOption{a}},
		{[]HiddenOption{b, other}, true, []HiddenOption{b, other, a}},
		{[]HiddenOption{a, b}, true, []HiddenOption{b, a}},
		{[]HiddenOption{a, other, a}, false, []HiddenOption{other}},
		{[]HiddenOption{other}, false, []HiddenOption{other}},
		{nil, false, nil},
	} {
		was := slices.Clone(c.list)
		if got := ToggleHidden(c.list, a, c.hide); !slices.Equal(got, c.want) {
			t.Errorf("%v, hide %v: %v, want %v", c.list, c.hide, got, c.want)
		}
		if !slices.Equal(c.list, was) {
			t.Errorf("the list that came in is %v now, was %v", c.list, was)
		}
	}
}
