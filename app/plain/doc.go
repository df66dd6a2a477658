// Package plain is the dashboard, and the hand-off form, without a screen: lines in, lines out, for screen readers,
// dumb terminals and logs. It never sends an escape sequence and never writes over a line.
//
//	stdin ─► lines (each with the time it came) ──┐
//	queue ─► feed, worker ─► posts ───────────────┼─► Desk, on one goroutine ─► printer ─► stdout
//	clock ─► one timer, only while something waits┘        │
//	                                                  form: what is chosen and typed, judged by queue.Ask.Accept
//
// Its rules are the dashboard's. A question is shown in full when its turn comes, and numbers answer that one only;
// what arrives meanwhile is told in one line. What was chosen is said back and goes out with Enter on an empty line.
// A line that came before the question it would answer is not taken.
package plain
