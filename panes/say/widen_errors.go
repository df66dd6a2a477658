package say

import (
	"fmt"
	"strings"
	"time"
)

// Why the team cannot be asked, told or read: each is one sentence about what happened and one about what to do.

// NoTeam says that no way to the team is set.
const NoTeam = "Nothing is set up to ask your team. Choose a way: choicetui config set widen.backend http, or slack."

// TeamUnset says which setting is missing for the way to the team that is chosen.
func TeamUnset(key string) string {
	return "The setting " + key + " is empty. Give it a value: choicetui config set " + key + " VALUE."
}

// Faults of the token's file.

// TokenMissing says that the file cannot be read.
func TokenMissing(file string) string {
	return "The token cannot be read from " + OneLine(file) + ". Put it there, or name another file: widen.token_file."
}

// TokenOpen says that others may read the file.
func TokenOpen(file string) string {
	return "Others may read the token in " + OneLine(file) + ". Keep it to yourself: chmod 600 " + OneLine(file) + "."
}

// TokenForeign says that the file is somebody else's.
func TokenForeign(file string) string {
	return "The file " + OneLine(file) + " is not yours. Put the token into a file of your own."
}

// TokenWrong says that there is no token in the file.
func TokenWrong(file string) string {
	return "There is no token in " + OneLine(file) + ". It has to be the only line."
}

// Failures of a call. who is the team's server, or Slack.

// TeamServer names the server that does not answer, where the team is asked through one. host is a part of its address.
func TeamServer(host string) string { return "The server " + OneLine(host) }

// TeamSlack names Slack as what does not answer, where the team is asked there.
const TeamSlack = "Slack"

// TeamAway says that nobody answers at the address.
func TeamAway(who string) string {
	return who + " cannot be reached. Check the network and the address, then try again."
}

// TeamSlow says that the answer did not come in time.
func TeamSlow(who string) string { return who + " did not answer in time. Try again." }

// TeamNoEntry says that the token was refused. file is the token's file.
func TeamNoEntry(who, file string) string {
	return who + " refused the token. " + TeamPutToken(file)
}

// TeamPutToken says where a token that is valid goes.
func TeamPutToken(file string) string { return "Put a valid token into " + OneLine(file) + "." }

// TeamForbidden says that the token is good, but not for this.
func TeamForbidden(who string) string {
	return who + " does not allow this with your token. Ask whoever runs it for the right."
}

// TeamBusy says that there were too many calls. after is how long to wait; zero: it did not say.
func TeamBusy(who string, after time.Duration) string {
	return who + " gets too many calls. " + TeamTryIn(after)
}

// TeamTryIn says when to try again; zero: it is not known.
func TeamTryIn(after time.Duration) string {
	if after <= 0 {
		return "Try again in a minute."
	}
	return "Try again in " + Spoken(after.Round(time.Second), time.Hour) + "."
}

// TeamTryLater says that the fault is on the other side.
const TeamTryLater = "Try again later."

// TeamUnknown says that the address leads nowhere, or to nothing that is known there.
func TeamUnknown(who string) string {
	return who + " does not know this mission or decision. " + TeamCheckPaths
}

// TeamCheckPaths says what to look at where the server does not know what is asked for.
const TeamCheckPaths = "Check widen.base_url and widen.paths."

// TeamRefusal repeats the words of the server about a refusal, and says what to do. Without a hint its words are as
// they came.
func TeamRefusal(said, hint string) string {
	if hint == "" {
		return said
	}
	return fullStop(said) + " " + hint
}

// TeamSays makes a sentence of the words of the server.
func TeamSays(who, said string) string { return fullStop(who + " says: " + said) }

// fullStop ends a sentence that has no end.
func fullStop(words string) string {
	if strings.HasSuffix(words, "…") || strings.HasSuffix(words, ".") || strings.HasSuffix(words, "!") {
		return words
	}
	return words + "."
}

// TeamElsewhere says that the address leads to another one, which is not followed with a token.
func TeamElsewhere(who string) string {
	return who + " sends the call to another address. Put that one into widen.base_url."
}

