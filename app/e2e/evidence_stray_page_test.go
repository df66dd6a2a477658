package e2e

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// pageField is a field of the page that a letter opens, with a question that has it.
type pageField struct {
	name, letter, id string
	ask              queue.Ask
}

func pageFields() []pageField {
	own := database()
	own.Questions[0].Mode = queue.ModeHybrid
	return []pageField{
		{"note", "n", "f-note", database()},
		{"own words", "t", "f-own", own},
		{"comment", "a", "f-comment", database()},
		{"refusal", "n", "f-refusal", roomtest.ApproveDiff()},
		{"cancel", "x", "f-reason", database()},
		{"more detail", "m", "f-detail", database()},
	}
}

func TestEvidenceThatStraySentencesOnThePageChangeNothing(t *testing.T) {
	t.Parallel()
	pick := strayPick(t)
	typeAlone(t)
	r := newRoom(t)
	page, base := browseOwn(r)
	paces := strayPaces
	if *rounds < everyRhythm { // the gate types at one pace, another one each time
		n := pick.IntN(len(paces))
		paces = paces[n : n+1]
	}
	for _, pace := range paces {
		count := map[string]*pageCount{}
		for _, field := range pageFields() {
			count[field.name] = newPageCount()
		}
		for _, runs := range pageSample(evidenceLines(t, typedSentences), *rounds/2, pick) {
			for tries := 0; len(runs) > 0; tries++ {
				require.Less(t, tries, 20, "this machine is too slow to type into a browser")
				runs = typeIntoPages(r, page, base, runs, pace, 1+pick.IntN(8), count)
			}
		}
		for _, field := range pageFields() {
			c := count[field.name]
			t.Logf("%v a key, on the page, %s: %s", pace, field.name, c)
			assert.Empty(t, c.sent, "sent from the field of %s at %v a key", field.name, pace)
			assert.Empty(t, c.attached, "attached in the field of %s at %v a key", field.name, pace)
			assert.Empty(t, c.lost, "no longer in the field of %s at %v a key", field.name, pace)
			if field.ask.Kind == queue.KindApproval {
				assert.Empty(t, c.marked, "marked by %s at %v a key", field.name, pace)
			}
		}
	}
}

// TestEvidence_PageCountNotesWhatAPersonDoes types on purpose into each field: the evidence looks for it with the same eyes.
func TestEvidence_PageCountNotesWhatAPersonDoes(t *testing.T) {
	needControls(t)
	t.Parallel()
	typeAlone(t)
	r := newRoom(t)
	beside, base := browseOwn(r)
	var runs []*pageRun
	for _, field := range pageFields() {
		run := &pageRun{pageField: field, text: "slowly"}
		run.open(r, beside, base)
		defer func() { assert.NoError(t, chromedp.Cancel(run.tab.ctx)) }()
		runs = append(runs, run)
	}
	each := func(do func(*pageRun)) {
		for _, run := range runs {
			do(run)
		}
		time.Sleep(guarded)
	}
	each(func(run *pageRun) { run.tab.see(say.ApprovalTitle(run.ask)) })
	each(func(run *pageRun) { require.NoError(t, run.tab.press(run.letter)) })
	each(func(run *pageRun) { run.typeKeys(strayPaces[0], run.text) })
	looked := func(run *pageRun) *pageCount {
		c := newPageCount()
		c.look(r, run)
		return c
	}
	each(func(run *pageRun) {
		require.Equal(t, run.text, run.tab.value(run.id), run.name)
		if run.id != "f-own" { // nothing says that the person is here: Enter will ask
			until(t, run.name+" is attached", func() bool { return len(looked(run).attached) > 0 })
		}
		assert.NoError(t, run.tab.press("\r"))
	})
	each(func(run *pageRun) {
		if run.id == "f-own" {
			assert.Contains(t, run.tab.footer(), "Was this meant for claude?")
			assert.NoError(t, run.tab.press("\r"))
		}
	})
	each(func(run *pageRun) {
		if run.id == "f-own" || run.id == "f-reason" || run.id == "f-detail" || run.id == "f-refusal" {
			until(t, run.name+" is sent", func() bool { return len(looked(run).sent) > 0 })
			return
		}
		c := looked(run)
		assert.NotEmpty(t, c.attached, run.name)
		assert.Empty(t, c.marked, run.name)
		assert.Regexp(t, attached, run.tab.footer(), run.name)
	})
}

