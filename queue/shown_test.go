package queue_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestShownChange_WritesOutWhatDiffers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text, want string
		onlyBlanks, odd  bool
	}{
		{"nothing special", "-a b\n+a c", "-a b\n+a c", false, false},
		{"a blank at a line's end", "-rm -rf build \\\n-  --dry-run\n+rm -rf build \\ \n+  --dry-run",
			"-rm -rf build \\\n-  --dry-run\n+rm -rf build \\<1 blank>\n+  --dry-run", true, false},
		{"line ends", "-a\r\n-b\r\n+a\n+b", "-a<1 CR>\n-b<1 CR>\n+a\n+b", true, false},
		{"a line end without a line break", "-a\r\n+b\r", "-a<1 CR>\n+b<1 CR>", false, false},
		{"a carriage return within a line", "-a\n+a\rb", "-a\n+a<U+000D>b", false, true},
		{"two at an end, behind blanks", "-a\n+a  \t\r\r", "-a\n+a<2 blanks><1 tab><2 CR>", true, false},
		{"blanks to a tab", "-    x = 1\n+\tx = 1", "-<4 blanks>x = 1\n+<1 tab>x = 1", true, false},
		{"blanks to a tab beside a change", "-    x = 1\n-y\n+\tx = 1\n+z",
			"-<4 blanks>x = 1\n-y\n+<1 tab>x = 1\n+z", false, false},
		{"a tab that both have", "-\tx = 1\n+\tx = 2", "-\tx = 1\n+\tx = 2", false, false},
		{"more tabs", "-\tx\n-y\n+\t\tx\n+z", "-\tx\n-y\n+\t\tx\n+z", false, false},
		{"a deeper indent", "-  x\n+    x", "-<2 blanks>x\n+<4 blanks>x", true, false},
		{"a deeper indent beside a change", "-  x\n-y\n+    x\n+z", "-  x\n-y\n+    x\n+z", false, false},
		{"a tab in a context line", " \tx\n-    x\n+y", " <1 tab>x\n-<4 blanks>x\n+y", false, false},
		{"a wide blank", "-a  b\n-c\n+a\u3000b\n+d", "-a<2 blanks>b\n-c\n+a<U+3000>b\n+d", false, false},
		{"an own wide blank", "-\u3042\u3000\u3044\n+\u3042", "-\u3042\u3000\u3044\n+\u3042", false, false},
		{"lines that are joined", "-ab\n-cd\n+abcd", "-ab\n-cd\n+abcd", true, false},
		{"a last line break", "-a\n\\ no newline at the end\n+a", "-a\n\\ no newline at the end\n+a", true, false},
		{"added alone", "+  \n+", "+<2 blanks>\n+", false, false},
		{"removed alone", "-", "-", false, false},
		{"nothing differs", "-a\n+a", "-a\n+a", false, false},
		{"a blank inserted into a patch", "--- /p/a\n+++ /p/a\n@@ -1 +1 @@\n-a\n+a ",
			"--- /p/a\n+++ /p/a\n@@ -1 +1 @@\n-a\n+a<1 blank>", true, false},
		{"text that reads like ours", "-<1 blank>\n+<U+0020> <0x41> <4 tabs> <tab> <U+20> <1 CR>",
			"-<U+003C>1 blank>\n+<U+003C>U+0020> <U+003C>0x41> <U+003C>4 tabs> <tab> <U+20> <U+003C>1 CR>", false, false},
		{"a middle dot", "-a·b →\n+a b →", "-a·b →\n+a b →", false, false},
	} {
		got := queue.ShownChange(c.text)
		require.Equal(t, queue.Change{Text: c.want, OnlyBlanks: c.onlyBlanks, Odd: c.odd}, got, c.name)
		shown, odd := queue.Part{Kind: queue.PartDiff, Text: c.text}.Shown()
		require.Equal(t, []any{c.want, c.onlyBlanks, c.odd}, []any{shown.Text, shown.OnlyBlanks, odd}, c.name)
	}
}

func TestShownName_IsNoOtherName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"/p/a b.go": "/p/a b.go",
		"/p/a\nb":   "/p/a<U+000A>b",
		"/p/a.py\n": "/p/a.py<U+000A>",
		"/p/a.py ":  "/p/a.py<1 blank>",
		" a":        "<1 blank>a",
		"a  b":      "a<2 blanks>b",
		"a\tb\r\n":  "a<U+0009>b<U+000D><U+000A>",
		"a\u00a0b":  "a<U+00A0>b",
		"a\u3000b":  "a<U+3000>b",
		"a → /etc":  "a <U+2192> /etc",
		"a<U+000A>": "a<U+003C>U+000A>",
		"   ":       "<3 blanks>",
		"":          "",
	} {
		shown, odd := queue.ShownName(name)
		require.Equal(t, want, shown, "%q", name)
		require.Equal(t, want != name && !strings.Contains(name, "<"), odd, "%q", name)
		a := queue.Approval{Tool: name, Dir: name}
		tool, dir := a.Shown()
		require.Equal(t, []string{want, want}, []string{tool, dir})
		part, _ := queue.Part{Kind: queue.PartDiff, Label: name, Leads: name, Text: "+x"}.Shown()
		require.Equal(t, []string{want, want}, []string{part.Label, part.Leads})
	}
}

