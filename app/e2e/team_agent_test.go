package e2e

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// overHTTP is a client of `choicetui mcp --http`, which it starts.
func (r *room) overHTTP(name string) *client.Client {
	r.Helper()
	token := filepath.Join(r.dir, "token")
	server := r.start("mcp", "--http", "127.0.0.1:0", "--token-file", token)
	address := regexp.MustCompile(`agents connect to (http://\S+)`)
	require.Eventually(r, func() bool { return address.MatchString(server.err.String()) }, patience, 10*time.Millisecond)
	secret, err := os.ReadFile(token)
	require.NoError(r, err)
	c, err := client.NewStreamableHttpClient(address.FindStringSubmatch(server.err.String())[1],
		transport.WithHTTPHeaders(map[string]string{"Authorization": "Bearer " + strings.TrimSpace(string(secret))}))
	require.NoError(r, err)
	r.Cleanup(func() { _ = c.Close() })
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	require.NoError(r, c.Start(ctx))
	hello := mcp.InitializeRequest{}
	hello.Params.ProtocolVersion = mcp.LATEST_PROTOCOL_VERSION
	hello.Params.ClientInfo = mcp.Implementation{Name: name, Version: "1"}
	_, err = c.Initialize(ctx, hello)
	require.NoError(r, err)
	return c
}

// TestAnAgentSumsUpWhatTheTeamSaid with real clients over both transports: asked, with the team, summed up, decided.
func TestAnAgentSumsUpWhatTheTeamSaid(t *testing.T) {
	t.Parallel()
	for name, connect := range map[string]func(*room) *client.Client{
		"stdio": func(r *room) *client.Client { return r.connect("claude-code").client },
		"http":  func(r *room) *client.Client { return r.overHTTP("claude-code") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRoom(t)
			q := queue.New(r.store())
			release, err := q.Store.Announce(t.Context(), queue.Presence{Instance: "person", Role: queue.RoleDashboard})
			require.NoError(t, err)
			defer func() { _ = release() }()
			c := connect(r)
			called := func(tool string, args object) answer {
				ctx, cancel := context.WithTimeout(t.Context(), patience)
				defer cancel()
				req := mcp.CallToolRequest{}
				req.Params.Name, req.Params.Arguments = tool, args
				result, err := c.CallTool(ctx, req)
				require.NoError(t, err)
				got := read(t, result)
				require.False(t, result.IsError, got.text)
				return got
			}
			does := func(id string, do queue.Action) queue.Session {
				s, err := q.Do(t.Context(), id, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceDashboard, Do: do})
				require.NoError(t, err)
				return s
			}
			asked := make(chan answer, 1)
			go func() { asked <- called("provide_choice", which()) }()
			require.Eventually(t, func() bool { return len(r.list()) == 1 }, patience, 20*time.Millisecond)
			id := r.only().ID
			does(id, queue.Widen{Widened: queue.Widened{Decision: "01KPXFGJ3T7Q2M9V5B8D0C4N6R", Mission: "shop",
				QuestionID: "q", Team: []queue.Member{{Name: "Alice Johnson"}}}})
			does(id, queue.AskSummary{ID: "r1", Block: "╔══╗\n║  WIDEN SUMMARIZATION REQUEST  ║\n╚══╝"})
			got := <-asked
			require.Contains(t, got.text, "╔══╗\n║  WIDEN SUMMARIZATION REQUEST  ║\n╚══╝")
			require.Equal(t, id, got.structured["summarization_request"].(object)["session_id"])

			given := called("submit_summary", object{"session_id": id, "candidate_summary": "They want SQLite.",
				"candidate_answer": "SQLite", "source_hint": "slack_extraction"})
			require.Equal(t, "accepted", given.structured["status"])
			go func() { asked <- called("poll_selection", object{"session_id": id}) }()
			does(id, queue.Settle{Answer: queue.Answer{Replies: []queue.Reply{{Question: "choice", Selected: []string{"sqlite"}}}},
				Team: &queue.Resolution{Summary: queue.Summary{Text: "They want SQLite.", Source: queue.SourceTeam}}})
			got = <-asked
			require.Equal(t, "selected", got.status())
			require.Equal(t, "slack_extraction", got.structured["team"].(object)["summary_json"].(object)["source"])
			require.Eventually(t, func() bool { return len(r.list()) == 0 }, patience, 20*time.Millisecond)
		})
	}
}
