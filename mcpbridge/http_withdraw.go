package mcpbridge

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// How long, and how many, cancels wait for their call.
const (
	earlyFor  = 10 * time.Second
	earlyMost = 256
)

// earlyCancel is a cancel that found no call: the two come on different connections, and it may have been faster.
type earlyCancel struct {
	at        time.Time
	withdrawn *withdrawn
}

// withdraw ends the call a client cancelled, whether it runs, broke off, or is yet to come. It reports whether the
// session is known; otherwise the library says so.
func (hs *httpServer) withdraw(r *http.Request, params json.RawMessage) bool {
	session, modern := sessionOf(r)
	if modern { // there, closing the stream cancels
		return false
	}
	if _, err := hs.sessions.Validate(session); err != nil {
		return false
	}
	var p struct {
		RequestID json.RawMessage `json:"requestId"`
		Reason    any             `json:"reason"`
	}
	if json.Unmarshal(params, &p) != nil {
		return true
	}
	id, _ := idKey(p.RequestID)
	reason, _ := p.Reason.(string)
	why, key := &withdrawn{reason: reason}, session+"\x00"+id
	hs.mu.Lock()
	defer hs.mu.Unlock()
	if c := hs.calls[key]; c != nil {
		c.withdrawn = why
		c.cancel(why)
		return true
	}
	for _, st := range hs.streams {
		if st.key == key && st.call == nil && !st.over && st.asked != "" {
			st.over, st.at = true, time.Now()
			go hs.withdrawBroken(st.asked, why)
			return true
		}
	}
	hs.forgive()
	if len(hs.early) < earlyMost {
		hs.early[key] = earlyCancel{at: time.Now(), withdrawn: why}
	}
	return true
}

// withdrawBroken takes a question back whose call's connection had broken. A client that only lost patience leaves it.
func (hs *httpServer) withdrawBroken(id string, why *withdrawn) {
	if why.timedOut() {
		return
	}
	r, err := hs.b.open(context.Background())
	if err == nil {
		ctx, cancel := stepContext(context.Background())
		defer cancel()
		_, err = r.q.Do(ctx, id, queue.Command{
			ID: queue.NewToken(), By: queue.ByCaller, Surface: queue.SurfaceClient,
			Do: queue.Cancel{Reason: cut(why.reason, queue.MaxNote)},
		})
	}
	if err != nil && !errors.Is(err, queue.ErrSettled) && !errors.Is(err, queue.ErrFinal) {
		hs.b.logf("failed to withdraw session %s: %v", id, err)
	}
}

// forgive drops cancels whose call never came; the caller holds mu.
func (hs *httpServer) forgive() {
	maps.DeleteFunc(hs.early, func(_ string, e earlyCancel) bool { return time.Since(e.at) > earlyFor })
}
