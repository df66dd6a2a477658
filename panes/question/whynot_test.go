package question

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/deed"
)

func TestAKeyOfTheAnswerThatIsRefusedKeepsTheFormItsOwnAllTheSame(t *testing.T) {
	for _, key := range []string{"space", "9", "A"} {
		b := newBench(t, 80, 24)
		s := b.ask(database(), shop())
		b.calm()
		b.press(key)
		require.NotEmpty(t, b.Said, key)
		b.draftElsewhere(s, "form", "lite")
		b.Calm()
		require.Equal(t, []string{"pg"}, b.Seat().Form().Answer().Replies[0].Selected, key)
	}
}

func TestAskingWhyAKeyHasNoEffectChangesNothing(t *testing.T) {
	for name, a := range map[string]queue.Ask{"single": database(), "several": authRework(),
		"multi": one(queue.ModeMulti, nil), "text": one(queue.ModeText, func(q *queue.Question) { q.Options = nil })} {
		b := newBench(t, 80, 24)
		b.ask(a, shop())
		b.calm()
		before, was := b.Seat().Form().Draft(), b.picture()
		for _, a := range deed.Actions() {
			b.room.Hand().At().WhyNot(a)
		}
		require.Equal(t, before, b.Seat().Form().Draft(), name)
		require.Equal(t, was, b.picture(), name)
		require.False(t, b.Seat().Form().Touched(), name)
		require.Empty(t, b.Said, name)
	}
}

func keysOf(a keys.Action) (list []string) {
	for _, b := range keys.Table {
		if b.Action == a {
			list = append(list, b.Keys...)
		}
	}
	return list
}

func TestADigitGoesThereAlsoWhereNoMoreCanBeMarked(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(one(queue.ModeMulti, func(q *queue.Question) { q.Max = 2 }), shop())
	b.calm()
	b.press("1", "2", "3")
	require.Equal(t, "2 of 2 marked: unmark one first", b.Said)
	require.Equal(t, 2, b.Seat().Form().Here().Cursor())
}
