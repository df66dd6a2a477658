package desk

import (
	"context"
	"slices"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// TeamStage says how far a consultation is.
type TeamStage int

// Stages, in their order. From TeamChoice on the question is with the team.
const (
	TeamIdle     TeamStage = iota // nothing is on the way
	TeamLooking                   // who would be asked is being found out
	TeamNaming                    // who is asked is being decided
	TeamLetter                    // what they will read
	TeamCalling                   // they are being asked
	TeamChoice                    // they are asked: wait, or go on?
	TeamFetching                  // what they said is being fetched
	TeamSumming                   // the agent sums it up
	TeamReview                    // what came of that
)

// TeamField is a line that is typed about the team.
type TeamField int

// The lines.
const (
	TeamNoField   TeamField = iota
	TeamNames               // who is asked, of those who would be
	TeamRationale           // why the person decided otherwise than the team; may be empty
	TeamDeferral            // why the decision has to wait
)

// Consultation holds one person's work with the team on one question. Its texts are kept until the question is over,
// whatever else is on view meanwhile.
type Consultation struct {
	Stage TeamStage
	Field TeamField // the line being typed

	Audience   []queue.Member // who would be asked, where Known
	Known      bool           // it was found out
	Invited    []queue.Member // who of them is, by Names
	Unknown    []string       // names in Names that nobody in the audience has
	ByName     bool           // those are asked all the same
	WithPrompt bool           // they read the agent's prompt
	Marked     bool           // the mark is on sending
	Parks      bool           // at TeamChoice: the mark is on going on

	Review *widen.CandidateReview // nil: not made here yet
	Final  *string                // what the person wrote in place of its answer; nil: nothing
	Picks  bool                   // the option is picked in the form, and the summary goes along
	Fault  error                  // why the last step did not go

	texts    [TeamDeferral + 1]string
	fallback *widen.CandidateReview // while the agent sums up: what there is without that
	away     bool                   // nobody looks at it: what comes of a call is told and not shown
	run      int                    // of the call that is under way; an older one's result is not taken
	cancel   context.CancelFunc
}

// OnPage reports whether it covers the question with a page, beyond the line of names.
func (c *Consultation) OnPage() bool { return c.Stage > TeamNaming && !c.away }

// Text returns the text typed in one of the lines.
func (c *Consultation) Text(f TeamField) string { return c.texts[f] }

// Candidate returns the answer that the agent made of the discussion; empty: there is none.
func (c *Consultation) Candidate() string {
	if c.Review == nil {
		return ""
	}
	return c.Review.CandidateAnswer
}

// Answer returns the answer as it would be sent: what the person wrote, else the candidate.
func (c *Consultation) Answer() string {
	if c.Final != nil {
		return *c.Final
	}
	return c.Candidate()
}

// written returns the person's own text in place of the candidate; empty: none.
func (c *Consultation) written() string {
	if c.Final == nil {
		return ""
	}
	return *c.Final
}

// Source says where the answer comes from.
func (c *Consultation) Source() string {
	switch {
	case c.Final != nil:
		return widen.Source(*c.Final, c.Candidate())
	case queue.Blank(c.Candidate()):
		return queue.SourceManual
	}
	return queue.SourceTeam
}

// Overrides reports whether the person decided otherwise than the team: they may say why.
func (c *Consultation) Overrides() bool {
	emptied := c.Final != nil && queue.Blank(*c.Final) && !queue.Blank(c.Candidate())
	return emptied || c.Source() == queue.SourceOwner
}

// Summary returns the summary of the discussion; empty: there is none.
func (c *Consultation) Summary() string {
	if c.Review == nil {
		return ""
	}
	return c.Review.CandidateSummary
}

// resolution returns the part of the review that goes into the outcome of an answer from there.
func (c *Consultation) resolution(source string) *queue.Resolution {
	r := &queue.Resolution{Summary: queue.Summary{Text: c.Summary(), Source: source}}
	if source != queue.SourceTeam {
		r.Rationale = c.texts[TeamRationale]
	}
	return r
}

// Acceptance says what accepting an answer leads to.
type Acceptance int

// Acceptances.
const (
	AcceptNothing Acceptance = iota // there is no answer, and the question wants one
	AcceptEmpty                     // the question of an interview is resolved without words
	AcceptSends                     // the answer is sent
	AcceptPicks                     // the person picks the option in the form, or confirms there
)

// Accepts says what accepting the answer of a consultation comes to, and the answer that is sent.
func (c *Consultation) Accepts(s queue.Session) (queue.Answer, Acceptance) {
	text := c.Answer()
	if queue.Blank(text) {
		if s.Origin.Dialect == queue.DialectInterview {
			return queue.Answer{}, AcceptEmpty
		}
		return queue.Answer{}, AcceptNothing
	}
	answer, ok := widen.FinalAnswer(s.Ask, text)
	if !ok || s.Ask.Confirm {
		return answer, AcceptPicks
	}
	return answer, AcceptSends
}

// name takes over who was typed to be asked.
func (c *Consultation) name() {
	c.Invited, c.Unknown = slices.Clone(c.Audience), nil
	if text := c.texts[TeamNames]; !queue.Blank(text) {
		if c.Invited, c.Unknown = widen.Trim(c.Audience, text); c.ByName {
			c.Invited = widen.ByName(c.Invited, c.Unknown)
		}
	}
}

// know takes over who would be asked, and whether others can be.
func (c *Consultation) know(all []queue.Member, byName bool) {
	c.Stage, c.Audience, c.Known, c.ByName = TeamNaming, all, true, byName
}

// begin notes that a call is under way, and returns its context and its number.
func (c *Consultation) begin(stage TeamStage) (context.Context, int) {
	ctx, cancel := context.WithTimeout(context.Background(), teamWithin)
	c.stop()
	c.Stage, c.cancel, c.Fault, c.away = stage, cancel, nil, false
	c.run++
	return ctx, c.run
}

// stop ends the call that is under way, as far as it can be.
func (c *Consultation) stop() {
	if c.cancel != nil {
		c.cancel()
		c.cancel = nil
	}
	c.run++
}
