// Package screen is the full-screen face: the tview application, where things are, what has the focus, and which room a
// key goes to. The pending questions belong to the desk, the typed text to the seat; a room decides what its thing on
// screen shows and does.
//
//	Store.Watch ─► desk ─ bell ─► pump ─► event loop (tview's; the one owner) ─► draw
//	keys ─► keyboard: key table ─► guard ─► room's table, else the keyboard's own
//	typing, paste ─► tview ─► the focused room's field
//
//	frame ─┬─ pages ─┬─ ground: question, list, settings beside it, or empty; the rule over the foot
//	       │         └─ history, statistics, settings, help: one at a time
//	       ├─ composer, over the lower rows
//	       └─ foot
//
// Screen runs all this and is the host of the rooms; these types have the state in shared in common. Before each draw
// arrange shares the rows and notes what is seen; drawing itself changes nothing.
package screen
