//go:build notices

// Command notices writes the names, versions and licences of all modules that are linked into choicetui into one file:
//
//	go run -tags notices ./app/cli/notices FILE GOOS/GOARCH...
//
// It lists each module that the program links on any of these systems, and Go itself. The texts are copied from the
// modules, so that the same go.mod and the same Go give the same bytes.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// legal matches the names of files that hold a licence, or notices that a licence requires.
var legal = regexp.MustCompile(`(?i)^(licen[cs]e|copying|copyright|notice|patents)([.-].*)?$`)

// above is the text at the top of the file.
const above = `The program choicetui contains Go's own library and runtime, which are "std" here,
and the Go modules below. Their licences ask that their texts go along with it,
so here they are. The licence of choicetui itself is in another file.

`

// module is a Go module that is linked, or Go itself.
type module struct {
	Path, Version, Dir string
	Main               bool
	Replace            *module
	folders            []string // the directories of the linked packages, which may hold more licences
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "notices:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) < 2 {
		return errors.New("usage: go run -tags notices ./app/cli/notices FILE GOOS/GOARCH, with one or more of these")
	}
	linked := map[string]*module{}
	for _, platform := range args[1:] {
		if err := addLinked(linked, platform); err != nil {
			return err
		}
	}
	toolchain, err := golang()
	if err != nil {
		return err
	}
	all := []*module{toolchain}
	for _, path := range slices.Sorted(maps.Keys(linked)) {
		all = append(all, linked[path])
	}
	text, err := notices(all)
	if err != nil {
		return err
	}
	return os.WriteFile(args[0], text, 0o644)
}

// addLinked adds the modules of all packages that the program links on one platform.
func addLinked(linked map[string]*module, platform string) error {
	system, machine, ok := strings.Cut(platform, "/")
	if !ok {
		return fmt.Errorf("%q is no GOOS/GOARCH", platform)
	}
	env := []string{"CGO_ENABLED=0", "GOOS=" + system, "GOARCH=" + machine}
	out, err := runGo(env, "list", "-deps", "-json=Dir,Module", ".")
	if err != nil {
		return err
	}
	for packages := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			Dir    string
			Module *module // nil: a package of the standard library
		}
		if err := packages.Decode(&p); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("failed to read what go list says: %w", err)
		}
		m := p.Module
		if m == nil || m.Main {
			continue
		}
		if m.Replace != nil {
			m = m.Replace
		}
		if linked[m.Path] == nil {
			linked[m.Path] = m
		}
		linked[m.Path].folders = append(linked[m.Path].folders, p.Dir)
	}
}

// golang returns Go itself as a module, for its runtime and its standard library.
func golang() (*module, error) {
	out, err := runGo(nil, "env", "GOVERSION", "GOROOT")
	if err != nil {
		return nil, err
	}
	version, root, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return &module{Path: "std", Version: version, Dir: root, folders: []string{root}}, nil
}

// notices returns the content of the file: the list, then the texts.
func notices(all []*module) ([]byte, error) {
	var list, texts strings.Builder
	for _, m := range all {
		fmt.Fprintf(&list, "  %s %s\n", m.Path, m.Version)
		found, err := m.texts()
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&texts, "\n%s\n%s %s\n", strings.Repeat("=", 80), m.Path, m.Version)
		for _, text := range found {
			fmt.Fprintf(&texts, "%s\n\n%s\n", strings.Repeat("-", 80), text)
		}
	}
	return []byte(above + list.String() + texts.String()), nil
}

// texts returns the licences of a module and those of its linked packages, each text once.
func (m *module) texts() (found []string, err error) {
	seen := map[string]bool{}
	for _, folder := range append([]string{m.Dir}, m.folders...) {
		for ; !seen[folder]; folder = filepath.Dir(folder) {
			seen[folder] = true
			texts, err := textsIn(folder)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", m.Path, err)
			}
			for _, text := range texts {
				if !slices.Contains(found, text) {
					found = append(found, text)
				}
			}
			if folder == m.Dir {
				break
			}
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%s %s has no licence in %s", m.Path, m.Version, m.Dir)
	}
	return found, nil
}

// textsIn returns the licences in a directory, ordered by file name.
func textsIn(folder string) (texts []string, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		if entry.IsDir() || !legal.MatchString(entry.Name()) || filepath.Ext(entry.Name()) == ".go" {
			continue
		}
		raw, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			return nil, err
		}
		text := strings.ReplaceAll(string(raw), "\r\n", "\n")
		texts = append(texts, strings.Trim(text, "\n")+"\n")
	}
	return texts, nil
}

// runGo returns the output of the go command.
func runGo(env []string, args ...string) ([]byte, error) {
	var said strings.Builder
	cmd := exec.Command("go", args...)
	cmd.Env, cmd.Stderr = append(os.Environ(), env...), &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, said.String())
	}
	return out, nil
}
