package queue_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestVisibleShowsWhatWouldHide(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain text, 100 %":      "plain text, 100 %",
		"two\nlines\tand tab":    "two\nlines\tand tab",
		"dos\r\nlines":           "dos\nlines",
		"over\rwritten":          "over<U+000D>written",
		"\x1b[2Jrm -rf /":        "<U+001B>[2Jrm -rf /",
		"bell\a nul\x00 del\x7f": "bell<U+0007> nul<U+0000> del<U+007F>",
		"c1 \u009b31m":           "c1 <U+009B>31m",
		"\u202egnp.exe":          "<U+202E>gnp.exe",
		"a\u200bb\u2060c\ufeff":  "a<U+200B>b<U+2060>c<U+FEFF>",
		"soft\u00adhyphen":       "soft<U+00AD>hyphen",
		"ls\u2028rm":             "ls<U+2028>rm",
		"tag \U000E0041":         "tag <U+E0041>",
		"hangul \u3164 filler":   "hangul <U+3164> filler",
		"braille \u2800":         "braille <U+2800>",
		"icon \ue0b0 \U000F0001": "icon <U+E0B0> <U+F0001>",
		"bad \xff\xfe":           "bad <0xFF><0xFE>",
		"\ufffd is a letter":     "\ufffd is a letter",
		"naïve 日本 👍🏽":            "naïve 日本 👍",
		"👩‍💻 ❤️ 👍🏽":              "👩💻 ❤️ 👍",
		"a\u200db":               "a<U+200D>b",
		"cat notes\ufe0f":        "cat notes<U+FE0F>",
		"80\ufe0f":               "80<U+FE0F>",
		"1\ufe0f\u20e3 ⚠\ufe0e":  "1\ufe0f\u20e3 ⚠\ufe0e",
		"日\ufe0e ★\ufe0f":        "日<U+FE0E> ★<U+FE0F>",
		"❤\ufe0f\ufe0f":          "❤\ufe0f<U+FE0F>",
		"→\u200d→ ❤\u200d→":      "→<U+200D>→ ❤<U+200D>→",
		"a🏽 →🏽 🏽🏽":               "a🏽 →🏽 🏽🏽",
		"a\u2065b\ufff3":         "a<U+2065>b<U+FFF3>",
		"e\u0301":                "e\u0301",
	} {
		shown, odd := queue.Visible(in)
		require.Equal(t, want, shown, "%q", in)
		require.Equal(t, strings.Contains(want, "<U+") || strings.Contains(want, "<0x"), odd, "%q", in)
	}
	zalgo, odd := queue.Visible("z" + strings.Repeat("\u0334", 50))
	require.True(t, odd)
	require.LessOrEqual(t, strings.Count(zalgo, "\u0334"), 4)
}

func TestVisibleLineHasOneLine(t *testing.T) {
	t.Parallel()
	shown, odd := queue.VisibleLine(" a\n\n\tb \r\nc ")
	require.Equal(t, "a b  c", shown)
	require.False(t, odd)
}

// FuzzVisible checks that shown text contains nothing that steers a terminal, hides nothing except what joins emoji,
// and does not change when it is cleaned again.
func FuzzVisible(f *testing.F) {
	for _, s := range []string{
		"", "\x1b]8;;http://e\a", "a\u200d\u200db", "\u2764\ufe0f\u200d\U0001f525", "\ufe0f\ufe0f", "\u202e\ufe0f", "x\r\r\n", "\xed\xa0\x80",
		"e" + strings.Repeat("\u0301\ufe0f", 9), "\U000e0100", "a\ufe0f\u200d\u2192", "\u200d", "\u2192\u200d\u200d\u2192", "<U+202E>",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		shown, odd := queue.Visible(s)
		require.True(t, utf8.ValidString(shown))
		runes := []rune(shown)
		for i, r := range runes {
			switch {
			case r == '\n' || r == '\t':
			case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Cs):
				require.Failf(t, "steers or hides", "%q gives %q", s, shown)
			case r == 0xfe0e || r == 0xfe0f:
				require.Greater(t, i, 0)
				require.False(t, runes[i-1] == 0xfe0e || runes[i-1] == 0xfe0f, "a run of selectors: %q", shown)
			case unicode.Is(unicode.Variation_Selector, r):
				require.Failf(t, "a selector that carries data", "%q gives %q", s, shown)
			}
		}
		again, oddAgain := queue.Visible(shown)
		require.Equal(t, shown, again, "of %q", s)
		require.False(t, oddAgain, "of %q", s)
		if !odd {
			require.Equal(t, untied(strings.ReplaceAll(s, "\r\n", "\n")), untied(shown), "only what is reported is replaced")
		}
		line, _ := queue.VisibleLine(s)
		require.False(t, strings.ContainsAny(line, "\r\n\t"))
	})
}

// untied returns a text without the runes that join or tint emoji.
func untied(s string) string {
	return strings.Map(func(r rune) rune {
		if r == 0x200d || r >= 0x1f3fb && r <= 0x1f3ff {
			return -1
		}
		return r
	}, s)
}

func TestShortenKeepsSoManyCharactersAndMarksWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, mark, want string }{
		{"", "…", ""},
		{"abc", "…", "abc"},
		{"äöü", "…", "äöü"},
		{"äöüß", "…", "äöü…"},
		{"abcd", "", "abc"},
		{"a\xffc", "…", "a\xffc"},
		{"a\xffcd", "…", "a\ufffdc…"},
	} {
		require.Equal(t, c.want, queue.Shorten(c.text, 3, c.mark), "%q", c.text)
	}
}
