package claude

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/choicetui/choicetui/mcpbridge/wire"
)

// calls reads from Claude's transcript which calls of a tool were made, and how they ended. Claude writes its lines up
// to a second late, so when a hook starts, the result of the call before and the very call that is asked about may be
// missing. The times in the lines are right, however late they are written.
type calls struct {
	transcript prompt.Tail
	wanted     func(tool string, input any) bool // whether a prompt may be about this call
	read       bool                              // the transcript was read once

	made []madeCall // those that are wanted, in the order of the transcript
	ends map[string]callEnd
}

// madeCall is a call in a transcript.
type madeCall struct {
	id string
	at time.Time // zero: its line has no time
}

// callEnd says how a call in a transcript ended, or how the permission for it was decided.
type callEnd struct {
	at   time.Time
	how  prompt.Sign
	text string // the result: of a call that was denied, the words for the agent
	// denied means that a hook denied the call.
	denied bool
	// decided means that the line says who decided. Older versions of Claude do not.
	decided bool
}

// refusedThere begins the result of a call that the person refused in Claude, or interrupted.
const refusedThere = "The user doesn't want to proceed with this tool use."

// tookDecision is the type of the line in which Claude says that it has taken a hook's decision on a permission. Claude
// 2.1.332 writes it only together with the result of the call.
const tookDecision = "hook_permission_decision"

// transcriptPart holds a call in a transcript, or the result of one.
type transcriptPart struct {
	Type    string          `json:"type"`
	ID      string          `json:"id"`
	Name    string          `json:"name"`
	Input   any             `json:"input"`
	CallID  string          `json:"tool_use_id"` // of a result: the id of its call
	Content json.RawMessage `json:"content"`
}

// transcriptLine holds the members of a transcript's line that tell about calls.
type transcriptLine struct {
	Type       string
	Timestamp  string
	Message    struct{ Content json.RawMessage }
	Attachment struct{ Type, ToolUseID, Decision string }
	Decision   struct{ Decision, Source string } `json:"permissionDecision"`
	Denial     string                            `json:"toolDenialKind"`
}

// readNew reads the lines that were added to the transcript since the last call. began is the time before which a line
// without a time counts, if it was there at the first read.
func (c *calls) readNew(began time.Time) {
	lines, _ := c.transcript.Lines() // without a transcript there are no calls
	for _, line := range lines {
		var said transcriptLine
		if json.Unmarshal(line, &said) != nil {
			continue
		}
		at, _ := time.Parse(time.RFC3339, said.Timestamp)
		ended := at
		switch {
		case !at.IsZero():
		case c.read:
			ended = time.Now()
		default:
			ended = began.Add(-time.Millisecond)
		}
		c.takeLine(said, at, ended)
	}
	c.read = true
}

// takeLine records a call, the result of one, or a hook's decision. Other lines are ignored. at is the time of the
// line, ended the time at which the line lets a call end.
func (c *calls) takeLine(said transcriptLine, at, ended time.Time) {
	if said.Type == "attachment" && said.Attachment.Type == tookDecision {
		c.end(said.Attachment.ToolUseID, callEnd{at: ended, how: prompt.SignByHook, decided: true,
			denied: said.Attachment.Decision == "deny"})
		return
	}
	fromAgent, toAgent := said.Type == "assistant", said.Type == "user"
	if !fromAgent && !toAgent {
		return
	}
	var parts []transcriptPart
	if json.Unmarshal(said.Message.Content, &parts) != nil {
		return // the content is a text, so it has no calls
	}
	for _, p := range parts {
		switch {
		case fromAgent && p.Type == "tool_use" && c.wanted(p.Name, p.Input):
			if !slices.ContainsFunc(c.made, func(m madeCall) bool { return m.id == p.ID }) {
				c.made = append(c.made, madeCall{p.ID, at})
			}
		case toAgent && p.Type == "tool_result":
			text, _ := wire.ReadText(p.Content)
			how, decided := said.ending(text)
			c.end(p.CallID, callEnd{at: ended, how: how, text: text, decided: decided,
				denied: how == prompt.SignByHook && said.Decision.Decision == "reject"})
		}
	}
}

// end records the end of a call. The time of a call that has ended before stays: it is the time of the decision.
func (c *calls) end(id string, e callEnd) {
	if was, over := c.ends[id]; over {
		e.at = was.at
		if was.how == prompt.SignByHook {
			e.how, e.decided, e.denied = was.how, true, was.denied
		}
	}
	c.ends[id] = e
}

// ending tells from the result of a call how its permission was decided. decided is false if the line does not say it.
func (l transcriptLine) ending(text string) (how prompt.Sign, decided bool) {
	switch l.Decision.Source {
	case "hook":
		return prompt.SignByHook, true
	case "user_temporary", "user_permanent":
		return prompt.SignAnswered, true
	case "user_reject", "user_abort":
		return prompt.SignEnded, true
	case "":
		if strings.HasPrefix(text, refusedThere) || l.Denial == "user-rejected" || l.Denial == "interrupted" {
			return prompt.SignEnded, true
		}
		return prompt.SignAnswered, false
	}
	return prompt.SignByAgent, true // its own rules, as in `claude -p`, where nobody is asked
}

// callsAgree is how much later than the start of its hook the line of a call may be timed: the start is known to about
// 10 ms.
const callsAgree = 20 * time.Millisecond

// since returns the calls that a hook may be about which Claude has started at this time. Calls that Claude has made
// later and calls that were over before are left out.
func (c *calls) since(began time.Time) (may []madeCall) {
	for _, m := range c.made {
		if m.at.After(began.Add(callsAgree)) || c.overBefore(m.id, began) {
			continue
		}
		may = append(may, m)
	}
	return may
}

// overBefore reports whether a call was over before a time.
func (c *calls) overBefore(id string, t time.Time) bool {
	e, over := c.ends[id]
	return over && e.at.Before(t)
}

// isOver reports whether a call is over.
func (c *calls) isOver(m madeCall) bool { _, over := c.ends[m.id]; return over }

// endedBetween reports whether one of the calls has ended after from and before to.
func (c *calls) endedBetween(from, to time.Time) bool {
	return slices.ContainsFunc(c.made, func(m madeCall) bool {
		e, over := c.ends[m.id]
		return over && e.at.After(from) && e.at.Before(to)
	})
}
