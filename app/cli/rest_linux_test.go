package cli

import (
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRestingGivesThePagesOfTheProgramBack(t *testing.T) {
	resident := func() int {
		status, err := os.ReadFile("/proc/self/status")
		require.NoError(t, err)
		found := regexp.MustCompile(`RssFile:\s+(\d+) kB`).FindSubmatch(status)
		require.NotNil(t, found)
		n, err := strconv.Atoi(string(found[1]))
		require.NoError(t, err)
		return n
	}
	before := resident()
	rest()
	require.Less(t, resident(), before*3/4, "of %d KiB", before)
	require.NotEmpty(t, newRoot(&shell{}).Commands(), "and what was given back comes when it is used")
}
