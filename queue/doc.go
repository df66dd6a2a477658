// Package queue is the domain: what agents ask, what the person answers, and the rules between.
//
// It imports nothing of ours and does no I/O of its own. One question's way through it:
//
//	Ask.Check ─ valid ─► Queue.Create ─► Store ⇝ Watch ⇝ surfaces
//	                                                  │ Answer
//	Outcome ⇜ Watch ⇜ Store.Put ◄─ Transition ◄─ Queue.Do(Settle) ◄─ Ask.Accept
//
// Stores keep and notify, Transition decides, Queue.Do joins them with compare-and-swap. Rules that hold whatever
// the surface: exactly one outcome; the stored deadline is the only clock; a timeout never invents an answer;
// nothing typed is lost; single use; the caller is a waiter, not the owner.
package queue
