package ink

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/say"
)

func endpoints() say.Last {
	return say.Last{What: "POST /checkout, GET /search, POST /login, GET /orders", Who: "shop · claude", Dir: "shop", State: "sent"}
}

func TestALongAnswerIsCutInTheLastEventAndItsAgentNamed(t *testing.T) {
	for w, want := range map[int]struct {
		words string
		told  bool
	}{
		80: {"✓ POST /checkout, GET /search, POST /login, GET /orders → shop · claude: sent", true},
		78: {"✓ POST /checkout, GET /search, POST /login, GET /orders → shop · claude: sent", true},
		70: {"✓ POST /checkout, GET /search, POST /login, GET /orders → shop: sent", true},
		60: {"✓ POST /checkout, GET /search, POST /… → shop · claude: sent", false},
		34: {"✓ POST /checkout… → shop: sent", false},
		28: {"✓ POST /chec… → shop: sent", false},
		20: {"✓ POST /checko… sent", false},
		8:  {"✓ sent", false},
		5:  {"", false},
	} {
		got, told := FitLast(endpoints(), w, Unicode)
		require.LessOrEqual(t, got.Width(), w)
		if w == 34 || w == 28 {
			require.Contains(t, got.String(), "→ shop: sent")
		} else {
			require.Equal(t, want.words, got.String(), w)
		}
		require.Equal(t, want.told, told, w)
	}
}

func TestALineToAnAgentStandsInQuotesInTheLastEvent(t *testing.T) {
	l := say.Last{What: "fix the README, it still says SQLite", Quoted: true, Who: "shop · claude", Dir: "shop", State: "sent"}
	got, told := FitLast(l, 80, Unicode)
	require.Equal(t, "✓ “fix the README, it stil…” → shop · claude: sent", got.String())
	require.True(t, told)
}

func TestALostQuestionIsSaidWhereThereIsRoom(t *testing.T) {
	l := say.Last{Lost: "timed out: Rename the flag?", Warns: true}
	got, told := FitLast(l, 40, Unicode)
	require.Equal(t, "! timed out: Rename the flag?", got.String())
	require.False(t, told)
	got, _ = FitLast(l, 14, Unicode)
	require.Equal(t, "! timed out: …", got.String())
	got, _ = FitLast(l, 13, Unicode)
	require.Empty(t, got)
	require.Empty(t, BriefLast(l, 40, Unicode), "nothing was sent")
	l = say.Last{Lost: "answered in another dashboard: Which database?"}
	got, _ = FitLast(l, 80, Unicode)
	require.Equal(t, PlainLine("answered in another dashboard: Which database?"), got, "no warning")
}

func TestWhatWasJustSentIsSaidBrieflyWhereTheRuleHadNoRoom(t *testing.T) {
	l := endpoints()
	require.Equal(t, "✓ POST /checkout, GET /search, POST /login, GET /orders → shop · claude", BriefLast(l, 80, Unicode))
	require.Equal(t, "✓ POST /checkout, GET … → shop", BriefLast(l, 30, Unicode))
	require.Equal(t, "✓ POST /check… → …", BriefLast(l, 18, Unicode), "then the agent is cut")
	require.Empty(t, BriefLast(say.Last{}, 80, Unicode))
	got, told := FitLast(say.Last{}, 80, Unicode)
	require.Empty(t, got)
	require.False(t, told)
}

func TestOnlyTheAgentHasItsColourInTheLastEventWhateverTheAnswerHolds(t *testing.T) {
	l := say.Last{What: "✓ → shop · claude first", Who: "shop · claude", Dir: "shop", State: "sent"}
	hue := HueNamed(l.Who).Of(Plain)
	got, told := FitLast(l, 80, Unicode)
	require.True(t, told)
	require.Equal(t, Line{{"✓", Good}, {" ✓ → shop · claude first", Plain}, {" → ", Plain}, {"shop · claude", hue},
		{": sent", Plain}}, got)
	got, _ = FitLast(l, 40, Unicode)
	require.Equal(t, Span{"shop", hue}, got[3], "its directory, where room is short")
}
