package term

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/gdamore/tcell/v2"
)

// piece is what one read brings, and the silence after it.
type piece struct {
	bytes string
	pause time.Duration
}

// through sends pieces through a filter, with a clock of its own, and returns what tcell gets.
func through(pieces ...piece) string {
	var f filter
	var out []byte
	now := time.Unix(1e9, 0)
	for _, p := range pieces {
		out = append(out, f.feed([]byte(p.bytes), now)...)
		end := now.Add(p.pause)
		for due := f.due(); !due.IsZero() && !due.After(end); due = f.due() {
			out = append(out, f.settle(due)...)
		}
		now = end
	}
	return string(out)
}

// understood returns the events that tcell makes of filtered bytes: text as it is, keys by name, < > around a paste.
func understood(t testing.TB, filtered string) string {
	t.Helper()
	for _, c := range []byte(filtered) {
		if c >= 0x80 {
			t.Fatalf("%q is not ASCII", filtered)
		}
	}
	events := make(chan tcell.Event, 10*len(filtered)+1)
	tcell.NewInputProcessor(events).ScanUTF8([]byte(filtered))
	close(events)
	var got strings.Builder
	for event := range events {
		switch event := event.(type) {
		case *tcell.EventPaste:
			got.WriteString(map[bool]string{true: "<", false: ">"}[event.Start()])
		case *tcell.EventKey:
			if event.Key() == tcell.KeyRune && event.Modifiers() == 0 {
				got.WriteRune(event.Rune())
			} else {
				got.WriteString("{" + event.Name() + "}")
			}
		case *tcell.EventFocus:
			got.WriteString("{focus}")
		default:
			t.Fatalf("%q makes a %T", filtered, event)
		}
	}
	return got.String()
}

