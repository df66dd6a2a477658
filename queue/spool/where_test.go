package spool

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAPlaceIsLookedAtBeforeAnythingWasAskedThereToo(t *testing.T) {
	dir := t.TempDir()
	p, err := Look(dir)
	require.NoError(t, err)
	require.NoError(t, p.Links)
	require.NotZero(t, p.Free)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left, "what was tried there is gone again")
}

func TestAPlaceThatTakesNoFileIsNotOneWithoutLinks(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, tmpDir), nil, 0o600)) // a file in the way, for root too
	p, err := Look(dir)
	require.ErrorContains(t, err, "failed to write to the queue")
	require.NoError(t, p.Links)
}
