// Package app is the running dashboard: it owns the state, routes keys, ticks the clock and feeds the panes.
//
//	Store.Watch ─► feed ─┐                       ┌─► panes draw
//	ticker ─────────────►├─ post ─► pump ─► event loop (Dashboard, the only owner)
//	worker results ─────►┘                       └─► worker ─► Queue.Do, drafts, tmux
//	keys ─► Key ─► key table ─► guard ─► form or dashboard
//
// State changes on tview's event loop only. Everything else posts a function and rings a doorbell of size one; the
// pump runs all posted functions in one update, so a burst of changes is one redraw. Nothing on the event loop
// waits for a disk or a process: that is the worker's.
package app
