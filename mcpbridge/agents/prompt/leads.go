package prompt

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/choicetui/choicetui/mcpbridge/agents/prompt/marks"
	"github.com/choicetui/choicetui/queue"
)

// A path of a request may be a symbolic link, or lie below one. The process that asks looks at it on this machine when
// the request comes, so that the person sees the place that is really meant. Nothing is opened or read, only the links
// themselves. A program can make another link before the request is carried out; nothing here can prevent that.

const (
	// looksWithin limits the time for looking at all paths of a request. A mount that does not answer may take longer.
	looksWithin = time.Second
	mostLinks   = 40   // links in one path, as in Linux
	mostPath    = 4096 // bytes of a path
)

// followLinks notes for each path of an approval where it leads, and reports whether one of them leads out of the
// directory of the approval, or to a place that could not be found out.
func followLinks(a *queue.Approval) (leaves bool) {
	var at []int
	var paths []string
	for i, p := range a.Parts {
		if NamesFile(p) {
			at, paths = append(at, i), append(paths, p.Label)
		}
	}
	if len(paths) == 0 {
		return false
	}
	a.Parts = slices.Clone(a.Parts)
	for n, found := range LookUp(a.Dir, paths) {
		a.Parts[at[n]].Leads = found.Leads
		leaves = leaves || found.Leaves
	}
	return leaves
}

// place is what is found out about a path: where it leads, as in queue.Part.Leads, and whether that is outside the
// directory in which the agent works, or not known.
type place struct {
	Leads  string
	Leaves bool
}

// LookUp finds out where the paths of a request lead. dir is the directory in which the agent works.
func LookUp(dir string, paths []string) []place {
	done := make(chan []place, 1)
	go func() {
		var list []place
		root := realDir(dir)
		for _, path := range paths {
			to := leadsTo(path, dir, root)
			list = append(list, place{to, to == queue.LeadsNowhere || to != "" && marks.LeavesDir(to, root)})
		}
		done <- list
	}()
	select {
	case list := <-done:
		return list
	case <-time.After(looksWithin):
		return slices.Repeat([]place{{queue.LeadsNowhere, true}}, len(paths))
	}
}

// NamesFile reports whether the label of a part is a path.
func NamesFile(p queue.Part) bool {
	return (p.Kind == queue.PartDiff || p.Kind == queue.PartFile) && p.Label != ""
}

// realDir returns a directory without links; empty: it is not known.
func realDir(dir string) string {
	real, err := realPath(dir)
	if err != nil {
		return ""
	}
	return real
}

// leadsTo returns where a path of a request leads, for queue.Part.Leads. dir is the directory in which the agent works,
// and root the same without links. A link in dir itself does not count, since it is in the way of every file.
func leadsTo(path, dir, root string) string {
	if !filepath.IsAbs(path) {
		if !filepath.IsAbs(dir) {
			return ""
		}
		path = dir + "/" + path
	}
	real, err := realPath(path)
	other, otherErr := realPath(filepath.Clean(path)) // some agents take `..` away before they follow links
	switch {
	case err != nil || otherErr != nil || real != other:
		return queue.LeadsNowhere
	case real == filepath.Clean(path):
		return ""
	}
	below, err := filepath.Rel(filepath.Clean(dir), filepath.Clean(path))
	if root != "" && err == nil && real == filepath.Join(root, below) {
		return ""
	}
	return real
}

// errTooFar is the error for a path that is too long, or has too many links.
var errTooFar = errors.New("too long a way")

// realPath returns an absolute path without links, as the system would follow it: `..` behind a link leads out of the
// place where the link leads. The last names of the path need not exist, and a link may lead to a file that does not
// exist yet.
func realPath(path string) (string, error) {
	if !filepath.IsAbs(path) || len(path) > mostPath {
		return "", errTooFar
	}
	real, rest, links := "/", path, 0
	for rest != "" {
		name, more, _ := strings.Cut(strings.TrimLeft(rest, "/"), "/")
		rest = more
		switch name {
		case "", ".":
			continue
		case "..":
			real = filepath.Dir(real)
			continue
		}
		next := filepath.Join(real, name)
		info, err := os.Lstat(next)
		switch {
		case errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR):
			real = next // all behind it does not exist either
			continue
		case err != nil:
			return "", err
		case info.Mode()&os.ModeSymlink == 0:
			real = next
			continue
		}
		to, err := os.Readlink(next)
		if links++; err != nil || links > mostLinks || len(to)+len(rest) > 2*mostPath {
			return "", errors.Join(errTooFar, err)
		}
		if rest = to + "/" + rest; filepath.IsAbs(to) {
			real = "/"
		}
	}
	return real, nil
}
