package question

import (
	"testing"

	"github.com/stretchr/testify/require"
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