// browseOwn opens the person's page, and says where it is.
func browseOwn(r *room) (page *tab, base string) {
	r.Helper()
	web, link := r.start("web"), ""
	until(r, "the link is printed", func() bool {
		link = regexp.MustCompile(`http://127\.0\.0\.1:\d+/\?t=\S+`).FindString(web.out.String())
		return link != ""
	})
	return browse(r, link), strings.Split(link, "/?t=")[0]
}

// pageRun is a sentence that begins with the letter of a field, typed into a page of its own.
type pageRun struct {
	pageField
	text  string
	tab   *tab
	asked queue.Session
	slow  bool // the second key came so late that it was no sentence, or a later one after a pause
}

// pageCount is what became of the sentences that were typed into one field.
type pageCount struct {
	typed, slow                  int
	sent, attached, lost, marked map[string]string // by sentence
}

func newPageCount() *pageCount {
	return &pageCount{sent: map[string]string{}, attached: map[string]string{}, lost: map[string]string{},
		marked: map[string]string{}}
}

func (c pageCount) String() string {
	return fmt.Sprintf("%d typed, %d more too slowly; answers and cancels sent %d, texts attached %d, "+
		"texts not kept in the field %d, marks %d", c.typed, c.slow, len(c.sent), len(c.attached), len(c.lost), len(c.marked))
}

// pageSample are runs for all fields, one set after the other: all sentences that begin with a field's letter, or
// fewer.
func pageSample(sentences []string, rounds int, pick *rand.Rand) (sets [][]*pageRun) {
	sets = make([][]*pageRun, max(1, min(rounds, 5)))
	for _, field := range pageFields() {
		var fit []string
		for _, s := range sentences {
			if strings.HasPrefix(s, field.letter) {
				fit = append(fit, s)
			}
		}
		first := pick.IntN(len(fit))
		for i := range sets {
			sets[i] = append(sets[i], &pageRun{pageField: field, text: fit[(first+i)%len(fit)]})
		}
	}
	return sets
}

// typeIntoPages types all sentences at once, each into a page of its own, while another question arrives, and notes
// what became of them. left are those where this machine was slow between two keys.
func typeIntoPages(r *room, beside *tab, base string, runs []*pageRun, pace time.Duration, comes int,
	count map[string]*pageCount) (left []*pageRun) {
	r.Helper()
	for _, run := range runs {
		run.open(r, beside, base)
		defer func() { assert.NoError(r, chromedp.Cancel(run.tab.ctx)) }()
	}
	for _, run := range runs {
		run.tab.see(say.ApprovalTitle(run.ask))
		run.tab.drawn()
	}
	time.Sleep(guarded)
	var all sync.WaitGroup
	for _, run := range runs {
		all.Go(func() { run.typeKeys(pace, run.text+"\r") })
	}
	time.Sleep(time.Duration(comes) * pace)
	r.put(database())
	all.Wait()
	time.Sleep(guarded)
	var typed []*pageRun
	for _, run := range runs {
		if run.slow {
			count[run.name].slow++
			left = append(left, run)
			continue
		}
		typed = append(typed, run)
		c := count[run.name]
		c.typed++
		if kept, whole := run.kept(); !whole {
			c.lost[run.text] = fmt.Sprintf("%q", kept)
		}
		c.look(r, run)
		for range 2 {
			assert.NoError(r, run.tab.press(kb.Escape))
			time.Sleep(glance)
		}
	}
	time.Sleep(guarded)
	for _, run := range typed {
		c := count[run.name]
		c.look(r, run)
		if footer := run.tab.footer(); attached.MatchString(footer) {
			c.attached[run.text] = footer
		}
	}
	settleAll(r)
	return left
}

// open asks the question of the field, and opens a page for it.
func (run *pageRun) open(r *room, beside *tab, base string) {
	run.ask.TimeoutSeconds = 3600
	run.asked = r.put(run.ask)
	run.tab = beside.another(base + "/choice/" + run.asked.ID)
}

