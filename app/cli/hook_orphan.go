package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge/native"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// orphan is the argument with which a hook starts the process that ends its question should the agent kill it.
const orphan = "orphan"

// leaveOrphan starts that process. Without it the question ends as that of an agent that is gone.
func (r *hookRun) leaveOrphan(instance, source string) {
	r.held, _ = r.outliving(orphan, native.Orphan{Instance: instance, Source: source, Event: r.raw, Since: r.sh.now()})
}

// serveOrphan runs in that process, which waits for the end of the hook.
func serveOrphan(ctx context.Context, sh *shell) error {
	sh.complain.Do(func() {})
	var o native.Orphan
	if json.NewDecoder(sh.in).Decode(&o) != nil {
		return nil
	}
	q, err := sh.look()
	if err != nil {
		return nil
	}
	asked, ok := native.Copilot(o.Event, nativeWords(), queue.NewToken)
	if !ok {
		return nil
	}
	asked.Stopped = native.CopilotStopped(cmp.Or(os.Getenv("COPILOT_HOME"), filepath.Join(config.Home(), ".copilot")),
		asked.Origin.Thread, o.Since)
	in, err := native.Open(ctx, native.Options{Queue: q, Before: say.NativeBefore, Instance: o.Instance,
		Settings: func() config.Settings { return sh.settings().Settings() }})
	if err != nil {
		return nil
	}
	defer in.Close()
	_, _ = io.Copy(io.Discard, sh.in)
	in.EndOrphan(ctx, o, asked)
	return nil
}
