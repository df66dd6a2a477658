package mcpbridge

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func write(t *testing.T, text string, path ...string) {
	t.Helper()
	file := filepath.Join(path...)
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
}

func TestBranch(t *testing.T) {
	root := t.TempDir()
	hash := strings.Repeat("ab12", 10)
	write(t, "ref: refs/heads/feature/x\n", root, "repo", ".git", "HEAD")
	write(t, "", root, "repo", "a", "b", "file")
	write(t, "ref: refs/heads/side\n", root, "repo", ".git", "worktrees", "w", "HEAD")
	write(t, "gitdir: "+filepath.Join(root, "repo", ".git", "worktrees", "w")+"\n", root, "w", ".git")
	write(t, "gitdir: ../repo/.git/worktrees/w\n", root, "relative", ".git")
	write(t, hash+"\n", root, "detached", ".git", "HEAD")
	write(t, "ref: refs/heads/.invalid\n", root, "reftable", ".git", "HEAD")
	write(t, "nonsense", root, "broken", ".git", "HEAD")
	write(t, "", root, "none", "file")
	for dir, want := range map[string]string{
		"repo": "feature/x", "repo/a/b": "feature/x", "w": "side", "relative": "side",
		"detached": hash[:8], "reftable": "", "broken": "", "none": "",
	} {
		require.Equal(t, want, branch(filepath.Join(root, dir)), dir)
	}
}

func TestProcessOrigin(t *testing.T) {
	t.Setenv("TMUX_PANE", "%12")
	o := ProcessOrigin()
	require.Equal(t, "%12", o.Pane)
	require.Equal(t, os.Getppid(), o.PID)
	require.NotEmpty(t, o.Host)
	cwd, err := os.Getwd()
	require.NoError(t, err)
	require.Equal(t, cwd, o.Cwd)
	if _, err := os.Stat("/proc/self/stat"); err == nil {
		require.Regexp(t, `^\d+-\d+$`, o.Agent)
	}
	t.Setenv("TMUX_PANE", "%1;kill-server")
	require.Empty(t, ProcessOrigin().Pane)
}
