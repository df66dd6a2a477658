// Package screen is the dashboard in full screen. It runs the tview application, and decides where each room is on
// screen, which room has the focus, and which room gets a key. A room is a part of the screen with its own drawing and
// keys, such as the question or the queue (see package panes). The desk (queue/desk) holds the pending questions. The
// seat of this screen at the desk holds the form of the question on view.
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
// Words that the package uses: a rule is a horizontal line across the screen with words in it (the person's permission
// rules are in queue/rules). The foot is the two lowest rows, with what Enter would do and the keys. The lower rule is
// the line above the foot, or above the queue. The strip is the queue as a few rows below the question; on a wide
// screen the queue is a list left of it. The peek shows what the asking agent was doing. A notice is a message about
// the last key; a notice of the desk is an agent that needs the person in its own pane.
package screen
