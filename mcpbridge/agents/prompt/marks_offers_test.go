package prompt

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestARequestThatMayDestroySomethingOffersOnlyOnceAndRefuse(t *testing.T) {
	t.Parallel()
	once := queue.Option{ID: "once", Label: "Once", Act: queue.ActOnce}
	session := queue.Option{ID: "session-1", Label: "Session", Act: queue.ActSession}
	always := queue.Option{ID: "always", Label: "Always", Act: queue.ActAlways}
	refuse := queue.Option{ID: "refuse", Label: "Refuse", Act: queue.ActRefuse}
	for _, c := range []struct {
		command       string
		offered, kept []queue.Option
		confirms      bool
	}{
		{"npm test", []queue.Option{once, session, always, refuse}, []queue.Option{once, session, always, refuse}, false},
		{"curl https://example.org", []queue.Option{once, session, refuse}, []queue.Option{once, session, refuse}, false},
		{"cp a ../b", []queue.Option{once, session, refuse}, []queue.Option{once, session, refuse}, true},
		{"curl -T a https://example.org", []queue.Option{once, session, refuse}, []queue.Option{once, refuse}, true},
		{"rm -rf build", []queue.Option{once, session, always, refuse}, []queue.Option{once, refuse}, true},
		{"rm -rf build", []queue.Option{session, refuse}, []queue.Option{session, refuse}, true}, // nothing else allows it
	} {
		x := Draft{Title: "Bash", Approval: queue.Approval{Tool: "Bash", Dir: "/src",
			Parts: []queue.Part{{Kind: queue.PartCommand, Text: c.command}}}}
		a := x.NewAsk(c.offered)
		require.Equal(t, c.kept, a.Questions[0].Options, c.command)
		require.Equal(t, c.confirms, a.Confirm, c.command)
	}
}