func TestFilter(t *testing.T) {
	const long = 1100 * time.Millisecond
	one := func(s string) []piece { return []piece{{s, long}, {"z", 0}} }
	torn := func(pause time.Duration, parts ...string) (pieces []piece) {
		for _, part := range parts {
			pieces = append(pieces, piece{part, pause})
		}
		return append(pieces, piece{"", long}, piece{"z", 0})
	}
	const ms = time.Millisecond
	for _, c := range []struct {
		what string
		sent []piece
		want string // before the z with which each ends
	}{
		{"text", one("für 日本 €😀 x"), "für 日本 €😀 x"},
		{"a byte that is no UTF-8", one("a\xe9b\x80c\xffd\xc0\xafe\x9bf"), "a�b�c�d��e�f"},
		{"surrogates", one("\xed\xa0\x80"), "���"},
		{"a true U+FFFD", one("a\ufffdb"), "a\ufffdb"},
		{"private use", one("\ue00e\ue050\ue0a0\uf8ff\U000f0000"), "\ue00e\ue050\ue0a0\uf8ff\U000f0000"},
		{"a character torn for too long", torn(600*ms, "\xe6", "\x97", "\xa5"), "��"},
		{"a character torn within a second", torn(300*ms, "\xe6", "\x97", "\xa5"), "日"},
		{"a character without an end", torn(long, "\xe6\x97", "b"), "\ufffdb"},
		{"an unfinished character and a key", one("\xe6\x1b[A"), "\ufffd{Up}"},
		{"control characters", one("\x00\x01\x03\x08\x7f\t\n\r\x1a"),
			"{Ctrl+Space}{Ctrl+A}{Ctrl+C}{Backspace}{Backspace}{Tab}{Ctrl+J}{Enter}{Ctrl+Z}"},

		{"Esc", one("\x1b"), "{Esc}"},
		{"Esc twice", one("\x1b\x1b"), "{Esc}{Esc}"},
		{"Esc three times", one("\x1b\x1b\x1b"), "{Esc}{Esc}{Esc}"},
		{"Esc and a letter", torn(100*ms, "\x1b", "h"), "{Esc}h"},
		{"Esc and text in one read", torn(100*ms, "\x1b", "Please [do]"), "{Esc}Please [do]"},
		{"Esc and a list", torn(100*ms, "\x1b", "[ ] one [1] two", ""), "{Esc}[ ] one [1] two"},
		{"Esc and a number in brackets", torn(100*ms, "\x1b", "[1] two"), "{Esc}[1] two"},
		{"Esc and Ctrl-C", one("\x1b\x03"), "{Esc}{Ctrl+C}"},
		{"Alt", one("\x1bh\x1b\r\x1bä\x1b\x7f"), "{Alt+Rune[h]}{Alt+Enter}{Alt+Rune[ä]}{Alt+Backspace}"},
		{"Alt of a character torn", torn(20*ms, "\x1b\xc3", "\xa4"), "{Alt+Rune[ä]}"},
		{"Shift-Tab", one("\x1b\t\x1b[Z\x1b[1;2Z\x1b[9;2u"), "{Backtab}{Backtab}{Backtab}{Backtab}"},
		{"an arrow with Alt", one("\x1b\x1b[D\x1b\x1bOC\x1b[1;3D"), "{Alt+Left}{Alt+Right}{Alt+Left}"},
		{"a torn arrow", torn(30*ms, "\x1b", "[", "D"), "{Left}"},
		{"a torn arrow with Alt", torn(15*ms, "\x1b", "\x1b[", "D"), "{Alt+Left}"},
		{"Esc and a paste", one("\x1b\x1b[200~b\x1b[201~"), "{Esc}<b>"},
		{"keys that move", one("\x1b[A\x1bOB\x1b[5~\x1b[1;5C\x1bOd\x1b[3;5~\x1b[H\x1bOF"),
			"{Up}{Down}{PgUp}{Ctrl+Right}{Ctrl+Left}{Ctrl+Delete}{Home}{End}"},
		{"keys of rxvt", one("\x1b[3$\x1b[3^\x1b[3@\x1b[7^\x1b[d\x1bOd\x1b\x1b[3$\x1b\x1bOd\x1b\x1b[3^\x1b\x1b[d\x1b[23^"),
			"{Shift+Delete}{Ctrl+Delete}{Shift+Ctrl+Delete}{Ctrl+Home}{Shift+Left}{Ctrl+Left}{Shift+Alt+Delete}{Alt+Ctrl+Left}" +
				"{Alt+Ctrl+Delete}{Shift+Alt+Left}{F33}"},
		{"keys of rxvt, torn", torn(30*ms, "\x1b[3", "$", "\x1b\x1b[3", "$"), "{Shift+Delete}{Shift+Alt+Delete}"},
		{"arrows of PuTTY with Alt", one("\x1b\x1b[A\x1b\x1b[D\x1b\x1b[1~\x1b\x1b[6~"), "{Alt+Up}{Alt+Left}{Alt+Home}{Alt+PgDn}"},
		{"Ctrl-_", one("\x1f\x1b[95;5u\x1b[47;5u\x1b[45;6u\x1b[27;6;95~"), strings.Repeat("{Ctrl+_}", 5)},
		{"Ctrl with a character", one("\x1b[49;5u\x1b[100;7u"), "{Ctrl+Rune[1]}{Alt+Ctrl+Rune[d]}"},
		{"function keys", one("\x1bOP\x1b[[A\x1b[15~\x1b[1;2Q"), "{F1}{F1}{F5}{Shift+F2}"},
		{"the focus", one("\x1b[I\x1b[O"), "{focus}{focus}"},

		{"XTVERSION", one("\x1bP>|WezTerm 2024\x1b\\"), ""},
		{"XTGETTCAP", one("\x1bP1+r544e=787465726d\x1b\\"), ""},
		{"OSC", one("\x1b]11;rgb:1111/2222/3333\x1b\\\x1b]10;rgb:0/0/0\a\x1b]52;c;YWJj\x1b\\"), ""},
		{"APC, PM and SOS", one("\x1b_Gi=31;OK\x1b\\\x1b^pm\x1b\\\x1bXsos\x1b\\"), ""},
		{"DA", one("\x1b[?62;22c\x1b[>0;276;0c\x1b[=0c"), ""},
		{"CPR, DECRPM, DSR, the window", one("\x1b[12;40R\x1b[1;1R\x1b[?2026;2$y\x1b[0n\x1b[?997;1n\x1b[8;24;80t\x1b[1t"), ""},
		{"kitty's flags", one("\x1b[?1u"), ""},
		{"a mouse", one("\x1b[M !!\x1b[M\x20\xc4\xe9\x1b[<0;10;3M\x1b[<0;10;3m\x1b[32;10;3M"), ""},
		{"torn replies", torn(300*ms, "\x1b]11;rg", "b:11", "/22\x1b\\"), ""},
		{"a mouse torn", torn(300*ms, "\x1b[M", " ", "!!"), ""},
		{"OSC torn behind its escape", torn(300*ms, "\x1b", "]11;rgb:1111/2222/3333\x1b\\"), "{Esc}"},
		{"DCS torn behind its escape", torn(300*ms, "\x1b", "P>|WezTerm\x1b\\"), "{Esc}"},
		{"a mouse torn behind its escape", torn(300*ms, "\x1b", "[M !!"), "{Esc}"},
		{"SGR torn behind its escape", torn(300*ms, "\x1b", "[<0;10;3M"), "{Esc}"},
		{"a string torn in its end", torn(300*ms, "\x1b]11;rgb:1/2/3\x1b", "\\"), "{Esc}"},
		{"a paste torn behind its escape", torn(300*ms, "\x1b", "[200~ab\x1b[201~"), "{Esc}<ab>"},
		{"OSC without an end", torn(400*ms, "\x1b]0;never", "ends", "here", "yes"), "yes"},
		{"CSI without an end", one("\x1b[1;"), ""},
		{"CSI without an end, for long", one("\x1b[" + strings.Repeat("1;", 500) + "A"), ""},
		{"a string cut off", one("\x1b]0;x\x03y\x1bPx\x18y"), "{Ctrl+C}yy"},
		{"Esc in a string", one("\x1b]0;x\x1b"), "{Esc}"},

		{"a paste", one("\x1b[200~a\r\nä\t\x1b[31mb\x1bc\x03\x01\x1b[A\x1b[201~d"), "<a{Enter}{Ctrl+J}ä{Tab}bc>d"},
		{"a paste with a byte that is no UTF-8", one("\x1b[200~a\xffb\x1b[201~"), "<a�b>"},
		{"a paste without an end", one("\x1b[200~ab"), "<ab>"},
		{"a paste with a torn end", torn(150*ms, "\x1b[200~ab\x1b", "[201~"), "<ab>"},
		{"a paste with a beginning in it", one("\x1b[200~a\x1b[200~b\x1b[201~"), "<ab>"},
		{"an end without a paste", one("\x1b[201~a"), "a"},
		{"a slow paste", torn(900*ms, "\x1b[200~ab", "cd", "ef\x1b[201~"), "<abcdef>"},
		{"Ctrl-C in a paste that stalls", torn(150*ms, "\x1b[200~ab", "\x03"), "<ab>{Ctrl+C}"},
		{"Ctrl-C as a number in a paste that stalls", torn(150*ms, "\x1b[200~ab", "\x1b[99;69u"), "<ab>{Ctrl+C}"},
		{"Ctrl-C with text behind it", torn(90*ms, "\x1b[200~ab", "", "\x03", "cd\x1b[201~"), "<abcd>"},
		{"Ctrl-C close to the text before", torn(90*ms, "\x1b[200~ab", "\x03", "", "cd\x1b[201~"), "<abcd>"},
		{"a string in a paste without its end", one("\x1b[200~a\x1b]0;b\x1b[201~c"), "<a>c"},

		{"Enter as CR LF", torn(10*ms, "a\r", "\nb\r\n\n", "\r\nc"), "a{Enter}b{Enter}{Ctrl+J}{Enter}c"},
		{"Enter and Ctrl-J", torn(60*ms, "a\r", "\nb\r", "c\n"), "a{Enter}{Ctrl+J}b{Enter}c{Ctrl+J}"},
		{"Enter with a modifier", one("\x1b[13;2u\x1b[27;2;13~\x1b[13;5u\x1b[27;5;13~\x1b[13;9u\x1b[13;3u\x1b[57414;2u" +
			"\x1b[13;28;13;1;16;1_"), "{Shift+Enter}{Shift+Enter}{Ctrl+Enter}{Ctrl+Enter}{Meta+Enter}{Alt+Enter}" +
			"{Shift+Enter}{Shift+Enter}"},
		{"Enter, with a lock on", one("\x1b[13u\x1b[13;65u\x1b[13;129u\x1b[13;1:1u\x1b[13;1:2u"),
			"{Enter}{Enter}{Enter}{Enter}{Enter}"},
		{"releases", one("\x1b[13;1:3u\x1b[97;1:3u\x1b[1;1:3A\x1b[3;1:3~\x1b[13;28;13;0;0;1_"), ""},
		{"Super, Hyper and Meta", one("\x1b[97;9u\x1b[97;17u\x1b[97;33u\x1b[1;9A\x1b[3;9~\x1b[27;9;120~\x1b[65;30;0;1;0;1_"), ""},
		{"keys that only modify", one("\x1b[57441;2u\x1b[57428u\x1b[16;42;0;1;16;1_"), ""},
		{"letters with a modifier", one("\x1b[97:65;2u\x1b[97:65;3u\x1b[99;5u\x1b[27;5;99~\x1b[27;2;65~\x1b[228u\x1b[27u"),
			"A{Alt+Rune[a]}{Ctrl+C}{Ctrl+C}Aä{Esc}"},
		{"Windows", one("\x1b[65;30;97;1;0;1_\x1b[67;46;3;1;8;1_\x1b[0;0;27;1;0;1_\x1b[0;0;91;1;0;1_\x1b[0;0;65;1;0;1_\x1b[0;1;8364;1;0;1_"),
			"a{Ctrl+C}{Up}€"},
		{"Windows, very often", one("\x1b[65;30;97;1;0;2000000000_"), strings.Repeat("a", mostTimes)},
		{"numbers that are none", one("\x1b[99999999999999999999;2u\x1b[1114112u\x1b[55296u\x1b[0u"), ""},
	} {
		if got := understood(t, through(c.sent...)); got != c.want+"z" {
			t.Errorf("%s: got %q, want %q", c.what, got, c.want+"z")
		}
	}
}

