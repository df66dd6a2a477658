package question

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

// words are w000, w001 and so on, so that a missing one is seen.
func words(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "w%03d ", i)
	}
	return strings.TrimSpace(b.String())
}

// viewOf returns a display of a session without a room.
func viewOf(s queue.Session) *display {
	v := newDisplay(form.New(s, form.Options{Points: true}), false)
	v.look = look{session: s, keys: action.Table, glyphs: ink.Unicode}
	return v
}

func abc() []queue.Option {
	return []queue.Option{{ID: "a", Label: "A"}, {ID: "b", Label: "B"}, {ID: "c", Label: "C"}}
}

func asking(title, prompt string, options ...queue.Option) *display {
	return viewOf(queue.Session{ID: "s", Ask: queue.Ask{Kind: queue.KindChoice, Title: title, Prompt: prompt,
		Questions: []queue.Question{{ID: "q1", Mode: queue.ModeSingle, Min: 1, Max: 1, Annotate: true,
			Options: options}},
		TimeoutSeconds: 60, OnTimeout: queue.OnTimeoutNone}})
}

func longView() *display {
	var p strings.Builder
	for p.Len() < queue.MaxPromptBytes-200 {
		p.WriteString("## Step\n\nThe **order** service needs `transactions` across [carts](https://x.io/carts).\n\n- " +
			"one\n- two\n\n```diff\n@@ -1 +1 @@\n-a\n+b\n```\n\n")
	}
	return asking("T", p.String(), queue.Option{ID: "a", Label: strings.Repeat("label ", 60) + "end",
		Description: strings.Repeat("Runs `make deploy` and **more** ", 20)}, queue.Option{ID: "b", Label: "b"})
}

func TestPromptIsLaidOutOncePerWidth(t *testing.T) {
	v := longView()
	p := prompt{v}
	first := p.lines(80)
	require.Same(t, &first[0], &p.lines(80)[0])
	require.NotSame(t, &first[0], &p.lines(60)[0])
	n := len(v.texts.laid)
	for range 2000 {
		p.v.description(strings.Repeat("x", n), 40)
		n++
	}
	assert.LessOrEqual(t, len(v.texts.laid), ink.MostLaid)
}

func TestHeadOfATextIsWrappedAsAllOfIt(t *testing.T) {
	for _, s := range []string{"", "a", "one two three\n\nfour", strings.Repeat("word ", 500), strings.Repeat("日本", 400),
		strings.Repeat("x\n", 50)} {
		all := ink.Wrap(s, 9)
		assert.Equal(t, all[:min(len(all), 5)], wrapHead(s, 9, 5))
	}
}

func TestOnlyTheTextHasAllOfTitleAndOptions(t *testing.T) {
	v := longView()
	v.session.Ask.Title = "A title that is longer than one row of forty cells is"
	p := prompt{v}
	require.Equal(t, p.lines(40), p.layOutSheet(40, p.lines(40)).lines, "only the prompt, before")
	p.toggleFull()
	s := p.layOutSheet(40, p.lines(40))
	require.Contains(t, joined(s.lines[:s.from]), "A title that is longer than one row of\nforty cells is")
	require.Equal(t, p.lines(40), s.lines[s.from:s.to])
	require.Contains(t, joined(s.lines[s.to:]), "\n 1 label label")
	require.Contains(t, joined(s.lines[s.to:]), "end\n   Runs `make deploy` and **more**")
	require.Contains(t, joined(s.lines[s.to:]), "\n 2 b")
}

func TestFoldedDescriptionSaysThatThereIsMore(t *testing.T) {
	lines, cut := options{longView()}.foldedText(0, 60, mostDetail, Fit{total: 20})
	require.Len(t, lines, mostDetail)
	require.True(t, cut)
	v := asking("T", "", queue.Option{ID: "a", Label: "a",
		Description: strings.Repeat("Runs `make deploy` and **more** ", 20)})
	lines, _ = options{v}.foldedText(0, 60, mostDetail, Fit{total: 20})
	last := lines[mostDetail-1].styled
	assert.True(t, strings.HasSuffix(last.String(), "…"))
	assert.LessOrEqual(t, last.Width(), 60)
}

func TestTheSignOfARowThatGoesOnIsNotCountedAsRead(t *testing.T) {
	v := asking("T", "```\n"+strings.Repeat("word ", 60)+"\n```", abc()...)
	last := func(w int) int { sums := prompt{v}.countInk(w); return sums[len(sums)-1] }
	assert.Equal(t, last(200), last(30))
}

func joined(lines []ink.Line) string {
	rows := make([]string, len(lines))
	for i, l := range lines {
		rows[i] = l.String()
	}
	return strings.Join(rows, "\n")
}

func TestReadingOnShowsEveryWordBeforeNothingIsCalledUnseen(t *testing.T) {
	for _, w := range []int{30, 40, 61, 80} {
		for h := 1; h <= 9; h++ {
			p := prompt{asking("T", words(60), abc()...)}
			var seen strings.Builder
			for page := 0; ; page++ {
				require.Less(t, page, 70, "%d×%d never ends", w, h)
				seen.WriteString(drawn(t, w, h, func(c ink.Canvas, r ink.Rect) { p.draw(c, p.arrange(r)) }) + "\n")
				if p.unseen() == 0 {
					break
				}
				p.scrollBy(2)
			}
			for i := range 60 {
				assert.Contains(t, seen.String(), fmt.Sprintf("w%03d", i), "%d×%d", w, h)
			}
		}
	}
}

