//go:build ignore

// Counting prints how large the house is, and how long the ways through it are. .ci/count runs it, in the directory
// whose code is counted, with one file of profiles for each way: NAME.2 and NAME.3 are the coverage of two and of three
// runs, so that what the third adds is one run.
package main

import (
	"bufio"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"log"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const module = "github.com/choicetui/choicetui/"

var (
	// between lists the packages between a frontend and the domain, where a key becomes a change. Packages that have
	// been merged are listed under both names.
	between = regexp.MustCompile(`^(panes/keys|queue/form|queue/desk(/(deed|action))?)$`)
	// unused matches, among the words of a function's name and file, those of the features that a question with
	// nothing but options does not use.
	unused = regexp.MustCompile(`^(team|teamwork|widen|consult|parked|handoff|alike|batch|undo|undoing|later|` +
		`compose|composer)$`)
	// action matches the name of the action that is looked for, as its package writes it and as others do.
	action, elsewhere = regexp.MustCompile(`(^|[^.\w])Recommend(ed)?\b[^:]`),
		regexp.MustCompile(`\b(deed|action|keys)\.Recommend(ed)?\b`)
	// support matches the packages that tests use: a store in memory is no way of ours.
	support  = regexp.MustCompile(`^(queue/storetest|panes/roomtest)/`)
	declares = regexp.MustCompile(`(?m)^\s*Recommend(ed)?\s+(\w+\s*)?= "`)
)

// inPictures lists what one row of the help, and one key of the footer, says.
var inPictures = []string{"mark the recommended option", "x cancel", "? keys"}

// file is a Go file of ours.
type file struct {
	name string // from the module's root
	text string
	tree *ast.File
}

func main() {
	log.SetFlags(0)
	tokens := token.NewFileSet()
	files := read(tokens)
	for _, way := range []struct{ profile, says string }{
		{"key", "functions that a `space` passes, up to the draw"},
		{"arriving", "functions that an arriving question passes in the dashboard, and in leaving again"},
		{"call", "functions that a call passes in the bridge, up to its result"},
	} {
		passed := functions(tokens, files, filepath.Join(os.Args[1], way.profile))
		fmt.Printf("%5d  %s\n", len(passed), way.says)
		if way.profile == "key" {
			idle := slices.DeleteFunc(passed, func(f string) bool { return !isUnused(f) })
			fmt.Printf("%5d  of them of a feature that is not in use\n", len(idle))
			list(idle)
		}
	}
	enumerations, places := enums(files)
	fmt.Printf("%5d  enumerations between a key and the store\n", len(enumerations))
	list(enumerations)
	fmt.Printf("%5d  places of the keyboard\n", places)
	named := actionFiles(files)
	fmt.Printf("%5d  files that name the action “recommended”, without tests\n", len(named))
	list(named)
	code, tests := lines(files)
	fmt.Printf("%5d  lines of Go without blank lines, comments and tests\n%5d  lines of tests\n", code, tests)
	pictures()
}

func list(all []string) {
	for _, one := range all {
		fmt.Println("         " + one)
	}
}

// read parses all Go files but those of tools.
func read(tokens *token.FileSet) (files []file) {
	check(filepath.WalkDir(".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && p != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"):
			return fs.SkipDir
		case d.IsDir() || filepath.Ext(p) != ".go":
			return nil
		}
		raw, err := os.ReadFile(p)
		check(err)
		tree, err := parser.ParseFile(tokens, p, raw, parser.SkipObjectResolution)
		files = append(files, file{filepath.ToSlash(p), string(raw), tree})
		return err
	}))
	return files
}

func isTest(name string) bool { return strings.HasSuffix(name, "_test.go") }

// functions lists the functions that the third run passes once more than two runs did.
func functions(tokens *token.FileSet, files []file, profile string) (passed []string) {
	two, three := blocks(profile+".2"), blocks(profile+".3")
	more := map[string][]int{} // by file: the lines where a block begins that the third run passed
	for block, n := range three {
		if n > two[block] {
			name, at, _ := strings.Cut(block, ":")
			line, err := strconv.Atoi(at[:strings.Index(at, ".")])
			check(err)
			more[strings.TrimPrefix(name, module)] = append(more[strings.TrimPrefix(name, module)], line)
		}
	}
	for _, f := range files {
		for _, d := range f.tree.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || isTest(f.name) || support.MatchString(f.name) {
				continue
			}
			from, to := tokens.Position(fn.Pos()).Line, tokens.Position(fn.End()).Line
			if slices.ContainsFunc(more[f.name], func(line int) bool { return from <= line && line <= to }) {
				passed = append(passed, f.name+" "+receiver(fn)+fn.Name.Name)
			}
		}
	}
	return passed
}

