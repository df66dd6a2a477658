package say

import (
	"slices"
	"strings"
	"time"
)

// StartOfDay returns when the last day of this name began, in local time. The name may be today, yesterday, a weekday
// (of the week before where it is today), or a date such as 2026-11-20. Case does not matter.
func StartOfDay(name string, now time.Time) (time.Time, bool) {
	name, now = strings.ToLower(name), now.Local()
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.Local)
	switch name {
	case "today":
		return today, true
	case "yesterday":
		return today.AddDate(0, 0, -1), true
	}
	if t, err := time.ParseInLocation(time.DateOnly, name, time.Local); err == nil {
		return t, true
	}
	for back := 1; back <= 7; back++ {
		if day := today.AddDate(0, 0, -back); isNameOf(name, day.Weekday().String()) {
			return day, true
		}
	}
	return time.Time{}, false
}

// isNameOf reports whether a lower-case word is a weekday's or a month's name, whole or from its third letter on.
func isNameOf(word, name string) bool {
	return len(word) >= 3 && strings.HasPrefix(strings.ToLower(name), word)
}

// OnDay reports whether a lower-case word is true of the day that a time falls on, here: 2026-11-20, 2026-11, today,
// yesterday, fri, friday, 20, nov, november, 2026.
func OnDay(word string, at, now time.Time) bool {
	at = at.Local()
	switch word {
	case "today":
		return sameDay(at, now)
	case "yesterday":
		return sameDay(at, now.Local().AddDate(0, 0, -1))
	}
	return slices.Contains([]string{at.Format(time.DateOnly), at.Format("2006-01"), at.Format("2"), at.Format("02"),
		at.Format("2006")}, word) || isNameOf(word, at.Weekday().String()) || isNameOf(word, at.Month().String())
}

// NamesDay says of each of these lower-case words whether it may be meant as part of a day's name. A weekday, a month
// and a year are only beside a day's number, since people also look for a word such as may.
func NamesDay(words []string) []bool {
	is := make([]bool, len(words))
	for i, w := range words {
		_, err := time.Parse("2006-01", w[:min(len(w), len("2006-01"))])
		is[i] = w == "today" || w == "yesterday" || err == nil
	}
	for from := 0; from < len(words); from++ {
		to := from
		for to < len(words) && partOfDay(words[to]) != noPart {
			to++
		}
		run := words[from:to]
		if len(run) > 1 && slices.ContainsFunc(run, func(w string) bool { return partOfDay(w) == dayNumber }) {
			for i := from; i < to; i++ {
				is[i] = true
			}
		}
		from = max(from, to-1)
	}
	return is
}

// Parts of a day's name that is written in several words.
const (
	noPart = iota
	dayNumber
	dayWord // a weekday, a month, a year
)

func partOfDay(word string) int {
	if _, err := time.Parse("2", word); err == nil {
		return dayNumber
	}
	if _, err := time.Parse("2006", word); err == nil {
		return dayWord
	}
	for d := time.Sunday; d <= time.Saturday; d++ {
		if isNameOf(word, d.String()) {
			return dayWord
		}
	}
	for m := time.January; m <= time.December; m++ {
		if isNameOf(word, m.String()) {
			return dayWord
		}
	}
	return noPart
}