func TestFilter_EscIsNeverLate(t *testing.T) {
	for _, before := range []string{"", "a", "\xe6", "\x1b[", "\x1b[1;", "\x1bO", "\x1b]0;x", "\x1bP", "\x1b[M", "\x1b[M ", "\x1b[200~\x1b[201~"} {
		var f filter
		now := time.Unix(1e9, 0)
		f.feed([]byte(before), now)
		now = now.Add(200 * time.Millisecond)
		f.feed([]byte{escape}, now)
		if got := understood(t, string(f.settle(now.Add(50*time.Millisecond)))); got != "{Esc}" {
			t.Errorf("50 ms after Esc behind %q there is %q", before, got)
		}
	}
}

// sequences are what terminals send beside keys and text. None of them is text.
var sequences = []string{"\x1b[?62;22c", "\x1b[>1;95;0c", "\x1b[12;40R", "\x1b[?2026;2$y", "\x1b[?1u", "\x1b[0n", "\x1b[8;24;80t",
	"\x1b[M !!", "\x1b[M\x23\xff\xc3", "\x1b[<0;10;3M", "\x1b[<35;1;1m", "\x1b]11;rgb:1111/2222/3333\x1b\\", "\x1b]52;c;YWJj\a",
	"\x1bP>|WezTerm 2024\x1b\\", "\x1bP1$r0m\x1b\\", "\x1b_Gi=31;OK\x1b\\", "\x1b^pm\x1b\\", "\x1bXsos\x1b\\", "\x1b[I", "\x1b[O",
	"\x1b[97;1:3u", "\x1b[97;9u"}

