package portal

import (
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

const (
	linkCommand = "choicetui web"
	linkWanted  = "this page needs a new link: run " + linkCommand
)

// Words that the page uses in several places. All other words are where the page uses them, and those that it shares
// with other frontends are in panes/say.
const (
	wordsSend           = "Send"
	wordsGoOn           = "Next"
	wordsBringBack      = "Bring it back"
	wordsDefer          = "Put off…"
	wordsNextAgent      = "Next agent"
	wordsNoSettingsHere = "settings cannot be changed from here"
	wordsLoading        = "Loading…"
	wordsNotSaved       = "not saved: "
)

// buttonOf returns the label of the button that does what Enter does.
func buttonOf(step form.Step) string {
	switch step {
	case form.StepTake, form.StepOpen, form.StepConfirm:
		return wordsGoOn
	case form.StepType:
		return "Type your words"
	}
	return wordsSend
}

// buttonOffered returns the label of the button that does what is offered.
func buttonOffered(o *action.Offer) string {
	return map[action.Name]string{action.Later: "Set it aside", action.Hide: "Hide it", action.Rule: "Make the rule",
		action.StartOver: "Reset all", action.Fetch: "Get their replies", action.Wait: "Wait for them",
		action.GoOn: "Answer others", action.Accept: "Accept it"}[o.Action]
}
