// Package widen has the rules by which a question goes to teammates and comes back as a candidate answer: who is asked,
// what of their discussion is read, what a model made of it, how far the person moved from that, and what it means as
// an answer. It knows no clock, no network and no files.
//
//	audience ── Trim ──▶ members       answer of a model ── SummaryReader ──▶ Candidate ─┐
//	thread ── NewDiscussion ──▶ Discussion ────────────────────────────────────────────▶ CandidateReview
//	what the person saved ── Source ──▶ where it comes from, FinalAnswer ──▶ queue.Answer
package widen