// TeamRefused says that a call was not taken as it is.
func TeamRefused(who string, status int) string {
	return fmt.Sprintf("%s did not take the call (%d). ", who, status) +
		"Check that choicetui and the server fit each other."
}

// TeamBroken says that the server itself is in trouble.
func TeamBroken(who string, status int) string {
	return fmt.Sprintf("%s has a fault of its own (%d). ", who, status) + TeamTryLater
}

// TeamGarbled says that the answer is not what was agreed. what is the part that is wrong; it may be empty.
func TeamGarbled(who, what string) string {
	if what != "" {
		what = " (" + OneLine(what) + ")"
	}
	return who + " gave an answer that cannot be read" + what + ". " +
		"Check that widen.base_url leads to your team's server."
}

// TeamTooMuch says that the answer is longer than anything that would be read.
func TeamTooMuch(who string) string {
	return who + " gave an answer that is too long to read. Ask whoever runs it to send less."
}

// NobodyToAsk says that the default audience is empty.
func NobodyToAsk(who string) string {
	return who + " names nobody to ask. Have the team's people added there first."
}

// Errors that Slack names.

// SlackOutside says that the app is not in the channel.
func SlackOutside(channel string) string {
	return "Slack does not let the app into the channel " + OneLine(channel) + ". Invite the app there: /invite."
}

// SlackNoChannel says that there is no such channel, or none that can be written to.
func SlackNoChannel(channel string) string {
	return "Slack has no open channel " + OneLine(channel) + " that the app can see. " +
		"Invite the app there, or put another channel's id into widen.channel."
}

// SlackScope says which rights the app's token lacks.
func SlackScope(scope string) string {
	scope = strings.TrimSpace(OneLine(scope))
	if scope == "" {
		scope = "chat:write, channels:read, channels:history and users:read"
	}
	return "The Slack app lacks a right. Add to it: " + scope + "; then install it again."
}

// SlackRefused says that Slack did not take a call. code is its own word.
func SlackRefused(code string) string {
	return "Slack did not take the call: " + OneLine(code) + ". Its documentation says what that means."
}

// SlackGarbled says that Slack's answer cannot be read.
const SlackGarbled = "Slack gave an answer that cannot be read. Something between here and Slack may have changed it."

// SlackBroken says that Slack itself is in trouble. code is its own word.
func SlackBroken(code string) string {
	return "Slack has a fault of its own (" + OneLine(code) + "). Try again later."
}

// SlackThreadGone says that the discussion is not there any more.
const SlackThreadGone = "The thread is not in the channel any more. Answer the question yourself, or defer it."

// Other reasons that keep a question from the team.
const (
	AskedElsewhere    = "Another choicetui is asking the team about this question now. Look again in a moment."
	PendingUnreadable = "A line of the list of parked questions cannot be read, and was left as it is"
)

// PendingBroken says which line of the list of parked questions is wrong, and why.
func PendingBroken(file string, line int, why error) string {
	return fmt.Sprintf("%s, line %d: %s: %s", OneLine(file), line, PendingUnreadable, OneLine(why.Error()))
}

// NotToldYet says that the team does not know of an outcome yet.
func NotToldYet(why string) string { return "Your team does not know of the decision yet. " + why }

// WithdrawnForTeam returns the rationale by which the team is told that a question went without an answer. status is
// how it ended and why may be empty.
func WithdrawnForTeam(status, why string) string {
	words := "The question ended without an answer (" + OneLine(status) + ")"
	if why = OneLine(why); why != "" {
		return words + ": " + why
	}
	return words + "."
}

// LostForTeam is the rationale by which the team is told that a question is not in the queue any more.
const LostForTeam = "The question is no longer in the queue."

// TeamChanged says that a decision was asked for in a way that is not the one of the settings any more.
func TeamChanged(way string) string {
	return "It was asked with widen.backend " + OneLine(way) + ". Set that again until your team was told."
}
