package action

import (
	"testing"

	"github.com/rivo/uniseg"
	"github.com/stretchr/testify/require"
)

func TestEnterCanBeReboundAndNeverUnbound(t *testing.T) {
	m, problems := New(map[string][]string{"enter": nil}, uniseg.StringWidth)
	require.Equal(t, []string{"keys.enter cannot be unbound, only rebound"}, problems)
	require.Equal(t, Enter, m.Lookup(PlaceReason, "enter").Name, "it carries the cancel out")
	m, problems = New(map[string][]string{"enter": {"ctrl+o"}}, uniseg.StringWidth)
	require.Empty(t, problems)
	require.Equal(t, Enter, m.Lookup(PlaceReason, "ctrl+o").Name)
}

func TestNoOtherKeysOfThePersonTakeTheWayToCancelAway(t *testing.T) {
	m, problems := New(map[string][]string{"cancel": {"n"}, "find": {"x"}}, uniseg.StringWidth)
	require.Equal(t, Cancel, m.Lookup(PlaceQuestion, "x").Name)
	require.Equal(t, Find, m.Lookup(PlaceQuestion, "/").Name, "whose own key was the table's of cancel")
	require.Equal(t, []string{`keys.cancel: "n" is already used for decline`, `keys.find: "x" is already used for cancel`}, problems)
	m, _ = New(map[string][]string{"enter": {"esc"}, "mark": {"enter"}}, uniseg.StringWidth)
	require.Equal(t, Enter, m.Lookup(PlaceQuestion, "enter").Name)
	require.Equal(t, Mark, m.Lookup(PlaceQuestion, "space").Name)
}

func TestTheNthKeyOfAListMeansTheNthOfWhatIsListed(t *testing.T) {
	m, problems := New(map[string][]string{"digit": {"!", "@"}, "change_one": {"f5", "ctrl+g", "alt+q"},
		"open_one": {"a", "b", "c", "e"}, "set_up": {"z"}}, uniseg.StringWidth)
	require.Empty(t, problems)
	require.Equal(t, 2, m.Nth(PlaceQuestion, Digit, "@"))
	require.Zero(t, m.Nth(PlaceQuestion, Digit, "1"))
	require.Equal(t, 4, m.Nth(PlaceEmpty, OpenOne, "e"))
	require.Equal(t, "! @", m.FirstKeys(PlaceQuestion, Digit, 5))
	require.Equal(t, "!", m.FirstKeys(PlaceQuestion, Digit, 1))
	require.Equal(t, "a-e", Map{{Name: OpenOne, Keys: []string{"a", "b", "c", "d", "e"},
		In: []Place{PlaceEmpty}}}.FirstKeys(PlaceEmpty, OpenOne, 9))
	require.Equal(t, "a b c e", m.KeyOf(PlaceEmpty, OpenOne), "a range only of what follows each other")
	require.Equal(t, "F5", m.KeyFor(PlaceReview, ChangeOne, 1))
	require.Equal(t, "^G", m.KeyFor(PlaceReview, ChangeOne, 2))
	require.Equal(t, "Alt-Q", m.KeyFor(PlaceReview, ChangeOne, 3))
	require.Empty(t, m.KeyFor(PlaceReview, ChangeOne, 4))
	for _, row := range m.HelpRows() {
		require.NotEqual(t, "1-9", row.Keys)
	}

	var none Map
	require.Equal(t, "9", none.KeyFor(PlaceQuestion, Digit, 9))
	require.Equal(t, "1-4", none.FirstKeys(PlaceQuestion, Digit, 4))
	require.Equal(t, "1-2", none.FirstKeys(PlaceQuestion, Digit, 2))
	require.Equal(t, "1", none.FirstKeys(PlaceQuestion, Digit, 1))
}

func TestAKeyLeftOutOfACountedListLeavesTheOthersTheirNumbers(t *testing.T) {
	m, problems := New(map[string][]string{"digit": {"!", "x", "#"}}, uniseg.StringWidth)
	require.Equal(t, []string{`keys.digit: "x" is already used for cancel`}, problems)
	require.Equal(t, 3, m.Nth(PlaceQuestion, Digit, "#"))
	require.Empty(t, m.KeyFor(PlaceQuestion, Digit, 2))
	require.Equal(t, "! #", m.KeyOf(PlaceQuestion, Digit))
	m, problems = New(map[string][]string{"change_one": {"a", "shift+q", "!", "@", "#", "$", "%", "^", "&", "*"}},
		uniseg.StringWidth)
	require.Len(t, problems, 3)
	require.Contains(t, problems[0], `keys.change_one: "*" is one too many: at most 9 keys are possible`)
	require.Equal(t, 3, m.Nth(PlaceReview, ChangeOne, "!"))
	require.Nil(t, m.Lookup(PlaceReview, "*"))

	m, _ = New(map[string][]string{"digit": {"x"}}, uniseg.StringWidth)
	require.Equal(t, "1-9", m.KeyOf(PlaceQuestion, Digit), "none of its own is left")
}

func TestAnUnboundKeyIsNoHint(t *testing.T) {
	m, _ := New(map[string][]string{"note": nil}, uniseg.StringWidth)
	for _, h := range m.Hints(PlaceQuestion, At{}, func(Name) (Row, bool) { return Row{}, false }) {
		require.NotEqual(t, Note, h.Action)
	}
}