// typeKeys types, and notes whether this machine was slow. The letter that opens the field and the key behind it tell
// the program that this is a sentence.
func (run *pageRun) typeKeys(pace time.Duration, keys string) {
	run.slow = false
	before := time.Now() // the browser may have taken the key before at once, and tell of it late
	for i, key := range keys {
		began := time.Now()
		if err := run.tab.press(string(key)); !assert.NoError(run.tab, err) {
			return
		}
		gap := time.Since(before)
		run.slow = run.slow || gap > paused || i == 1 && gap > paused*3/4
		before = began
		time.Sleep(pace)
	}
}

// kept returns what the field holds once it has the whole sentence. A busy machine may show that late.
func (run *pageRun) kept() (text string, whole bool) {
	for end := time.Now().Add(patience / 2); ; time.Sleep(glance) {
		text = strings.TrimRight(run.tab.value(run.id), "\n")
		whole = text == strings.TrimPrefix(run.text, run.letter)
		if whole || time.Now().After(end) {
			return text, whole
		}
	}
}

// look notes what was sent, and what would be with the next Enter.
func (c *pageCount) look(r *room, run *pageRun) {
	was, sentence := run.asked, run.text
	now, err := r.store().Get(r.Context(), was.ID)
	require.NoError(r, err)
	if now.Outcome != nil {
		c.sent[sentence] = now.Summary()
		return
	}
	drafts, err := r.store().Drafts(r.Context(), was.ID)
	require.NoError(r, err)
	for _, draft := range drafts {
		if texts := textsIn(draft); len(texts) > 0 {
			c.attached[sentence] = fmt.Sprintf("%q in the draft", texts)
		}
		for i, reply := range draft.Answer.Replies {
			if fmt.Sprint(reply.Selected) != fmt.Sprint(marked(was.Ask, i)) {
				c.marked[sentence] = fmt.Sprintf("%v", reply.Selected)
			}
		}
	}
}

// settleAll takes all questions out of the queue.
func settleAll(r *room) {
	r.Helper()
	live, _, err := r.store().Live(r.Context())
	require.NoError(r, err)
	for _, s := range live {
		if s.Pending() {
			_, err := queue.New(r.store()).Do(r.Context(), s.ID, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceCLI,
				Do: queue.Cancel{}})
			require.NoError(r, err)
		}
	}
}

// another opens a tab beside this one, which has the focus too.
func (w *tab) another(url string) *tab {
	w.Helper()
	ctx, _ := chromedp.NewContext(w.ctx)
	focused := chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
		return err
	})
	require.NoError(w, chromedp.Do(ctx, focused, chromedp.Navigate(url), chromedp.WaitReady("#top nav")))
	return &tab{w.TB, ctx}
}

// drawn waits until what the page shows is on the screen, which is when the guard's times begin.
func (w *tab) drawn() {
	w.Helper()
	const twoFrames = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`
	_, err := chromedp.Run(w.ctx, chromedp.Evaluate[bool](twoFrames, chromedp.EvalAwaitPromise))
	require.NoError(w, err)
}

// footer returns what the page says of its button, in one line as on a screen.
func (w *tab) footer() string {
	w.Helper()
	return "⏎ Send " + strings.Join(strings.Fields(w.text("#foot")), " ")
}

// value returns what a field holds; empty too where there is no such field.
func (w *tab) value(id string) string {
	w.Helper()
	value, err := chromedp.Run(w.ctx, chromedp.Evaluate[string](`document.getElementById("`+id+`")?.value || ""`))
	require.NoError(w, err)
	return value
}

// press presses a key as a keyboard does: its character comes with the press, so that a page which takes the press
// keeps the character from being typed.
func (w *tab) press(key string) error {
	return chromedp.Do(w.ctx, chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		var down *input.DispatchKeyEventParams
		for _, r := range key {
			for _, e := range kb.Encode(r) {
				if e.Type == input.DispatchKeyEventTypeChar {
					down.Type, down.Text, down.UnmodifiedText = input.DispatchKeyEventTypeKeyDown, e.Text, e.UnmodifiedText
					continue
				}
				if e.Type != input.DispatchKeyEventTypeKeyUp {
					down = e
					continue
				}
				for _, e := range []*input.DispatchKeyEventParams{down, e} {
					if _, err := cdp.Call(ctx, t, input.DispatchKeyEvent, *e); err != nil {
						return err
					}
				}
			}
		}
		return nil
	}))
}
