package cli

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestSessionIDForgivesWhatPeopleMisread(t *testing.T) {
	for typed, want := range map[string]string{
		"k7f3m2qx": "k7f3m2qx", "K7F3M2QX": "k7f3m2qx", " k7f3m2qx\n": "k7f3m2qx", "oOiIlL01": "00111101",
		"k7f3m2q": "", "k7f3m2qxx": "", "": "", "k7f3m2qu": "", "../../..": "", "k7f3m2q\u0131": "",
	} {
		id, err := sessionID(typed)
		assert.Equal(t, want, id, typed)
		assert.Equal(t, want == "", err != nil, typed)
	}
}

func TestMomentReadsDurationsAndDates(t *testing.T) {
	now := time.Date(2026, 11, 20, 14, 2, 0, 0, time.Local)
	for s, want := range map[string]time.Time{
		"":                     {},
		"90m":                  now.Add(-90 * time.Minute),
		"24h":                  now.Add(-24 * time.Hour),
		"7d":                   now.Add(-7 * 24 * time.Hour),
		"2w":                   now.Add(-14 * 24 * time.Hour),
		"today":                time.Date(2026, 11, 20, 0, 0, 0, 0, time.Local),
		"yesterday":            time.Date(2026, 11, 19, 0, 0, 0, 0, time.Local),
		"monday":               time.Date(2026, 11, 16, 0, 0, 0, 0, time.Local),
		"2026-11-01":           time.Date(2026, 11, 1, 0, 0, 0, 0, time.Local),
		"2026-11-01 08:30":     time.Date(2026, 11, 1, 8, 30, 0, 0, time.Local),
		"2026-11-01T08:30":     time.Date(2026, 11, 1, 8, 30, 0, 0, time.Local),
		"2026-11-01T08:30:05":  time.Date(2026, 11, 1, 8, 30, 5, 0, time.Local),
		"2026-11-01T08:30:05Z": time.Date(2026, 11, 1, 8, 30, 5, 0, time.UTC),
	} {
		got, err := parseSince(s, now)
		require.NoError(t, err, s)
		assert.True(t, want.Equal(got), "%s: %s", s, got)
	}
	for _, s := range []string{"d", "-3h", "-3d", "3x", "tomorrow", "2026-13-01", "99999999999999999999d"} {
		_, err := parseSince(s, now)
		assert.Error(t, err, s)
	}
}

func TestColumnCountsCellsNotLetters(t *testing.T) {
	assert.Equal(t, "abc  ", column("abc", 5))
	assert.Equal(t, "数据  ", column("数据", 6))
	assert.Equal(t, "数据… ", column("数据库库", 6))
	assert.Equal(t, "abcd…", column("abcdef", 5))
	assert.Equal(t, "a b  ", column("a\nb", 5))
	assert.Equal(t, "👩…", column("👩‍💻👩‍💻👩‍💻", 3))
}

func TestJSONHidesNothingAndChangesNothing(t *testing.T) {
	hostile := "a\u202eb\u200bc\x1b[31m\u0085\x7f<b>&\U000E0041 데이터 👩‍💻 é"
	var out bytes.Buffer
	require.NoError(t, printJSON(&out, hostile, ""))
	_, odd := queue.Visible(out.String())
	assert.False(t, odd, out.String())
	assert.Contains(t, out.String(), `\u202e`)
	assert.Contains(t, out.String(), "<b>&\\udb40")
	assert.Contains(t, out.String(), "데이터")

	var back string
	require.NoError(t, json.Unmarshal(out.Bytes(), &back))
	assert.Equal(t, hostile, back)
}

func TestWhatAnswersInAnotherTerminalHasTheFlagsThatTheQuestionTakes(t *testing.T) {
	options := func(ids ...string) (all []queue.Option) {
		for _, id := range ids {
			all = append(all, queue.Option{ID: id})
		}
		return all
	}
	text := queue.Question{ID: "name", Mode: queue.ModeText}
	one := queue.Question{ID: "db", Mode: queue.ModeSingle, Options: options("pg", "lite", "my"), Max: 1}
	several := queue.Question{ID: "run", Mode: queue.ModeMulti, Options: options("lint", "test"), Max: 2}
	for name, c := range map[string]struct {
		ask  queue.Ask
		want []string
	}{
		"one option":      {queue.Ask{Questions: []queue.Question{one}}, []string{`--select ID    ID is "pg", "lite" or "my"`}},
		"a single one":    {queue.Ask{Questions: []queue.Question{{Options: options("go"), Max: 1}}}, []string{`--select ID    ID is "go"`}},
		"several":         {queue.Ask{Questions: []queue.Question{several}}, []string{`--select ID    ID is "lint", "test", or several with commas`}},
		"own words":       {queue.Ask{Questions: []queue.Question{text}}, []string{`--text "your own words"`}},
		"to be confirmed": {queue.Ask{Questions: []queue.Question{text}, Confirm: true}, []string{`--text "your own words" --confirm`}},
		"hidden characters": {queue.Ask{Questions: []queue.Question{{Options: options("a\x1bb"), Max: 1}}},
			[]string{`--select ID    ID is "a<U+001B>b"`}},
		"many": {queue.Ask{Questions: []queue.Question{{Options: options("1", "2", "3", "4", "5", "6", "7"), Max: 7}}},
			[]string{"--select ID    ID is one that choicetui show k7f3m2qx names"}},
		"a form": {queue.Ask{Questions: []queue.Question{one, text}},
			[]string{`--select QUESTION=ID --text QUESTION="your own words"    one for each question: choicetui show k7f3m2qx`}},
		"a form of options": {queue.Ask{Questions: []queue.Question{one, several}},
			[]string{"--select QUESTION=ID    one for each question: choicetui show k7f3m2qx"}},
	} {
		lines := answeredElsewhere(queue.Session{ID: "k7f3m2qx", Ask: c.ask})
		require.Equal(t, "answer it in another terminal with one of these:\n  choicetui    opens the dashboard\n"+
			"  choicetui attach k7f3m2qx\n  choicetui answer k7f3m2qx "+
			strings.Join(c.want, "\n"), strings.Join(lines, "\n"), name)
	}
	lines := answeredElsewhere(queue.Session{ID: "k7f3m2qx", Ask: queue.Ask{Kind: queue.KindApproval,
		Questions: []queue.Question{one}}})
	require.Equal(t, "only a person at a terminal can decide it, with one of these:", lines[0])
}
