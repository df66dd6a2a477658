package panes

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
)

func setting(t *testing.T, key string) Setting {
	t.Helper()
	for _, s := range Settings {
		if s.Key == key {
			return s
		}
	}
	t.Fatal(key)
	return Setting{}
}

func TestEveryExplanationFitsTwoLinesOfTheNarrowPage(t *testing.T) {
	for _, s := range Settings {
		require.LessOrEqual(t, len(Wrap(s.about(), 49)), 2, s.Key)
	}
}

func TestEveryStepOfASettingIsAValueConfigTakes(t *testing.T) {
	for _, s := range Settings {
		for _, n := range []int{1, -1} {
			settings := config.Default()
			for range 40 {
				next, why := s.Step(settings.Values()[s.Key], n)
				if why != "" {
					break
				}
				require.NoError(t, settings.Set(s.Key, next), "%s %s", s.Key, next)
			}
		}
	}
}

func TestSecondsStepOverALadderAndSayTheirEnds(t *testing.T) {
	for _, c := range []struct {
		key, from string
		n         int
		to, why   string
	}{
		{"timeout_seconds", "300", 1, "420", ""},
		{"timeout_seconds", "301", -1, "300", ""},
		{"timeout_seconds", "217", 1, "240", ""},
		{"timeout_seconds", "1", -1, "", "1 is the least"},
		{"timeout_seconds", "86400", 1, "", "24 h is the most"},
		{"timeout_least_seconds", "1", -1, "0", ""},
		{"timeout_override", "null", 1, "1", ""},
		{"timeout_override", "1", -1, "null", ""},
		{"timeout_override", "null", -1, "", "off is the least"},
		{"theme", `"mono"`, 1, `"auto"`, ""},
		{"theme", `"auto"`, -1, `"mono"`, ""},
		{"notify.desktop", `"notify-send"`, 1, `"off"`, ""},
		{"notify.bell", "true", -1, "false", ""},
		{"queue", `""`, 1, "", "queue is typed"},
		{"widen", "{}", 1, "", "widen is written in the file"},
	} {
		next, why := setting(t, c.key).Step(json.RawMessage(c.from), c.n)
		require.Equal(t, c.to, string(next), "%s %s", c.key, c.from)
		require.Equal(t, c.why, why)
	}
}

func TestARowShowsItsValueAsPeopleSayIt(t *testing.T) {
	for _, c := range []struct{ key, raw, text, units string }{
		{"timeout_seconds", "300", "300", "5 min"},
		{"timeout_seconds", "90", "90", "1:30"},
		{"timeout_seconds", "59", "59", ""},
		{"timeout_seconds", "86400", "86400", "24 h"},
		{"timeout_seconds", "3661", "3661", "1:01:01"},
		{"timeout_override", "null", "off", ""},
		{"hold_while_typing", "true", "on", ""},
		{"hidden_options", "[]", "none", ""},
		{"keys", `{"note":["N"],"text":[]}`, "2", ""},
		{"queue", `"/a\u202eb"`, "/a<U+202E>b", ""},
	} {
		s := setting(t, c.key)
		require.Equal(t, c.text, s.Text(json.RawMessage(c.raw)), c.key)
		require.Equal(t, c.units, s.inUnits(json.RawMessage(c.raw)), c.raw)
	}
}