// blocks reads how often each block of a profile was passed.
func blocks(profile string) map[string]int {
	f, err := os.Open(profile)
	check(err)
	defer f.Close()
	all := map[string]int{}
	for in := bufio.NewScanner(f); in.Scan(); {
		if words := strings.Fields(in.Text()); len(words) == 3 && strings.Contains(words[0], ":") {
			n, err := strconv.Atoi(words[2])
			check(err)
			all[words[0]] += n
		}
	}
	return all
}

func receiver(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return ""
	}
	of := fn.Recv.List[0].Type
	if star, ok := of.(*ast.StarExpr); ok {
		of = star.X
	}
	if name, ok := of.(*ast.Ident); ok {
		return name.Name + "."
	}
	return ""
}

var word = regexp.MustCompile(`[A-Z]?[a-z]+|[A-Z]+`)

// isUnused reports whether a function belongs to a feature that is not in use: by its name, or by its file.
func isUnused(function string) bool {
	function = strings.NewReplacer("HandOff", "Handoff", "handOff", "handoff").Replace(function)
	return slices.ContainsFunc(word.FindAllString(function, -1), func(w string) bool {
		return unused.MatchString(strings.ToLower(w))
	})
}

// enums lists the types between a key and the store that have at least three constants, and counts those of Place.
func enums(files []file) (all []string, places int) {
	kinds, values := map[string]bool{}, map[string]int{}
	for _, f := range files {
		if isTest(f.name) || !between.MatchString(path.Dir(f.name)) {
			continue
		}
		for _, d := range f.tree.Decls {
			decl, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			last := "" // a constant without type and value has those of the one before
			for _, s := range decl.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					if base, ok := s.Type.(*ast.Ident); ok && !s.Assign.IsValid() {
						is := slices.Contains([]string{"int", "uint8", "byte", "string"}, base.Name)
						kinds[path.Dir(f.name)+"."+s.Name.Name] = is
					}
				case *ast.ValueSpec:
					if of, ok := s.Type.(*ast.Ident); ok {
						last = of.Name
					} else if len(s.Values) > 0 {
						last = ""
					}
					if decl.Tok == token.CONST && last != "" {
						values[path.Dir(f.name)+"."+last] += len(s.Names)
					}
				}
			}
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		if n := values[kind]; kinds[kind] && n >= 3 {
			all = append(all, fmt.Sprintf("%s (%d)", kind, n))
			if strings.HasSuffix(kind, ".Place") {
				places = n
			}
		}
	}
	return all, places
}

// actionFiles lists the files outside tests in which the action is named.
func actionFiles(files []file) (named []string) {
	home := "" // the package that declares the actions
	for _, f := range files {
		if !isTest(f.name) && between.MatchString(path.Dir(f.name)) && declares.MatchString(f.text) {
			home = path.Dir(f.name)
		}
	}
	for _, f := range files {
		pattern := elsewhere
		if path.Dir(f.name) == home {
			pattern = action
		}
		if !isTest(f.name) && pattern.MatchString(f.text) {
			named = append(named, f.name)
		}
	}
	return named
}

// lines counts the lines that have a word of the language.
func lines(files []file) (code, tests int) {
	for _, f := range files {
		var s scanner.Scanner
		tokens := token.NewFileSet()
		whole := tokens.AddFile(f.name, -1, len(f.text))
		s.Init(whole, []byte(f.text), nil, 0)
		has := map[int]bool{}
		for {
			pos, tok, text := s.Scan()
			if tok == token.EOF {
				break
			}
			if tok == token.SEMICOLON && text == "\n" {
				continue
			}
			first := whole.Line(pos)
			for n := range strings.Count(text, "\n") + 1 {
				has[first+n] = true
			}
		}
		if isTest(f.name) {
			tests += len(has)
		} else {
			code += len(has)
		}
	}
	return code, tests
}

// pictures counts the golden screens and those of the page, and the files that one row of help or footer is in.
func pictures() {
	var all []string
	for _, pattern := range []string{"testdata/screens/*", "docs/screens/*", "testdata/portal/*.png"} {
		found, err := filepath.Glob(pattern)
		check(err)
		fmt.Printf("%5d  files %s\n", len(found), pattern)
		all = append(all, found...)
	}
	for _, text := range inPictures {
		n := 0
		for _, name := range all {
			raw, err := os.ReadFile(name)
			check(err)
			if strings.Contains(string(raw), text) {
				n++
			}
		}
		fmt.Printf("%5d  pictures with “%s”\n", n, text)
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
