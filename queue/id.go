package queue

import (
	"crypto/rand"
	"strings"
)

// crockford is base32 without i, l, o and u: easy to read aloud and to type.
const crockford = "0123456789abcdefghjkmnpqrstvwxyz"

// NewID returns 8 random characters of Crockford base32 in lower case (40 bits from crypto/rand).
func NewID() string {
	b := make([]byte, 8)
	rand.Read(b) // never fails: crypto/rand.Read ends the program instead
	for i := range b {
		b[i] = crockford[b[i]&31]
	}
	return string(b)
}

// NewToken returns a random name that is never typed: for instances, connections and commands (80 bits).
func NewToken() string { return NewID() + NewID() }

// ValidID reports whether s could be a session's id. Ids become file names, so everything else is refused.
func ValidID(s string) bool {
	if len(s) != 8 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'z') || c == 'i' || c == 'l' || c == 'o' || c == 'u' {
			return false
		}
	}
	return true
}

// TypedID reads an id as people type and dictate it: case does not matter, and o, i and l, which no id holds, stand for
// the digits they look like. ok is false where it is no id even so.
func TypedID(typed string) (id string, ok bool) {
	id = strings.NewReplacer("o", "0", "i", "1", "l", "1").Replace(strings.ToLower(strings.TrimSpace(typed)))
	return id, ValidID(id)
}

// ValidInstance reports whether s could name a running process. Instances become part of file names or keys: 1 to 64
// letters, digits, - and _.
func ValidInstance(s string) bool {
	const safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	return s != "" && len(s) <= 64 && strings.Trim(s, safe) == ""
}

// IDFrom returns an id made of the first eight of these bytes, always the same for the same ones. It names what is kept
// beside sessions and has no session of its own.
func IDFrom(b []byte) string {
	id := make([]byte, 8)
	for i := range id {
		id[i] = crockford[b[i]&31]
	}
	return string(id)
}
