package mcpbridge

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// A client whose reading end is closed is gone, although it keeps its writing end open.

func TestAClientThatReadsNoMoreIsGoneAtTheFirstFailedWrite(t *testing.T) {
	for name, fails := range map[string]error{"a pipe": &os.PathError{Op: "write", Path: "stdout", Err: syscall.EPIPE},
		"a pipe in a program": io.ErrClosedPipe} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, r *rig) {
				r.dashboard()
				r.start("opencode")
				r.call(1, single, `,"_meta":{"progressToken":"tok"}`)
				s := r.only()
				require.NotNil(t, s.Claim)
				r.out.mu.Lock()
				r.out.fail = fails
				r.out.mu.Unlock()
				time.Sleep(20 * time.Second) // the first progress fails
				synctest.Wait()
				s = r.get(s.ID)
				require.Nil(t, s.Claim)
				require.NotNil(t, s.DroppedAt, "nobody will poll for it")
				require.Nil(t, s.Outcome, "it can be answered for whoever asks the same again")
			})
		})
	}
}

// TestAClientThatReadsNoMoreIsGoneWithoutAWrite closes the client's end of a real pipe, socket and FIFO, between which
// nothing is written.
func TestAClientThatReadsNoMoreIsGoneWithoutAWrite(t *testing.T) {
	for name, connect := range map[string]func(t *testing.T) (client, bridge *os.File){
		"pipe": func(t *testing.T) (*os.File, *os.File) {
			client, bridge, err := os.Pipe()
			require.NoError(t, err)
			return client, bridge
		},
		"socket": func(t *testing.T) (*os.File, *os.File) {
			fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
			require.NoError(t, err)
			return os.NewFile(uintptr(fds[0]), "client"), os.NewFile(uintptr(fds[1]), "bridge")
		},
		"FIFO": func(t *testing.T) (*os.File, *os.File) {
			path := filepath.Join(t.TempDir(), "fifo")
			require.NoError(t, syscall.Mkfifo(path, 0o600))
			client, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
			require.NoError(t, err)
			bridge, err := os.OpenFile(path, os.O_WRONLY, 0)
			require.NoError(t, err)
			return client, bridge
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			client, bridge := connect(t)
			t.Cleanup(func() { _ = bridge.Close() })
			r.run(func(o *Options) { o.Out = bridge })
			t.Cleanup(func() { _ = r.in.Close() })
			r.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"mine","version":"9"}}}`)
			r.dashboard()
			r.ask(1, "")
			var id string
			require.Eventually(t, func() bool {
				live, _, err := r.store.Live(t.Context())
				if err == nil && len(live) == 1 {
					id = live[0].ID
				}
				return id != ""
			}, 20*time.Second, time.Millisecond)
			select {
			case err := <-r.done:
				require.Fail(t, "the bridge ended although its client reads", "%v", err)
			default:
			}
			require.NoError(t, client.Close())
			require.NoError(t, <-r.done)
			s, err := r.store.Get(t.Context(), id)
			require.NoError(t, err)
			require.Nil(t, s.Claim)
			require.NotNil(t, s.DroppedAt)
		})
	}
}
