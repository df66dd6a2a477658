package spool

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Unsafe refuses a directory that others could read, write or swap. Repair is the shell command that mends it.
type Unsafe struct {
	Dir     string
	Problem string
	Repair  string
}

func (e *Unsafe) Error() string {
	return fmt.Sprintf("the queue directory %q %s; to repair it run: %s", e.Dir, e.Problem, e.Repair)
}

// checkTree checks the root and those of its directories that exist. fs.ErrNotExist: there is no root yet.
func checkTree(dir string) error {
	if err := checkDir(dir, dir); err != nil {
		return err
	}
	for _, sub := range subdirs {
		if err := checkDir(dir, filepath.Join(dir, sub)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// checkDir wants a real directory of ours. The root's own bits keep everybody else out of all below it.
func checkDir(root, dir string) error {
	fi, err := os.Lstat(dir)
	if err != nil {
		return fmt.Errorf("failed to look at the queue directory: %w", err)
	}
	me := os.Geteuid()
	owner := me
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		owner = int(st.Uid)
	}
	switch {
	case fi.Mode()&fs.ModeSymlink != 0:
		return &Unsafe{Dir: dir, Problem: "is a symbolic link" + linkTarget(dir), Repair: "rm " + shellQuote(dir)}
	case !fi.IsDir():
		repair := "mv " + shellQuote(dir) + " " + shellQuote(dir+".old")
		return &Unsafe{Dir: dir, Problem: "is no directory", Repair: repair}
	case owner != me:
		return &Unsafe{
			Dir: dir, Problem: fmt.Sprintf("belongs to user %d, not to you (%d)", owner, me),
			Repair: fmt.Sprintf("sudo chown -R %d %s", me, shellQuote(root)),
		}
	case dir == root && fi.Mode().Perm()&0o077 != 0:
		return &Unsafe{
			Dir: dir, Problem: fmt.Sprintf("is open to other users (mode %04o)", fi.Mode().Perm()),
			Repair: "chmod 700 " + shellQuote(dir),
		}
	}
	return nil
}

func linkTarget(dir string) string {
	to, err := os.Readlink(dir)
	if err != nil {
		return ""
	}
	return fmt.Sprintf(" to %q (name the real directory instead, or remove the link)", to)
}

func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
