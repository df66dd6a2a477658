package spool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// glimpse is what of a stored session says whether it waits, for whom and how urgently.
type glimpse struct {
	Schema   int          `json:"schema"`
	ID       string       `json:"id"`
	Revision uint64       `json:"revision"`
	Origin   queue.Origin `json:"origin"`
	Ask      struct {
		Kind      string `json:"kind"`
		Title     string `json:"title"`
		Questions bool   `json:"questions"` // there are some
	} `json:"ask"`
	AskedAt   time.Time         `json:"asked_at"`
	Deadline  time.Time         `json:"deadline"`
	Claim     *queue.Claim      `json:"claim"`
	DroppedAt *time.Time        `json:"dropped_at"`
	Attached  *queue.Attachment `json:"attached"`
	Outcome   bool              `json:"outcome"` // there is one
	Last      *struct {
		At time.Time `json:"at"`
	} `json:"last"` // event
}

// Pending reads in a hurry what waits. What cannot be read it leaves where it is, for a watch to set aside.
func (s *Store) Pending(ctx context.Context) (pending []queue.Session, broken []queue.Broken, err error) {
	names, err := readNames(s.path(liveDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("failed to list the sessions: %w", err)
	}
	found := make([]*queue.Session, len(names))
	wrong := make([]error, len(names))
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(2*runtime.GOMAXPROCS(0), len(names)/fewToRead+1) {
		all.Go(func() {
			var room []byte
			for i := int(next.Add(1)) - 1; i < len(names) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				if queue.ValidID(names[i]) { // what is no session keeps nobody waiting
					found[i], room, wrong[i] = s.glimpse(names[i], room)
				}
			}
		})
	}
	all.Wait()
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	for i, one := range found {
		switch {
		case one != nil:
			pending = append(pending, *one)
		case wrong[i] != nil && !errors.Is(wrong[i], fs.ErrNotExist): // else it was archived meanwhile
			broken = append(broken, queue.Broken{Name: names[i], Reason: wrong[i].Error()})
		}
	}
	return pending, broken, nil
}

// glimpse reads one session; nil: it waits for nobody. room is memory to read into, for the next one too.
func (s *Store) glimpse(id string, room []byte) (*queue.Session, []byte, error) {
	dir := s.path(liveDir, id)
	top, room, err := newest(dir, room)
	if err != nil {
		return nil, room, err
	}
	raw, room, err := slurp(dir+"/"+revisionName(top), room)
	if err != nil {
		return nil, room, err
	}
	short, err := abridged(raw, raw[len(raw):cap(raw)])
	if err != nil {
		return nil, room, badf("is no session: %v", err)
	}
	var g glimpse
	if err := json.Unmarshal(short, &g); err != nil && g.Schema <= queue.Schema {
		return nil, room, badf("is no session: %v", err)
	}
	message := g.Ask.Kind == queue.KindMessage
	if g.Schema <= queue.Schema && (g.ID != id || g.Revision != top || g.Schema < 1 || !g.Ask.Questions && !message) {
		return nil, room, badf("is no session: says it is %q, revision %d", g.ID, g.Revision)
	}
	if g.Outcome {
		return nil, room, nil
	}
	v := &queue.Session{Schema: g.Schema, ID: id, Revision: top, Origin: g.Origin, AskedAt: g.AskedAt, Deadline: g.Deadline,
		Claim: g.Claim, DroppedAt: g.DroppedAt, Attached: g.Attached, Ask: queue.Ask{Kind: g.Ask.Kind, Title: g.Ask.Title}}
	if g.Last != nil {
		v.Events = []queue.Event{{At: g.Last.At}}
	}
	return v, room, nil
}

// newest is highest without what an *os.File costs.
func newest(dir string, room []byte) (top uint64, grown []byte, err error) {
	fd, err := retried(func() (int, error) {
		return syscall.Open(dir, syscall.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_DIRECTORY|syscall.O_CLOEXEC, 0)
	})
	switch {
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ELOOP):
		return 0, room, badf("is no directory")
	case err != nil:
		return 0, room, &fs.PathError{Op: "open", Path: dir, Err: err}
	}
	defer syscall.Close(fd)
	room = roomFor(room, leastRoom)
	for names := make([]string, 0, 8); ; names = names[:0] {
		n, err := retried(func() (int, error) { return syscall.ReadDirent(fd, room[:cap(room)]) })
		if err != nil {
			return 0, room, err
		}
		if n <= 0 {
			break
		}
		_, _, names = syscall.ParseDirent(room[:n], -1, names)
		for _, name := range names {
			if r, ok := parseRevision(name); ok {
				top = max(top, r)
			}
		}
	}
	if top == 0 {
		if _, ok := markOf(dir); !ok { // archived while we listed it
			return 0, room, fs.ErrNotExist
		}
		return 0, room, badf("holds no revision")
	}
	return top, room, nil
}

// slurp is readFile without what an *os.File costs: ten thousand of them are half of a hurried reader's time.
func slurp(path string, room []byte) (raw, grown []byte, err error) {
	fd, err := retried(func() (int, error) {
		return syscall.Open(path, syscall.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	})
	switch {
	case errors.Is(err, syscall.ELOOP):
		return nil, room, badf("is a symbolic link")
	case errors.Is(err, syscall.ENXIO):
		return nil, room, badf("is no regular file")
	case err != nil:
		return nil, room, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	defer syscall.Close(fd)
	var st syscall.Stat_t
	switch err := syscall.Fstat(fd, &st); {
	case err != nil:
		return nil, room, err
	case st.Mode&syscall.S_IFMT != syscall.S_IFREG:
		return nil, room, badf("is no regular file")
	case st.Size > maxFile:
		return nil, room, badf("takes %d bytes, more than %d", st.Size, maxFile)
	}
	size := int(st.Size)
	room = roomFor(room, 2*size) // its second half is for the abridged
	raw = room[:size]
	for at := 0; at < size; {
		n, err := retried(func() (int, error) { return syscall.Read(fd, raw[at:]) })
		if err != nil {
			return nil, room, err
		}
		if n == 0 {
			return nil, room, badf("ends early")
		}
		at += n
	}
	return raw, room, nil
}

const leastRoom = 16 << 10

func roomFor(room []byte, size int) []byte {
	if cap(room) < size {
		return make([]byte, max(2*size, leastRoom))
	}
	return room
}

// retried calls again what a signal broke off.
func retried(call func() (int, error)) (n int, err error) {
	for {
		if n, err = call(); !errors.Is(err, syscall.EINTR) {
			return n, err
		}
	}
}
