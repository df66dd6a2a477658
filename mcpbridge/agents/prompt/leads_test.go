package prompt

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestManyLinksTakeNoTime(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(filepath.Join(dir, "0"), 0o700))
	for n := range 60 { // each is two steps into the one before
		one, before := filepath.Join(dir, string(rune('A'+n))), string(rune('A'+n-1))
		if n == 0 {
			before = "0"
		}
		require.NoError(t, os.Symlink(before+"/../"+before, one))
	}
	start := time.Now()
	_, err = realPath(filepath.Join(dir, string(rune('A'+59)), "x"))
	require.Error(t, err)
	require.Less(t, time.Since(start), looksWithin)
	_, err = realPath("relative")
	require.Error(t, err)
}
