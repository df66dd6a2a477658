package widen

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestTheTimeOfAResponseIsTheServersWhereItCanBeMeant(t *testing.T) {
	now := time.Date(2026, 11, 23, 3, 1, 0, 0, time.UTC)
	for text, want := range map[string]string{
		`"2026-04-23T16:00:00Z"`:      "2026-04-23T16:00:00Z",
		`"2026-04-23T18:00:00+02:00"`: "2026-04-23T16:00:00Z",
		`"2026-11-23T20:00:00Z"`:      "2026-11-23T20:00:00Z",
		`"2026-11-25T03:01:00Z"`:      "",
		`"9999-12-31T23:59:59Z"`:      "",
		`"0001-01-01T00:00:00Z"`:      "",
		`"2026-04-23 16:00"`:          "",
		`"yesterday"`:                 "",
		`1777000000`:                  "",
		`null`:                        "",
	} {
		at, ok := ResponseTime(json.RawMessage(`{"decision_id": "x", "widened_at": `+text+`}`), now)
		assert.Equal(t, want != "", ok, text)
		if ok {
			assert.Equal(t, want, at.Format(time.RFC3339))
		}
	}
	_, ok := ResponseTime(nil, now)
	assert.False(t, ok)
}
