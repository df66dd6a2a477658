package cli

import (
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/portal/client"
	"github.com/choicetui/choicetui/queue"
)

func TestAnAgentWithoutANameIsGivenALinkToItsQuestionAloneToo(t *testing.T) {
	var asked client.Request
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = json.NewDecoder(r.Body).Decode(&asked)
		_, _ = w.Write([]byte(`{"url":"u","bare":"b"}`))
	}))
	defer s.Close()
	path := filepath.Join(t.TempDir(), "portal.json")
	at := s.Listener.Addr().(*net.TCPAddr)
	require.NoError(t, client.Place{PID: os.Getpid(), Port: at.Port, Control: "x"}.Write(path))
	p := pages{portal: client.Portal{Path: path}}
	for _, name := range []string{"", "claude-code"} {
		_, err := p.ofAgent(t.Context(), queue.Session{ID: "k7f3m2qx", Origin: queue.Origin{Client: name}}, false)
		require.NoError(t, err)
		require.Equal(t, "k7f3m2qx", asked.Session)
		require.NotEmpty(t, asked.Given, "a link that is given to nobody opens everything")
	}
}
