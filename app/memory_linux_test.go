package app

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestGivingBackDropsTheProgramsOwnPages(t *testing.T) {
	before := residentFiles(t)
	giveBack()
	assert.Less(t, residentFiles(t), before)
}

// residentFiles is how many KiB of mapped files this process holds.
func residentFiles(t *testing.T) (n int) {
	status, err := os.ReadFile("/proc/self/status")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(status), "RssFile:")
	if !found {
		t.Skip("this kernel does not count mapped files")
	}
	_, err = fmt.Sscan(rest, &n)
	require.NoError(t, err)
	return n
}
