// Package interview asks the questions of a file one after the other, each as a session of its own that any face may
// answer, and writes down what came of them.
//
//	FILE ─► Load ─► for each: id kept ─► session created ─► Face.Ask ─► outcome ─► answers.yaml.partial ─► collected
//	                                                          └─ parked ─┐
//	               answers.yaml, decisions.json ◄── all have an outcome ◄── Face.Pass, one after the other
//
// The partial file always lists the decisions so far and the sessions under way, so that an interview that was left or
// killed continues where it was: an answer that was given is taken from its session, and nothing is asked twice.
package interview
