// Package talk is the conversation about one question on lines: the question itself, whether the team is asked, the
// wait for it, and the review of what it came to. `choicetui interview --plain` and `choicetui --plain` have it.
//
//	Ask ─► prompt ─┬─ an answer, a deferral ─────────────────────────────────► over
//	               └─ w: audience ─► call ─► b: wait ─┬─ an answer ───────────► over
//	                                   └──── c: parked│                   (met again, or the pass over all parked)
//	                                                  └─ f: fetch ─► block ─► JSON ─► review ─► over
//
// A conversation blocks. It reads a line only when it has asked for one, so that an editor has the terminal for itself
// meanwhile, and it hears when the question changes elsewhere. Where the queue's server is away it waits with what was
// typed, and stores that once the server is back. Nothing is answered by a line that was not asked for, by
// the end of the input or by Ctrl-C: these end the conversation and leave the question as it is.
package talk
