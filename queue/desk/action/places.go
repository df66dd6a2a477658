package action

import (
	"slices"

	"github.com/choicetui/choicetui/queue/form"
)

// Place names the part of the screen where a key is pressed, and whether text is being typed there.
type Place int

// Places, in which keys are looked up.
const (
	PlaceEmpty     Place = iota // no question is pending
	PlaceQueue                  // the queue has the focus
	PlaceQuestion               // a question
	PlaceOver                   // a question that has ended and is still on screen
	PlaceTyping                 // the field for own words, a note or the comment
	PlaceReason                 // the line for the reason of a cancel or a refusal, or for more detail
	PlaceFind                   // the line that narrows a list
	PlaceHelp                   // the list of keys
	PlaceSettings               // the settings, as a page or as an area
	PlaceValue                  // the value of a setting being typed
	PlaceHistory                // the history: the list, or one session of it
	PlacePeek                   // the page with what the asking agent was doing
	PlaceConfirm                // the confirmation step
	PlaceReview                 // the review of a form of several questions
	PlaceChat                   // the composer, where a line to an agent is typed
	PlacePostponed              // a question whose answer is held back for a while, so that it can be undone
	PlaceApproval               // an approval: an agent's request for permission
	PlaceBatch                  // the list of approvals that are alike
)

// placeNames lists the places in the order of the help, with the heading of each.
var placeNames = []struct {
	Place Place
	Name  string
}{
	{PlaceQuestion, "a question"}, {PlaceApproval, "an approval"}, {PlaceConfirm, "the confirmation"},
	{PlaceReview, "the review"}, {PlaceBatch, "approvals that are alike"},
	{PlaceTyping, "typing"}, {PlaceChat, "chat"},
	{PlaceReason, "the cancel line"},
	{PlacePostponed, "an answer that is held back"}, {PlaceQueue, "the queue"},
	{PlaceOver, "a question that is closed or set aside"},
	{PlaceEmpty, "nothing is waiting"}, {PlaceFind, "the filter line"},
	{PlaceSettings, "the settings"}, {PlaceValue, "typing a value"}, {PlaceHistory, "history"},
	{PlacePeek, "what the agent was doing"}, {PlaceHelp, "this list"},
}

// String returns the name of the place, as the help writes it in its headings.
func (p Place) String() string {
	for _, named := range placeNames {
		if named.Place == p {
			return named.Name
		}
	}
	return "an unnamed place"
}

// Lists of places that several rows share.
var (
	anywhere = []Place{PlaceEmpty, PlaceQueue, PlaceQuestion, PlaceConfirm, PlaceReview, PlaceOver, PlaceHelp,
		PlaceSettings, PlaceHistory, PlacePeek, PlacePostponed, PlaceApproval}
	inList = []Place{PlaceQueue, PlaceQuestion, PlaceReview, PlaceHelp, PlaceSettings, PlaceHistory,
		PlacePeek, PlaceApproval, PlaceBatch}
	onQuestion = []Place{PlaceQuestion}
	onApproval = []Place{PlaceApproval}
	onChoice   = []Place{PlaceQuestion, PlaceApproval}
	onConfirm  = []Place{PlaceConfirm}
	onReview   = []Place{PlaceReview}
	onWhole    = []Place{PlaceQuestion, PlaceReview}
	onSteps    = []Place{PlaceQuestion, PlaceReview, PlaceSettings}
	onPending  = []Place{PlaceQuestion, PlaceQueue, PlaceConfirm, PlaceReview, PlaceApproval}
	onWaiting  = []Place{PlaceQueue, PlaceQuestion, PlaceConfirm, PlaceReview, PlaceOver, PlacePostponed, PlaceApproval}
	onText     = []Place{PlaceQuestion, PlaceQueue, PlaceConfirm, PlaceOver, PlaceHelp, PlaceHistory,
		PlacePeek, PlaceApproval, PlaceBatch}
	inField = []Place{PlaceTyping, PlaceReason, PlaceFind, PlaceValue, PlaceChat}
	onBatch = []Place{PlaceBatch}
)

// deciding lists the places in which something important is decided. There the guard refuses keys for a moment, however
// the place came on screen.
var deciding = []Place{PlaceApproval, PlaceConfirm, PlaceReview, PlacePostponed, PlaceBatch}

// PlaceOf returns the place in which keys are looked up for a pending question with this form.
func PlaceOf(f *form.Form) Place {
	switch f.Typing() {
	case form.FieldReason, form.FieldDetail, form.FieldRefusal:
		return PlaceReason
	case form.FieldFind:
		return PlaceFind
	case form.FieldText, form.FieldNote, form.FieldComment:
		return PlaceTyping
	}
	switch {
	case f.Confirming():
		return PlaceConfirm
	case f.Reviewing():
		return PlaceReview
	case f.Approves():
		return PlaceApproval
	}
	return PlaceQuestion
}

// decides reports whether something important is decided in a place.
func (p Place) decides() bool { return slices.Contains(deciding, p) }
