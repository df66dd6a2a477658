package e2e

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
)

// much is how many bytes each of these tests sends.
const much = 64 << 10

// sends writes bytes to the terminal as fast as the program takes them. It fails if the program stops taking them.
func (c *console) sends(b []byte) {
	c.Helper()
	for len(b) > 0 && !c.hasEnded() {
		n := min(len(b), 1024)
		written := make(chan error, 1)
		go func(part []byte) {
			_, err := c.tty.Write(part)
			written <- err
		}(b[:n])
		for start := time.Now(); len(written) == 0 && !c.hasEnded(); time.Sleep(time.Millisecond) {
			require.Less(c, time.Since(start), patience, "the program reads no more")
		}
		b = b[n:]
	}
}

// inPieces sends bytes in random pieces with random pauses, some of them longer than the filter waits for a sequence.
func (c *console) inPieces(b []byte, random *rand.Rand) {
	c.Helper()
	for len(b) > 0 {
		n := min(1+random.IntN(1<<random.IntN(14)), len(b))
		c.sends(b[:n])
		b = b[n:]
		if random.IntN(4) == 0 {
			time.Sleep(time.Duration(random.IntN(60)) * time.Millisecond)
		}
	}
}

// rests waits until the program has had nothing to do for a while, or has ended. On a busy machine it reads bytes later
// than they were sent, and a silence begins for it with what it has read.
func (c *console) rests(silence time.Duration) {
	c.Helper()
	start := time.Now()
	for before := c.busy(); !c.hasEnded(); {
		time.Sleep(silence)
		now := c.busy()
		if now-before < silence/5 {
			return
		}
		require.Less(c, time.Since(start), patience, "the program is always busy")
		before = now
	}
}

// busy is how long the program's threads have run, or waited for a processor, so far.
func (c *console) busy() (all time.Duration) {
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", c.cmd.Process.Pid))
	for _, name := range tasks {
		var ran, waited time.Duration
		if text, err := os.ReadFile(name); err == nil { // else the thread has just ended
			_, _ = fmt.Sscan(string(text), &ran, &waited)
		}
		all += ran + waited
	}
	return all
}

// strange are sequences that no person types: replies, reports, keys and marks, whole.
var strange = []string{
	"\x1b[A", "\x1b[1;5D", "\x1b[3~", "\x1b[15~", "\x1b[97;5u", "\x1b[97;9u", "\x1b[97;1:3u", "\x1b[27;5;120~", "\x1b[Z", "\x1b[I", "\x1b[O",
	"\x1b[?62;22c", "\x1b[>0;276;0c", "\x1b[12;40R", "\x1b[?2026;2$y", "\x1b[?1u", "\x1b[0n", "\x1b[8;24;80t", "\x1b[[A",
	"\x1bOA", "\x1bOP", "\x1bOM", "\x1b]11;rgb:1111/2222/3333\x1b\\", "\x1b]52;c;YWJj\a", "\x1bP>|WezTerm 2024\x1b\\", "\x1bP1$r0m\x1b\\",
	"\x1b_Gi=31;OK\x1b\\", "\x1b^pm\x1b\\", "\x1bXsos\x1b\\", "\x1b[M !!", "\x1b[M\x23\xff\xc3", "\x1b[<0;10;3M", "\x1b[<35;1;1m",
	"\x1b[200~", "\x1b[201~", "\x1b\x1b[D",
}

// strangeBytes returns bytes that are no keys of a person who answers: bytes from 0x80, control characters other than
// those that send, break a line, end or suspend, and sequences, whole and torn.
func strangeBytes(random *rand.Rand, n int) []byte {
	var b []byte
	for len(b) < n {
		switch random.IntN(4) {
		case 0:
			if c := byte(random.IntN(0x20)); c != '\r' && c != '\n' && c != 0x03 && c != 0x1a {
				b = append(b, c)
			}
		case 1:
			b = append(b, strange[random.IntN(len(strange))]...)
		case 2:
			part := strange[random.IntN(len(strange))]
			b = append(b, part[:1+random.IntN(len(part))]...)
		default:
			b = append(b, byte(0x80+random.IntN(0x80)))
		}
	}
	return b
}

// control returns the program under test; CHOICETUI_OTHER names another one, to see that a test fails there.
func control(r *room) {
	if other := os.Getenv("CHOICETUI_OTHER"); other != "" {
		r.bin = other
	}
}

