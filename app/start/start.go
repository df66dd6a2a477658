// Package start delays garbage collection while the packages of this program initialise. Nearly everything that they
// allocate is kept, and the first collection would cost a tenth of the start-up time: agents start this program before
// their tools and prompts.
package start

import "runtime/debug"

// usual is the percentage that the environment sets (GOGC). Go initialises packages in the order of their paths, and
// this package needs less than any library, so it comes first.
var usual = debug.SetGCPercent(-1)

// Collect turns garbage collection on, with the setting of the environment.
func Collect() { debug.SetGCPercent(usual) }
