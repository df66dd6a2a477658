package cli

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// Claude Code sends a prompt from its command line without waiting for its servers, so the first request would have
// none of our tools. It waits for a hook at its start.
const (
	toolsWithin = 2 * time.Second // our server may be switched off for this session
	toolsEvery  = 25 * time.Millisecond
	// toolsTaken is the least time that Claude Code 2.1.330 takes from our server's list until a request has the tools.
	// On a busy machine it takes longer, as everything before did.
	toolsTaken = 300 * time.Millisecond
)

// awaitTools returns once Claude Code has our tools. claude -p waits for its servers itself.
func (r *hookRun) awaitTools(ctx context.Context) {
	q, err := r.sh.lookHere()
	if err != nil || !r.attended() {
		return
	}
	within, cancel := context.WithTimeout(ctx, toolsWithin)
	defer cancel()
	agent := cmp.Or(claudePID(), r.parent)
	serves := func(p queue.Presence) bool { return p.Origin != nil && p.Origin.PID == agent }
	began, waited := time.Now(), false
	for ; ; waited = true {
		present, err := q.Store.Present(within, queue.RoleServer)
		if err != nil {
			return
		}
		if slices.ContainsFunc(present, serves) {
			break
		}
		sleep(within, toolsEvery)
	}
	if waited { // else it may have had them for long
		sleep(ctx, max(toolsTaken, time.Since(began)))
	}
}