func TestWhatWasSeenStaysSeenAtAnotherWidth(t *testing.T) {
	p := prompt{asking("T", words(60), abc()...)}
	p.arrange(ink.Rect{W: 80, H: 9})
	require.Zero(t, p.unseen())
	p.arrange(ink.Rect{W: 40, H: 2})
	assert.Zero(t, p.unseen())
}

func TestALineBehindAGapIsNotSeen(t *testing.T) {
	p := prompt{asking("T", words(60), abc()...)}
	p.arrange(ink.Rect{W: 40, H: 3})
	before := p.unseen()
	p.spot().scroll = 7
	p.arrange(ink.Rect{W: 40, H: 3})
	assert.Equal(t, before, p.unseen())
}

func TestAFrameThatIsOnlyDrawnAgainCountsNothingAsSeen(t *testing.T) {
	p := prompt{asking("T", words(60), abc()...)}
	rows := p.arrange(ink.Rect{W: 40, H: 3})
	before := p.unseen()
	p.scrollBy(2)
	drawn(t, 40, 3, func(c ink.Canvas, _ ink.Rect) { p.draw(c, rows) })
	assert.Equal(t, before, p.unseen())
	p.arrange(ink.Rect{W: 40, H: 3})
	assert.Less(t, p.unseen(), before)
}

func TestAFirstHeadingThatIsTheTitleIsNotSaidTwice(t *testing.T) {
	for text, want := range map[string]string{
		"# Which database?\n\nWhy it matters.": "Why it matters.",
		"# Another\n\nWhy.":                    "# Another\n\nWhy.",
		"Which database?\n\nWhy.":              "Which database?\n\nWhy.", // no heading
	} {
		assert.Equal(t, want, form.Text(asking("Which database?", text, abc()...).form))
	}
}

func TestWhatAFormsQuestionsShareStandsAboveThemAndBelowWhereItScrolls(t *testing.T) {
	b := newBench(t, 80, 24)
	a := authRework()
	a.Prompt = "We rework authentication."
	a.Questions[0].Text = "Where do sessions live?\n\nThey are in memory today."
	s := b.ask(a, web())
	rows := strings.Split(b.picture(), "\n")
	require.Equal(t, []string{"We rework authentication.", "", "Where do sessions live?", "", "They are in memory today."},
		rows[4:9], b.picture())
	require.Zero(t, prompt{b.room.display()}.unseen())
	small := newBench(t, 40, 12)
	small.ask(a, web())
	require.Contains(t, strings.Split(small.picture(), "\n")[3], "Where do sessions live?")
	require.NotZero(t, prompt{small.room.display()}.unseen())

	a.Prompt = ""
	alone := newBench(t, 80, 24)
	alone.ask(a, web())
	rows = strings.Split(alone.picture(), "\n")
	require.Equal(t, "Where do sessions live?", rows[4])
	require.Equal(t, 1, strings.Count(alone.picture(), s.Ask.Title))
}

func TestRowAndEnterLineCountTheSameUnreadLines(t *testing.T) {
	text := strings.Repeat("A paragraph.\n\n", 16) + "The end."
	below := regexp.MustCompile(`▼ (\d+) lines? below, unread`)
	some := regexp.MustCompile(`below, (\d+) unread`)
	enter := regexp.MustCompile(`⏎ .* (\d+) lines? unread`)
	for h := 18; h < 30; h++ {
		b := newBench(t, 80, h)
		a := small("Which?", 600)
		a.Prompt = text
		b.ask(a, shop())
		said := 0
		for _, key := range []string{"", "z", "space", "b", "z", "pgdn", "pgup"} {
			if key != "" {
				b.press(key)
			}
			screen := b.picture()
			row := below.FindStringSubmatch(screen)
			if row == nil {
				row = some.FindStringSubmatch(screen)
			}
			last := enter.FindStringSubmatch(screen + b.footer())
			if row != nil && last != nil {
				said++
				assert.Equal(t, row[1], last[1], "%d rows, %q: %s", h, key, screen)
			}
		}
		require.NotZero(t, said, b.picture())
	}
}

func TestALineThatArrivesLaterCountsAsUnread(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(roomtest.ApproveDiff(), shop())
	b.arrange()
	v := b.room.display()
	was := prompt{v}.countInk(v.width)
	v.allowedBefore = "allowed 6 times, last 14:02"
	require.Len(t, prompt{v}.countInk(v.width), len(was)+1)
	v.allowedBefore = ""
	require.Equal(t, was, prompt{v}.countInk(v.width), "and not when it is gone")
}

func TestWhyAnApprovalIsMarkedIsSaidInOneSentence(t *testing.T) {
	a := &queue.Approval{Marks: []string{queue.MarkDestroys, queue.MarkOutside, queue.MarkNetwork}}
	require.Equal(t, "may be destructive and reaches outside the project", say.Marked(a))
	require.Equal(t, "uses the network", say.Tagged(a))
	require.Equal(t, "! Destructive · outside the project · network", marksOf(a))
	require.Equal(t, ink.Warn, markStyle(marksOf(a)))
	require.Empty(t, say.Marked(nil)+say.Tagged(nil)+marksOf(nil)+say.Marked(&queue.Approval{}))
	network := &queue.Approval{Marks: []string{queue.MarkNetwork}}
	require.Equal(t, ink.Dim, markStyle(marksOf(network)))
	require.Equal(t, []string{"network ! hidden characters, shown as <U+…>", "network ! hidden characters, shown as <U+…>",
		"network ! <U+…>"}, warnings(network, true))
}
