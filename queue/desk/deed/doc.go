// Package deed has one table of what each action of the person does to the question at a seat, for every face.
//
//	key, click, word ─► face: Input ─► Hand.Press ─► guard ─► Deed.Needs ─► Deed.Do ─► Effect ─► face: Show, Say
//	                                                                           └► Want ─► Hand ─► seat, team, rules
//
// A face makes one Hand at its seat and is its Face: it says what was read and what it can do (Facts), draws the
// effects (Show), and puts notes into words (Words, Say). For each key it calls Overtake, then TakeOffer, then Press.
// On its clock it calls ActLate, since a letter that acts without Enter waits for a moment. Where the next letter
// begins an answer, it calls TypeFirst in place of Press.
//
// A Deed changes nothing but the form, and nothing at all where its effect has a WhyNot. Everything else is a Want,
// which the Hand carries out. What becomes of that later comes as an event of the desk.
package deed
