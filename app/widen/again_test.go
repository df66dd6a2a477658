package widen

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestRetryAfterIsSecondsOrATime(t *testing.T) {
	now := time.Date(2026, 4, 23, 16, 0, 0, 0, time.UTC)
	for header, want := range map[string]time.Duration{
		"": 0, "7": 7 * time.Second, "-1": 0, "soon": 0, "1000000": 24 * time.Hour, "1000000000000": 24 * time.Hour,
		"99999999999999999999": 24 * time.Hour, "Thu, 23 Apr 2099 16:01:00 GMT": 24 * time.Hour,
		"Thu, 23 Apr 2026 16:01:00 GMT": time.Minute, "Thu, 23 Apr 2026 15:00:00 GMT": 0,
	} {
		assert.Equal(t, want, RetryAfter(header, now), header)
	}
}
