package cli

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPassCopiesEverythingButTheQuestionHoweverItArrives(t *testing.T) {
	question := `{"type":"user_choice","question":"q","options":["x"]}`
	for in, want := range map[string]string{
		"a\n```json\n" + question + "\n```\nb\n":              "a\n\nb\n",
		"a " + question + " b":                                "a \n",
		"code {not json} and `ticks` and ```go\nx\n``` end\n": "code {not json} and `ticks` and ```go\nx\n``` end\n",
		"```json\n{\"a\":1}\n```\nthen\n" + question:          "```json\n{\"a\":1}\n```\nthen\n",
		"{\"type\": \"other\"} stays\n":                       "{\"type\": \"other\"} stays\n",
		"{\"typo\": 1}\n":                                     "{\"typo\": 1}\n",
	} {
		for name, r := range map[string]io.Reader{
			"at once": strings.NewReader(in), "byte by byte": iotest.OneByteReader(strings.NewReader(in)),
		} {
			var out bytes.Buffer
			_, err := io.ReadAll(newPasser(r, &out))
			require.NoError(t, err)
			assert.Equal(t, want, out.String(), "%s: %q", name, in)
		}
	}
}

func TestPassHoldsBackNoMoreThanIsNeeded(t *testing.T) {
	r, w := io.Pipe()
	var out bytes.Buffer
	p := newPasser(r, &out)
	go func() {
		_, _ = w.Write([]byte("some text {\"ty"))
		_, _ = w.Write([]byte("po\": 1} more"))
		_ = w.Close()
	}()
	buf := make([]byte, 64)
	_, err := p.Read(buf)
	require.NoError(t, err)
	assert.Equal(t, "some text ", out.String())
	_, err = p.Read(buf)
	require.NoError(t, err)
	assert.Equal(t, "some text {\"typo\": 1} more", out.String())
}
