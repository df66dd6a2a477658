package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue/rules/book"
)

func TestDoctorSaysWhyNoRuleIsApplied(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	require.NoError(t, os.Mkdir(dir, 0o700))
	path := filepath.Join(dir, "rules.jsonl")
	b := book.At(path)
	require.Empty(t, checkRules(b, nil), "who made no rule reads nothing of rules")
	for _, c := range []struct {
		name                 string
		make                 func() error
		status, says, remedy string
	}{
		{"others may write it", func() error { return os.WriteFile(path, nil, 0o666) }, isFail,
			path + " can be written by others, so no rule is applied", "then run: chmod go-w '" + path + "'"},
		{"a symbolic link", func() error { return os.Symlink("/dev/null", path) }, isFail,
			path + " is a symbolic link, so no rule is applied", "then run: rm '" + path + "'"},
		{"a directory", func() error { return os.Mkdir(path, 0o700) }, isFail,
			path + " is no file, so no rule is applied", "then run: rm '" + path + "'"},
		{"too large", func() error { return os.WriteFile(path, make([]byte, 1<<21), 0o600) }, isFail,
			path + " is larger than 1 MiB, so no rule is applied", "repair " + path + ", or take it away"},
		{"a broken line", func() error { return os.WriteFile(path, []byte("x\n"), 0o600) }, isWarn,
			"line 1 of " + path + " is no rule and allows nothing", "take that line out of " + path},
		{"an empty one", func() error { return os.WriteFile(path, nil, 0o600) }, isOK, "0 rules in " + path, ""},
	} {
		require.NoError(t, os.RemoveAll(path))
		require.NoError(t, c.make(), c.name)
		if c.name == "others may write it" {
			require.NoError(t, os.Chmod(path, 0o666), "whatever the umask")
		}
		found := checkRules(b, nil)
		require.Len(t, found, 1, c.name)
		require.Equal(t, c.status, found[0].Status, c.name)
		require.Contains(t, found[0].Detail, c.says, c.name)
		require.Contains(t, found[0].Remedy, c.remedy, c.name)
	}
}
