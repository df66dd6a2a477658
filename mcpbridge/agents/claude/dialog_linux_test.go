package claude

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/stretchr/testify/require"
)

func TestACommandThatClaudeRunsEndsItsDialogBeforeItsResult(t *testing.T) {
	file := writtenFile{t, filepath.Join(t.TempDir(), "s.jsonl")}
	const input = `{"command":"sleep 30; echo 'it''s over'"}`
	file.write(uses("1", "Bash", input))
	run := func(args ...string) {
		c := exec.Command("bash", args...)
		require.NoError(t, c.Start())
		t.Cleanup(func() {
			_ = c.Process.Kill()
			_ = c.Wait()
		})
	}
	run("-c", `eval 'sleep 30; echo '"'"'it'"'"''"'"'s over'"'"'' < /dev/null`) // an earlier one
	time.Sleep(50 * time.Millisecond)
	d := asks(t, file.path, "Bash", input, "")
	d.Watch(os.Getpid(), time.Now())
	require.Equal(t, prompt.SignOpen, d.Look())
	run("-c", "sleep 29; : sleep 30; echo its over") // holds the words, and does not run them as Claude does
	time.Sleep(50 * time.Millisecond)
	require.Equal(t, prompt.SignOpen, d.Look())
	run("-c", `true && eval 'sleep 30; echo '"'"'it'"'"''"'"'s over'"'"'' < /dev/null && pwd`)
	require.Eventually(t, func() bool { return d.Look() == prompt.SignAnswered }, 5*time.Second, 20*time.Millisecond)
}
