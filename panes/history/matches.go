package history

import (
	"slices"
	"strings"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// findWords are the words that somebody narrows the list with.
func findWords(find string) []string { return strings.Fields(strings.ToLower(find)) }

// matches reports whether every word occurs in a session: title, prompt, options, answer, notes, directory, client.
func matches(s queue.Session, words []string) bool {
	if len(words) == 0 {
		return true
	}
	texts := textsOf(s)
	for i, t := range texts {
		texts[i] = strings.ToLower(t)
	}
	return !slices.ContainsFunc(words, func(w string) bool {
		return !slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(t, w) })
	})
}

// textsOf are the texts of a session that words are looked for in.
func textsOf(s queue.Session) []string {
	texts := []string{s.Ask.Title, s.Ask.Prompt, s.Origin.Cwd, s.Origin.Client, s.Origin.Branch, s.ID}
	for _, q := range s.Ask.Questions {
		texts = append(texts, q.Header, q.Text)
		for _, o := range q.Options {
			texts = append(texts, o.Label)
		}
	}
	if s.Outcome == nil {
		return append(texts, messageWaits)
	}
	texts = append(texts, say.Ended(s.Outcome.Ended()), s.Outcome.Reason, s.Outcome.Answer.Comment)
	for _, r := range s.Outcome.Answer.Replies {
		texts = append(texts, r.Text)
		for _, n := range r.Notes {
			texts = append(texts, n)
		}
	}
	return texts
}
