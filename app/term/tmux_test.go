//go:build linux

package term

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestCtrlZAndFgInABashInTmux tests suspending and continuing with a real shell in a real tmux.
func TestCtrlZAndFgInABashInTmux(t *testing.T) {
	for _, need := range []string{"tmux", "bash"} {
		if _, err := exec.LookPath(need); err != nil {
			if os.Getenv("CHOICETUI_E2E") == "require" {
				t.Fatal(need + " is required and not installed")
			}
			t.Skip(need + " is not installed")
		}
	}
	t.Setenv("TMUX", "")
	t.Setenv("TMUX_TMPDIR", t.TempDir())
	name := fmt.Sprintf("choicetui-term-%d", os.Getpid())
	tmux := func(args ...string) string {
		out, err := exec.Command("tmux", append([]string{"-u", "-L", name, "-f", "/dev/null"}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("tmux %q: %v: %s", args, err, out)
		}
		return string(out)
	}
	tmux("new-session", "-d", "-x", "60", "-y", "12", "bash", "--norc", "-i")
	t.Cleanup(func() { tmux("kill-server") })
	screen := func(what string) {
		t.Helper()
		var last string
		for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			if last = tmux("capture-pane", "-p"); strings.Contains(last, what) {
				return
			}
		}
		t.Fatalf("never %q on\n%s", what, last)
	}
	alternate := func() string {
		return strings.TrimSpace(tmux("display-message", "-p", "#{alternate_on} #{cursor_flag}"))
	}
	tmux("send-keys", ""+childEnv+"=app "+os.Args[0], "Enter")
	screen("ready")
	for range 2 {
		tmux("send-keys", "C-z")
		screen("Stopped")
		if at := alternate(); at != "0 1" {
			t.Errorf("stopped, alternate screen and cursor are %q", at)
		}
		tmux("send-keys", "clear; fg", "Enter")
		screen("ready")
		if at := alternate(); at != "1 0" {
			t.Errorf("continued, alternate screen and cursor are %q", at)
		}
	}
	tmux("send-keys", "q")
	screen("END <nil>")
	tmux("send-keys", "clear; echo typed | tr a-z A-Z", "Enter")
	screen("TYPED")
}
