package queue_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestOnlyTheCancelOfAClientThatLivesOnCallsAQuestionOff(t *testing.T) {
	t.Parallel()
	cancelled := func(by, reason string) queue.Outcome {
		return queue.Outcome{Status: queue.StatusCancelled, By: by, Surface: queue.SurfaceClient, Reason: reason}
	}
	tool := queue.Origin{Client: "qwen-code", Dialect: "provide_choice", CallID: "7"}
	for name, c := range map[string]struct {
		from    queue.Origin
		outcome queue.Outcome
		want    bool
	}{
		"Esc in the agent":                       {tool, cancelled(queue.ByCaller, "user cancelled"), true},
		"a client that gives no reason":          {tool, cancelled(queue.ByCaller, ""), true},
		"a client that lost patience":            {tool, cancelled(queue.ByCaller, "MCP error -32001: Request timed out"), false},
		"its process is gone":                    {tool, cancelled(queue.ByCaller, queue.CallerGone), false},
		"its stream was closed":                  {tool, cancelled(queue.ByCaller, queue.CallEnded), false},
		"the person, here":                       {tool, cancelled(queue.ByHuman, "no"), false},
		"the clock":                              {tool, queue.Outcome{Status: queue.StatusTimeout, By: queue.ByClock}, false},
		"a script that was ended":                {queue.Origin{Client: queue.ClientAsk}, cancelled(queue.ByCaller, "ended"), false},
		"what an agent asks by itself":           {queue.Origin{Source: "claude:1/2"}, cancelled(queue.ByCaller, "left to the agent"), false},
		"it went on in another queue":            {tool, queue.Outcome{Status: queue.StatusCancelled, By: queue.ByCaller, ReasonCode: queue.ReasonMoved}, false},
		"an interview whose mission was changed": {queue.Origin{Dialect: queue.DialectInterview}, cancelled(queue.ByCaller, "changed"), false},
	} {
		s := queue.Session{Origin: c.from, Outcome: &c.outcome}
		require.Equal(t, c.want, s.CalledOff(), name)
	}
	require.False(t, queue.Session{Origin: tool}.CalledOff(), "it is pending")
}
