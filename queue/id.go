package queue

// IDFrom is an id made of the first eight of these bytes, always the same for the same ones. It names what is kept
// beside sessions and has no session of its own.
func IDFrom(b []byte) string {
	id := make([]byte, 8)
	for i := range id {
		id[i] = crockford[b[i]&31]
	}
	return string(id)
}
