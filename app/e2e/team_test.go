package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/widen/contractserver"
)

// withServer has a room's settings name a team's server, where two people have said something.
func withServer(t *testing.T) (*room, *contractserver.Server) {
	t.Helper()
	r, server := newRoom(t), contractserver.New()
	t.Cleanup(server.Close)
	server.Say("", "Alice Johnson", "We should definitely go with SQLite for this.")
	server.Say("", "Carol Lee", "Agreed: it is one file, and we have no server.")
	token := filepath.Join(r.dir, "token")
	require.NoError(t, os.WriteFile(token, []byte(contractserver.Token+"\n"), 0o600))
	dir := filepath.Join(r.dir, "config", "choicetui")
	require.NoError(t, os.MkdirAll(dir, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "config.json"), fmt.Appendf(nil,
		`{"widen": {"backend": "http", "base_url": %q, "token_file": %q}}`, server.URL, token), 0o600))
	return r, server
}

// tool calls another tool than provide_choice and waits for what it says.
func (a *agent) tool(name string, args object) answer {
	a.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	req := mcp.CallToolRequest{}
	req.Params.Name, req.Params.Arguments = name, args
	result, err := a.client.CallTool(ctx, req)
	require.NoError(a, err)
	return read(a, result)
}

// asksTeam has the person begin to ask the team, and see what they will read: meanwhile says what they do until then.
func (p *pane) asksTeam(meanwhile string) {
	p.Helper()
	p.meet("Which database?", "w ask the team")
	p.opens("w", "■ Alice Johnson", "■ Dana Park", "Next: Message")
	p.press("Enter")
	p.meet("What do they read?", "1. PostgreSQL", "Next: Meanwhile")
	p.toSend(meanwhile)
}

// toSend continues with what the person does until they reply, and has them choose that. Enter asks the team then.
func (p *pane) toSend(meanwhile string) {
	p.Helper()
	p.press("Enter")
	p.meet("⏎ Ask the team")
	p.press(meanwhile)
	p.meet(meanwhile+" ●", "4: Alice Johnson")
	time.Sleep(paused)
}

// fetches has the person fetch what the team said.
func (p *pane) fetches() {
	p.Helper()
	p.press("f")
	p.meet("Get what the team said")
	p.press("Enter")
}

// acceptsSummary has the agent sum up the discussion, and the person accept the answer that it proposes, SQLite.
func (p *pane) acceptsSummary(a *agent, session any) {
	p.Helper()
	a.tool("submit_summary", object{"session_id": session, "candidate_summary": "Both want SQLite.",
		"candidate_answer": "SQLite", "source_hint": "slack_extraction"})
	p.meet("Both want SQLite.", "Proposed answer", "1 ○ Accept")
	p.press("1")
	p.see("⏎ Accept “SQLite”")
	time.Sleep(paused)
	p.press("Enter")
	p.see("nothing is waiting")
}

func TestAQuestionGoesToTheTeamAndItsCandidateIsAccepted(t *testing.T) {
	t.Parallel()
	r, server := withServer(t)
	d := r.tmux().dashboard(110, 34)
	a := r.connect("claude-code")
	c := a.ask(which())
	d.asksTeam("1")
	d.press("Enter")
	d.meet("With the team since", "clock paused", "and tell the team")
	d.fetches()

	asked := c.answer()
	request, ok := asked.structured["summarization_request"].(object)
	require.True(t, ok, asked.text)
	require.Contains(t, asked.text, "We should definitely go with SQLite")
	d.see("The agent sums the discussion up.")
	d.acceptsSummary(a, request["session_id"])

	got := a.tool("poll_selection", object{"session_id": request["session_id"]})
	assert.Equal(t, "selected", got.status(), got.text)
	assert.Equal(t, []any{"sqlite"}, got.selection()["selected_ids"])
	assert.Contains(t, got.text, "Both want SQLite.")
	until(t, "the team is told", func() bool { return len(server.Requests(contractserver.Resolve)) == 1 })
	told := string(server.Requests(contractserver.Resolve)[0].Body)
	assert.Contains(t, told, `"final_answer":"SQLite"`)
	assert.Contains(t, told, `"source":"slack_extraction"`)
	assert.Len(t, server.Requests(contractserver.Widen), 1)
}

func TestAParkedQuestionIsEditedAndResolved(t *testing.T) {
	t.Parallel()
	r, server := withServer(t)
	editor := filepath.Join(r.work, "editor")
	require.NoError(t, os.WriteFile(editor, []byte("#!/bin/sh\necho 'MariaDB, as we run it already' > \"$1\"\n"), 0o700))
	r.env = append(r.env, "EDITOR="+editor)
	d := r.tmux().dashboard(110, 34)
	a := r.connect("claude-code")
	question := which()
	question["selection_mode"] = "hybrid"
	question["max_selections"] = 1
	c := a.ask(question)
	d.asksTeam("2")
	d.press("Enter")
	d.meet("With the team since", "you don't have to wait")
	d.see("chat to shop") // it keeps no chat closed

	d.fetches()
	request := c.answer().structured["summarization_request"].(object)
	a.tool("submit_summary", object{"session_id": request["session_id"], "candidate_summary": "Both want SQLite.",
		"candidate_answer": "SQLite", "source_hint": "slack_extraction"})
	d.meet("Both want SQLite.", "2 ○ Edit the answer")
	d.press("2")
	time.Sleep(paused)
	d.press("Enter")
	d.meet("Your answer to", "SQLite")
	d.press("C-g")
	d.meet("MariaDB, as we run it already", "⏎ Send “")
	d.press("Enter")
	d.meet("Why do you decide otherwise than the team?")
	d.opens("t", "▸t")
	d.write("no second database")
	d.see("no second database")
	d.press("Enter")
	d.see("nothing is waiting")

	got := a.tool("poll_selection", object{"session_id": request["session_id"]})
	assert.Equal(t, "custom_input", got.status(), got.text)
	until(t, "the team is told", func() bool { return len(server.Requests(contractserver.Resolve)) == 1 })
	told := string(server.Requests(contractserver.Resolve)[0].Body)
	assert.Contains(t, told, `"source":"mission_owner_override"`)
	assert.Contains(t, told, `"rationale":"no second database"`)
	assert.NoDirExists(t, filepath.Join(r.dir, "state", "choicetui", "widen"), "all of it is in the queue")
}
