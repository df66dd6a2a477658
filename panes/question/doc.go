// Package question is the room of one question: its rule, which is its fuse, the prompt, the options, the review of
// several answers, and the confirmation.
//
//	desk's events ─► Room ─► view, one a session: scrolled to, seen, the rows shared, the text field
//	key ─► Table ─► verbs ─► form.Form, desk.Seat          (queue/form holds what is answered)
//	size or state changed ─► Fit, Arrange ─► page ─► Draw  (what was seen is noted in Arrange, never in Draw)
//	form.Plan + what was not seen ─► say.Enter ─► Foot
package question
