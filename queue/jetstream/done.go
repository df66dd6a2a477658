package jetstream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"github.com/choicetui/choicetui/queue"
)

// history is the stream of archived sessions. Each session is a message of its own that never changes:
//
//	at.<hour>.<ms>.<id>     the document, by the hour and the millisecond of its outcome, UTC
//	hour.<month>.<hour>     an empty message: this hour has archived sessions
//	month.<month>           an empty message: this month has archived sessions
//
// A server lists subjects by pattern but in no order. So a page is read from the top: the months, the hours of the
// newest month, the names of the newest hour. Each of these lists is short, however much is archived.
type history struct {
	*storage

	marking sync.Mutex
	marked  map[string]bool // hours that the stream is known to have; guarded by marking
}

const (
	monthFormat = "200601"
	hourFormat  = "2006010215"
	maxMilli    = 9999999999999 // keeps names at 13 digits, so that they sort by time
	pageReaders = 8             // documents of a page that are requested at the same time
)

// doneName returns where a session is archived: the hour of SettledAt, and its name in that hour.
func doneName(v queue.Session) (hour, name string) {
	ms := min(max(v.SettledAt().UnixMilli(), 0), maxMilli)
	return hourOf(ms), fmt.Sprintf("%013d.%s", ms, v.ID)
}

// hourOf returns the hour of a time in milliseconds, as it is in subjects.
func hourOf(ms int64) string { return time.UnixMilli(ms).UTC().Format(hourFormat) }

// parseDone splits an archived session's name. ok is false for any other name.
func parseDone(name string) (hour, id string, ok bool) {
	digits, id, cut := strings.Cut(name, ".")
	ms, err := strconv.ParseInt(digits, 10, 64)
	if !cut || err != nil || len(digits) != 13 || ms < 0 || !queue.ValidID(id) {
		return "", "", false
	}
	return hourOf(ms), id, true
}

// keepDone writes a document into the history, once. Another document under its name is an error.
func (h *history) keepDone(c *call, v queue.Session, raw []byte) error {
	if _, err := h.stream(c, doneStream, orMake); err != nil {
		return err
	}
	hour, name := doneName(v)
	if err := h.markHour(c, hour); err != nil {
		return err
	}
	subject := h.subjectOf("at", hour, name)
	_, err := c.js.Publish(c, subject, raw, jetstream.WithExpectLastSequencePerSubject(0))
	if !isMismatch(err) { // the document is stored, or the server could not store it
		if isGone(err) {
			h.forgetOpened()
		}
		return c.explain(err)
	}
	old, err := h.readSubject(c, subject) // the document that has the name
	if err == nil && !bytes.Equal(old, raw) {
		err = fmt.Errorf("%q is there with other contents", name)
	}
	return err
}

// markHour records that an hour has archived sessions, before its first session is written. An hour without sessions
// costs a reader an empty list; a session in an unrecorded hour would not be found.
func (h *history) markHour(c *call, hour string) error {
	h.marking.Lock()
	done := h.marked[hour]
	h.marking.Unlock()
	if done {
		return nil
	}
	month := hour[:len(monthFormat)]
	for _, subject := range []string{h.subjectOf("month", month), h.subjectOf("hour", month, hour)} {
		_, err := c.js.Publish(c, subject, nil, jetstream.WithExpectLastSequencePerSubject(0))
		if err != nil && !isMismatch(err) {
			return c.explain(err)
		}
	}
	h.marking.Lock()
	defer h.marking.Unlock()
	h.marked[hour] = true
	return nil
}

// subjectOf returns the subject in the history's stream that ends with these tokens.
func (h *history) subjectOf(tokens ...string) string {
	return h.link.options.Bucket + doneStream + "." + strings.Join(tokens, ".")
}

