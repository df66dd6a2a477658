package history

import (
	"slices"
	"strings"
	"time"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// search holds the words that narrow the list, in lower case, all of which must match a session; without words every
// session is listed. A word matches if it occurs in the session's texts, or if it names the day that the list shows.
type search struct {
	words []string
	day   []bool // by word: it may be meant as part of a day's name
	now   time.Time
}

// newSearch reads the typed words. now is the time that words such as yesterday count from.
func newSearch(find string, now time.Time) search {
	words := strings.Fields(strings.ToLower(find))
	return search{words: words, day: say.NamesDay(words), now: now}
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
		found := f.day[i] && say.OnDay(w, s.SettledAt(), f.now)
		if !found && !slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(t, w) }) {
			return false
		}
	}
	return true
}

// textsOf returns the texts of a session that a search looks at.
func textsOf(s queue.Session) []string {
	texts := []string{s.Ask.Title, s.Ask.Prompt, s.Ask.Approval.Text(),
		s.Origin.Cwd, s.Origin.Client, s.Origin.Branch, s.Origin.Host, s.ID}
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
	texts = append(texts, s.Outcome.Ending().Word, s.Outcome.Reason, s.Outcome.Answer.Comment)
	for _, r := range s.Outcome.Answer.Replies {
		texts = append(texts, r.Text)
		for _, n := range r.Notes {
			texts = append(texts, n)
		}
	}
	return texts
}
