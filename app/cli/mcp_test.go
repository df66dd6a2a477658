package cli

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/adrg/xdg"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/mcpbridge/call"
	mcphttp "github.com/choicetui/choicetui/mcpbridge/http"
)

func TestAttachCommandCanBePastedIntoAnyShell(t *testing.T) {
	t.Cleanup(xdg.Reload) // runs after the variables are restored
	home := t.TempDir()
	for name, value := range map[string]string{"HOME": home, "XDG_STATE_HOME": "", "XDG_CONFIG_HOME": ""} {
		t.Setenv(name, value)
	}
	xdg.Reload()
	t.Setenv("CHOICETUI_QUEUE", "")
	t.Setenv("PATH", "/nowhere")
	r := mcpRun{sh: &shell{}}

	assert.Regexp(t, `^\S+ attach k7f3m2qx$`, r.attachLine("k7f3m2qx"))
	assert.True(t, filepath.IsAbs(r.attachLine("k7f3m2qx")), "not in PATH: the program's own place")

	t.Setenv("CHOICETUI_QUEUE", filepath.Join(xdg.StateHome, "choicetui", "queue"))
	assert.NotContains(t, r.attachLine("k7f3m2qx"), "--queue", "the usual place goes without saying")

	t.Setenv("CHOICETUI_QUEUE", "/my queue's")
	assert.Contains(t, r.attachLine("k7f3m2qx"), ` --queue '/my queue'\''s' attach k7f3m2qx`)

	t.Setenv("CHOICETUI_QUEUE", "")
	t.Setenv("XDG_STATE_HOME", "/state")
	xdg.Reload()
	assert.Contains(t, r.attachLine("k7f3m2qx"), " --queue /state/choicetui/queue attach k7f3m2qx",
		"whoever runs the line may not have the variable")
}

// heard is a stderr that a test can read while a command writes to it.
type heard struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (h *heard) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.b.Write(p)
}

func (h *heard) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.b.String()
}

func TestMCPOverHTTPServesWhoSendsThePrintedToken(t *testing.T) {
	t.Cleanup(xdg.Reload)
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	xdg.Reload()
	said := &heard{}
	sh := &shell{err: said, now: time.Now, queue: filepath.Join(t.TempDir(), "queue")}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- (&mcpRun{sh, httpFlags{address: "127.0.0.1:0"}}).serveHTTP(ctx) }()
	printed := regexp.MustCompile(`connect to (\S+)\n.*Bearer (\S+)\n`)
	require.Eventually(t, func() bool { return printed.MatchString(said.String()) }, 5*time.Second, time.Millisecond)
	m := printed.FindStringSubmatch(said.String())
	for token, want := range map[string]int{m[2]: http.StatusOK, "another": http.StatusUnauthorized} {
		body := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
			`"capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`
		r, err := http.NewRequest(http.MethodPost, m[1], strings.NewReader(body))
		require.NoError(t, err)
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Content-Type", "application/json")
		r.Close = true
		res, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		res.Body.Close()
		assert.Equal(t, want, res.StatusCode)
	}
	cancel()
	require.NoError(t, <-done)
	assert.NoDirExists(t, sh.queue, "nobody asked")
}

func TestTokenFileIsMadeOnceByManyAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "token")
	tokens := make([]string, 20)
	var all sync.WaitGroup
	for i := range tokens {
		all.Go(func() {
			var err error
			tokens[i], err = keptToken(path)
			assert.NoError(t, err)
		})
	}
	all.Wait()
	for _, token := range tokens {
		assert.Equal(t, tokens[0], token)
	}
	left, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	assert.Len(t, left, 1)
}

func TestThePrintedAddressIsServedWhateverIsListenedTo(t *testing.T) {
	for address, printed := range map[string]string{
		"127.0.0.1:0": "127.0.0.1", "localhost:0": "127.0.0.1", "0.0.0.0:0": "127.0.0.1", "[::]:0": "::1", "[::1]:0": "::1",
	} {
		l, name, err := listenAt(address)
		if err != nil && strings.Contains(address, "::") {
			t.Logf("no IPv6 here: %v", err)
			continue
		}
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan error, 1)
		b := call.NewBridge(call.Options{})
		go func() { done <- mcphttp.Serve(ctx, b, mcphttp.Options{Listener: l, Token: "t", Host: name}) }()
		at := reachableAddress(l.Addr().(*net.TCPAddr))
		host, _, err := net.SplitHostPort(at)
		require.NoError(t, err)
		assert.Contains(t, []string{printed, "::1"}, host, address) // localhost may be an IPv4 or an IPv6 address
		r, err := http.NewRequest(http.MethodGet, "http://"+at+mcphttp.Path, nil)
		require.NoError(t, err)
		r.Header.Set("Authorization", "Bearer t")
		r.Close = true
		res, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		res.Body.Close()
		assert.Equal(t, http.StatusMethodNotAllowed, res.StatusCode, "not refused as a foreign Host")
		if address == "0.0.0.0:0" {
			assert.Equal(t, "tcp4", network(l), "every IPv4 address is asked for, no IPv6")
		}
		cancel()
		<-done
	}
}

// network returns the network on which a listener accepts connections.
func network(l net.Listener) string {
	if l.Addr().(*net.TCPAddr).IP.To4() != nil {
		return "tcp4"
	}
	return "tcp6"
}
