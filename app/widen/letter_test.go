package widen

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/choicetui/choicetui/queue"
)

func asking(title string, questions ...queue.Question) queue.Session {
	return queue.Session{Ask: queue.Ask{Title: title, Questions: questions}}
}

func TestTeammatesReadTheOptionsWithTheirDescriptions(t *testing.T) {
	options := []queue.Option{{ID: "pg", Label: "Postgre\u202eSQL", Description: "one server,\nknown to all"},
		{ID: "lite", Label: "SQLite", Description: " "}}
	const offered = "Options:\n1. Postgre<U+202E>SQL: one server, known to all\n2. SQLite"
	i := Letter(asking("Database", queue.Question{Text: "Which one?", Options: options}), false)
	assert.Equal(t, "Which one?\n"+offered, i.Question)
	assert.Equal(t, i.Question, i.Below())
	assert.Equal(t, []Asked{{Text: "Which one?", Options: []Choice{
		{Label: "Postgre<U+202E>SQL", Description: "one server, known to all"}, {Label: "SQLite"}}}}, i.Asked)

	i = Letter(asking("Which one?", queue.Question{Options: options}), false)
	assert.Equal(t, "Which one?\n"+offered, i.Question, "a server may show the question alone")
	assert.Equal(t, offered, i.Below())

	i = Letter(asking("Setup", queue.Question{Header: "Database", Options: options},
		queue.Question{Text: "Anything else?"}, queue.Question{Header: "no words"}), false)
	assert.Equal(t, "Database\n"+offered+"\nAnything else?", i.Question)
	assert.Len(t, i.Asked, 2)

	i = Letter(asking("Name", queue.Question{Text: "What is it called?"}), false)
	assert.Equal(t, "What is it called?", i.Question)
	assert.Nil(t, i.Asked)
	assert.Empty(t, Letter(asking("Name", queue.Question{Text: "Name"}), false).Below())
}

func TestTheOptionsThatTeammatesReadAreBounded(t *testing.T) {
	q := queue.Question{Text: "Which?"}
	for n := range queue.MaxOptions {
		q.Options = append(q.Options, queue.Option{ID: fmt.Sprint(n), Label: strings.Repeat("l", queue.MaxLabel),
			Description: strings.Repeat("d", queue.MaxNote)})
	}
	i := Letter(asking("T", q, q), false)
	assert.Less(t, len(i.Question), mostOfOptions+1000)
	n := len(i.Asked[0].Options)
	assert.Contains(t, i.Question, fmt.Sprintf("\nand %d others\nWhich?\nOptions:\nand 200 others", queue.MaxOptions-n))
	assert.Equal(t, queue.MaxOptions-n, i.Asked[0].More)
	assert.Equal(t, strings.Repeat("l", mostOfLabel)+"…", i.Asked[0].Options[0].Label)
	assert.Equal(t, strings.Repeat("d", mostOfDescription)+"…", i.Asked[0].Options[0].Description)
}
