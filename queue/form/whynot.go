package form

// Reason says why a verb, or Enter, does nothing.
type Reason int

// Reasons. The comment behind each names the numbers of its WhyNot.
const (
	Free Reason = iota // nothing is in the way

	NoSuchOption         // Have: the number that was given, Of: how many options there are
	OptionHidden         // Have: the number that was given
	NothingHere          // the cursor is on no option
	OnOwnWords           // the cursor is on the person's own words, which take no mark
	FollowsCursor        // the dot follows the cursor, so there is nothing to mark
	OneAnswerOnly        // several cannot be marked
	WordsOnly            // the question has no options
	OptionsOnly          // the question takes no own words
	NothingRecommended   // no option that is shown is
	TooManyRecommended   // Have, Most
	TooMany              // Have: how many were to be marked, Least, Most, Of: how many options there are
	Full                 // as many as may be marked are: Have, Most
	NotesOff             // of the question, or of the whole ask
	NotesOffInSettings   // they would be taken, but the person's settings turn them off
	NoOptions            // there is nothing to find
	NothingIsHidden      // so nothing can be shown
	NeverHiddenHere      // options of an approval or a confirmation are never hidden
	LastOptions          // options that an answer needs are never hidden
	NotForApprovals      // an approval is decided on the details that it has
	NotOffered           // the agent offers no such choice of an approval
	NothingMarked        // of an approval: what is sent is what the person marks
	NothingAnswered      // so there is nothing to start over
	PressAgain           // the same verb once more does it
	NoSuchQuestion       // Have: the number that was given, Of: how many questions there are
	NothingMatches       // no option is left by what narrows them
	NothingChosen        // one answer is wanted and none is chosen: Least, Most, Of
	TooFew               // Have, Least, Most, Of
	NothingYet           // options or own words are wanted, and neither is there
	TooLong              // Field, Have: how long it is, Most: see Field.Limit
	Unacceptable         // see Question.Problems
	ConfirmationWaits    // Enter confirms nothing: only the verb Confirm does
	ConfirmationNotShown // there is nothing to confirm now
)

// WhyNot is a reason with its numbers. The zero WhyNot means that nothing is in the way.
type WhyNot struct {
	Reason                Reason
	Field                 Field // of TooLong
	Have, Least, Most, Of int
}

// OK reports whether nothing is in the way.
func (w WhyNot) OK() bool { return w.Reason == Free }

func because(r Reason) WhyNot { return WhyNot{Reason: r} }
