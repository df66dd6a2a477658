package tmux

import (
	"context"
	"encoding/base64"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"
)

func TestACopyIsInTmuxsBufferToTheLastByte(t *testing.T) {
	server(t)
	for _, text := range []string{"PostgreSQL", "-w; kill-server\n\ttwo é 日本 #{pane_id} $(id)", strings.Repeat("long ", 50_000)} {
		asked, err := Copy(t.Context(), text)
		require.NoError(t, err)
		require.False(t, asked, "nobody looks at it: there is no terminal to ask")
		got, err := runTmux(t.Context(), "show-buffer")
		require.NoError(t, err)
		require.Equal(t, text, got)
	}
}

func TestATerminalThatHasAClipboardIsAskedAndOneThatHasNoneIsNot(t *testing.T) {
	server(t)
	for name, c := range map[string]struct {
		term  string
		asked bool
	}{"clipboard": {"xterm-256color", true}, "none": {"vt100", false}} {
		t.Run(name, func(t *testing.T) {
			heard := attach(t, c.term)
			eventually(t, "it is attached", func() bool {
				list, _ := runTmux(t.Context(), "list-clients")
				return strings.Contains(list, c.term)
			})
			asked, err := Copy(t.Context(), "PostgreSQL")
			require.NoError(t, err)
			require.Equal(t, c.asked, asked)
			if c.asked {
				want := base64.StdEncoding.EncodeToString([]byte("PostgreSQL"))
				eventually(t, "the terminal hears of it", func() bool { return strings.Contains(heard(), want) })
			}
			got, err := runTmux(t.Context(), "show-buffer")
			require.NoError(t, err)
			require.Equal(t, "PostgreSQL", got)
		})
	}
}

// attach shows the session in a terminal of a kind until the test ends; heard is the output of tmux to it.
func attach(t *testing.T, kind string) (heard func() string) {
	t.Helper()
	heard, _ = attachTyping(t, kind)
	return heard
}

// attachTyping does the same as attach, in a terminal that also sends input.
func attachTyping(t *testing.T, kind string) (heard func() string, says func(string)) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, "tmux", "-S", strings.Split(os.Getenv("TMUX"), ",")[0], "attach", "-t", "work")
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "TMUX=") && !strings.HasPrefix(v, "TERM=") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, "TERM="+kind)
	f, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 40, Cols: 120})
	require.NoError(t, err)
	var mu sync.Mutex
	var all strings.Builder
	read := make(chan struct{})
	go func() {
		defer close(read)
		part := make([]byte, 4096)
		for {
			n, err := f.Read(part)
			mu.Lock()
			all.Write(part[:n])
			mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		cancel()
		_ = cmd.Wait()
		f.Close()
		<-read
	})
	heard = func() string {
		mu.Lock()
		defer mu.Unlock()
		return all.String()
	}
	return heard, func(text string) {
		_, err := f.WriteString(text)
		require.NoError(t, err)
	}
}