// withoutEditor is the dashboard of a person whose editor and browser end at once. Another one would get the bytes.
func (r *room) withoutEditor() *exec.Cmd {
	cmd := r.command()
	cmd.Env = append(cmd.Env, "EDITOR=true", "VISUAL=true", "BROWSER=true")
	return cmd
}

// TestBytes_MuchInputCostsLittle types into the field of an answer, faster than anybody does.
func TestBytes_MuchInputCostsLittle(t *testing.T) {
	r := newRoom(t)
	control(r)
	c := r.console(80, 24, r.command())
	c.see("? keys")
	r.connect("claude-code").calls("ask_user_question", object{"questions": []string{"Why?"}})
	c.see("Why?")
	time.Sleep(guarded)
	c.press("begin ")
	c.see("begin")
	for i, input := range []struct{ name, sent, shows string }{
		{"words", strings.Repeat("plain text ", much/11), "32774 bytes too long"}, // so all of it has come
		{"lines", "\x15" + strings.Repeat("some text\n", much/10), "bytes too long"},
		{"an arrow", strings.Repeat("\x1b[D", much/5), "bytes too long"},
		{"what is no UTF-8", strings.Repeat("\xff", much), "bytes too long"},
	} {
		if raceDetector && input.name == "an arrow" { // ten times slower, tcell itself comes late to what follows an escape
			continue
		}
		before, start := onCPU(c, c.cmd.Process.Pid), time.Now()
		end := fmt.Sprintf("the-end-%d", i)
		c.sends([]byte(input.sent + end))
		c.see(end)
		c.see(input.shows)
		spent := onCPU(c, c.cmd.Process.Pid) - before
		t.Logf("%s: %v of a core, %v", input.name, spent, time.Since(start))
		if !raceDetector {
			assert.Less(t, spent, time.Second, input.name)
		}
	}
}

// strangeCases are the states of the screen in which strange bytes come, and what shows afterwards that what is typed
// arrives whole.
var strangeCases = []struct {
	name  string
	asks  func(*console, *agent) *call
	after func(*console, *agent, *call)
}{
	{"nothing is pending", func(*console, *agent) *call { return nil }, func(c *console, a *agent, _ *call) {
		asked := a.ask(which())
		c.see("Send PostgreSQL")
		c.rests(guarded)
		c.press("2")
		c.see("Send SQLite")
		c.rests(guarded)
		c.press("\r")
		assert.Equal(c, []any{"sqlite"}, asked.answer().selection()["selected_ids"])
	}},
	{"a question", func(c *console, a *agent) *call {
		asked := a.ask(which())
		c.see("Send PostgreSQL")
		return asked
	}, func(c *console, _ *agent, asked *call) {
		c.press("n")
		c.rests(paused)
		c.press("arrives whole", "\r")
		c.see("arrives whole")
		c.see("Send PostgreSQL") // the field is closed
		c.rests(guarded)
		c.press("\r")
		assert.Contains(c, asked.answer().text, "arrives whole")
	}},
	{"a field", func(c *console, a *agent) *call {
		asked := a.calls("ask_user_question", object{"questions": []string{"Why?"}})
		c.see("Why?")
		time.Sleep(guarded)
		c.press("begin日本")
		c.see("begin日本")
		return asked
	}, func(c *console, _ *agent, _ *call) {
		c.press("t", "\n", "arriveswhole")
		c.see("arriveswhole")
	}},
}

// sendsNothing is the first property of the filter: after bytes that no person types and a second of silence nothing
// was sent, and what is typed arrives whole.
func sendsNothing(t *testing.T, which int, seed uint64) {
	random, r, with := rand.New(rand.NewPCG(seed, 1)), newRoom(t), strangeCases[which]
	control(r)
	c := r.console(80, 24, r.withoutEditor())
	c.see("? keys")
	a := r.connect("claude-code")
	asked := with.asks(c, a)
	time.Sleep(guarded)
	c.inPieces(strangeBytes(random, much), random)
	c.rests(1100 * time.Millisecond)
	require.False(t, c.hasEnded(), "the program has ended")
	if asked != nil {
		asked.waits()
	}
	for range 3 { // leaves what the bytes opened
		c.press("\x1b")
		c.rests(between)
	}
	with.after(c, a, asked)
}

func TestBytes_StrangeOnesSendNothing(t *testing.T) {
	seed := seedOf(t)
	for i, with := range strangeCases {
		t.Run(with.name, func(t *testing.T) {
			t.Parallel()
			sendsNothing(t, i, seed)
		})
	}
}

