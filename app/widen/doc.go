// Package widen asks the team about a question, reads what they say, and tells them what was decided. The rules are in
// queue/widen, the question is in the queue; here is what goes over the network and what is kept so that no crash asks
// twice or forgets to tell.
//
//	face ─► Service ─► ledger: one decision for a question, kept before the first call
//	           │  └──► Backend (httpapi, slack): audience, widen, discussion
//	           └─────► queue: Widen, Regroup, AskSummary, Settle, Defer ⇝ watch ⇝ the agent's summary
//	                      │ an outcome, by whatever face
//	ledger ─► Courier ────┴──► Backend: resolve or defer, again and again until it is taken
//
// Everything blocks and takes a context: a face calls it off its loop. Errors of a backend are *Failure, whose words
// stand in panes/say; those of the queue are the queue's.
package widen
