package roomtest

import (
	"context"

	"github.com/choicetui/choicetui/config"
)

// Settings are settings without a file.
type Settings struct {
	S    config.Settings
	Full error // why no change can be saved
}

// Settings and what follows make them a file of settings that is never written elsewhere.
func (f *Settings) Settings() config.Settings { return f.S }

// Err is nil: nothing is wrong with them.
func (f *Settings) Err() error { return nil }

// Path returns the name of a file that does not exist.
func (f *Settings) Path() string { return "config.json" }

// Effective has nothing to list.
func (f *Settings) Effective() []config.Value { return nil }

// Update changes them, or fails with Full.
func (f *Settings) Update(change func(*config.Settings)) error {
	if f.Full == nil {
		change(&f.S)
	}
	return f.Full
}

// Unset brings a default back.
func (f *Settings) Unset(key string) error { return f.S.Set(key, config.Default().Values()[key]) }

// Watch waits for ctx: nobody else changes them.
func (f *Settings) Watch(ctx context.Context, _ func()) error { <-ctx.Done(); return nil }
