package cli

import (
	"strconv"
	"time"

	"github.com/choicetui/choicetui/panes/say"
)

// dateLayouts are the ways to write a date and a time without their place on earth.
var dateLayouts = []string{
	"2006-01-02 15:04", "2006-01-02T15:04", time.DateTime, "2006-01-02T15:04:05",
}

// moment reads --since: a duration back from now (90m, 24h, 7d, 2w), a day by its name (yesterday, monday), or a date,
// with or without a time, local unless it says otherwise. Empty is the beginning of time.
func moment(s string, now time.Time) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	if d, ok := duration(s); ok {
		return now.Add(-d), nil
	}
	if t, ok := say.StartOfDay(s, now); ok {
		return t, nil
	}
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t, nil
	}
	for _, layout := range dateLayouts {
		if t, err := time.ParseInLocation(layout, s, time.Local); err == nil {
			return t, nil
		}
	}
	return time.Time{}, &failure{say: "--since " + quoted(s) + " is neither a duration nor a date",
		hint: "like 90m, 24h, 7d, yesterday, monday, 2026-11-20 or 2026-11-20T14:02"}
}

// duration is Go's, and whole days and weeks, which Go leaves out because of clock changes; here they are 24 h.
func duration(s string) (time.Duration, bool) {
	if n := len(s) - 1; n > 0 && (s[n] == 'd' || s[n] == 'w') {
		days, err := strconv.Atoi(s[:n])
		if s[n] == 'w' {
			days *= 7
		}
		return time.Duration(days) * 24 * time.Hour, err == nil && days >= 0 && days < 36500
	}
	d, err := time.ParseDuration(s)
	return d, err == nil && d >= 0
}
