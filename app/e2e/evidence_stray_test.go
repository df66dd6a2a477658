package e2e

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Somebody types to the agent in the pane beside this one, does not see that the dashboard has the keys, and a question
// comes up in the middle of the sentence. Nothing may come of that: no answer, and no text that goes out with the next
// answer (docs/design.md section 6, "What the person meant is what is sent").

// typedSentences are 30 English and 30 German sentences that somebody types to an agent.
const typedSentences = "typed.txt"

// strayReplies are short replies.
const strayReplies = "replies.txt"

// evidenceLines are the lines of a file of testdata/evidence.
func evidenceLines(t *testing.T, name string) []string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", "testdata", "evidence", name))
	require.NoError(t, err)
	return strings.Split(strings.TrimSpace(string(raw)), "\n")
}

// strayPaces are how fast somebody types.
var strayPaces = []time.Duration{45 * time.Millisecond, 90 * time.Millisecond, 140 * time.Millisecond}

// straySeed repeats a sample.
var straySeed = flag.Uint64("stray", 0, "the seed of the stray typing; 0: another one each time")

// strayPick returns a source of chance, and logs how to get the same again.
func strayPick(t *testing.T) *rand.Rand {
	t.Helper()
	seed := *straySeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("repeat with -args -stray %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// Half as many sentences as there are rounds are typed in each place, at each pace: with 120 rounds all of them. The gate
// types at one pace.
func TestEvidenceThatStraySentencesChangeNothing(t *testing.T) {
	t.Parallel() // it mostly waits, and types again where another test made it slow
	need(t, "tmux")
	bin, err := program()
	require.NoError(t, err)
	pick := strayPick(t)
	sentences := evidenceLines(t, typedSentences)
	require.Len(t, sentences, 60)
	only := pick.IntN(len(strayPaces)) // the gate types at one pace, another one each time
	var tallies []*strayTally
	t.Run("typed", func(t *testing.T) {
		for i, pace := range strayPaces {
			if *rounds < everyRhythm && i != only {
				continue
			}
			tally := newStrayTally(pace)
			tallies = append(tallies, tally)
			runs := straySample(sentences, *rounds/2, i, pick)
			pick := rand.New(rand.NewPCG(pick.Uint64(), 0))
			t.Run(pace.String(), func(t *testing.T) {
				if cap(strayLanes) > 1 { // else they would only wait for each other
					t.Parallel()
				}
				typeStray(t, bin, runs, tally, pick, func() bool { return false })
			})
		}
	})
	for _, tally := range tallies {
		tally.log(t)
		for _, kind := range strayKinds {
			if slices.Contains(strayAllowed, kind) {
				continue
			}
			for _, found := range tally.found[kind] {
				assert.Fail(t, kind, "%s at %v a key: %q", found, tally.pace, found.did[kind])
			}
		}
	}
}

// straySample are so many sentences in each place, or all of them; and a share of the worst: those that begin with the
// key of a field, into a question that has been on view. In the gate that is a third of the share, another one each
// time.
func straySample(sentences []string, most, share int, pick *rand.Rand) (runs []strayRun) {
	shares := len(strayPaces)
	if *rounds < everyRhythm {
		share, shares = share+shares*pick.IntN(3), 3*shares
	}
	for i, place := range strayPlaces() {
		for j, letter := range []string{"n", "t", "x", "m"} {
			first := slices.IndexFunc(sentences, func(s string) bool { return strings.HasPrefix(s, letter) })
			if (4*i+j)%shares == share || most >= len(sentences) {
				runs = append(runs, strayRun{place, sentences[first], true})
			}
		}
		order := pick.Perm(len(sentences))
		for i, n := range order[:min(most, len(sentences))] {
			text := sentences[n]
			if place.words {
				text += "\r" + sentences[order[(i+1)%len(order)]]
			}
			runs = append(runs, strayRun{place, text, false})
		}
	}
	pick.Shuffle(len(runs), func(i, j int) { runs[i], runs[j] = runs[j], runs[i] })
	return runs
}

func TestEvidenceThatWithoutTheGuardShortRepliesAnswer(t *testing.T) {
	needControls(t)
	t.Parallel()
	need(t, "tmux")
	bin, pick, tally := unguarded(t), strayPick(t), newStrayTally(strayPaces[0])
	answered := func() bool { return len(tally.found[strayAnswer]) > 0 }
	for range controlEnds {
		if !answered() {
			typeStray(t, bin, strayReplyRuns(t, func(p strayPlace) bool { return p.either }), tally, pick, answered)
		}
	}
	tally.log(t)
	assert.NotEmpty(t, tally.found[strayAnswer])
}

// strayReplyRuns are all short replies in some places.
func strayReplyRuns(t *testing.T, where func(strayPlace) bool) (runs []strayRun) {
	t.Helper()
	for _, reply := range evidenceLines(t, strayReplies) {
		for _, place := range strayPlaces() {
			if where(place) {
				runs = append(runs, strayRun{place, reply, true})
			}
		}
	}
	return runs
}

// The lines of the guard that control programs change.
const (
	guardFile      = "../../queue/desk/guard.go"
	guardRefuses   = "func (g *Guard) Refuses(p Press, now time.Time) error {"
	guardBrings    = "g.broughtUp = true\n\tg.restartWaits(id, now)"
	guardRestarts  = "func (g *Guard) restartWaits(id string, now time.Time) {"
	guardRemembers = "func (g *Guard) rememberChoice(key, why string) {"
	guardDrawn     = "\t\tg.drawn, g.shownAt = true, at\n"
)

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
	unguardedOnce.bin = altered(t, "unguarded", guardFile, guardRefuses, guardRefuses+"\n\treturn nil")
	return unguardedOnce.bin
}

func TestEvidenceThatShortRepliesAnswerNothing(t *testing.T) {
	t.Parallel()
	need(t, "tmux")
	bin, err := program()
	require.NoError(t, err)
	pick := strayPick(t)
	runs := strayReplyRuns(t, func(p strayPlace) bool { return p.guards() || *rounds/2 >= 60 })
	if *rounds < everyRhythm { // the gate types half of them, others each time
		pick.Shuffle(len(runs), func(i, j int) { runs[i], runs[j] = runs[j], runs[i] })
		runs = runs[:len(runs)/2]
	}
	pace := strayPaces[pick.IntN(len(strayPaces))]
	tally := newStrayTally(pace)
	typeStray(t, bin, runs, tally, pick, func() bool { return false })
	tally.log(t)
	for _, found := range tally.found[strayAnswer] {
		assert.False(t, found.place.guards(), "%s: %s", found, found.did[strayAnswer])
	}
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
	bin, err := build(name, raceDetector, "-overlay", overlay)
	require.NoError(t, err)
	return bin
}

// strayTally counts at one pace what was typed, and keeps where it did something that it may not.
type strayTally struct {
	pace  time.Duration
	typed map[string]int // by place
	keys  int
	slow  int // texts that were typed again
	found map[string][]*strayDesk
}

func newStrayTally(pace time.Duration) *strayTally {
	return &strayTally{pace: pace, typed: map[string]int{}, found: map[string][]*strayDesk{}}
}

func (y *strayTally) add(d *strayDesk) {
	y.typed[d.place.name]++
	y.keys += len([]rune(d.text)) + 1
	for kind := range d.did {
		y.found[kind] = append(y.found[kind], d)
	}
}

// log says the figures of each place, and of all together.
func (y *strayTally) log(t *testing.T) {
	t.Helper()
	sum := 0
	for _, place := range strayPlaces() {
		sum += y.typed[place.name]
		if y.typed[place.name] > 0 {
			t.Logf("%v a key, %s: %d typed; %s", y.pace, place.name, y.typed[place.name],
				y.counts(func(d *strayDesk) bool { return d.place.name == place.name }))
		}
	}
	t.Logf("%v a key, all places: %d typed with %d keys, %d more too slowly; %s", y.pace, sum, y.keys, y.slow,
		y.counts(func(*strayDesk) bool { return true }))
}

// counts says how many of some desks did what.
func (y *strayTally) counts(of func(*strayDesk) bool) string {
	var counts []string
	for _, kind := range strayKinds {
		n := 0
		for _, d := range y.found[kind] {
			if of(d) {
				n++
			}
		}
		counts = append(counts, fmt.Sprintf("%s %d", kind, n))
	}
	return strings.Join(counts, ", ")
}

// strayMost is how many dashboards are typed into at once; with the race detector each needs more of the machine.
var strayMost = map[bool]int{false: 16, true: 10}[raceDetector]

// strayLanes has room for those tests that type now. More of them would slow each other down between two keys.
var strayLanes = make(chan bool, map[bool]int{false: 3, true: 1}[raceDetector])

// typeAlone waits until there is room, which the test has until it ends.
func typeAlone(t *testing.T) {
	strayLanes <- true
	t.Cleanup(func() { <-strayLanes })
}

// stood returns how long the questions have been on screen before somebody types. The long run has all times.
func stood(pick *rand.Rand) time.Duration {
	times := []time.Duration{0, 3 * time.Second, 10 * time.Second, time.Minute}
	if n := pick.IntN(len(times)); *rounds >= everyRhythm || n == 1 {
		return times[n]
	}
	return 0
}

// typeStray types each text in its place, many at once, until enough says so. Where this machine was slow between two
// keys it was no typing, and is done again, with fewer at once.
func typeStray(t *testing.T, bin string, runs []strayRun, tally *strayTally, pick *rand.Rand, enough func() bool) {
	t.Helper()
	for most := strayMost; len(runs) > 0 && !enough(); {
		some := runs[:min(most, len(runs))]
		typed := false
		played := t.Run("texts", func(t *testing.T) {
			typeAlone(t)
			var desks []*strayDesk
			for _, run := range some {
				desks = append(desks, newStrayDesk(t, bin, run, pick.IntN))
			}
			reached(desks)
			time.Sleep(stood(pick))
			if typed = typeToAll(desks, tally.pace) <= paused/2; !typed {
				return
			}
			time.Sleep(guarded)
			look(desks)
			for _, d := range desks {
				tally.add(d)
			}
		})
		require.True(t, played)
		if typed {
			runs, most = runs[len(some):], min(strayMost, most+4)
		} else {
			tally.slow += len(some)
			most = max(1, most/2)
		}
	}
}