// TestFilter_TextBetweenSequences mixes text with whole sequences, torn at any place but right behind an escape, and
// checks that all of the text comes through and nothing else.
func TestFilter_TextBetweenSequences(t *testing.T) {
	words := []string{"a", "before", "ä", "日本", "😀", "x y", "\ufffd", "é€"}
	for seed := range uint64(500) {
		random := rand.New(rand.NewPCG(seed, 1))
		var sent, want strings.Builder
		for range 40 {
			if random.IntN(2) == 0 {
				sent.WriteString(sequences[random.IntN(len(sequences))])
				continue
			}
			word := words[random.IntN(len(words))]
			sent.WriteString(word)
			want.WriteString(word)
		}
		var pieces []piece
		for rest := sent.String(); rest != ""; {
			n := min(1+random.IntN(20), len(rest))
			pause := time.Duration(random.IntN(30)) * time.Millisecond
			pieces = append(pieces, piece{rest[:n], pause})
			rest = rest[n:]
		}
		got := strings.ReplaceAll(understood(t, through(pieces...)), "{focus}", "")
		if got != want.String() {
			t.Fatalf("seed %d: got %q, want %q, from %v", seed, got, want.String(), pieces)
		}
	}
}

// checkSettles is the second property of the filter: after any bytes, in any pieces, and a second of silence, what
// follows comes through whole, and each Ctrl-C is Ctrl-C.
func checkSettles(t testing.TB, sent []byte, cut uint64) {
	t.Helper()
	random := rand.New(rand.NewPCG(cut, 2))
	var pieces []piece
	for rest := sent; len(rest) > 0; {
		n := min(1+random.IntN(1+random.IntN(100)), len(rest))
		pieces = append(pieces, piece{string(rest[:n]), time.Duration(random.IntN(random.IntN(300)+1)) * time.Millisecond})
		rest = rest[n:]
	}
	pieces = append(pieces, piece{"", 1100 * time.Millisecond})
	before := through(pieces...)
	got := understood(t, through(append(pieces, piece{"wörter\x03", 300 * time.Millisecond}, piece{"\x03", 0})...))
	if want := understood(t, before) + "wörter{Ctrl+C}{Ctrl+C}"; got != want {
		t.Fatalf("after %q in pieces of %d: got %q, want %q", sent, cut, got, want)
	}
	if !utf8.ValidString(got) {
		t.Fatalf("%q is no UTF-8", got)
	}
}