// TestBytes_APasteWithoutItsEndIsSaid pastes a text whose end gets lost. The screen says so, and what was pasted is in the
// field after Ctrl-C, which keeps it as Esc does, and after a second of silence.
func TestBytes_APasteWithoutItsEndIsSaid(t *testing.T) {
	t.Parallel()
	c := noteField(t)
	c.press("\x1b[200~first words")
	c.see("pasting… (^C ends it)")
	time.Sleep(between)
	c.press("\x03")
	c.see("first words")
	c.when("no paste", func(w *wire) bool { return !strings.Contains(w.String(), "pasting") })
	time.Sleep(guarded)
	c.press("n")
	c.see("new line")
	c.press("\x1b[200~ and others\x1b")
	c.see("first words and others")
	c.press("!")
	c.see("others!")
}

// anyBytes returns bytes of all 256 values and parts of sequences. Every other time there is no Ctrl-C among them, which
// would end the program early.
func anyBytes(random *rand.Rand, n int) []byte {
	var b []byte
	endless := random.IntN(2) == 0
	for len(b) < n {
		switch part := strange[random.IntN(len(strange))]; random.IntN(6) {
		case 0:
			b = append(b, part...)
		case 1:
			b = append(b, part[:1+random.IntN(len(part))]...)
		default:
			if c := byte(random.IntN(256)); c != 0x03 || !endless {
				b = append(b, c)
			}
		}
	}
	return b
}

// anyPages are the pages on which any bytes come: what is asked, and what a person presses to get there from the question.
var anyPages = []struct {
	name  string
	asks  func() queue.Ask
	steps []string // what is seen, a key, what is seen, …
}{
	{"a question", database, []string{"Which database?"}},
	{"a form", roomtest.AuthRework, []string{"Auth rework"}},
	{"a confirmation", askConfirmed, []string{"Which database?", "\r", "cannot be undone"}},
	{"an approval", roomtest.ApproveDiff, []string{"y allow"}},
	{"the list", database, []string{"Which database?", "\t", "Open Which"}},
	{"the filter", database, []string{"Which database?", "/", "match"}},
	{"history", database, []string{"Which database?", "h", "history"}},
	{"settings", database, []string{"Which database?", "s", "transport"}},
	{"help", database, []string{"Which database?", "?", "a question"}},
	{"the filter of help", database, []string{"Which database?", "?", "a question", "/", "found"}},
	{"chat", database, []string{"Which database?", "i", "leave"}},
	{"a field", database, []string{"Which database?", "n", "new line"}},
	{"nothing is pending", nil, []string{"? keys"}},
}

// askConfirmed is a question whose answer is confirmed.
func askConfirmed() queue.Ask {
	ask := database()
	ask.Confirm, ask.ConfirmMessage = true, "This cannot be undone."
	return ask
}

// seedOf returns a seed, another one for each run; CHOICETUI_SEED names that of a run that failed.
func seedOf(t *testing.T) uint64 {
	seed := rand.Uint64()
	if was, err := strconv.ParseUint(os.Getenv("CHOICETUI_SEED"), 10, 64); err == nil {
		seed = was
	}
	t.Logf("CHOICETUI_SEED=%d", seed)
	return seed
}

// endsTwice is how far apart somebody presses Ctrl-C twice, at the least. A faster one is taken for a key that is held or
// hammered.
const endsTwice = 300 * time.Millisecond

// TestEvidenceBytes_AnyLetTwoCtrlCEndIt is the second property of the filter: after any bytes and a second of silence two
// Ctrl-C end the program within two seconds. It takes a few pages a run, and with many rounds each of them often.
func TestEvidenceBytes_AnyLetTwoCtrlCEndIt(t *testing.T) {
	seed := seedOf(t)
	first := int(seed % uint64(len(anyPages)))
	for i := range max(*rounds, 5) {
		page := anyPages[(first+i)%len(anyPages)]
		t.Run(page.name, func(t *testing.T) {
			t.Parallel()
			random, r := rand.New(rand.NewPCG(seed, uint64(i))), newRoom(t)
			control(r)
			if page.asks != nil {
				r.put(page.asks())
				r.put(page.asks()) // with one question there is no list
			}
			c := r.console(80, 24, r.withoutEditor())
			for n, step := range page.steps {
				if n%2 == 1 {
					c.press(step)
					continue
				}
				c.see(step)
				time.Sleep(guarded)
			}
			c.endsAfter(anyBytes(random, 1+random.IntN(2048)), random)
		})
	}
}

