package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// turnOfClaude is a turn in a transcript of Claude Code, as often as it is wanted.
func turnOfClaude(n int) string {
	return fmt.Sprintf(`{"type":"assistant","message":{"content":[{"type":"text","text":"Step %[1]d."},`+
		`{"type":"tool_use","id":"t%[1]d","name":"Bash","input":{"command":"go test ./cart/%[1]d"}}]}}`+"\n"+
		`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t%[1]d","content":%[2]q}]}}`+"\n",
		n, strings.Repeat("ok  ", 200))
}

// BenchmarkBeforeThis has Claude Code ask while its transcript of 700 KiB grows by 20 KiB a second. It reports how long
// after the question what the agent was doing is on the screen (at most 100 ms), and what the dashboard costs from then
// on (at most 0.4 % of one core), for as long as CHOICETUI_IDLE says.
func BenchmarkBeforeThis(b *testing.B) {
	long := min(idleFor(b), 50*time.Second) // it is paused a minute after the last key
	r := newRoom(b)
	path := filepath.Join(r.dir, "home", ".claude", "projects", "-shop", "s1.jsonl")
	require.NoError(b, os.MkdirAll(filepath.Dir(path), 0o700))
	var text strings.Builder
	text.WriteString(`{"type":"user","message":{"content":"go"}}` + "\n")
	for n := 0; text.Len() < 700<<10; n++ {
		text.WriteString(turnOfClaude(n))
	}
	text.WriteString(`{"type":"assistant","message":{"content":[{"type":"text","text":"Payments need a store."}]}}` + "\n")
	require.NoError(b, os.WriteFile(path, []byte(text.String()), 0o600))
	for b.Loop() {
		c := r.console(120, 40, r.command())
		c.see("? keys")
		c.still(time.Second)
		p := r.hook(fmt.Appendf(nil, `{"session_id":"s1","transcript_path":%q,"cwd":%q,"permission_mode":"default",`+
			`"hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"touch it"}}`, path, r.work))
		asked := c.see("touch it")
		b.ReportMetric(float64(c.see("Payments need a store.").Sub(asked).Microseconds())/1000, "ms-until-shown")
		end := make(chan struct{})
		go func() {
			for n := 0; ; n++ {
				select {
				case <-end:
					return
				case <-time.After(50 * time.Millisecond):
					f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
					if err == nil {
						_, _ = f.WriteString(turnOfClaude(n))
						_ = f.Close()
					}
				}
			}
		}()
		time.Sleep(time.Second)
		first, begin := weigh(b, c.cmd.Process.Pid), time.Now()
		time.Sleep(long)
		last := weigh(b, c.cmd.Process.Pid)
		close(end)
		b.ReportMetric((last.cpu-first.cpu).Seconds()/time.Since(begin).Seconds()*100, "cpu-%")
		b.ReportMetric(0, "ns/op")
		require.NoError(b, p.cmd.Process.Signal(syscall.SIGTERM))
		p.wait()
		c.kill()
	}
}
