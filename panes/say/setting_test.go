package say_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/say"
)

func TestASettingsValueIsShownAsPeopleSayIt(t *testing.T) {
	for _, c := range []struct{ key, raw, shown string }{
		{"timeout_seconds", "300", "5 min"},
		{"timeout_seconds", "90", "1:30"},
		{"timeout_seconds", "59", "59 s"},
		{"timeout_seconds", "86400", "24 h"},
		{"timeout_seconds", "3661", "1:01:01"},
		{"timeout_override", "null", "off"},
		{"timeout_action", `"none"`, "no answer"},
		{"notify.warn_seconds", "10", "10 s before"},
		{"notify.warn_seconds", "0", "off"},
		{"hold_while_typing", "true", "on"},
		{"hidden_options", "[]", "none"},
		{"keys", `{"note":["N"],"text":[]}`, "2"},
		{"queue", `""`, "default location"},
		{"queue", `"/a\u202eb"`, "/a<U+202E>b"},
	} {
		at := slices.IndexFunc(config.Table, func(r config.Row) bool { return r.Key == c.key })
		require.Equal(t, c.shown, say.SettingValue(config.Table[at], json.RawMessage(c.raw)), c.key)
	}
}
