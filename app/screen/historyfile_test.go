package screen

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestASessionIsWrittenToANewFileOnlyThePersonCanRead(t *testing.T) {
	home := t.TempDir()
	path, err := writeText("~/which-database.txt", home, "Which database?\n")
	require.NoError(t, err)
	assert.Equal(t, filepath.Join(home, "which-database.txt"), path)
	fi, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), fi.Mode().Perm())
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "Which database?\n", string(raw))
}

func TestASessionIsNeverWrittenOverAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.txt")
	require.NoError(t, os.WriteFile(path, []byte("mine"), 0o600))
	_, err := writeText(path, "", "Which database?\n")
	require.ErrorIs(t, err, errThere)
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "mine", string(raw))
}

func TestASessionForAFolderThatIsNotThereIsNotWrittenAndSaysSo(t *testing.T) {
	_, err := writeText("~/none/which.txt", t.TempDir(), "Which database?\n")
	require.ErrorIs(t, err, fs.ErrNotExist)
}
