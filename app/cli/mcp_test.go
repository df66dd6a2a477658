package cli

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/adrg/xdg"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAttachCommandCanBePastedIntoAnyShell(t *testing.T) {
	t.Cleanup(xdg.Reload) // after the variables are back
	t.Setenv("XDG_STATE_HOME", "/state")
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	xdg.Reload()
	t.Setenv("CHOICETUI_QUEUE", "")
	t.Setenv("PATH", "/nowhere")
	r := mcpRun{sh: &shell{}}

	assert.Regexp(t, `^\S+ attach k7f3m2qx$`, r.attachLine("k7f3m2qx"))
	assert.True(t, filepath.IsAbs(r.attachLine("k7f3m2qx")), "not in PATH: the program's own place")

	t.Setenv("CHOICETUI_QUEUE", "/state/choicetui/queue")
	assert.NotContains(t, r.attachLine("k7f3m2qx"), "--queue", "the usual place goes without saying")

	t.Setenv("CHOICETUI_QUEUE", "/my queue's")
	assert.Contains(t, r.attachLine("k7f3m2qx"), ` --queue '/my queue'\''s' attach k7f3m2qx`)
}

func TestShellQuotedWordsReadAsTheyStand(t *testing.T) {
	for _, word := range []string{
		"plain/word-1.2", "", "two words", "it's", `a"b\c`, "$HOME `id` $(id)", "new\nline", "*?[x]", "~", "#", "데이터",
	} {
		out, err := exec.Command("/bin/sh", "-c", "printf %s "+shellQuoted(word)).Output()
		require.NoError(t, err)
		assert.Equal(t, word, string(out))
	}
}
