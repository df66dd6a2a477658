// Package form is an answer in the making, for every face: the full screen, the lines, the command line, a page.
//
// It is pure: it knows no screen, no store and no clock, and it holds no sentence for a person. A face turns keys,
// lines or clicks into verbs, asks what stands there and what Enter would do, and puts that into words:
//
//	queue.Ask, queue.Draft ─► New ─► Form ── Plan ──► what Enter would do, or why not
//	                                  │   └─ Draft ─► the store: all that was marked and typed
//	keys, lines, clicks ── verbs ──►  │
//	                                  └───── Settle, Cancel ─► queue.Command
//
// A Form is the whole: its questions one after the other, the review of several, the confirmation, the comment, the
// reason of a cancel, and which text is being typed. A Question is one of them with the reply in the making: its rows,
// marks, own words and notes. Where a verb can be refused it returns a WhyNot, which is zero when it was done.
//
// What is only on screen is the face's: scrolling, which lines were seen, layout and the text field itself. What of
// that matters for Enter comes in as Facts.
//
// A face either points or it does not. One that points has a cursor, and where a question takes one answer only the
// dot follows it; so there is an answer from the start. One that does not, such as the lines, has no answer there
// until something is chosen.
package form
