package cli

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
)

func TestReadHookInput_ActsOnTheFirstObject(t *testing.T) {
	t.Parallel()
	in, out := io.Pipe() // it is never closed
	go func() {
		for _, piece := range []string{" {\"a\": \"}", "\", \"b\": {}", "}", "\n{\"c\": 1}"} {
			if _, err := out.Write([]byte(piece)); err != nil {
				return
			}
		}
	}()
	raw, err := readHookInput(t.Context(), in)
	require.NoError(t, err)
	require.Equal(t, ` {"a": "}", "b": {}}`, string(raw))
	_ = in.Close()
}

func TestReadHookInput_SaysWhyThereIsNoObject(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]error{"": errNoInput, " \n": errNoInput, `{"a": `: errHalfObject, "[1]": errNotObject,
		"no": errNotObject, "\ufeff\n{\"a\":1": errHalfObject} {
		_, err := readHookInput(t.Context(), strings.NewReader(text))
		require.ErrorIs(t, err, want, text)
	}
	raw, err := readHookInput(t.Context(), strings.NewReader(`{"a":"`+strings.Repeat("x", prompt.MaxWhole+5)))
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(raw), prompt.MaxWhole)
	require.Less(t, len(raw), prompt.MaxWhole+1<<20, "no more than that is kept")
}

// slowReader gives one byte after the other, each after a pause.
type slowReader struct {
	rest  string
	pause time.Duration
}

func (r *slowReader) Read(into []byte) (int, error) {
	if r.rest == "" {
		select {} // the writer keeps its end open
	}
	time.Sleep(r.pause)
	n := copy(into, r.rest[:1])
	r.rest = r.rest[n:]
	return n, nil
}

func TestReadHookInput_WaitsForASlowWriterAndNotForASilentOne(t *testing.T) {
	t.Parallel()
	raw, err := readHookInput(t.Context(), &slowReader{`{"a": "slowly"}`, 50 * time.Millisecond})
	require.NoError(t, err)
	require.Equal(t, `{"a": "slowly"}`, string(raw))
	_, err = readHookInput(t.Context(), &slowReader{`{"a": "si`, time.Millisecond})
	require.ErrorIs(t, err, errStalled)
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(prompt.ErrGone)
	_, err = readHookInput(ctx, &slowReader{"", 0})
	require.ErrorIs(t, err, prompt.ErrGone)
}
