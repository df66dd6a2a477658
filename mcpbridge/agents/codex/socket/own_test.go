package socket

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnAppServerOfOursIsHeard(t *testing.T) {
	s := twoThreads()
	to := s.listen(t)
	c, err := DialOwn(soon(t), to.Socket)
	require.NoError(t, err)
	defer c.Close()
	require.Equal(t, os.Getpid(), c.Server())
	require.NoError(t, c.Write(soon(t), []byte(`{"id":7,"method":"thread/loaded/list","params":{}}`)))
	for {
		m, err := c.Next(soon(t))
		require.NoError(t, err)
		if m.Method == "" {
			require.Equal(t, "7", string(m.ID))
			require.JSONEq(t, `{"data":["t1","t2"],"nextCursor":null}`, string(m.Result))
			return
		}
	}
}

func TestOfALongResponseItsDirectoryIsKept(t *testing.T) {
	long := strings.Repeat("x", 70_000)
	for head, want := range map[string]string{
		`{"id":4,"result":{"thread":{"id":"t","a":{"cwd":"/no"},"cwd":"/src/a","turns":["` + long: `{"thread":{"cwd":"/src/a"}}`,
		`{"id":4,"result":{"thread":{"turns":["` + long:                                           `{}`,
		`{"id":4,"result":["` + long:                                                              `{}`,
	} {
		m, ok := cutResponse([]byte(head)[:min(len(head), headLength)])
		require.True(t, ok)
		require.Equal(t, "4", string(m.ID))
		require.JSONEq(t, want, string(m.Result))
	}
	_, ok := cutResponse([]byte(`{"method":"item/started","params":{"x":"` + long))
	require.False(t, ok)
}

func TestCutRequest_KeepsWhatItIsAbout(t *testing.T) {
	long := strings.Repeat("x", 70_000)
	for head, want := range map[string]string{
		`{"method":"m","id":4,"params":{"threadId":"t","itemId":"i","command":"` + long:           `{"threadId":"t","itemId":"i"}`,
		`{"id":4,"method":"m","params":{"command":"` + long:                                       `{}`,
		`{"method":"m","id":4,"params":["` + long:                                                 `{}`,
		`{"method":"m","id":4,"params":{"threadId":"t","questions":[{"a":"threadId","b":"` + long: `{"threadId":"t"}`,
	} {
		m, ok := cutRequest([]byte(head)[:headLength])
		require.True(t, ok, head[:60])
		require.True(t, m.Cut)
		require.Equal(t, "4", string(m.ID))
		require.JSONEq(t, want, string(m.Params))
	}
	_, ok := cutRequest([]byte(`{"method":"item/started","params":{"x":"` + long))
	require.False(t, ok, "a notification")
}
