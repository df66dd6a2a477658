package say

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/choicetui/choicetui/queue"
)

// A newer program on the same queue may end a question in a way that this one does not know.
func TestAnEndingThatThisProgramDoesNotKnowIsToldByItsNameAndNeverAsAnAnswer(t *testing.T) {
	at := time.Date(2026, 11, 20, 14, 2, 0, 0, time.Local)
	o := queue.Outcome{Status: "handed_over", By: queue.ByHuman, Surface: queue.SurfaceWeb, Reason: "to\x1b[31m legal", At: at}
	s := queue.Session{Ask: queue.Ask{Title: "Ship it?"}, AskedAt: at, Outcome: &o,
		Events: []queue.Event{{Kind: queue.EventSettled, By: o.By, Surface: o.Surface, At: at}}}

	over := OverOf(s, FaceScreen)
	long, short := EndedAt(o)
	label, words := Trail{Session: s, Face: faceHistory}.Event(s.Events[0])
	for place, said := range map[string]string{
		"over": over.Head + over.What, "rule": long, "short rule": short, "trail": label + words, "line": ending(s),
		"sent": SentLine(s, "claude"), "already": AlreadyEnded(s), "summary": s.Summary(), "last": lastLost(s).Lost,
		"result": Result(s),
	} {
		assert.Contains(t, Capital(said), "anded over", place)
		assert.NotContains(t, said, "nswered", place)
		assert.NotContains(t, said, "\x1b", place)
	}
}
