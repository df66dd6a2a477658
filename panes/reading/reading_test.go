package reading

import (
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/queue"
)

// laid returns a text as it comes on screen, one line a row.
func laid(lines []ink.Line) string {
	rows := make([]string, len(lines))
	for i, l := range lines {
		rows[i] = l.String()
	}
	return strings.Join(rows, "\n")
}

func TestMarkdownShowsWhatItIsGiven(t *testing.T) {
	for _, c := range []struct {
		name, in, want string
		w              int
	}{
		{"plain lines keep their breaks", "one\ntwo\n\n\n\nthree", "one\ntwo\n\nthree", 40},
		{"headings keep their signs: they might be a shell's comment", "# Plan\ntext\n## Next ##",
			"# Plan\ntext\n## Next ##", 40},
		{"underlined heading", "Plan\n====\ntext", "Plan\n====\ntext", 40},
		{"lists hang", "- alpha beta gamma\n  - delta epsilon zeta",
			"- alpha beta\n  gamma\n  - delta epsilon\n    zeta", 17},
		{"ordered lists keep their numbers", "3. three\n7. seven eight nine ten",
			"3. three\n7. seven eight\n   nine ten", 15},
		{"tasks", "- [ ] open it\n- [x] done and long enough to wrap",
			"- [ ] open it\n- [x] done and\n      long enough\n      to wrap", 18},
		{"quotes keep their sign on every row", "> said by somebody at length\n> > and another",
			"> said by\n> somebody at\n> length\n> > and another", 16},
		{"strong keeps its signs, as all the others do", "**Note:** do **not** run it", "**Note:** do **not** run it", 40},
		{"strong in CJK text", "これは**重要**です", "これは**重要**です", 40},
		{"single signs stay", "rm *foo* _bar_ ~~baz~~", "rm *foo* _bar_ ~~baz~~", 40},
		{"globs stay", "cp src/**/a/**/*.go *.md __init__.py **/x/**", "cp src/**/a/**/*.go *.md __init__.py **/x/**",
			80},
		{"strong that touches letters stays", "a**b**c", "a**b**c", 40},
		{"snake_case stays", "use my_long_name and __all__ here", "use my_long_name and __all__ here", 40},
		{"backslashes and entities stay", `rm \*.go &lt;b&gt; &#8238; C:\_tmp`, `rm \*.go &lt;b&gt; &#8238; C:\_tmp`,
			60},
		{"code keeps its backticks", "run `ls -la` or ``a`b``", "run `ls -la` or ``a`b``", 40},
		{"links show where they lead", "see [the docs](https://evil.example/x) now",
			"see [the docs](https://evil.example/x) now", 80},
		{"links with titles", `[docs](https://x.io "the title")`, `[docs](https://x.io "the title")`, 80},
		{"code is no link", "handlers[name](arg) and list[i](x.y)", "handlers[name](arg) and list[i](x.y)", 80},
		{"references and their definition stay", "see [it][1]\n\n[1]: https://evil.example",
			"see [it][1]\n\n[1]: https://evil.example", 80},
		{"images stay", "![a cat](https://x.io/c.png)", "![a cat](https://x.io/c.png)", 80},
		{"bare and automatic links stay", "https://x.io <https://y.io>", "https://x.io <https://y.io>", 80},
		{"HTML and comments stay", "<b>x</b> <!-- rm -rf / -->\n\n<script>alert(1)</script>\n\n<!--\nhidden\n-->",
			"<b>x</b> <!-- rm -rf / -->\n\n<script>alert(1)</script>\n\n<!--\nhidden\n-->", 80},
		{"placeholders stay", "git push <remote> <branch>", "git push <remote> <branch>", 80},
		{"a break stays", "a\n\n***\n\nb", "a\n\n***\n\nb", 8},
		{"fenced code keeps its fence", "Run:\n```sh\nls *.go  # x\n\n  **deep**\n```\nthen",
			"Run:\n```sh\nls *.go  # x\n\n  **deep**\n```\nthen", 40},
		{"a fence's words are seen", "``` rm -rf ~ && x\ncode\n```", "``` rm -rf ~ && x\ncode\n```", 40},
		{"a fence without words or end", "```\ncode", "```\ncode", 40},
		{"a fence in a list", "- do\n  ```sh\n  make\n  ```\n- next", "- do\n  ```sh\n  make\n  ```\n- next", 40},
		{"indented code", "Run:\n\n    make **all**\n      deep", "Run:\n\n    make **all**\n      deep", 40},
		{"hard breaks", "one  \ntwo\\\nthree", "one\ntwo\\\nthree", 40},
		{"a backslash that continues a command stays", "make \\\nall\\\n  -j4", "make \\\nall\\\n  -j4", 40},
		{"escaped signs stay", `\*not em\* find -name \*foo\*`, `\*not em\* find -name \*foo\*`, 80},
		{"strong keeps its signs around emphasis", "**bold *nested* bold** **a *.go b**",
			"**bold *nested* bold** **a *.go b**", 80},
		{"a diff keeps its head", "```diff\n--- a/db/x.sql\n+++ b/db/x.sql\n@@ -1 +1 @@\n-a\n+b\n```",
			"```diff\n--- a/db/x.sql\n+++ b/db/x.sql\n@@ -1 +1 @@\n-a\n+b\n```", 80},
		{"code that goes on hangs deeper, behind a sign",
			"1. do\n   ```sh\n   cp one two three\n     -r four\n   ```\nthen", "1. do\n   ```sh\n   cp one two \n   ↳ three\n     -r four\n   ```\nthen", 16},
		{"indented code that goes on", "Run:\n\n    make all of it", "Run:\n\n    make all \n    ↳ of it", 13},
		{"quoted code that goes on", "> ```\n> make all of it\n> ```", "> ```\n> make all \n> ↳ of it\n> ```", 12},
		{"a diff's sign column holds signs only", "+one two three\n-  one two three\n",
			"+one two \n↳  three\n-  one two \n↳    three", 11},
		{"a table keeps its lines", "| Name | n |\n|:-----|--:|\n| lite | 3 |", "| Name | n |\n|:-----|--:|\n| lite | 3 |", 40},
		{"a row that is too long says that it goes on", "| Name | What it is |\n|--|--|\n| pg | base |",
			"| Name | \n↳ What it \n↳ is |\n|--|--|\n| pg | \n↳ base |", 11},
		{"a table with more cells than its head", "| a |\n|--|\n| b | rm -rf |", "| a |\n|--|\n| b | rm -rf |", 40},
		{"pipes are no table", "cat a | sh\ncat b | sh", "cat a | sh\ncat b | sh", 40},
		{"an unfenced diff", "Apply?\n\n  a/x.sql\n-- old *x*\n-DROP **x**;\n+CREATE # y\n+  - z\n # not a heading",
			"Apply?\n\n  a/x.sql\n-- old *x*\n-DROP **x**;\n+CREATE # y\n+  - z\n # not a heading", 40},
		{"an unfenced diff with blank lines",
			"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n # one\n\n-* two\n+* three\n\n- a list", "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n # one\n\n-* two\n+* three\n\n- a list", 40},
		{"hidden characters", "a\u202eb **c\u200b**", "a<U+202E>b **c<U+200B>**", 40},
		{"escape sequences", "a\x1b]8;;http://x\x07b", "a<U+001B>]8;;http://x<U+0007>b", 40},
		{"tabs", "a\tb\n\tcode", "a       b\n        code", 40},
		{"nothing", " \n\t\n", "", 40},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, laid(Markdown(c.in, c.w)))
		})
	}
}

