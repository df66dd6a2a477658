package history

import (
	"slices"
	"strings"
	"time"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// search holds the words that narrow the list, in lower case. A session is listed if every word matches it. A word
// matches if it occurs in the session's texts, or if it names the day on which the session was settled.
type search struct {
	words []string
	day   []bool // for each word, whether it may be part of a day's name
	now   time.Time
}

// newSearch reads the typed words. now gives words such as yesterday their meaning.
func newSearch(find string, now time.Time) search {
	words := strings.Fields(strings.ToLower(find))
	return search{words: words, day: namesDay(words), now: now}
}

// matches reports whether every word is found in a session: in its title, prompt, options, answer, notes, directory,
// client, machine or day.
func (f search) matches(s queue.Session) bool {
	if len(f.words) == 0 {
		return true
	}
	texts := textsOf(s)
	for i, t := range texts {
		texts[i] = strings.ToLower(t)
	}
	for i, w := range f.words {
		found := f.day[i] && onDay(w, s.SettledAt(), f.now)
		if !found && !slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(t, w) }) {
			return false
		}
	}
	return true
}

// textsOf returns the texts of a session that a search looks at.
func textsOf(s queue.Session) []string {
	texts := []string{s.Ask.Title, s.Ask.Prompt, s.Ask.Approval.Text(),
		s.Origin.Cwd, s.Origin.Client, s.Origin.Branch, "@" + s.Origin.Host, s.ID}
	for _, q := range s.Ask.Questions {
		texts = append(texts, q.Header, q.Text)
		for _, o := range q.Options {
			texts = append(texts, o.Label)
		}
	}
	if s.Outcome == nil {
		return append(texts, messageWaits)
	}
	if s.Outcome.WantsDetail() {
		texts = append(texts, say.AskedDetail(*s.Outcome))
	}
	texts = append(texts, s.Outcome.Ending().Word, s.Outcome.Reason, s.Outcome.Annotated().Comment)
	for _, r := range s.Outcome.Annotated().Replies {
		texts = append(texts, r.Text)
		for _, n := range r.Notes {
			texts = append(texts, n)
		}
	}
	return texts
}

// onDay reports whether a lower-case word names the day of a time, or a part of it: 2026-11-20, 2026-11, today,
// yesterday, fri, friday, 20, nov, november, 2026.
func onDay(word string, at, now time.Time) bool {
	at, now = at.Local(), now.Local()
	switch word {
	case "today":
		return at.Format(time.DateOnly) == now.Format(time.DateOnly)
	case "yesterday":
		return at.Format(time.DateOnly) == now.AddDate(0, 0, -1).Format(time.DateOnly)
	}
	return slices.Contains([]string{at.Format(time.DateOnly), at.Format("2006-01"), at.Format("2"), at.Format("02"),
		at.Format("2006")}, word) || isNameOf(word, at.Weekday().String()) || isNameOf(word, at.Month().String())
}

// isNameOf reports whether a lower-case word is the name of a weekday or month, or at least its first three letters.
func isNameOf(word, name string) bool {
	return len(word) >= 3 && strings.HasPrefix(strings.ToLower(name), word)
}

// namesDay reports for each of these lower-case words whether it may be part of a day's name. A weekday, a month or a
// year counts only beside a day's number, because people also look for a word such as may.
func namesDay(words []string) []bool {
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

// partOfDay returns the part of a day's name that a lower-case word may be, or noPart.
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