// checkSendsNothing is the first property of the filter: of bytes that no person types, whole sequences and torn ones, no
// key comes that sends, breaks a line, ends or suspends. Text before them and text a second behind them come whole.
func checkSendsNothing(t testing.TB, seed uint64, n int) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 4))
	var sent []byte
	for len(sent) < n {
		whole := sequences[random.IntN(len(sequences))]
		switch c := byte(random.IntN(0x20)); random.IntN(4) {
		case 0:
			if c != '\r' && c != '\n' && c != ctrlC && c != subst {
				sent = append(sent, c)
			}
		case 1:
			sent = append(sent, whole...)
		case 2:
			sent = append(sent, whole[:1+random.IntN(len(whole))]...)
		default:
			sent = append(sent, byte(0x80+random.IntN(0x80)))
		}
	}
	pieces := []piece{{"before 日本", 0}}
	for rest := sent; len(rest) > 0; {
		size := min(1+random.IntN(1+random.IntN(100)), len(rest))
		pieces = append(pieces, piece{string(rest[:size]), time.Duration(random.IntN(random.IntN(300)+1)) * time.Millisecond})
		rest = rest[size:]
	}
	pieces = append(pieces, piece{"", 1100 * time.Millisecond})
	during := understood(t, through(pieces...))
	got := understood(t, through(append(pieces, piece{"after wörter", 0})...))
	if !strings.HasPrefix(got, "before 日本") || got != during+"after wörter" {
		t.Fatalf("seed %d, %d bytes: text is torn: %q", seed, n, got)
	}
	for _, key := range []string{"Enter}", "Ctrl+J}", "Ctrl+C}", "Ctrl+Z}", "Rune[m]}"} {
		if strings.Contains(got, key) {
			t.Fatalf("seed %d, %d bytes: %s in %q of %q", seed, n, key, got, sent)
		}
	}
}