func TestShown_WritesOutBlanksAtTheEndOfACommandsLines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ kind, text, want string }{
		{queue.PartCommand, "rm -rf build \\ \n  --dry-run", "rm -rf build \\<1 blank>\n  --dry-run"},
		{queue.PartCommand, "ls\t", "ls<1 tab>"},
		{queue.PartCommand, "echo '<1 tab>'", "echo '<U+003C>1 tab>'"},
		{queue.PartText, "a\r\nb", "a<U+000D>\nb"},
		{queue.PartFile, "read ", "read<1 blank>"},
		{queue.PartPlan, "a  \r\nb", "a  \nb"},
	} {
		shown, _ := queue.Part{Kind: c.kind, Text: c.text}.Shown()
		require.Equal(t, c.want, shown.Text, "%q", c.text)
	}
}

func TestShown_KeepsTheLabelOfAnOptionInOneLine(t *testing.T) {
	t.Parallel()
	for label, want := range map[string]string{
		"Allow for this session: /src/a\nb ": "Allow for this session: /src/a<U+000A>b<1 blank>",
		" a\tb\r\n":                          "<1 blank>a<U+0009>b<U+000D><U+000A>",
		"Write /a<U+000A>b → /etc":           "Write /a<U+000A>b → /etc",
		"Allow  once":                        "Allow  once",
	} {
		a := ask(func(a *queue.Ask, q *queue.Question) { a.Kind, q.Options[0].Label = queue.KindApproval, label })
		require.Equal(t, want, a.Shown().Questions[0].Options[0].Label)
		require.Equal(t, label, a.Questions[0].Options[0].Label)
	}
}

func TestInASCII_ShowsNoOtherCharacter(t *testing.T) {
	t.Parallel()
	p, _ := queue.Part{Kind: queue.PartCommand, Label: "a…", Leads: "/ä", Text: "rm –rf “a”\n\tb"}.Shown()
	require.Equal(t, queue.Part{Kind: queue.PartCommand, Label: "a<U+2026>", Leads: "/<U+00E4>",
		Text: "rm <U+2013>rf <U+201C>a<U+201D>\n\tb"}, p.InASCII())
}

// writtenOut matches what is written out in a shown text.
var writtenOut = regexp.MustCompile(`<(?:U\+([0-9A-F]{4,6})|(\d+) (blank|tab|CR)s?)>`)

// asSent returns the text that is shown in this way.
func asSent(shown string) string {
	return writtenOut.ReplaceAllStringFunc(shown, func(mark string) string {
		m := writtenOut.FindStringSubmatch(mark)
		if m[1] != "" {
			code, _ := strconv.ParseUint(m[1], 16, 32)
			return string(rune(code))
		}
		n, _ := strconv.Atoi(m[2])
		return strings.Repeat(map[string]string{"blank": " ", "tab": "\t", "CR": "\r"}[m[3]], n)
	})
}

// looks returns how a line of a change looks: with tabs of four blanks, and with tabs to each eighth column.
func looks(line string) [2]string {
	line = strings.ReplaceAll(line, "\u3000", "  ")
	var stops strings.Builder
	for _, r := range line {
		if r != '\t' {
			stops.WriteRune(r)
			continue
		}
		stops.WriteString(strings.Repeat(" ", 8-len([]rune(stops.String()))%8))
	}
	return [2]string{strings.TrimRight(strings.ReplaceAll(line, "\t", "    "), " "), strings.TrimRight(stops.String(), " ")}
}

// atoms are the pieces of generated texts.
var atoms = []string{"a", "a", "}", "<", "4", " ", " ", "    ", "\t", "blanks>", "1 tab>", "U+0009>", "\r", "\n", "\n", "\r\n",
	"\u00a0", "\u3000", "\u200b", "\ufe0f", "❤", "e\u0301", "·", "→"}

func anyText(r *rand.Rand, most int) string {
	var b strings.Builder
	for range r.IntN(most + 1) {
		b.WriteString(atoms[r.IntN(len(atoms))])
	}
	return b.String()
}

func TestShown_NoTwoTextsLookTheSame(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		text := anyText(r, 12)
		for _, kind := range []string{queue.PartDiff, queue.PartCommand, queue.PartText, queue.PartFile, queue.PartAddress} {
			p, _ := queue.Part{Kind: kind, Label: text, Text: text}.Shown()
			require.Equal(t, text, asSent(p.Text), "%s %q", kind, p.Text)
			require.Equal(t, text, asSent(p.Label), "%q", p.Label)
			require.NotContains(t, p.Label, "\n")
			require.Equal(t, strings.TrimSpace(p.Label), p.Label)
		}
	}
}

func TestShownChange_NoTwoSidesLookTheSame(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	for range 20000 {
		var lines []string
		for range 2 + r.IntN(4) {
			lines = append(lines, string("-+ "[r.IntN(3)])+strings.ReplaceAll(anyText(r, 5), "\n", ""))
		}
		text := strings.Join(lines, "\n")
		shown := strings.Split(queue.ShownChange(text).Text, "\n")
		require.Len(t, shown, len(lines))
		for i, one := range lines {
			for j, other := range lines {
				if one[0] == other[0] || one[1:] == other[1:] {
					continue
				}
				a, b := looks(shown[i][1:]), looks(shown[j][1:])
				require.NotEqual(t, a[0], b[0], fmt.Sprintf("%q and %q of %q", one, other, text))
				require.NotEqual(t, a[1], b[1], fmt.Sprintf("%q and %q of %q", one, other, text))
			}
		}
	}
}

func BenchmarkShownChange(b *testing.B) {
	text := strings.Repeat("-\tif err != nil {\n+    if err != nil {\n \t\treturn <-err\n", 1700)
	for b.Loop() {
		queue.ShownChange(text)
	}
}
