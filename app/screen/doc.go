// Package screen is the full-screen face: the tview application, where things stand, what has the focus, and which
// room a key goes to. What waits and what is typed is the desk's and the seat's; what a thing on screen shows and does
// is its room's.
//
//	Store.Watch ─► desk ─ bell ─► pump ─► event loop (tview's; the one owner) ─► draw
//	keys ─► capture ─► key table ─► guard ─► room's table, else the screen's own
//	typing, paste ─► tview ─► the focused room's field
//
//	frame ─┬─ pages ─┬─ waiting: question, list, settings beside it, or empty
//	       │         └─ history, statistics, settings, help: one at a time
//	       ├─ composer, over the lower rows
//	       └─ foot
//
// Before each draw arrange shares the rows and notes what is seen; drawing itself changes nothing.
package screen
