package transcript

import (
	"context"
	"path/filepath"
	"slices"
)

// enoughBytes is the length of a transcript in which a reader must understand at least something. If it does not, the
// agent has probably changed its format.
const enoughBytes = 4 << 10

// Newest tells of the newest session that an agent has written down.
type Newest struct {
	Path       string // empty: there is none
	Understood bool   // its reader knows at least one of its words or calls; or it is too short to tell
}

// NewestOf returns the newest session of an agent. w needs only Agent, Home and Homes.
func NewestOf(ctx context.Context, w Where) (n Newest) {
	var pattern string
	var roots []string
	switch w.Agent {
	case "claude":
		roots, pattern = w.roots(".claude", "projects"), "*/*.jsonl"
	case "codex":
		roots, pattern = w.roots(".codex", "sessions"), "*/*/*/rollout-*.jsonl"
	case "gemini":
		roots, pattern = w.roots(".gemini", "tmp"), "*/chats/session-*.jsonl"
	default:
		return n
	}
	var newest file
	for _, s := range filesIn(roots, pattern) {
		if s.changed.After(newest.changed) {
			newest = s
		}
	}
	if newest.path == "" {
		return n
	}
	n.Path = filepath.Join(newest.root, newest.path)
	raw, err := newest.tail(ctx)
	isKnown := func(e entry) bool { return e.sort == words || e.sort == called }
	n.Understood = err != nil || len(raw) < enoughBytes || slices.ContainsFunc(readers[w.Agent].entries(raw), isKnown)
	return n
}
