//go:build man

// Command man writes the manual pages of choicetui into a directory:
//
//	go run -tags man ./app/cli/man OUTDIR [VERSION]
//
// The date on the pages is SOURCE_DATE_EPOCH, or else the date of the commit, so that the same sources give the same
// bytes.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/choicetui/choicetui/app/cli"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "man:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	version := "devel"
	switch len(args) {
	case 1:
	case 2:
		version = args[1]
	default:
		return errors.New("usage: go run -tags man ./app/cli/man OUTDIR [VERSION]")
	}
	date, err := dateOfSources()
	if err != nil {
		return err
	}
	return cli.WriteManual(args[0], version, date)
}

// dateOfSources returns the time that a reproducible build uses in place of now.
func dateOfSources() (time.Time, error) {
	epoch := os.Getenv("SOURCE_DATE_EPOCH")
	if epoch == "" {
		out, err := exec.Command("git", "log", "-1", "--format=%ct").Output()
		if err != nil {
			return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH is not set, and git knows no date: %w", err)
		}
		epoch = strings.TrimSpace(string(out))
	}
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("failed to read the date of the sources: %w", err)
	}
	return time.Unix(seconds, 0).UTC(), nil
}
