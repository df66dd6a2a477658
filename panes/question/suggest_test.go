package question

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/panes/say"
)

func TestReasonsAreSuggestedAtOnce(t *testing.T) {
	for _, size := range sizes {
		for _, at := range []struct {
			key   string
			ready []string
		}{{"x", say.SuggestedReasons}, {"m", say.SuggestedDetails}} {
			b := newBench(t, size[0], size[1])
			five(b)
			b.calm()
			before := b.picture()
			b.press(at.key)
			least := map[int]int{10: 1, 12: 2}[size[1]]
			if least == 0 {
				least = len(at.ready)
			}
			rows, shown := strings.Split(b.picture(), "\n"), 0
			for _, words := range at.ready {
				for y, row := range rows[:size[1]-2] {
					if strings.Contains(row, "   "+words[:16]) {
						require.Greater(t, y, rowOf(t, rows, at.key+" "), "below the line")
						shown++
					}
				}
			}
			require.Equal(t, least, shown, "%v %s\n%s", size, at.key, b.picture())
			require.Contains(t, rows[size[1]-2], "claude", "the Enter line is not covered")
			require.Contains(t, rows[size[1]-1], "Esc back", "nor are the keys")
			require.Contains(t, b.picture(), "▸1 ● PostgreSQL")
			b.press("esc")
			above := strings.Split(before, "\n")[:size[1]-2]
			require.Equal(t, above, strings.Split(b.picture(), "\n")[:size[1]-2], "all is as it was")
		}
	}
}

func TestTheSuggestionInTheLineIsMarked(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(database(), shop())
	b.calm()
	b.press("x")
	require.NotContains(t, b.picture(), " ▸ n")
	b.press("down", "down")
	require.Contains(t, b.picture(), " ▸ "+say.SuggestedReasons[1]+"\n")
	require.Contains(t, b.picture(), "   "+say.SuggestedReasons[0]+"\n")
	b.write("!")
	require.NotContains(t, b.picture(), " ▸ none", "it is the person's own now")
	b.press("up", "up")
	require.Contains(t, b.picture(), " ▸ "+say.SuggestedReasons[3]+"\n")
}

func TestASuggestionThatIsLeftIsNotKept(t *testing.T) {
	for _, key := range []string{"x", "m"} {
		b := newBench(t, 80, 24)
		b.ask(database(), shop())
		b.calm()
		b.press(key, "down", "esc", key)
		require.Empty(t, b.room.Field().Text())
		b.write("mine")
		b.press("esc", key)
		require.Equal(t, "mine", b.room.Field().Text(), "the person's own words stay")
	}
}

func TestSuggestionsThatHaveNoRowAreCounted(t *testing.T) {
	b := newBench(t, 40, 12)
	b.ask(database(), shop())
	b.calm()
	b.press("x")
	require.Contains(t, b.picture(), " ▼ 2\n")
	b.press("up")
	require.Contains(t, b.picture(), " ▸ stop here, I'll take over\n")
	require.Contains(t, b.picture(), " ▲ 2\n")
}

func TestTheRefusalStaysOnScreenAboveWhatIsSuggested(t *testing.T) {
	for _, size := range sizes {
		b := newBench(t, size[0], size[1])
		b.ask(roomtest.ApproveCommand(), shop())
		b.calm()
		b.press("n")
		require.Contains(t, b.picture(), "● Refuse", size)
		require.Contains(t, b.picture(), say.SuggestedRefusals[0][:12], size)
	}
}

func TestOwnPhrasesAreSuggestedAgain(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(database(), shop())
	b.calm()
	b.press("x")
	b.write("after the release")
	b.press("enter")
	b.calm()
	b.ask(small("Deploy?", 300), infra())
	b.calm()
	b.press("x")
	require.Contains(t, b.picture(), "   after the release\n   "+say.SuggestedReasons[0])
	b.press("down")
	require.Contains(t, b.picture(), " ▸ after the release\n")
}

func TestATextAtFullHeightLeavesRowsToTheSuggestions(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(plan(40), shop())
	b.calm()
	b.press("z", "x")
	require.Equal(t, 15, strings.Count(b.picture(), "step of the plan"))
	require.Contains(t, b.picture(), "lines below, unread")
}
