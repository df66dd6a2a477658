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

// NewestOf returns the newest session of an agent. w needs only Reader, Home and Homes.
func NewestOf(ctx context.Context, w Where) (n Newest) {
	if w.Reader == nil {
		return n
	}
	roots, pattern := w.Reader.Sessions(w)
	var newest File
	for _, s := range filesIn(roots, pattern) {
		if s.changed.After(newest.changed) {
			newest = s
		}
	}
	if newest.path == "" {
		return n
	}
	n.Path = filepath.Join(newest.root, newest.path)
	raw, err := newest.Tail(ctx)
	isKnown := func(e Entry) bool { return e.Sort == Said || e.Sort == Called }
	n.Understood = err != nil || len(raw) < enoughBytes || slices.ContainsFunc(w.Reader.Entries(raw), isKnown)
	return n
}
