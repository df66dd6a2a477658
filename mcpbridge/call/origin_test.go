package call

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
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
		require.Equal(t, want, Branch(filepath.Join(root, dir)), dir)
	}
}

// servers has a server of many agents as tests start it.
var servers = queue.SharedServers{{Kind: "app-server", Words: []string{"app-server"}}}

func TestProcessOrigin(t *testing.T) {
	t.Setenv("TMUX_PANE", "%12")
	o := ProcessOrigin(servers)
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
	require.Empty(t, ProcessOrigin(servers).Pane)
}

// TestPrintsItsOrigin runs only in the process that the next test starts.
func TestPrintsItsOrigin(t *testing.T) {
	if os.Getenv("CHOICETUI_TEST_ORIGIN") == "" {
		t.Skip("only below a server")
	}
	require.NoError(t, json.NewEncoder(os.Stdout).Encode(struct {
		queue.Origin
		Self int
	}{ProcessOrigin(servers), os.Getpid()}))
}

func TestBelowAServerOfManyAgentsThePaneIsNotKnownAndEachProcessIsAnAgentOfItsOwn(t *testing.T) {
	if _, err := os.Stat("/proc/self/cmdline"); err != nil {
		t.Skip("no /proc here")
	}
	below := func(script string, args ...string) (o struct {
		queue.Origin
		Self int
	}) {
		cmd := exec.Command("sh", append([]string{"-c", script, os.Args[0]}, args...)...)
		cmd.Env = append(os.Environ(), "CHOICETUI_TEST_ORIGIN=yes", "TMUX_PANE=%12")
		out, err := cmd.Output()
		require.NoError(t, err)
		require.NoError(t, json.NewDecoder(strings.NewReader(string(out))).Decode(&o))
		return o
	}
	run := `"$0" -test.run='^TestPrintsItsOrigin$'; :`
	o := below(run, "app-server")
	require.Empty(t, o.Pane)
	require.NotEqual(t, o.Self, o.PID, "the agent's process, never the bridge's")
	require.Regexp(t, fmt.Sprintf(`^%d-\d+$`, o.Self), o.Agent)
	require.NotEqual(t, o.Agent, below(run, "app-server").Agent)

	o = below(`sh -c '"$0" -test.run=^TestPrintsItsOrigin$; :' "$0"; :`, "app-server")
	require.Empty(t, o.Pane, "something else stands between")
	require.Regexp(t, fmt.Sprintf(`^%d-\d+$`, o.PID), o.Agent)

	o = below(run)
	require.Equal(t, "%12", o.Pane)
	require.Regexp(t, fmt.Sprintf(`^%d-\d+$`, o.PID), o.Agent)
}
