package call

import (
	"slices"

	"github.com/choicetui/choicetui/queue"
)

// keyIndex finds live sessions by their key.
type keyIndex struct {
	ids map[string][]string // by key, newest last
	of  map[string]string   // the key of an id
}

func newKeyIndex() keyIndex { return keyIndex{ids: map[string][]string{}, of: map[string]string{}} }

func (k keyIndex) add(s queue.Session) {
	if _, known := k.of[s.ID]; known || s.Key == "" || s.Final {
		return
	}
	k.of[s.ID] = s.Key
	k.ids[s.Key] = append(k.ids[s.Key], s.ID)
}

func (k keyIndex) remove(id string) {
	key, known := k.of[id]
	if !known {
		return
	}
	delete(k.of, id)
	if left := slices.DeleteFunc(k.ids[key], func(other string) bool { return other == id }); len(left) > 0 {
		k.ids[key] = left
	} else {
		delete(k.ids, key)
	}
}
