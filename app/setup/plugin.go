package setup

import (
	"bytes"

	"github.com/choicetui/choicetui/app/connect"
)

// UnloadedPlugin returns the plugin file of ours that an agent has and does not load, as opencode 2 does not load one
// that was made for version 1 alone; empty: there is none.
func UnloadedPlugin(h Host, c connect.Client) string {
	if c.ID != "opencode2" {
		return ""
	}
	for _, t := range c.Also {
		f, err := ReadFile(h.path(t))
		if err == nil && t.Whole != "" && isWholly(f.Text) && !bytes.Contains(f.Text, []byte("\nexport default ")) {
			return f.Path
		}
	}
	return ""
}
