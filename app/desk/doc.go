// Package desk is the person's side of the queue, without a face: no cells, no keys, no sentences for a screen.
//
//	Store.Watch ─► feed ─┐                 ┌─► events ─► screen, lines, page, notices
//	worker's results ────┼─ Do ─► Drain ───┤
//	faces, clock ────────┘  (the owner)    └─► worker ─► Queue.Do, drafts, whatever takes time
//
// Desk is one a process: it knows all sessions and their order, keeps what was sent until the store has it, saves
// drafts, sweeps, and tells what happened as typed events. Seat is one a screen or page: which question is up, the
// answer in the making, the guard against stray keys, and what was missed.
//
// One goroutine owns a Desk and its seats: in the full screen tview's event loop, elsewhere Run's. Everybody else
// hands it functions with Do, which never waits. Nothing the owner does waits for a disk or a process.
package desk
