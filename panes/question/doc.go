// Package question is the part of the screen that shows one question: the line over it, in which the time left shrinks
// like a burning fuse, then the prompt, the options, the review of several answers, and the confirmation.
//
//	desk's events ─► Room ─► view, one a session: scrolled to, seen, the rows shared, the text field
//	key ─► Table ─► verbs ─► form.Form, desk.Seat          (queue/form holds what is answered)
//	size or state changed ─► Fit, Arrange ─► page ─► Draw  (what was seen is noted in Arrange, never in Draw)
//	form.Plan + what was not seen ─► say.Enter ─► Foot
package question
