package codex

import (
	"context"
	"strings"

	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
)

// A question that does not stop Codex is an item of its thread and no request: nothing names it but its title. The
// answer is a message of the person that quotes the title. Until then it is a notice here, with its text.
//
//	item/started ─► agentMessage, delivery async ─► openLater ─► notice
//	item/started ─► userMessage “> title” ─► closeLater; thread/closed ─► closeQuestions

// deliveredLater is the delivery of a message whose questions do not stop Codex.
const deliveredLater = "async"

// laterQuestion is one question of such a message.
type laterQuestion struct {
	Title string `json:"title"`
}

// userText is one piece of a message of the person.
type userText struct {
	Text string `json:"text"`
}

// learnLater opens the questions of an item, or closes the question that a message of the person answers.
func (l *link) learnLater(ctx context.Context, id, cwd string, i item) {
	switch {
	case i.Type == itemMessage && i.Delivery == deliveredLater:
		for _, q := range i.Questions {
			asked := Later(Request{Cwd: cwd, Server: l.conn.Server()}, id, i.ID, q.Title)
			l.watcher.openQuestion(ctx, l.conn, nil, asked)
		}
	case i.Type == itemPerson:
		for _, text := range i.Content {
			if quoted, ok := strings.CutPrefix(text.Text, "> "); ok {
				title, _, _ := strings.Cut(quoted, "\n")
				l.watcher.closeLater(id, title)
			}
		}
	}
}

// closeLater ends the oldest question of a thread that does not stop Codex and begins with this title, which Codex
// cuts.
func (w *Watcher) closeLater(thread, title string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for source, at := range w.open {
		asked, quoted := oneLine(at.asked.Ask.Title), oneLine(title)
		if at.thread == thread && at.request == "" && strings.HasPrefix(asked, quoted) {
			delete(w.open, source)
			at.over(prompt.ErrThere)
			return
		}
	}
}

// oneLine returns a title as Codex quotes it, with blanks for line breaks.
func oneLine(title string) string { return strings.Join(strings.Fields(title), " ") }
