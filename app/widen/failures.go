package widen

import (
	"fmt"
	"time"

	"github.com/choicetui/choicetui/panes/say"
)

// The functions here return reasons why the team cannot be asked, told or read. Each reason is a sentence about the
// fault and one about the remedy.

// NoTeam says that no way to the team is set.
const NoTeam = "Nothing is set up to ask your team. Choose a way: choicetui config set widen.backend http, or slack."

// SettingEmpty names a setting that is missing for the chosen way to the team.
func SettingEmpty(key string) string {
	return "The setting " + key + " is empty. Give it a value: choicetui config set " + key + " VALUE."
}

// In the reasons below, who names the team's server, or Slack.

// Unreachable says that nobody answers at the address.
func Unreachable(who string) string {
	return who + " cannot be reached. Check the network and the address, then try again."
}

// TooSlow says that the answer did not come in time.
func TooSlow(who string) string { return who + " did not answer in time. Try again." }

// TokenRefused says that the token was refused. file is the token's file.
func TokenRefused(who, file string) string {
	return who + " refused the token. " + PutToken(file)
}

// PutToken says where a token that is valid goes.
func PutToken(file string) string { return "Put a valid token into " + say.OneLine(file) + "." }

// NotAllowed says that the token is good, but not for this.
func NotAllowed(who string) string {
	return who + " does not allow this with your token. Ask whoever runs it for the right."
}

// TooManyCalls says that there were too many calls. after is the time to wait before the next one; zero: the server did
// not say.
func TooManyCalls(who string, after time.Duration) string {
	return who + " gets too many calls. " + TryIn(after)
}

// TryIn says when to try again; zero: it is not known.
func TryIn(after time.Duration) string {
	if after <= 0 {
		return "Try again in a minute."
	}
	return "Try again in " + say.Spoken(after.Round(time.Second), time.Hour) + "."
}

// TryLater says that the fault is on the other side.
const TryLater = "Try again later."

// ServerFault says that the server itself is in trouble.
func ServerFault(who string, status int) string {
	return fmt.Sprintf("%s reports an error (%d). ", who, status) + TryLater
}

// AnswerTooLong says that the answer is longer than the limit.
func AnswerTooLong(who string) string {
	return who + " gave an answer that is too long to read. Ask whoever runs it to send less."
}
