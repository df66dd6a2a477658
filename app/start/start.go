// Package start delays garbage collection while the packages of this program initialise. Nearly everything that they
// allocate is kept, and the first collection would cost a tenth of the start-up time: agents start this program before
// their tools and prompts.
package start

import "runtime/debug"

// usual holds the setting of the environment (GOGC). Go initialises packages in the order of their paths, and this one
// needs less than any library.
var usual = debug.SetGCPercent(-1)

// Collect lets garbage be collected as usual from now on.
func Collect() { debug.SetGCPercent(usual) }
