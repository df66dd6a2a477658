package cli

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// deferred returns a question that the person put off after they asked their team.
func deferred() queue.Session {
	return queue.Session{ID: "k7f3m2qx", Ask: queue.Ask{Kind: queue.KindChoice, Title: "Store"},
		Outcome: &queue.Outcome{Status: queue.StatusDeferred, By: queue.ByHuman, Reason: "the audit comes first"}}
}

func TestADeferredQuestionHasTheExitCodeOfACancelledOne(t *testing.T) {
	var out bytes.Buffer
	sh := &shell{out: &out, err: &out, now: time.Now}
	var f *failure
	require.ErrorAs(t, (&askRun{sh: sh}).print(deferred()), &f)
	require.Equal(t, exitCancelled, f.code)
	require.Equal(t, "deferred: the audit comes first", f.say)
	require.Empty(t, out.String(), "what the model would read is empty")
	require.ErrorAs(t, (&attachRun{sh: sh}).print(deferred()), &f)
	require.Equal(t, exitCancelled, f.code)
	require.Equal(t, "deferred: the audit comes first\n", out.String())
}
