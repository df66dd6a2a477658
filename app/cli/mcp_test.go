package cli

import (
	"path/filepath"
	"testing"

	"github.com/adrg/xdg"
	"github.com/stretchr/testify/assert"
)

func TestAttachCommandCanBePastedIntoAnyShell(t *testing.T) {
	t.Cleanup(xdg.Reload) // after the variables are back
	home := t.TempDir()
	for name, value := range map[string]string{"HOME": home, "XDG_STATE_HOME": "", "XDG_CONFIG_HOME": ""} {
		t.Setenv(name, value)
	}
	xdg.Reload()
	t.Setenv("CHOICETUI_QUEUE", "")
	t.Setenv("PATH", "/nowhere")
	r := mcpRun{sh: &shell{}}

	assert.Regexp(t, `^\S+ attach k7f3m2qx$`, r.attachLine("k7f3m2qx"))
	assert.True(t, filepath.IsAbs(r.attachLine("k7f3m2qx")), "not in PATH: the program's own place")

	t.Setenv("CHOICETUI_QUEUE", filepath.Join(xdg.StateHome, "choicetui", "queue"))
	assert.NotContains(t, r.attachLine("k7f3m2qx"), "--queue", "the usual place goes without saying")

	t.Setenv("CHOICETUI_QUEUE", "/my queue's")
	assert.Contains(t, r.attachLine("k7f3m2qx"), ` --queue '/my queue'\''s' attach k7f3m2qx`)

	t.Setenv("CHOICETUI_QUEUE", "")
	t.Setenv("XDG_STATE_HOME", "/state")
	xdg.Reload()
	assert.Contains(t, r.attachLine("k7f3m2qx"), " --queue /state/choicetui/queue attach k7f3m2qx",
		"whoever runs the line may not have the variable")
}