func TestInlineKeepsLinesAsTheyAre(t *testing.T) {
	assert.Equal(t, "# no heading\n- *no* list\n    no code\n**bold** `x` [docs](https://x.io)",
		laid(Inline("# no heading\n- *no* list\n    no code\n**bold** `x` [docs](https://x.io)", 60)))
}

// styleOf returns the style of the first span that holds the words.
func styleOf(t *testing.T, lines []ink.Line, words string) any {
	t.Helper()
	for _, l := range lines {
		for _, s := range l {
			if strings.Contains(s.Text, words) {
				return s.Style
			}
		}
	}
	require.Fail(t, "not there", words)
	return nil
}

func TestMarkdownStyles(t *testing.T) {
	lines := Markdown("# Head\n\n**strong** *soft* `code` ~~gone~~ plain\n\n```diff\n@@ -1 +1 @@\n-minus\n+plus\n```\n\n| a |\n|---|\n| b |\n\n[in](there)\n\n***\n\n-old\n+new\n", 60)
	for words, want := range map[string]any{"Head": ink.Bold, "strong": ink.Bold, "soft": ink.Plain.Italic(true),
		"code": ink.Bold, "`": ink.Dim, "**": ink.Dim, "*": ink.Dim, "~~": ink.Dim, "#": ink.Dim,
		"```": ink.Dim, "diff": ink.Plain, "|---|": ink.Dim, "|": ink.Dim, "](": ink.Dim, "there": ink.Plain, "***": ink.Dim,
		"gone": ink.Plain.StrikeThrough(true), "plain": ink.Plain, "minus": ink.Danger, "plus": ink.Good, "a": ink.Bold, "old": ink.Danger, "new": ink.Good} {
		assert.Equal(t, want, styleOf(t, lines, words), words)
	}
	assert.Equal(t, ink.Danger, styleOf(t, Markdown("```diff\n@@ -1 +1 @@\n-minus wrapped far\n```", 10), "far"))
}

