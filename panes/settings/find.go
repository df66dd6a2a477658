package settings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/editor"
)

// finder narrows the settings of the page to those that have all words of a text in their name or explanation.
type finder struct {
	words string        // empty: all settings are listed
	rows  []int         // the settings that have the words, as indices of config.Table; nil if all are listed
	field *editor.Field // the field of the words while they are being typed, else nil
}

// begin opens the line in which the words are typed.
func (f *finder) begin() { f.field = editor.OneLine(f.words) }

// end closes the line. All settings are listed again if all is set, or if none has the words.
func (f *finder) end(all bool) {
	if f.field = nil; all || len(having(f.words)) == 0 {
		f.words, f.rows = "", nil
	}
}

// typed narrows the settings by the typed words. While no setting has the words the rows stay as they are.
func (f *finder) typed() {
	f.words = f.field.Text()
	if rows := having(f.words); len(rows) > 0 {
		f.rows = rows
	}
}

// narrowed returns those of the given settings that are listed.
func (f *finder) narrowed(all []int) []int {
	if f.rows == nil {
		return all
	}
	return f.rows
}

// found counts the settings that have the words, as text.
func (f *finder) found() string {
	if n := len(having(f.words)); n > 0 {
		return fmt.Sprintf("%d found", n)
	}
	return "no setting has these words"
}

// having returns the settings that have all words of a text, as indices of config.Table.
func having(text string) (rows []int) {
	words := strings.Fields(strings.ToLower(text))
	for i, row := range config.Table {
		about := strings.ToLower(row.Label + " " + row.Key + " " + row.About())
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(about, w) }) {
			rows = append(rows, i)
		}
	}
	return rows
}
