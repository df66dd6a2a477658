package widen

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestATokenIsReadFromAFileOfOnesOwnAlone(t *testing.T) {
	const secret = "xoxb-secret"
	file := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.WriteFile(path, []byte(text), mode))
		require.NoError(t, os.Chmod(path, mode))
		return path
	}
	token, err := ReadToken(file("good", secret+"\n", 0o600))
	require.NoError(t, err)
	assert.Equal(t, secret, token)

	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	for name, c := range map[string]struct{ path, want string }{
		"missing":   {filepath.Join(t.TempDir(), "none"), "cannot be read from"},
		"group":     {file("group", secret, 0o640), "chmod 600"},
		"others":    {file("others", secret, 0o604), "chmod 600"},
		"empty":     {file("empty", " \n", 0o600), "There is no token"},
		"two lines": {file("two", secret+"\n"+secret, 0o600), "There is no token"},
		"too long":  {file("long", strings.Repeat("x", maxToken+1), 0o600), "There is no token"},
		"control":   {file("control", secret+"\x1b[2J", 0o600), "There is no token"},
		"a pipe":    {pipe, "cannot be read from"},
		"a folder":  {t.TempDir(), "cannot be read from"},
	} {
		_, err := ReadToken(c.path)
		var f *Failure
		require.ErrorAs(t, err, &f, name)
		assert.Contains(t, f.Error(), c.want, name)
		assert.NotContains(t, f.Error(), secret, name)
	}
}
