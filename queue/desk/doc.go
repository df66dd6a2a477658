// Package desk is the person's side of the queue, without a face: no cells, no keys, no sentences for a screen.
//
//	Store.Watch ─► feed ─┐                 ┌─► news ─► screen, lines, page, notices
//	worker's results ────┼─ Do ─► Drain ───┤
//	faces, clock ────────┘  (the owner)    └─► worker ─► Queue.Do, drafts, whatever takes time
//
// Desk is one a process: it knows all sessions and their order, keeps what was sent until the store has it, saves
// drafts, sweeps, and tells what happened as typed events. Seat is one a screen or page: which question is up, the
// answer in the making, the guard against stray keys, and what was missed. Chat is a seat's line to the agents.
//
// Each of the three consists of parts, one a concern, and a part's exported methods are those of the whole:
//
//	Desk   what comes from the queue is taken over (sessions.go), settings, the clock's turn, closing
//	├─ inbox, news, faults   how others reach the owner; who is told; what is wrong
//	├─ worker                what takes time, one piece after another (worklist)
//	├─ feed                  the watch on the queue, joining and leaving it
//	├─ live, closing         the queue as last seen, its order, who runs (presence); what keeps chat closed
//	├─ sending               what the person sends, until it is stored (Outbox)
//	├─ ruling                what the person's rules allow, and what was allowed before
//	├─ upkeep                today's answers, sweeping
//	├─ Last, Today           what became of what was sent last; what today adds up to
//	└─ seats                 who sits here, and all drafts
//	Seat   which question is on view
//	├─ view                  what is on view, and its form
//	├─ answering, drafting   answer, cancel, deadline, set aside; what is typed until then
//	├─ undoing               the answer that is held back for a while
//	├─ listing, missed       the queue as listed here; what ended without the person
//	└─ Guard                 refuses stray keys
//	Chat   sends a line, takes one back
//	├─ agents                who is known, where each is, how it is reached
//	├─ composer              to whom a line goes (address.go), what was typed for whom (compose.go, keptLines)
//	└─ errands               what goes on beside the owner
//
// One goroutine owns a Desk and its seats: in the full screen tview's event loop, elsewhere Run's. Everybody else
// hands it functions with Do, which never waits. Nothing the owner does waits for a disk or a process, but for joining
// the queue at the start and, not for long, leaving it at the end.
package desk
