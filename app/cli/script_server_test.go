package cli

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"
)

// onAServer are the scripts that expect no file of the queue's, and nobody's name.
var onAServer = []string{"approval", "ask", "complete", "dialects", "elsewhere", "list", "mcp", "mcp_http", "narrowed",
	"rules"}

// TestScriptsOnAServer runs the scripts about commands on a queue that lies on a server: nothing of them may know where
// it is.
func TestScriptsOnAServer(t *testing.T) {
	p := scripts(func(e *testscript.Env) error {
		address, err := startServer(e)
		e.Setenv("QUEUE", address)
		e.Setenv("CHOICETUI_QUEUE", address)
		return err
	})
	for _, name := range onAServer {
		p.Files = append(p.Files, filepath.Join("..", "..", "testdata", "script", name+".txtar"))
	}
	own, err := filepath.Glob(filepath.Join("..", "..", "testdata", "script", "server", "*.txtar"))
	require.NoError(t, err)
	require.NotEmpty(t, own)
	p.Files = append(p.Files, own...)
	testscript.Run(t, p)
}

// startServer starts a server for one script.
func startServer(e *testscript.Env) (address string, err error) {
	n, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true,
		StoreDir: filepath.Join(e.WorkDir, "nats"), NoSigs: true, NoLog: true})
	if err != nil {
		return "", err
	}
	n.Start()
	e.Defer(n.Shutdown)
	if !n.ReadyForConnections(10 * time.Second) {
		return "", context.DeadlineExceeded
	}
	return n.ClientURL(), nil
}
