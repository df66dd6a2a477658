// Package plain is the dashboard, and the hand-off form, without a screen: lines in, lines out, for screen readers,
// dumb terminals and logs. It never sends an escape sequence and never writes over a line.
//
//	stdin ─► lines (each with its time) ─► Lines ─► commands ─► answering ─┬─► deed.Hand ─► seat ─► desk ─► store
//	clock ─► one timer, only while something waits ──┘                     └─► voice ─► printer ─► stdout
//	store ─► desk, seat ─► events ─► news ─────────────────────────────────────┘
//
// It is a face over one seat of queue/desk, which knows what waits, keeps what was sent and saves drafts; the answer in
// the making is the seat's form. A word is an action of queue/desk/deed, which decides what the action does and asks
// the guard. Of its own the package has what lines need: a vocabulary, what was asked last, text of several lines, and
// what was told of each question. All of it belongs to one goroutine.
//
// Its rules are the dashboard's. A question is written in full when its turn comes, and numbers answer that one only;
// what arrives meanwhile is told in one line. What was chosen is said back and goes out with Enter on an empty line.
// A line that came before the question it would answer is not taken.
package plain
