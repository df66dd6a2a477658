//go:build !linux

package app

import "runtime/debug"

// giveBack returns memory that is not in use.
func giveBack() { debug.FreeOSMemory() }
