package wire

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestScanner_FindsTheEndOfTheFirstObject(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		end   int
		found bool
		other bool
	}{
		`{}`:                         {2, true, false},
		" \n{\"a\":\"}\\\"{\"} more": {14, true, false},
		"\ufeff{\"a\":[{}]}":         {13, true, false},
		`{"a":"`:                     {6, false, false},
		`[]`:                         {2, false, true},
		`"{}"`:                       {4, false, true},
		"  ":                         {2, false, false},
	} {
		var s Scanner
		end, found := s.Scan([]byte(text))
		require.Equal(t, want.found, found, text)
		require.Equal(t, want.other, s.Other(), text)
		if found {
			require.Equal(t, want.end, end, text)
		}
	}
}

func FuzzScanner(f *testing.F) {
	f.Add([]byte(`{"a":"}\"","b":[{}]} {"c":1}`), 3)
	f.Add([]byte("\ufeff {\"a\":1}"), 1)
	f.Fuzz(func(t *testing.T, raw []byte, piece int) {
		var whole, pieces Scanner
		end, found := whole.Scan(raw)
		at, foundAt := 0, false
		for at < len(raw) && !foundAt {
			n := min(max(piece, 1), len(raw)-at)
			n, foundAt = pieces.Scan(raw[at : at+n])
			at += n
		}
		require.Equal(t, found, foundAt)
		require.Equal(t, whole.Other(), pieces.Other())
		if found {
			require.Equal(t, end, at)
		}
	})
}
