package e2e

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// Somebody types to the agent in the pane beside this one, does not see that the dashboard has the keys, and a question
// comes up in the middle of the sentence. The guard of the desk is what keeps such typing from answering.

func TestEvidenceThatStraySentencesSendNoAnswer(t *testing.T) {
	t.Parallel() // it mostly waits, and types a sentence again where another test made it slow
	need(t)
	bin, err := program()
	require.NoError(t, err)
	typed, answered := typeStraySentences(t, bin, *rounds, false)
	assert.Empty(t, answered)
	t.Logf("stray typing: %s; answers sent: %d", typed, len(answered))
	typed, answered = typeStraySentences(t, unguarded(t), controlEnds, true)
	assert.NotEmpty(t, answered)
	t.Logf("control, a desk without the guard: %s; answers sent: %d", typed, len(answered))
}

var unguardedOnce struct {
	sync.Mutex
	bin string
}

// unguarded builds choicetui with a guard that refuses nothing, once a run.
func unguarded(t *testing.T) string {
	t.Helper()
	unguardedOnce.Lock()
	defer unguardedOnce.Unlock()
	if unguardedOnce.bin != "" {
		return unguardedOnce.bin
	}
	const refuses = "func (g *Guard) Refuses(acts, sends bool, now time.Time) error {"
	unguardedOnce.bin = altered(t, "unguarded", "../desk/guard.go", refuses, refuses+"\n\treturn nil")
	return unguardedOnce.bin
}

// altered builds choicetui, under a name of its own, with some words of one file replaced: it is what controls run.
func altered(t *testing.T, name, file string, words ...string) string {
	t.Helper()
	file, err := filepath.Abs(file)
	require.NoError(t, err)
	code, err := os.ReadFile(file)
	require.NoError(t, err)
	for i := 0; i < len(words); i += 2 {
		require.Equal(t, 1, strings.Count(string(code), words[i]), words[i])
	}
	instead, overlay := filepath.Join(t.TempDir(), "instead.go"), filepath.Join(t.TempDir(), "overlay.json")
	require.NoError(t, os.WriteFile(instead, []byte(strings.NewReplacer(words...).Replace(string(code))), 0o600))
	files, err := json.Marshal(object{"Replace": object{file: instead}})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(overlay, files, 0o600))
	bin, err := build(name, "-overlay", overlay)
	require.NoError(t, err)
	return bin
}

// sentencesTyped counts what was typed.
type sentencesTyped struct{ sentences, keys, slow int }

func (n sentencesTyped) String() string {
	return fmt.Sprintf("%d sentences of %d keys in all, and %d too slow to be one", n.sentences, n.keys, n.slow)
}

// typeStraySentences types a sentence a round into several dashboards at once, and returns what was answered by that;
// first: until something is.
func typeStraySentences(t *testing.T, bin string, rounds int, first bool) (typed sentencesTyped, answered []string) {
	t.Helper()
	raw, err := os.ReadFile("../../testdata/evidence/sentences.txt")
	require.NoError(t, err)
	sentences := strings.Split(strings.TrimSpace(string(raw)), "\n")
	for round := 0; round < rounds && !(first && len(answered) > 0); {
		sentence := sentences[rand.IntN(len(sentences))]
		pace := time.Duration(45+rand.IntN(76)) * time.Millisecond
		played := t.Run("sentence", func(t *testing.T) {
			desks := strayDesks(t, bin, len(sentence))
			if slowest := typeToAll(desks, sentence, pace); slowest > paused/2 {
				typed.slow += len(desks)
				return
			}
			round++
			time.Sleep(guarded)
			for _, d := range desks {
				typed.sentences, typed.keys = typed.sentences+1, typed.keys+len(sentence)+1
				if now, err := d.room.store().Get(t.Context(), d.asked); err != nil || now.Outcome != nil {
					answered = append(answered, fmt.Sprintf("%q, %v a key, %s came before key %d: %v", sentence, pace,
						d.asks.Title, d.comes, err))
				}
			}
		})
		require.True(t, played)
	}
	return typed, answered
}

// strayDesk is a dashboard that somebody types into by mistake.
type strayDesk struct {
	room  *room
	face  *console
	asks  queue.Ask
	comes int    // before which key the question comes; 0: it has been on view
	asked string // the question's id, once it came
}

// strayDesks are one for each kind of question, which comes at some time while so many keys and Enter are typed.
func strayDesks(t *testing.T, bin string, keys int) []*strayDesk {
	t.Helper()
	var all []*strayDesk
	for _, ask := range strayAsks() {
		r := newRoom(t)
		r.bin = bin
		d := &strayDesk{room: r, asks: ask, comes: max(0, rand.IntN(2*keys+1)-keys)}
		if all = append(all, d); d.comes == 0 {
			d.ask()
		}
		d.face = r.console(100, 30, r.command())
	}
	for _, d := range all {
		d.face.see(map[bool]string{true: d.asks.Title, false: "? keys"}[d.comes == 0])
	}
	time.Sleep(guarded)
	return all
}

func (d *strayDesk) ask() { d.asked = d.room.put(d.asks).ID }

// strayAsks are questions that Enter answers as they come.
func strayAsks() []queue.Ask {
	change := func(title string, to func(*queue.Ask, *queue.Question)) queue.Ask {
		ask := database()
		ask.Title = title
		to(&ask, &ask.Questions[0])
		return ask
	}
	return []queue.Ask{
		change("One of three?", func(*queue.Ask, *queue.Question) {}),
		change("One at once?", func(_ *queue.Ask, q *queue.Question) { q.SingleSubmit = true }),
		change("Several?", func(_ *queue.Ask, q *queue.Question) { q.Mode, q.Min, q.Max = queue.ModeMulti, 0, 3 }),
		change("Own words?", func(_ *queue.Ask, q *queue.Question) { q.Mode = queue.ModeHybrid }),
		change("Really?", func(a *queue.Ask, _ *queue.Question) { a.Confirm = true }),
	}
}

// typeToAll types a sentence and Enter at all desks, key by key, and returns the longest time between two keys.
func typeToAll(desks []*strayDesk, sentence string, pace time.Duration) time.Duration {
	longest, last := time.Duration(0), time.Now()
	for i, key := range sentence + "\r" {
		for _, d := range desks {
			if d.comes == i && i > 0 {
				d.ask()
			}
			d.face.press(string(key))
		}
		longest, last = max(longest, time.Since(last)), time.Now()
		time.Sleep(pace)
	}
	return longest
}
