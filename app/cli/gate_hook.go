package cli

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/app/connect"
	"github.com/choicetui/choicetui/queue"
)

// maxPrompt limits how much of an agent's input a hook reads; a longer prompt goes through.
const maxPrompt = 1 << 20

// prompted holds the fields of the agent's input to its prompt hook that matter here.
type prompted struct {
	Event string   `json:"hook_event_name"`
	Cwd   string   `json:"cwd"`
	Roots []string `json:"workspace_roots"` // Cursor
}

// hooked returns the agents with a prompt hook.
func hooked() []string { return connect.IDs(func(c connect.Client) bool { return c.Gate.File != "" }) }

// gateHook is gate as an agent's prompt hook. It says something only where a prompt has to wait: whatever else it could
// say would land in the agent's screen before each prompt.
func (r *gateRun) gateHook(ctx context.Context) error {
	debug.SetGCPercent(-1) // as in gate
	debug.SetMemoryLimit(gateMemory)
	r.sh.complain.Do(func() {})
	all := connect.Clients("choicetui")
	at := slices.IndexFunc(all, func(c connect.Client) bool { return c.ID == r.hook && c.Gate.File != "" })
	if at < 0 {
		return &failure{say: "there is no prompt hook for " + quoted(r.hook),
			hint: "known are " + strings.Join(hooked(), ", ")}
	}
	agent := all[at]
	look, err := r.lookWithin(ctx, func(ctx context.Context) (gateLook, error) { return r.lookFor(ctx, agent) })
	if err != nil || len(look.closing) == 0 {
		return nil
	}
	words := gateWords(look)
	if agent.Gate.InJSON {
		return printJSON(r.sh.out, map[string]any{"continue": false, "user_message": "choicetui: " + words}, "")
	}
	return &failure{say: words, code: exitClosed}
}

// lookFor reads what keeps this prompt of an agent waiting: nothing while no dashboard is open.
func (r *gateRun) lookFor(ctx context.Context, agent connect.Client) (look gateLook, err error) {
	raw, err := io.ReadAll(io.LimitReader(r.sh.in, maxPrompt))
	if err != nil {
		return look, err
	}
	var p prompted
	// Another program may run the hooks in this agent's file, and says it in another way.
	if err := json.Unmarshal(raw, &p); err != nil || p.Event != agent.Gate.Event {
		return look, err
	}
	q, err := r.sh.look()
	if err != nil {
		return look, err
	}
	look, err = r.lookAt(ctx, q, func(o queue.Origin) bool {
		return r.all || o.ClientName() == agent.ID && p.isBeside(q, o)
	})
	if err != nil || len(look.closing) == 0 {
		return look, err
	}
	if present, err := look.present(); err != nil || !queue.DashboardAmong(present) {
		return gateLook{}, err
	}
	return look, nil
}

// isBeside reports whether the prompt was typed where an agent that asked works. The same directory on another machine
// is another one: in containers everybody works in the same.
func (p prompted) isBeside(q *queue.Queue, o queue.Origin) bool {
	return (!q.Shared() || checkHere(o) == nil) && p.isIn(o.Cwd)
}

// isIn reports whether the prompt was typed in a directory. An agent may have changed its own since it started.
func (p prompted) isIn(dir string) bool {
	return slices.ContainsFunc(append([]string{p.Cwd, os.Getenv("CLAUDE_PROJECT_DIR")}, p.Roots...),
		func(at string) bool { return at != "" && dir != "" && connect.SameFile(at, dir) })
}