// readSubject reads the message under a subject, or the newest one that fits a pattern. It fails with
// queue.ErrNotFound.
func (h *history) readSubject(c *call, subject string) ([]byte, error) {
	s, err := h.stream(c, doneStream, ifThere)
	if errors.Is(err, errAbsent) {
		return nil, queue.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	var m *jetstream.RawStreamMsg
	api := "$JS.API.STREAM.MSG.GET." + h.streamConfig(doneStream).Name
	err = h.link.askServer(c, api, func(until context.Context) (err error) {
		m, err = s.GetLastMsgForSubject(until, subject)
		return err
	})
	switch {
	case errors.Is(err, jetstream.ErrMsgNotFound), isGone(err):
		return nil, queue.ErrNotFound
	case err != nil:
		return nil, c.explain(err)
	}
	return m.Data, nil
}

// readDone finds an archived session by its id. If an agent showed the same prompt of its own twice, the session that
// was archived last counts. It fails with queue.ErrNotFound.
func (h *history) readDone(c *call, id string) (queue.Session, error) {
	raw, err := h.readSubject(c, h.subjectOf("at", "*", "*", id))
	if err != nil {
		return queue.Session{}, err
	}
	return queue.DecodeSession(raw, id, 0)
}

// History pages through the stream, newest outcome first. The cursor is the name of the last session on the page
// before. Documents that cannot be read are skipped.
func (h *history) History(ctx context.Context, cursor string, limit int, fields queue.Fields) (
	[]queue.Session, string, error,
) {
	fromHour, _, ok := parseDone(cursor)
	if cursor != "" && !ok {
		return nil, "", fmt.Errorf("failed to read the history: %q is not a cursor", cursor)
	}
	c, err := h.link.beginCall(ctx)
	if err != nil {
		return nil, "", fmt.Errorf("failed to read the history: %w", err)
	}
	defer c.cancel()
	limit = max(limit, 1)
	names, err := h.newestNames(c, fromHour, cursor, limit+1)
	if err != nil {
		return nil, "", fmt.Errorf("failed to read the history: %w", err)
	}
	next := ""
	if len(names) > limit {
		names, next = names[:limit], names[limit-1]
	}
	page, err := h.readNames(c, names, fields)
	if err != nil {
		return nil, "", fmt.Errorf("failed to read the history: %w", err)
	}
	if len(page) == 0 && next != "" { // no session of this page can be read, so the next page is returned
		c.cancel()
		return h.History(ctx, next, limit, fields)
	}
	return page, next, nil
}

// newestNames lists at most n names older than the cursor, newest first. fromHour is the hour of the cursor. For the
// first page both are empty.
func (h *history) newestNames(c *call, fromHour, cursor string, n int) (names []string, err error) {
	months, err := h.listBelow(c, "month")
	if err != nil {
		return nil, err
	}
	for _, month := range months {
		if fromHour != "" && month > fromHour[:len(monthFormat)] {
			continue
		}
		hours, err := h.listBelow(c, "hour", month)
		if err != nil {
			return nil, err
		}
		for _, hour := range hours {
			if fromHour != "" && hour > fromHour {
				continue
			}
			older, err := h.namesOfHour(c, hour, cursor)
			if err != nil {
				return nil, err
			}
			if names = append(names, older...); len(names) >= n {
				return names[:n], nil
			}
		}
	}
	return names, nil
}

// namesOfHour lists the names of one hour that are older than the cursor, newest first.
func (h *history) namesOfHour(c *call, hour, cursor string) ([]string, error) {
	names, err := h.listBelow(c, "at", hour)
	return slices.DeleteFunc(names, func(name string) bool {
		of, _, ok := parseDone(name)
		return !ok || of != hour || cursor != "" && name >= cursor
	}), err
}

// listBelow lists the subjects below some tokens, without these, the greatest first.
func (h *history) listBelow(c *call, tokens ...string) ([]string, error) {
	s, err := h.stream(c, doneStream, ifThere)
	if errors.Is(err, errAbsent) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	prefix := h.subjectOf(tokens...) + "."
	info, err := s.Info(c, jetstream.WithSubjectFilter(prefix+">"))
	if isGone(err) {
		h.forgetOpened()
		return nil, nil
	}
	if err != nil {
		return nil, c.explain(err)
	}
	names := make([]string, 0, len(info.State.Subjects))
	for subject := range info.State.Subjects {
		names = append(names, strings.TrimPrefix(subject, prefix))
	}
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(b, a) })
	return names, nil
}

// readNames reads archived sessions in the order of their names, several at the same time.
func (h *history) readNames(c *call, names []string, fields queue.Fields) ([]queue.Session, error) {
	found, wrong := make([]*queue.Session, len(names)), make([]error, len(names))
	var all errgroup.Group
	all.SetLimit(pageReaders)
	for i, name := range names {
		all.Go(func() error {
			hour, id, _ := parseDone(name)
			raw, err := h.readSubject(c, h.subjectOf("at", hour, name))
			if wrong[i] = err; err != nil {
				return nil
			}
			if v, err := queue.DecodeArchived(raw, id, fields); err == nil {
				found[i] = &v
			}
			return nil
		})
	}
	_ = all.Wait() // each error is in wrong
	page := make([]queue.Session, 0, len(names))
	for i, v := range found {
		if err := wrong[i]; err != nil && !errors.Is(err, queue.ErrNotFound) {
			return nil, err
		}
		if v != nil {
			page = append(page, *v)
		}
	}
	return page, nil
}

// CountHistory lets the server count the documents: a new consumer has that number of pending messages.
func (h *history) CountHistory(ctx context.Context) (int, error) {
	c, err := h.link.beginCall(ctx)
	if err != nil {
		return 0, fmt.Errorf("failed to count the history: %w", err)
	}
	defer c.cancel()
	s, err := h.stream(c, doneStream, ifThere)
	if errors.Is(err, errAbsent) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	counter, err := s.CreateConsumer(c, jetstream.ConsumerConfig{
		FilterSubject: h.subjectOf("at", ">"), AckPolicy: jetstream.AckNonePolicy, MemoryStorage: true, Replicas: 1,
		InactiveThreshold: answerWithin,
	})
	if err != nil {
		return 0, fmt.Errorf("failed to count the history: %w", c.explain(err))
	}
	info := counter.CachedInfo()
	_ = s.DeleteConsumer(c, info.Name) // the server removes it later if this fails
	return int(info.NumPending), nil
}
