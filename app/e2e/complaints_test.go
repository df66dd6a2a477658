package e2e

// What people say of the tools they have for this, sorted by subject, and what shows each
// answered. The subtests of TestComplaints… are named after the complaint; these stand elsewhere already:
//
//	 2  the call died with the agent ............. TestAnotherBridgeGoesOnWithTheSameQuestion
//	    nobody was there when it asked ........... TestWithoutADashboardTheAgentIsHandedACommandThatWorks
//	    the form stayed after the agent had gone . TestADeadAgentIsShownAsGoneAndItsAnswerIsKept
//	 3  the form took the agent's focus .......... TestAttachWithoutATerminalOpensASplitInTmux
//	    type-ahead on a plain terminal ........... TestPlainTypeAheadOnATerminalAnswersNothing
//	 4  two places to answer, two answers ........ TestAnswersRacingFromTwoDashboardsGiveOneOutcome
//	 5  waiting for me is not visible ............ TestTheWindowIsFlaggedWhenAQuestionArrivesAndAgainBeforeItsEnd,
//	                                              TestTheTitleSaysHowManyWaitAndIsGivenBack, TestTheDesktopCommandGetsTheQuestion,
//	                                              TestALineGoesIntoTheAgentsPaneWhenItsQuestionsAreAnswered (tmux's status line)
//	 6  leaving the form counted as an answer .... TestAttachLeftWithQKeepsTheQuestion
//	 7  what I was typing was lost ............... TestANoteBeingTypedSurvivesKill9, …SurvivesTheEndOfTheDashboard,
//	                                              TestTwoDashboardsShowTheSameQueue (answered elsewhere meanwhile)
//	 9  lost on restart, late answers nowhere .... TestAnotherBridgePollsBySessionID, TestAnswerGivenWhileNoBridgeRanIsFetchedByID
//	11  no terminal, no tmux, a dumb one ......... TestAttachWithoutATerminalOutsideTmuxWaitsForTheAnswer, TestPlainAttachOnADumbTerminal
//	12  the keys of each mode .................... TestDemoIsPlayedThroughByKeyboard
//	15  CJK and emoji moved the rows ............. TestHostileTextIsShownAndMovesNothing, TestEmojiStayInTheirRowInTmux
//	also, an open local port ..................... mcpbridge/http TestHTTPNeedsAToken
//
// Not a terminal's: images (15). Not there yet: answers from a phone or a team's chat (11).

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/require"
)

// complaint is something people say of the tools they have, and what shows that it is answered here.
type complaint struct {
	says string
	show func(r *room)
}

// answered shows each in a room of its own.
func answered(t *testing.T, all ...complaint) {
	t.Parallel()
	for _, c := range all {
		t.Run(c.says, func(t *testing.T) {
			t.Parallel()
			c.show(newRoom(t))
		})
	}
}

// request is a tool call that is more than a plain provide_choice.
type request struct {
	tool   string
	args   object
	token  any    // progress is wanted under this name; nil: none is
	giving string // what the client says when the call is stopped; empty: that it is cancelled
}

// use makes the call and does not wait.
func (a *agent) use(q request) *call {
	a.Helper()
	ctx, stop := context.WithCancel(context.Background())
	if q.giving != "" {
		ctx = giveUp{ctx, q.giving}
	}
	c := &call{t: a, a: a, stop: stop, done: make(chan outcome, 1)}
	a.Cleanup(stop)
	req := mcp.CallToolRequest{}
	req.Params.Name, req.Params.Arguments = q.tool, q.args
	if q.token != nil {
		req.Params.Meta = &mcp.Meta{ProgressToken: q.token}
	}
	go func() {
		result, err := a.client.CallTool(ctx, req)
		c.done <- outcome{result, err, time.Now()}
	}()
	return c
}

// giveUp is a context whose end has a client's words: mcp-go sends them along.
type giveUp struct {
	context.Context
	reason string
}

// Err is why the context ended.
func (g giveUp) Err() error {
	if g.Context.Err() == nil {
		return nil
	}
	return errors.New(g.reason)
}

// waits checks that the call has no result.
func (c *call) waits() {
	c.t.Helper()
	select {
	case o := <-c.done:
		require.Failf(c.t, "the agent has a result", "%+v", o)
	default:
	}
}

// with is the question which with some fields changed; nil takes one away.
func with(fields object) object {
	ask := which()
	for name, value := range fields {
		if ask[name] = value; value == nil {
			delete(ask, name)
		}
	}
	return ask
}

// walk presses a key again and again, until these words are on the screen.
func (p *pane) walk(key, words string) {
	p.Helper()
	still := func(screen string) string { // but for the clock
		_, rest, _ := strings.Cut(screen, "\n")
		return rest
	}
	for screen := p.screen(); !strings.Contains(screen, words); {
		before := still(screen)
		p.press(key)
		screen = p.when("nearer to "+words, func(s string) bool { return still(s) != before })
	}
}
