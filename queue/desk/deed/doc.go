// Package deed implements the person's actions on the question at a seat, once for all faces. A Deed is the row of an
// action in one table: when the action is possible and what it does. A Hand carries out deeds for one face at one seat.
//
//	key, click, word ─► face: Input ─► Hand.Press ─► guard ─► Deed.Needs ─► Deed.Do ─► Effect ─► face: Show, Say
//	                                                                           └► Want ─► Hand ─► seat, team, rules
//
// Each face creates one Hand at its seat and implements the interface Face for it: Facts returns what was shown and
// what the face can do, Show draws the effects, Words and Say put messages into words. For each key the face calls
// Hand.Overtake, then TakeOffer, then Press. A letter that acts without Enter waits for a moment, so the face also
// calls ActLate when that is due. If the next letter begins the text of an answer, the face calls TypeFirst in place of
// Press.
//
// A Deed changes only the form, and does not change even that if its effect has a WhyNot. It asks for every other
// change with a Want, which the Hand carries out. The results of a Want that takes time come as events of the desk.
//
// In this package a round is a group of similar approvals that are looked through together (desk.Round), and a question
// rests if it was set aside while no other question was open (desk.Seat.Rests).
package deed
