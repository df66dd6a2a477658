package widen

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/choicetui/choicetui/queue"
)

func options() []queue.Option {
	return []queue.Option{{ID: "pg", Label: "PostgreSQL"}, {ID: "my", Label: "MySQL"}, {ID: "MY", Label: "mine"},
		{ID: "1", Label: "one"}, {ID: "2", Label: "one"}}
}

func TestAFinalTextIsAnOptionOrTextOrHasToBePicked(t *testing.T) {
	single := queue.Question{ID: "q", Mode: queue.ModeSingle, Options: options(), Min: 1, Max: 1}
	hybrid := queue.Question{ID: "q", Mode: queue.ModeHybrid, Options: options(), Max: 1}
	multi := queue.Question{ID: "q", Mode: queue.ModeMulti, Options: options(), Min: 2, Max: 3}
	text := queue.Question{ID: "q", Mode: queue.ModeText}
	picked := func(id string) *queue.Reply { return &queue.Reply{Question: "q", Selected: []string{id}} }
	typed := func(s string) *queue.Reply { return &queue.Reply{Question: "q", Text: s} }
	for _, c := range []struct {
		name string
		q    queue.Question
		text string
		want *queue.Reply // nil: must pick
	}{
		{"label", single, "PostgreSQL", picked("pg")},
		{"id", single, "pg", picked("pg")},
		{"blanks around it", single, "  PostgreSQL\n", picked("pg")},
		{"any case", single, "postgresql", picked("pg")},
		{"exact before any case", single, "MY", picked("MY")},
		{"two meant", single, "one", nil},
		{"two meant where text goes", hybrid, "one", nil},
		{"text where only options go", single, "PostgreSQL, with a plan", nil},
		{"text where text goes", hybrid, "PostgreSQL, with a plan", typed("PostgreSQL, with a plan")},
		{"option before text", hybrid, "pg", picked("pg")},
		{"text only", text, "mine\n", typed("mine\n")},
		{"blank", text, " ", nil},
		{"fewer than wanted", multi, "pg", nil},
	} {
		r, ok := Final(c.q, c.text)
		assert.Equal(t, c.want != nil, ok, c.name)
		if c.want != nil {
			assert.Equal(t, *c.want, r, c.name)
			assert.Equal(t, c.text == c.want.Text || c.want.Text == "", true, c.name)
		}
	}
	_, ok := FinalAnswer(queue.Ask{Questions: []queue.Question{text, text}}, "mine")
	assert.False(t, ok)
	a, ok := FinalAnswer(queue.Ask{Questions: []queue.Question{text}}, "mine")
	assert.True(t, ok)
	assert.Equal(t, "mine", a.Replies[0].Text)
}

func TestAnAnswerIsToldInLabelsAndWords(t *testing.T) {
	ask := queue.Ask{Questions: []queue.Question{
		{ID: "a", Header: "Store", Mode: queue.ModeMulti, Options: options()}, {ID: "b", Mode: queue.ModeText}}}
	ans := queue.Answer{Replies: []queue.Reply{{Question: "a", Selected: []string{"pg", "my"}, Text: "or both"},
		{Question: "b", Text: "soon"}}}
	assert.Equal(t, "Store: PostgreSQL, MySQL, or both; soon", FinalText(ask, ans))
	ask.Questions = ask.Questions[1:]
	assert.Equal(t, "soon", FinalText(ask, ans))
	assert.Empty(t, FinalText(ask, queue.Answer{}))
}

func TestADecisionIsAULID(t *testing.T) {
	id := NewDecision(time.Now())
	assert.True(t, IsDecision(id))
	assert.NotEqual(t, id, NewDecision(time.Now()))
	for _, s := range []string{"", "../../etc/passwd", id + "0", "01kpxfgj000000000000000000", "8ZZZZZZZZZZZZZZZZZZZZZZZZZ"} {
		assert.False(t, IsDecision(s), s)
	}
}

func TestAHintIsOneLineWithItsExactMark(t *testing.T) {
	words, ok := CutHint("[WIDEN-HINT] This looks like one for the team.\n")
	assert.True(t, ok)
	assert.Equal(t, "This looks like one for the team.", words)
	for _, s := range []string{"[widen-hint] x", "[WIDEN-HINT]x", " [WIDEN-HINT] x", "[WIDEN-HINT] x\ny"} {
		_, ok := CutHint(s)
		assert.False(t, ok, s)
	}
	rest, hints := TakeHints("Which?\n[WIDEN-HINT] ask\n\nReally?")
	assert.Equal(t, "Which?\n\nReally?", rest)
	assert.Equal(t, []string{"ask"}, hints)
}

func TestWhereAPickedAnswerComesFrom(t *testing.T) {
	one := func(id string) queue.Answer {
		return queue.Answer{Replies: []queue.Reply{{Question: "db", Selected: []string{id}}}}
	}
	ask := queue.Ask{Questions: []queue.Question{{ID: "db", Mode: queue.ModeSingle, Options: []queue.Option{
		{ID: "pg", Label: "PostgreSQL"}, {ID: "lite", Label: "SQLite"}, {ID: "lite3", Label: "SQLite 3"}}}}}
	for candidate, want := range map[string]map[string]string{
		"Use PostgreSQL, managed":           {"lite": queue.SourceOwner},
		"PostgreSQL, with a migration plan": {"pg": queue.SourceTeam, "lite": queue.SourceOwner},
		"postgresql":                        {"pg": queue.SourceTeam, "lite": queue.SourceOwner},
		"PG":                                {"pg": queue.SourceTeam, "lite": queue.SourceOwner},
		"Do not use SQLite":                 {"lite": queue.SourceOwner},
		"SQLite 3, as it is one file":       {"lite": queue.SourceOwner, "lite3": queue.SourceTeam},
		"PostgreSQL or SQLite":              {"pg": queue.SourceOwner, "lite": queue.SourceOwner},
		" ":                                 {"pg": queue.SourceManual},
	} {
		for id, source := range want {
			assert.Equal(t, source, PickedSource(ask, one(id), candidate), "%s of %q", id, candidate)
		}
	}

	ask.Questions = append(ask.Questions, queue.Question{ID: "license", Mode: queue.ModeText})
	both := one("pg")
	both.Replies = append(both.Replies, queue.Reply{Question: "license", Text: "MIT"})
	assert.Equal(t, queue.SourceTeam, PickedSource(ask, both, "PostgreSQL, and MIT for the license"))
	assert.Equal(t, queue.SourceOwner, PickedSource(ask, both, "PostgreSQL, and a license that is short"))
}

func TestDistanceIsEditsOverTheLengthOfTheCandidate(t *testing.T) {
	for _, c := range []struct {
		saved, candidate string
		want             float64
	}{
		{"PostgreSQL", "PostgreSQL", 0},
		{"PostgreSQL\n", "PostgreSQL", 0},
		{"a\r\nb", "a\nb", 0},
		{"", "abcd", 1},
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
