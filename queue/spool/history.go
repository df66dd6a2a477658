package spool

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// history implements the history in done/.
type history struct {
	*tree
	keeping sync.Mutex
	listed  monthList // guarded by keeping
}

// monthList caches the names of the month that is being paged through, newest first.
type monthList struct {
	month string
	mtime time.Time
	names []string
}

// racyAge is the age that a directory's mtime must have before an equal mtime proves that nothing changed. A later
// change in the same tick of a coarse clock gets the same mtime.
const racyAge = 2 * time.Second

// maxMilli is the largest time in a name. Names have 13 digits, so that they sort by time.
const maxMilli = 9999999999999

// doneName returns where a session is archived: its month in UTC, by SettledAt, and its name there.
func doneName(v queue.Session) (month, name string) {
	ms := min(max(v.SettledAt().UnixMilli(), 0), maxMilli)
	return monthOf(ms), fmt.Sprintf("%013d-%s.json", ms, v.ID)
}

func monthOf(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01") }

// parseDone splits an archived session's name. ok is false for any other name.
func parseDone(name string) (month, id string, ok bool) {
	base, isJSON := strings.CutSuffix(name, ".json")
	digits, id, cut := strings.Cut(base, "-")
	ms, err := strconv.ParseInt(digits, 10, 64)
	ok = isJSON && cut && err == nil && len(digits) == 13 && ms >= 0 && queue.ValidID(id)
	if !ok {
		return "", "", false
	}
	return monthOf(ms), id, true
}

// archivedName is the name of an archived session, and the month in whose directory it is.
type archivedName struct{ month, name string }

// History pages through done/, newest first. The cursor is the name of the last session on the page before. Other
// names and files that cannot be read are skipped.
func (h *history) History(ctx context.Context, cursor string, limit int, fields queue.Fields) (
	page []queue.Session, next string, err error,
) {
	if err := h.begin(ctx); err != nil {
		return nil, "", err
	}
	if _, _, ok := parseDone(cursor); cursor != "" && !ok {
		return nil, "", fmt.Errorf("failed to read the history: %q is not a cursor", cursor)
	}
	limit = max(limit, 1)
	for next = cursor; len(page) == 0; {
		names, err := h.newestNames(next, limit+1)
		if err == nil {
			next = ""
			if len(names) > limit {
				names, next = names[:limit], names[limit-1].name
			}
			page, err = h.readArchived(ctx, names, fields)
		}
		if err != nil {
			return nil, "", fmt.Errorf("failed to read the history: %w", err)
		}
		if next == "" {
			break
		}
	}
	return page, next, nil
}

// newestNames lists at most n names older than the cursor, newest first; without a cursor the newest ones.
func (h *history) newestNames(cursor string, n int) (found []archivedName, err error) {
	fromMonth, _, _ := parseDone(cursor)
	months, err := h.listMonths()
	if err != nil {
		return nil, err
	}
	for _, month := range months {
		if fromMonth != "" && month > fromMonth {
			continue
		}
		names, err := h.monthNames(month, cursor != "")
		if err != nil {
			return nil, err
		}
		if cursor != "" {
			names = names[olderThan(names, cursor):]
		}
		for _, name := range names {
			if found = append(found, archivedName{month, name}); len(found) == n {
				return found, nil
			}
		}
	}
	return found, nil
}

// readArchived reads archived sessions, several at the same time, and returns them in the order of their names. It
// skips files that are gone or damaged.
func (h *history) readArchived(ctx context.Context, names []archivedName, fields queue.Fields) (
	page []queue.Session, err error,
) {
	read, wrong := make([]queue.Session, len(names)), make([]error, len(names))
	inParallel(len(names), func(i int) {
		_, id, _ := parseDone(names[i].name)
		var raw []byte
		if wrong[i] = ctx.Err(); wrong[i] == nil {
			raw, wrong[i] = readFile(h.path(doneDir, names[i].month, names[i].name))
		}
		if wrong[i] == nil {
			read[i], wrong[i] = queue.DecodeArchived(raw, id, fields)
		}
	})
	page = make([]queue.Session, 0, len(names))
	for i, err := range wrong {
		var bad *queue.Unreadable
		switch {
		case err == nil:
			page = append(page, read[i])
		case !errors.As(err, &bad) && !errors.Is(err, fs.ErrNotExist):
			return nil, err
		}
	}
	return page, nil
}

// olderThan returns the index of the first name older than the cursor in a list that is newest first.
func olderThan(names []string, cursor string) int {
	i, found := slices.BinarySearchFunc(names, cursor, func(a, b string) int { return strings.Compare(b, a) })
	if found {
		i++
	}
	return i
}

// listMonths lists the months that have archived sessions, newest first.
func (h *history) listMonths() ([]string, error) {
	names, err := readNames(h.path(doneDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	names = slices.DeleteFunc(names, func(name string) bool {
		_, err := time.Parse("2006-01", name)
		return err != nil
	})
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(b, a) })
	return names, nil
}

// monthNames lists one month's names, newest first. With keep, for a reader that pages, the list is cached until the
// directory changes: 100,000 names are listed once, not once per page.
func (h *history) monthNames(month string, keep bool) ([]string, error) {
	dir := h.path(doneDir, month)
	fi, err := os.Lstat(dir)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return nil, err
	}
	h.keeping.Lock()
	kept := h.listed
	h.keeping.Unlock()
	if kept.month == month && kept.mtime.Equal(fi.ModTime()) {
		return kept.names, nil
	}
	names, err := doneNames(dir, month)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(b, a) })
	if keep && time.Since(fi.ModTime()) > racyAge {
		h.keeping.Lock()
		h.listed = monthList{month: month, mtime: fi.ModTime(), names: names}
		h.keeping.Unlock()
	}
	return names, nil
}

