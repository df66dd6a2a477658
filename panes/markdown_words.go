package panes

import (
	"strings"
	"sync"
)

// Code in a fence that names its language is set as in print: keywords bold, comments italic, nothing coloured and
// nothing left out. It goes by words and quotes only; a library that knows languages (chroma) takes longer to start
// than the whole dashboard may.

// grammar is what tells keywords from the rest in one family of languages.
type grammar struct {
	words    string   // keywords, separated by spaces
	comment  []string // what begins a comment to the end of the line
	block    [2]string
	quotes   string // bytes that begin and end a string
	long     []string
	anyCase  bool
	spaced   bool // a comment begins at the line's start or behind a space only
	keywords map[string]bool
}

// grammars are made when the first fence is drawn.
var grammars = sync.OnceValue(func() map[string]*grammar {
	all := map[string]*grammar{}
	for names, g := range map[string]grammar{
		"go golang": {words: "break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var nil true false",
			comment: []string{"//"}, block: [2]string{"/*", "*/"}, quotes: `"'`, long: []string{"`"}},
		"js javascript jsx ts typescript tsx": {words: "abstract as async await break case catch class const continue default delete do else enum export extends false finally for from function if implements import in instanceof interface let new null of private protected public readonly return static super switch this throw true try type typeof undefined var void while yield",
			comment: []string{"//"}, block: [2]string{"/*", "*/"}, quotes: `"'`, long: []string{"`"}},
		"c h cpp c++ cs csharp java kotlin kt swift rust rs scala dart php": {words: "abstract as async await auto bool break case catch char class const continue default delete do double else enum extends extern false final finally float fn for func fun if impl implements import in int interface internal is let long loop match mod mut namespace new nil null nullptr object override package private protected pub public return self short sizeof static struct super switch template this throw throws trait true try type typedef union unsafe unsigned use using val var virtual void when where while",
			comment: []string{"//"}, block: [2]string{"/*", "*/"}, quotes: `"`},
		"py python": {words: "and as assert async await break class continue def del elif else except False finally for from global if import in is lambda None nonlocal not or pass raise return True try while with yield",
			comment: []string{"#"}, quotes: `"'`, long: []string{`"""`, "'''"}},
		"rb ruby": {words: "alias and begin break case class def defined do else elsif end ensure false for if in module next nil not or redo rescue retry return self super then true undef unless until when while yield",
			comment: []string{"#"}, quotes: `"'`, spaced: true},
		"sh bash zsh shell console fish": {words: "case do done elif else esac export fi for function if in local return select set then unset until while",
			comment: []string{"#"}, quotes: `"'`, spaced: true},
		"sql psql postgres postgresql mysql sqlite": {words: "add all alter and as asc begin between by cascade case check column commit concurrently constraint create database default delete desc distinct drop else end exists foreign from full grant group having if in index inner insert into is join key left like limit not null on or order outer primary references rename revoke right rollback select set table then to transaction truncate union unique update using values view when where with",
			comment: []string{"--"}, block: [2]string{"/*", "*/"}, quotes: `'"`, anyCase: true},
		"yaml yml toml ini hcl terraform tf dockerfile docker makefile make nix": {words: "true false null yes no on off resource variable module output provider FROM RUN COPY ADD ENV ARG CMD ENTRYPOINT WORKDIR EXPOSE USER VOLUME LABEL include define endef ifeq endif else",
			comment: []string{"#"}, quotes: `"'`, spaced: true},
		"lua": {words: "and break do else elseif end false for function goto if in local nil not or repeat return then true until while",
			comment: []string{"--"}, quotes: `"'`},
	} {
		g.keywords = map[string]bool{}
		for word := range strings.FieldsSeq(g.words) {
			g.keywords[word] = true
		}
		for name := range strings.FieldsSeq(names) {
			all[name] = &g
		}
	}
	return all
})

// grammarOf is that of a fence's first word; nil: unknown, and nothing is set apart.
func grammarOf(fence string) *grammar {
	name, _, _ := strings.Cut(strings.TrimSpace(fence), " ")
	name, _, _ = strings.Cut(strings.Trim(strings.ToLower(name), "{.}"), "{")
	return grammars()[strings.TrimSuffix(name, ":")]
}

// set calls paint with the bytes from and to of keywords and comments of each line. Strings and comments may go on in
// the next one.
func (g *grammar) set(lines []string, paint func(line, from, to int, k ink)) {
	until, k := "", ink(0) // what ends the string or comment that goes on
	for n, l := range lines {
		for i := 0; i < len(l); {
			if until != "" {
				end := strings.Index(l[i:], until)
				if end < 0 {
					paint(n, i, len(l), k)
					break
				}
				paint(n, i, i+end+len(until), k)
				i, until = i+end+len(until), ""
				continue
			}
			switch {
			case g.comments(l, i):
				paint(n, i, len(l), inkItalic)
				i = len(l)
			case g.block[0] != "" && strings.HasPrefix(l[i:], g.block[0]):
				paint(n, i, i+len(g.block[0]), inkItalic)
				i, until, k = i+len(g.block[0]), g.block[1], inkItalic
			case prefixOf(l[i:], g.long) != "":
				until, k = prefixOf(l[i:], g.long), 0
				i += len(until)
			case strings.IndexByte(g.quotes, l[i]) >= 0:
				i = behindString(l, i)
			case wordByte(l[i]):
				from := i
				for i < len(l) && wordByte(l[i]) {
					i++
				}
				if g.keyword(l[from:i]) {
					paint(n, from, i, inkBold)
				}
			default:
				i++
			}
		}
	}
}

// comments reports whether a comment to the end of the line begins at i.
func (g *grammar) comments(l string, i int) bool {
	return prefixOf(l[i:], g.comment) != "" && (!g.spaced || i == 0 || l[i-1] == ' ' || l[i-1] == '\t')
}

func (g *grammar) keyword(word string) bool {
	if g.anyCase {
		word = strings.ToLower(word)
	}
	return g.keywords[word]
}

func prefixOf(s string, all []string) string {
	for _, p := range all {
		if strings.HasPrefix(s, p) {
			return p
		}
	}
	return ""
}

// behindString is where the string ends that begins at i, at the latest with its line.
func behindString(l string, i int) int {
	for end := i + 1; end < len(l); end++ {
		switch l[end] {
		case '\\':
			end++
		case l[i]:
			return end + 1
		}
	}
	return len(l)
}

// wordByte reports what words are made of; a hyphen too, so that no flag or file is taken for a keyword.
func wordByte(b byte) bool {
	return b == '_' || b == '-' || b == '.' || b == '/' || b == '$' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}
