package say

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestALongTextIsShortenedAndSaysSo(t *testing.T) {
	require.Equal(t, "äöüß", Short("äöüß", 4))
	require.Equal(t, "äö…", Short("äöüß", 3))
	require.Equal(t, `"a b…"`, ShortQuoted("a\nb c", 4), "the quotes do not count")
	long := strings.Repeat("ä", 301)
	require.Equal(t, long[2:], Heard(long[2:]))
	require.Equal(t, long[2:]+"… (301 characters in all)", Heard(long))
	by := func(text string, cells int) string { return text[:min(len(text), cells)] + "|" }
	require.Equal(t, "copied: first|", Copied("first\nsecond", by))
}

func TestANounIsAsItsNumberWantsIt(t *testing.T) {
	require.Equal(t, "1 process", Count(1, "process"))
	require.Equal(t, "3 processes", Count(3, "process"))
	require.Equal(t, "0 questions", Count(0, "question"))
}

func TestTheCauseIsTheInnermostErrorAlsoOfJoinedOnes(t *testing.T) {
	full := &fs.PathError{Op: "write", Path: "/queue/tmp/h", Err: errors.New("no space left on device")}
	require.Equal(t, "no space left on device", Cause(fmt.Errorf("failed to stage: %w", full)))
	require.Equal(t, "no space left on device", Cause(fmt.Errorf("failed: %w", errors.Join(full, errors.New("close")))))
}
