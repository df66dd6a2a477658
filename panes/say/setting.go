package say

import (
	"encoding/json"
	"fmt"

	"github.com/choicetui/choicetui/config"
)

// SettingValue returns a setting's value as people read it: seconds with their unit (`5 min`, `10 s before`), the words
// of a choice, or the word for an empty text. Hidden characters are made visible.
func SettingValue(row config.Row, raw json.RawMessage) string {
	text := OneLine(row.Text(raw))
	if words := row.Words[text]; words != "" {
		return words
	}
	if text == "" {
		return row.Empty
	}
	var n int
	if row.Kind != config.Seconds || json.Unmarshal(raw, &n) != nil || string(raw) == "null" {
		return text
	}
	if n == 0 {
		return row.Zero
	}
	words := Units(n)
	if words == "" {
		words = fmt.Sprintf("%d s", n)
	}
	if row.Behind != "" {
		words += " " + row.Behind
	}
	return words
}
