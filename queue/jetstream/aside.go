package jetstream

import (
	"cmp"
	"strings"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/choicetui/choicetui/queue"
)

const reasonSuffix = ".reason"

// asideName begins the key under which something is set aside. A name that cannot be a part of another key is left out.
func asideName(name string) string {
	if !queue.ValidInstance(name) {
		name = "unnamed"
	}
	return name + "."
}

// setAside copies what cannot be read to the bucket for that, with the reason in a key beside it, and then takes it
// away if it still is the same. ok is false if somebody has changed it meanwhile.
func (p *place) setAside(c *call, from string, e jetstream.KeyValueEntry, reason string) (b queue.Broken, ok bool) {
	b = queue.Broken{Name: e.Key(), Reason: reason}
	key := asideName(e.Key()) + queue.NewToken()
	aside, err := p.bucket(c, asideShelf, true)
	if err == nil {
		_, err = aside.Create(c, key+reasonSuffix, []byte(reason+"\n"))
	}
	if err == nil {
		_, err = aside.Create(c, key, e.Value())
	}
	if err == nil {
		var kv jetstream.KeyValue
		if kv, err = p.bucket(c, from, true); err == nil {
			err = kv.Purge(c, e.Key(), jetstream.LastRevision(e.Revision()), jetstream.PurgeTTL(markerKept))
		}
	}
	switch {
	case err == nil:
		b.MovedTo = p.asidePlace(key)
		return b, true
	case isMismatch(err):
		_ = aside.Purge(c, key, jetstream.PurgeTTL(markerKept)) // another one was quicker, or it was mended
		_ = aside.Purge(c, key+reasonSuffix, jetstream.PurgeTTL(markerKept))
		return p.wasSetAside(c, e.Key())
	}
	b.Reason += "; failed to set it aside: " + c.explain(err).Error()
	return b, true
}

func (p *place) asidePlace(key string) string {
	return "the bucket " + p.link.options.Bucket + asideShelf + ", key " + key
}

// wasSetAside reports what somebody set aside under this name.
func (p *place) wasSetAside(c *call, name string) (queue.Broken, bool) {
	aside, err := p.bucket(c, asideShelf, false) // as a rule there is no such bucket
	if err != nil || !queue.ValidInstance(name) {
		return queue.Broken{}, false
	}
	all, err := p.readKeys(c, aside, asideName(name)+"*", asideName(name)+"*"+reasonSuffix)
	if err != nil {
		return queue.Broken{}, false
	}
	reasons := map[string]string{}
	for _, e := range all {
		if key, ok := strings.CutSuffix(e.Key(), reasonSuffix); ok {
			reasons[key] = strings.TrimSpace(string(e.Value()))
		}
	}
	for _, e := range all {
		if !strings.HasSuffix(e.Key(), reasonSuffix) {
			return queue.Broken{Name: name, MovedTo: p.asidePlace(e.Key()),
				Reason: cmp.Or(reasons[e.Key()], "was set aside")}, true
		}
	}
	return queue.Broken{}, false
}
