package term

import (
	"strings"
	"testing"
)

func TestUntorn_EachEscapeIsTheFirstOfARead(t *testing.T) {
	for _, keys := range []string{"\x1b[D", "\x1b[1;5D", "a\x1b[Db", "\x1b\x1b[A", "\x1bOP", "abc\x1bx", "ü\x1b[D",
		"\x1b"} {
		all := strings.Repeat(keys, 40)
		got := ""
		for rest := []byte(all); len(rest) > 0; {
			n := untorn(rest[:min(len(rest), 128)])
			if at := strings.LastIndexByte(string(rest[:n]), escape); at > 1 || n == 0 {
				t.Fatalf("%q: an escape at %d of %q", keys, at, rest[:n])
			}
			got, rest = got+string(rest[:n]), rest[n:]
		}
		if got != all {
			t.Errorf("%q: not all of it", keys)
		}
	}
}