func TestFilter_StrangeBytesSendNothing(t *testing.T) {
	seed := newSeed(t)
	for i := range uint64(2000) {
		checkSendsNothing(t, seed+i, 200)
	}
}

// newSeed returns another seed for each run, and says which.
func newSeed(t testing.TB) uint64 {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return seed
}

func FuzzFilter_StrangeBytes(f *testing.F) {
	for seed := range uint64(5) {
		f.Add(seed, uint16(100))
	}
	f.Fuzz(func(t *testing.T, seed uint64, n uint16) { checkSendsNothing(t, seed, int(n)) })
}

// anyBytes returns bytes and parts of sequences in random order.
func anyBytes(random *rand.Rand, n int) (sent []byte) {
	marks := []string{pasteStart, pasteEnd, "\x1b", "\x1b[", "\x1b]", "\x1bP", "\x1bO", "\x1b[M", "\x1b[0;0;27;1;0;1_"}
	for len(sent) < n {
		switch random.IntN(4) {
		case 0:
			sent = append(sent, sequences[random.IntN(len(sequences))]...)
		case 1:
			sent = append(sent, marks[random.IntN(len(marks))]...)
		default:
			sent = append(sent, byte(random.IntN(256)))
		}
	}
	return sent
}

func TestFilter_SettlesAfterAnyBytes(t *testing.T) {
	seed := newSeed(t)
	for i := range uint64(2000) {
		checkSettles(t, anyBytes(rand.New(rand.NewPCG(seed+i, 3)), 200), seed+i)
	}
}

func FuzzFilter(f *testing.F) {
	for seed := range uint64(5) {
		f.Add(anyBytes(rand.New(rand.NewPCG(seed, 3)), 100), seed)
	}
	f.Fuzz(func(t *testing.T, sent []byte, cut uint64) { checkSettles(t, sent, cut) })
}

func TestFilter_EscapeThatIsReadLateIsNotTorn(t *testing.T) {
	const late = 200 * time.Millisecond
	at := time.Unix(1, 0)
	for name, c := range map[string]struct {
		first string
		timer bool // the timer ran between the two reads
		whole bool
	}{
		"the timer was late too":           {"a\x1b", false, true},
		"nothing came in time":             {"a\x1b", true, false},
		"behind much input, in good time":  {strings.Repeat("a", muchRead) + "\x1b", true, true},
		"behind less than much, too late":  {strings.Repeat("a", muchRead-2) + "\x1b", true, false},
		"an escape alone, and a key later": {"\x1b", true, false},
	} {
		t.Run(name, func(t *testing.T) {
			var f filter
			out := string(f.feed([]byte(c.first), at))
			if c.timer {
				out += string(f.settle(at.Add(late)))
			}
			out += string(f.feed([]byte("[D"), at.Add(late)))
			if whole := strings.HasSuffix(out, "\x1b[D") && strings.Count(out, "\x1b") == 1; whole != c.whole {
				t.Errorf("whole: %v, in %q", whole, out)
			}
		})
	}
}
