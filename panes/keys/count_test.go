package keys

import (
	"testing"

	"github.com/rivo/uniseg"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue/desk/deed"
)

func TestEnterCanBeReboundAndNeverUnbound(t *testing.T) {
	m, problems := New(map[string][]string{"enter": nil}, uniseg.StringWidth)
	require.Equal(t, []string{"keys.enter cannot be unbound, only rebound"}, problems)
	require.Equal(t, deed.Enter, m.Lookup(PlaceReason, "enter").Action, "it carries the cancel out")
	m, problems = New(map[string][]string{"enter": {"ctrl+o"}}, uniseg.StringWidth)
	require.Empty(t, problems)
	require.Equal(t, deed.Enter, m.Lookup(PlaceReason, "ctrl+o").Action)
}

func TestNoOtherKeysOfThePersonTakeTheWayToCancelAway(t *testing.T) {
	m, problems := New(map[string][]string{"cancel": {"n"}, "find": {"x"}}, uniseg.StringWidth)
	require.Equal(t, deed.Cancel, m.Lookup(PlaceQuestion, "x").Action)
	require.Equal(t, deed.Find, m.Lookup(PlaceQuestion, "/").Action, "whose own key was the table's of cancel")
	require.Equal(t, []string{`keys.cancel: "n" is already used for decline`, `keys.find: "x" is already used for cancel`}, problems)
	m, _ = New(map[string][]string{"enter": {"esc"}, "mark": {"enter"}}, uniseg.StringWidth)
	require.Equal(t, deed.Enter, m.Lookup(PlaceQuestion, "enter").Action)
	require.Equal(t, deed.Mark, m.Lookup(PlaceQuestion, "space").Action)
}

func TestTheNthKeyOfAListMeansTheNthOfWhatIsListed(t *testing.T) {
	m, problems := New(map[string][]string{"digit": {"!", "@"}, "change_one": {"f5", "ctrl+g", "alt+q"},
		"open_one": {"a", "b", "c", "e"}, "set_up": {"z"}}, uniseg.StringWidth)
	require.Empty(t, problems)
	require.Equal(t, 2, m.Nth(PlaceQuestion, deed.Digit, "@"))
	require.Zero(t, m.Nth(PlaceQuestion, deed.Digit, "1"))
	require.Equal(t, 4, m.Nth(PlaceEmpty, ActOpenOne, "e"))
	require.Equal(t, "! @", m.FirstKeys(PlaceQuestion, deed.Digit, 5))
	require.Equal(t, "!", m.FirstKeys(PlaceQuestion, deed.Digit, 1))
	require.Equal(t, "a-e", Map{{Action: ActOpenOne, Keys: []string{"a", "b", "c", "d", "e"},
		Places: []Place{PlaceEmpty}}}.FirstKeys(PlaceEmpty, ActOpenOne, 9))
	require.Equal(t, "a b c e", m.KeyOf(PlaceEmpty, ActOpenOne), "a range only of what follows each other")
	require.Equal(t, "F5", m.KeyFor(PlaceReview, deed.ChangeOne, 1))
	require.Equal(t, "^G", m.KeyFor(PlaceReview, deed.ChangeOne, 2))
	require.Equal(t, "Alt-Q", m.KeyFor(PlaceReview, deed.ChangeOne, 3))
	require.Empty(t, m.KeyFor(PlaceReview, deed.ChangeOne, 4))
	for _, row := range m.HelpRows(PlaceQuestion) {
		require.NotEqual(t, "1-9", row.Keys)
	}

	var none Map
	require.Equal(t, "9", none.KeyFor(PlaceQuestion, deed.Digit, 9))
	require.Equal(t, "1-4", none.FirstKeys(PlaceQuestion, deed.Digit, 4))
	require.Equal(t, "1-2", none.FirstKeys(PlaceQuestion, deed.Digit, 2))
	require.Equal(t, "1", none.FirstKeys(PlaceQuestion, deed.Digit, 1))
}

func TestAKeyLeftOutOfACountedListLeavesTheOthersTheirNumbers(t *testing.T) {
	m, problems := New(map[string][]string{"digit": {"!", "x", "#"}}, uniseg.StringWidth)
	require.Equal(t, []string{`keys.digit: "x" is already used for cancel`}, problems)
	require.Equal(t, 3, m.Nth(PlaceQuestion, deed.Digit, "#"))
	require.Empty(t, m.KeyFor(PlaceQuestion, deed.Digit, 2))
	require.Equal(t, "! #", m.KeyOf(PlaceQuestion, deed.Digit))
	m, problems = New(map[string][]string{"change_one": {"a", "shift+q", "!", "@", "#", "$", "%", "^", "&", "*"}},
		uniseg.StringWidth)
	require.Len(t, problems, 3)
	require.Contains(t, problems[0], `keys.change_one: "*" is one too many: at most 9 keys are possible`)
	require.Equal(t, 3, m.Nth(PlaceReview, deed.ChangeOne, "!"))
	require.Nil(t, m.Lookup(PlaceReview, "*"))

	m, _ = New(map[string][]string{"digit": {"x"}}, uniseg.StringWidth)
	require.Equal(t, "1-9", m.KeyOf(PlaceQuestion, deed.Digit), "none of its own is left")
}

func TestAnUnboundKeyIsNoHint(t *testing.T) {
	m, _ := New(map[string][]string{"note": nil}, uniseg.StringWidth)
	for _, h := range m.Hints(PlaceQuestion, func(h Hint) Hint { return h }) {
		require.NotEqual(t, deed.Note, h.Action)
	}
}