func TestProseIsNarrowerThanCode(t *testing.T) {
	long := strings.Repeat("word ", 60)
	for _, l := range Markdown(long, 200) {
		assert.LessOrEqual(t, l.Width(), ProseWidth)
	}
	assert.Greater(t, Markdown("```\n"+long+"\n```", 200)[1].Width(), ProseWidth)
	assert.Greater(t, Markdown("+"+long+"\n-"+long, 200)[0].Width(), ProseWidth)
}

func TestTextMadeToKeepTheParserBusyIsShownAsItIs(t *testing.T) {
	for _, s := range []string{strings.Repeat("[", 16000) + strings.Repeat("]", 16000), strings.Repeat(">", 32000),
		strings.Repeat("*a **a ", 4500),
		strings.Repeat("- ", 16000), strings.Repeat("`a``b", 6000), strings.Repeat("<!--", 8000), strings.Repeat("\t",
			32000), strings.Repeat("|a", 16000) + "\n" + strings.Repeat("|-", 16000)} {
		lines := Markdown(s+"x", 40)
		assert.True(t, holds(laid(lines), inked(s)))
	}
}

// inked returns the characters of a text that leave ink, in order.
func inked(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

// holds reports whether all of part is in whole, in this order.
func holds(whole, part string) bool {
	rest := []rune(part)
	for _, r := range whole {
		if len(rest) > 0 && r == rest[0] {
			rest = rest[1:]
		}
	}
	return len(rest) == 0
}

func FuzzMarkdown(f *testing.F) {
	for _, s := range []string{"# a\n\n- b\n  1. c\n> d `e` **f** [g](http://h)\n\n|i|j|\n|-|-|\n|k|l|\n",
		"```diff\n-a\n+b\n```", "![a](b.c)[d]: /e\n\n[d]",
		"-DROP\n+CREATE\n", "a\u202e\x1b[31m**b**", "<!-- x -->\n<b>**c**", "日本語**強調**👩‍👩‍👧 e\u0301", "***a** b*", "* * *\n- - -\n\ta", "~~~x\ny\n~~~ z",
		"- ```\n  a", "\\*a b\\* c\\\nd", "```diff\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n```", "1. # b\n   ===", "[a]: <b> 'c'\nd", "|a|\n-", "\\*\\\\", "&amp;&#x202e;", "`` ` ``", "@@ -1,2 +1 @@\n\n a\n"} {
		f.Add(s, 24)
	}
	f.Fuzz(func(t *testing.T, s string, w int) {
		if len(s) > 4096 || w < leastMarkdown || w > 300 {
			return
		}
		text, _ := queue.Visible(s)
		for name, lines := range map[string][]ink.Line{"blocks": Markdown(s, w), "inline": Inline(s, w)} {
			for _, l := range lines {
				require.LessOrEqual(t, l.Width(), w, "%s %q", name, l.String())
				for _, s := range l {
					_, odd := queue.Visible(s.Text)
					require.False(t, odd && !strings.Contains(text, "\u200d") && !strings.ContainsAny(text,
						"\ufe0e\ufe0f"), "%s %q", name, s.Text)
				}
			}
			require.True(t, holds(laid(lines), inked(text)), "%s of %q is %q", name, s, laid(lines))
		}
	})
}

func BenchmarkMarkdown32KiB(b *testing.B) {
	var t strings.Builder
	for t.Len() < 32<<10 {
		t.WriteString("## Step\n\nThe **order** service needs `transactions` across [carts](https://x.io/carts) and payments; three ways are open, so I ask.\n\n- one item of some length\n- two\n\n```diff\n@@ -1,2 +1,2 @@\n-DROP INDEX orders_ttl;\n+CREATE INDEX orders_ttl2;\n```\n\n| a | b |\n|---|---|\n| one | two |\n\n")
	}
	text := t.String()[:32<<10]
	for b.Loop() {
		Markdown(text, 79)
	}
}

func TestABlankOfACommandThatIsNoneIsShown(t *testing.T) {
	t.Parallel()
	lines := Approval(&queue.Approval{Tool: "Bash", Parts: []queue.Part{
		{Kind: queue.PartCommand, Text: "ls\u00a0-l\r\nrm x"}}}, "", 40, ink.Unicode)
	require.Equal(t, "ls<U+00A0>-l<U+000D>", lines[0].String())
}
