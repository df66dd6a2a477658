package say

import "strings"

// The words of an agent's own prompt where the agent has none for it.
const (
	NativeWants      = "May it do this?"
	NativeRest       = "it is also given"
	NativeOnce       = "Allow once"
	NativeRefuse     = "Refuse"
	NativePlanOnce   = "Go ahead"
	NativePlanEdits  = "Go ahead, and edit without asking"
	NativePlanRefuse = "Keep planning"
	NativeYes        = "Yes"
	NativeNo         = "No"
	NativeLeaveOut   = "Leave it empty"
	NativeOpened     = "I opened it myself"
	NativeDecline    = "Decline"
	NativeAddress    = "This address is to be opened. Nobody opens it for you."
	NativeLeft       = "left to the agent, as no dashboard is open any more"
	NativeCodexOff   = "left to Codex, as the settings say"

	NativeNotConfirmed = "it did not say whether it took this"
	// NativeRefused is told to an agent whose person gives no reason.
	NativeRefused = "The person refused this. Do not try it again in another way; ask what they want instead."
)

// NativeBefore says why an agent did not take an answer; where is its name: `in claude`.
func NativeBefore(where string) string { return "answered " + where + " before" }

// NativeTakes says what the own words of a form's field have to be.
func NativeTakes(want string) string { return "It takes " + want + "." }

// NativeTitle names what an agent wants to do.
func NativeTitle(tool, what string) string {
	if what == "" {
		return "Allow " + tool + "?"
	}
	return "Allow " + tool + ": " + what
}

// NativePlan names a plan by its first line.
func NativePlan(heading string) string { return "A plan: " + heading }

// NativeForm says whose form it is.
func NativeForm(server string) string {
	if server == "" {
		return "A form"
	}
	return "A form of " + server
}

// NativeSession returns the choice to allow something until the agent's session ends.
func NativeSession(what string) string { return "Allow for this session: " + what }

// NativeAlways returns the choice to allow something from now on, as opencode offers it.
func NativeAlways(what string) string { return "Allow always: " + what }

// NativeAlwaysCovers says all that it allows; lasts: the agent keeps it.
func NativeAlwaysCovers(agent, what string, lasts bool) string {
	if lasts {
		return agent + " does not ask again for " + what + ", also after its next start."
	}
	return agent + " does not ask again for " + what + " until its next start."
}

// NativeCovers says all that such a choice allows.
func NativeCovers(agent, what string) string {
	return agent + " does not ask again for " + what + " until this session ends."
}

// NativeFolders says what a choice of directories allows.
func NativeFolders(agent string, dirs []string) string {
	return agent + " may also work in " + strings.Join(dirs, ", ") + " until this session ends."
}

// nativeModes are Claude Code's ways of working, as far as a person may choose one here.
var nativeModes = map[string]string{
	"acceptEdits":       "It edits files without asking until this session ends.",
	"bypassPermissions": "It asks about nothing any more until this session ends: no command, no file, no address.",
	"dontAsk":           "It does only what is allowed already, and asks about nothing else until this session ends.",
	"default":           "It asks before it does something for the first time.",
	"plan":              "It only plans: it changes no file and runs no command.",
}

// NativeMode says what a way of working of Claude Code's allows; empty: it is not known.
func NativeMode(mode string) string { return nativeModes[mode] }

// NativeDeclined tells an agent that its question was declined, and why.
func NativeDeclined(words string) string {
	return "The person declined to answer: “" + words + "”. Do not choose for them."
}

// NativeAnswered tells an agent the answers whose ask tool can only be refused.
func NativeAnswered(tool, result string) string {
	return "The person answered in choicetui. Treat this " + tool + " call as successful with response JSON: " +
		result + ". Do not ask again."
}

// NativeMoreDetail tells an agent that the person wants to know more before deciding.
func NativeMoreDetail(about string) string {
	words := "The person wants more detail before deciding"
	if about != "" {
		words += ": “" + about + "”"
	}
	return words + ". Ask again with it."
}
