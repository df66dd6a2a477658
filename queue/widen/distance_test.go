package widen

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/choicetui/choicetui/queue"
)

func TestDistanceIsEditsOverTheLengthOfTheCandidate(t *testing.T) {
	for _, c := range []struct {
		saved, candidate string
		want             float64
	}{
		{"PostgreSQL", "PostgreSQL", 0},
		{"PostgreSQL\n", "PostgreSQL", 0},
		{"a\r\nb", "a\nb", 0},
		{"", "abcd", 1},
		{"", "", 0},
		{"x", "", 1},
		{"abcX", "abcd", 0.25},
		{"kitten", "sitting", 3.0 / 7},
		{"größer", "grösser", 2.0 / 7},
		{"日本語", "日本", 0.5},
		{"abcdefgh", "ab", 3},
	} {
		assert.InDelta(t, c.want, Distance(c.saved, c.candidate), 1e-9, "%q from %q", c.saved, c.candidate)
	}
}

func TestEditsAgreeWithTheMatrixWrittenOut(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	text := func(most int) []rune {
		s := make([]rune, random.IntN(most+1))
		for i := range s {
			s[i] = []rune("abcdé")[random.IntN(5)]
		}
		return s
	}
	for range 2000 {
		a, b := text(200), text(200)
		assert.Equal(t, matrix(a, b), Edits(a, b), "%q %q", string(a), string(b))
	}
}

func matrix(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		before := row[0]
		row[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			before, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, before+cost)
		}
	}
	return row[len(b)]
}

func TestLongTextsTakeAFractionOfWhatTheWholeMatrixTakes(t *testing.T) {
	a, b := []rune(strings.Repeat("ab c", 512)), []rune(strings.Repeat("xb y", 512))
	ratio := 0.0
	for try := 0; try < 5 && ratio < 4; try++ { // it is 30 to 100; again, where one of the two was held up
		began := time.Now()
		want := matrix(a, b)
		whole := time.Since(began)
		began = time.Now()
		got := Edits(a, b)
		ratio = float64(whole) / float64(time.Since(began))
		assert.Equal(t, want, got)
	}
	assert.Greater(t, ratio, 4.0)
}

func TestSourceOfWhatThePersonSaved(t *testing.T) {
	const ten = "0123456789"
	for _, c := range []struct{ name, saved, candidate, want string }{
		{"unchanged", ten, ten, queue.SourceTeam},
		{"just not material", "0123456xyz", ten, queue.SourceTeam},
		{"material", "012345wxyz", ten, queue.SourceOwner},
		{"emptied", " \n", ten, queue.SourceManual},
		{"written without a candidate", "mine", "", queue.SourceManual},
		{"nothing from nothing", "", "", queue.SourceManual},
		{"a newline of the editor on a short one", "Yes\n", "Yes", queue.SourceTeam},
	} {
		assert.Equal(t, c.want, Source(c.saved, c.candidate), c.name)
	}
}
