package cli

import (
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"rsc.io/qr"

	"github.com/choicetui/choicetui/app/portal/client"
	"github.com/choicetui/choicetui/queue"
)

func TestAQRCodeIsDrawnWholeInColoursThatNoThemeChanges(t *testing.T) {
	code, err := qr.Encode("https://home.example:8443/?t=DFj6uK1mXo0n8w_Yq3VbR5sT7tL2cZhA9gP4eQdNxkM", qr.L)
	require.NoError(t, err)
	rows := strings.Split(drawQR(code.Size, code.Black), "\n")
	require.LessOrEqual(t, len(rows), 22, "with the link below it fits a terminal of 24 rows")
	cells := regexp.MustCompile(`\x1b\[38;5;(16|231);48;5;(16|231)m|▀`)
	for y, row := range rows {
		var upper, lower string
		x := -quietModules
		for _, found := range cells.FindAllStringSubmatch(row, -1) {
			if found[1] != "" {
				upper, lower = found[1], found[2]
				continue
			}
			at := 2*y - quietModules
			require.Equal(t, code.Black(x, at), upper == "16", "%d,%d", x, at)
			require.Equal(t, code.Black(x, at+1), lower == "16", "%d,%d", x, at+1)
			x++
		}
		require.Equal(t, code.Size+quietModules, x)
		require.True(t, strings.HasSuffix(row, "\x1b[0m"), "the terminal's own colours come back")
	}
}

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
		_, err := p.linkForAgent(t.Context(), queue.Session{ID: "k7f3m2qx", Origin: queue.Origin{Client: name}})
		require.NoError(t, err)
		require.Equal(t, "k7f3m2qx", asked.Session)
		require.NotEmpty(t, asked.Given, "a link that is given to nobody opens everything")
	}
}
