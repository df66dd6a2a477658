package say

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTimesAreSpoken(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "0 seconds", time.Second: "1 second",
		61 * time.Second: "1 minute 1 second",
		5 * time.Minute:  "5 minutes", 12*time.Minute + 5*time.Second: "12 minutes", 2*time.Hour + 3*time.Minute: "2 hours 3 minutes"} {
		require.Equal(t, want, Spoken(d))
	}
}