// endsWithin is how long the program may take to end after two Ctrl-C. With the race detector, beside everything else that
// is tested then, its end alone can take longer.
var endsWithin = map[bool]time.Duration{false: 2 * time.Second, true: patience}[raceDetector]

// endsAfter sends bytes, is silent for a second, and presses Ctrl-C twice.
func (c *console) endsAfter(b []byte, random *rand.Rand) {
	c.Helper()
	c.inPieces(b, random)
	c.rests(1100 * time.Millisecond)
	if !c.hasEnded() {
		c.press("\x03")
		time.Sleep(endsTwice)
		_, _ = c.tty.WriteString("\x03") // the first one may have ended it
	}
	c.mustEnd(endsWithin-endsTwice, fmt.Sprintf("two Ctrl-C do not end it after %q", b))
	if said := c.bytes(); strings.Contains(said, "stopped by a bug") || strings.Contains(said, "fatal error") {
		c.Fatal(said)
	}
}

// mustEnd fails the test with what and the screen if the program does not end in time.
func (c *console) mustEnd(within time.Duration, what string) {
	c.Helper()
	select {
	case <-c.done:
	case <-time.After(within):
		c.mu.Lock()
		defer c.mu.Unlock()
		c.Fatalf("%s:\n%s", what, c.wire)
	}
}

// TestBytes_TwoCtrlCBehindMuchInputEndIt presses Ctrl-C twice behind text that is still being read. What comes behind
// them does nothing.
func TestBytes_TwoCtrlCBehindMuchInputEndIt(t *testing.T) {
	t.Parallel()
	much := strings.Repeat("some text\n", much/10)
	for name, parts := range map[string][]string{
		"apart":                {much + "\x03", "\x03"},
		"together":             {much + "\x03\x03"},
		"text between":         {much + "\x03" + much + "\x03"},
		"an editor behind":     {"\x03", "\x03n\x07"},
		"an editor many times": {strings.Repeat("\x03n\x07", 3)},
	} {
		t.Run(name, func(t *testing.T) {
			c := noteField(t)
			for i, part := range parts {
				if i > 0 && parts[0] == "\x03" { // it has been read, so that the next one is read later
					c.when("the field is closed", func(w *wire) bool { return !strings.Contains(w.String(), "new line") })
				}
				gap := endsTwice
				if parts[0] != "\x03" { // the first one may be read late, behind all that text
					gap = time.Second
				}
				time.Sleep(time.Duration(min(i, 1)) * gap)
				c.sends([]byte(part))
			}
			c.mustEnd(endsWithin, "it does not end")
		})
	}
}

// hasEnded reports whether the program has ended.
func (c *console) hasEnded() bool { return len(c.done) > 0 }

// TestBytes_EditingKeysAsTerminalsSendThem edits a note with the bytes of xterm, PuTTY, rxvt and kitty.
func TestBytes_EditingKeysAsTerminalsSendThem(t *testing.T) {
	t.Parallel()
	c := noteField(t)
	time.Sleep(paused)
	for _, step := range []struct{ sent, want string }{
		{"one two three", "one two three"},
		{"\x1b\x1b[DA", "one two Athree"}, // PuTTY's Alt-Left
		{"\x1bOdB", "one two BAthree"},    // rxvt's Ctrl-Left
		{"\x1b[1;3CC", "one two BAthreeC"},
		{"\x1b[1;5D\x1b[3^", "one two"}, // rxvt's Ctrl-Delete
		{"\x19", "one two BAthreeC"},
		{"\x1f", "one two"},
		{"\x1bz", "one two BAthreeC"},
		{"\x15", ""},
		{"\x1b[121;5u\x1b[13;2uend", "one two BAthreeC"}, // kitty's Ctrl-Y and Shift-Enter
	} {
		c.press(step.sent)
		c.when("the note "+step.want, func(w *wire) bool {
			_, note, _ := strings.Cut(w.String(), "✎")
			note, _, _ = strings.Cut(note, "\n")
			return strings.TrimSpace(note) == step.want
		})
	}
	c.see("end")
}

// noteField opens the field of a note on a question, on a terminal.
func noteField(t *testing.T) *console {
	t.Helper()
	r := newRoom(t)
	control(r)
	r.put(database())
	c := r.console(80, 24, r.withoutEditor())
	c.see("Which database?")
	time.Sleep(guarded)
	c.press("n")
	c.see("new line")
	return c
}