// doneNames lists the archived sessions of a month, in no order. It skips names that belong to another month, which
// would confuse cursors.
func doneNames(dir, month string) ([]string, error) {
	names, err := readNames(dir)
	var bad *queue.Unreadable
	if errors.As(err, &bad) || errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(names, func(name string) bool {
		m, _, ok := parseDone(name)
		return !ok || m != month
	}), nil
}

// readDone finds an archived session by its id. It reads names only, newest months first. If an agent showed the same
// prompt of its own twice, the newer session counts. It fails with fs.ErrNotExist.
func (h *history) readDone(id string) (queue.Session, error) {
	months, err := h.listMonths()
	if err != nil {
		return queue.Session{}, err
	}
	for _, month := range months {
		names, err := h.namesOf(month, id)
		if err != nil {
			return queue.Session{}, err
		}
		if len(names) == 0 {
			continue
		}
		raw, err := readFile(h.path(doneDir, month, names[0]))
		if err != nil {
			return queue.Session{}, err
		}
		return queue.DecodeSession(raw, id, 0)
	}
	return queue.Session{}, fs.ErrNotExist
}

// namesOf lists the names under which a session is archived in a month, newest first.
func (h *history) namesOf(month, id string) ([]string, error) {
	names, err := readNames(h.path(doneDir, month))
	var bad *queue.Unreadable
	if errors.As(err, &bad) || errors.Is(err, fs.ErrNotExist) {
		return nil, nil // not a month's directory
	}
	if err != nil {
		return nil, err
	}
	suffix := "-" + id + ".json"
	names = slices.DeleteFunc(names, func(name string) bool { return !strings.HasSuffix(name, suffix) })
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(b, a) })
	return names, nil
}

// CountHistory counts the names in done/, without opening any.
func (h *history) CountHistory(ctx context.Context) (int, error) {
	if err := h.begin(ctx); err != nil {
		return 0, err
	}
	months, err := h.listMonths()
	if err != nil {
		return 0, fmt.Errorf("failed to count the history: %w", err)
	}
	n := 0
	for _, month := range months {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		names, err := doneNames(h.path(doneDir, month), month)
		if err != nil {
			return 0, fmt.Errorf("failed to count the history: %w", err)
		}
		n += len(names)
	}
	return n, nil
}
