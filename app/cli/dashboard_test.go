package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheUsualEditorIsNotStartedWhereThereIsNoTerminal(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "vi"), []byte("#!/bin/sh\necho vi >\"$1\"\n"), 0o755))
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	t.Setenv("EDITOR", "")
	t.Setenv("VISUAL", "")
	in, out, err := os.Pipe()
	require.NoError(t, err)
	usual := os.Stdin
	os.Stdin = in
	t.Cleanup(func() { os.Stdin = usual; in.Close(); out.Close() })

	text, err := editText(t.Context(), "mine")
	require.ErrorContains(t, err, "no editor is set in $VISUAL or $EDITOR, and vi needs a terminal, the text stays as it was")
	assert.Equal(t, "mine", text)

	t.Setenv("EDITOR", "vi")
	text, err = editText(t.Context(), "mine")
	require.NoError(t, err, "one that the person named may do without")
	assert.Equal(t, "vi", text)
}
