package panes

import (
	"encoding/json"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/say"
)

// SettingText is a setting's value as it stands in its row, safe to show.
func SettingText(s config.Row, raw json.RawMessage) string { return say.OneLine(s.Text(raw)) }

// inUnits writes seconds as people say them; empty where that is no shorter.
func inUnits(s config.Row, raw json.RawMessage) string {
	var n int
	if s.Kind != config.Seconds || json.Unmarshal(raw, &n) != nil {
		return ""
	}
	return say.Units(n)
}
