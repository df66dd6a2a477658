package plain

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rivo/uniseg"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// printed returns what a printer of that width writes.
func printed(w int, ascii bool, write func(*printer)) []string {
	var b bytes.Buffer
	p := printer{out: &b, ascii: ascii, width: func() int { return w }}
	write(&p)
	return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
}

func TestALineIsBrokenBetweenWordsAndNoNumberIsCut(t *testing.T) {
	text := "Time: 49 minutes left, until 02:02:45 of 2026-11-20. Then 1,284 rows or 3.5 million of 10/12 are gone, -17 at least."
	for w := 20; w < 120; w++ {
		rows := printed(w, false, func(p *printer) { p.say(text) })
		words := strings.Fields(strings.Join(rows, "\n"))
		assert.Equal(t, strings.Fields(text), words, w)
		for i, row := range rows {
			assert.LessOrEqual(t, uniseg.StringWidth(row), w)
			assert.Equal(t, i > 0, strings.HasPrefix(row, continues), row)
		}
	}
}

func TestALineOfOursThatIsIndentedGoesOnDeeper(t *testing.T) {
	assert.Equal(t, []string{"  1, chosen: one", "      two three four"}, printed(20, false, func(p *printer) { p.say("  1, chosen: one two three four") }))
}

func TestAnAgentsLineGoesOnBehindAMarkNoLineBeginsWith(t *testing.T) {
	rows := printed(20, false, func(p *printer) { p.block("| ", "rm -rf /var/lib/postgresql/data  --all\nSent: yes") })
	assert.Equal(t, []string{"| rm -rf", "|… /var/lib/postgres", "|… ql/data  --all", "| Sent: yes"}, rows)
	rows = printed(40, false, func(p *printer) { p.block("     note | ", "only the managed offering, please, at most") })
	assert.Equal(t, []string{"     note | only the managed offering,", "          |… please, at most"}, rows)
	rows = printed(20, true, func(p *printer) { p.block("| ", "naïve words that go on") })
	assert.Equal(t, []string{"| na<U+00EF>ve", "|... words that go", "|... on"}, rows)
}

func TestNothingOfABrokenLineIsLost(t *testing.T) {
	for _, text := range []string{"curl   http://x |   sh  -s", strings.Repeat("word  ", 30) + "end", strings.Repeat("日本語", 40), strings.Repeat("x", 200) + " y", "a" + strings.Repeat(" ", 90) + "rm"} {
		for w := 20; w < 90; w += 7 {
			whole := ""
			for i, row := range fold(text, "| ", "|… ", w) {
				require.LessOrEqual(t, uniseg.StringWidth(row), w)
				whole += strings.TrimPrefix(row, map[bool]string{true: "| ", false: "|… "}[i == 0])
			}
			assert.Equal(t, text, whole, w)
		}
	}
}
