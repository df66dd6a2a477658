package panes

import (
	"errors"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

// teamReasons are the words for why nothing about the team is done.
var teamReasons = []struct {
	err   error
	words string
}{
	{desk.ErrNoTeam, say.TeamNone}, {desk.ErrTeamUnknown, say.TeamSought}, {desk.ErrAsking, say.TeamBeingAsked},
	{desk.ErrNotWithTeam, say.TeamUnasked},
	{desk.ErrOver, say.NothingToEnd}, {desk.ErrNoReason, say.TeamReason}, {desk.ErrNobodyNamed, say.TeamNobody},
	{desk.ErrSending, say.BeingSent(say.FaceScreen)}, {queue.ErrNotDeferred, say.TeamUnasked},
}

// TeamWhyNot says why the desk does nothing about the team; empty: it does.
func TeamWhyNot(err error) string {
	if err == nil {
		return ""
	}
	if words := teamReason(err); words != "" {
		return words
	}
	return say.TeamFailed(err)
}

// TeamLong reports whether these words come from a way to the team, which may say more than a notice holds.
func TeamLong(err error) bool { return err != nil && teamReason(err) == "" }

// teamReason returns the words of one of teamReasons; empty: the error is not among them.
func teamReason(err error) string {
	for _, r := range teamReasons {
		if errors.Is(err, r.err) {
			return r.words
		}
	}
	return ""
}
