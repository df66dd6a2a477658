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
	rand.Read(b) // never fails: crypto/rand.Read would end the program
	for i := range b {
		b[i] = crockford[b[i]&31]
	}
	return string(b)
}

// NewToken returns 16 random characters (80 bits) for names that nobody types: of instances, connections and
// commands.
func NewToken() string { return NewID() + NewID() }

// ValidID reports whether s has the form of a session id. Ids become file names, so nothing else is accepted.
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

// TypedID reads an id that a person typed or heard. Case does not matter, and o, i and l, which no id contains, are
// read as the digits 0 and 1 that they resemble. ok is false if the result is not a valid id.
func TypedID(typed string) (id string, ok bool) {
	id = strings.NewReplacer("o", "0", "i", "1", "l", "1").Replace(strings.ToLower(strings.TrimSpace(typed)))
	return id, ValidID(id)
}

// ValidInstance reports whether s can name a running process: 1 to 64 letters, digits, - and _. Instances become
// parts of file names and keys.
func ValidInstance(s string) bool {
	const safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	return s != "" && len(s) <= 64 && strings.Trim(s, safe) == ""
}

// IDFrom derives an id from the first eight bytes of b. The same bytes always give the same id. It panics if b is
// shorter.
func IDFrom(b []byte) string {
	id := make([]byte, 8)
	for i := range id {
		id[i] = crockford[b[i]&31]
	}
	return string(id)
}
