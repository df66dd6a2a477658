package stdio

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLinesAreBounded(t *testing.T) {
	const most = 100_000 // more than the reader's buffer
	long := strings.Repeat("x", most)
	for line, id := range map[string]string{
		`{"jsonrpc":"2.0","id":77,"method":"m","params":{"x":"` + long + `"}}`:        `77`,
		`{ "id": "q", "params":{"x":"` + long + `"}}`:                                 `"q"`,
		`{"method":"m","params":{"x":"` + long + `"},"jsonrpc":"2.0","id":"z"}`:       `"z"`,
		`{"method":"m","params":{"x":"` + long + `"},"id":-3,"jsonrpc":"2.0"}` + "\r": `-3`,
		`{"method":"m","params":{"x":"` + long + `","id":5}}`:                         `null`,
		long + "x": `null`,
	} {
		l := newLines(strings.NewReader(line+"\nnext\n"+long+"\r\nlast"), most)
		_, err := l.nextLine()
		var big *oversized
		require.ErrorAs(t, err, &big)
		require.Equal(t, id, string(big.requestID()), "%.40s", line)
		for _, want := range []string{"next", long, "last"} {
			got, err := l.nextLine()
			require.NoError(t, err)
			require.True(t, want == string(got), "%.40s", got)
		}
		_, err = l.nextLine()
		require.ErrorIs(t, err, io.EOF)
	}
}
