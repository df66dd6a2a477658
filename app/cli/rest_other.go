//go:build !linux

package cli

import "runtime/debug"

// rest gives back the memory that starting took and lying idle does not need.
func rest() { debug.FreeOSMemory() }
