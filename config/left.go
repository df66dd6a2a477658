package config

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
)

// A file that is broken as JSON cannot be read, but who named a shared queue in it does not mean the usual directory:
// agents would ask where nobody of the team looks. So it is looked through once more, for these settings alone and for
// no other use than to stop. In doubt it names them: then a person reads a sentence and mends the file.

// onServers are the settings that a queue on a server needs.
var onServers = []string{"queue", "queue_credentials", "queue_ca", "queue_bucket", "queue_replicas"}

// longestLeft is the most characters of a value that are looked at; a longer one is no name of a directory.
const longestLeft = 4096

// remains is the text of a broken file, with blanks for its comments.
type remains []rune

// leftover is a value that the text seems to give a key.
type leftover struct {
	key    string
	at     int // offset of its first character, or of the text behind the key if it has no value
	text   string
	quoted bool
	whole  bool // its end is there
}

// leftIn lists the settings of a queue on a server that a broken text still names, as Problems with the settings as
// keys. flaw is the file's own problem.
func leftIn(text []byte, flaw Problem) (list []Problem) {
	rest := remainsOf(text)
	for _, v := range rest.leftovers() {
		words := v.key + " is set here"
		if v.key == "queue" {
			words = v.asQueue()
		}
		named := func(p Problem) bool { return p.Key == v.key }
		if words == "" || slices.ContainsFunc(list, named) {
			continue
		}
		line, column := position([]byte(string(rest)), len(string(rest[:v.at])))
		list = append(list, Problem{Path: flaw.Path, Line: line, Column: column, Key: v.key,
			Wrong: fmt.Sprintf("%s, but the file cannot be read (line %d: %s), so %s", words, flaw.Line, flaw.Wrong,
				insteadOf(v.key))})
	}
	return list
}

// insteadOf says what is not done if a setting is named and cannot be read.
func insteadOf(key string) string {
	if key == "queue" {
		return "the usual directory is not used instead"
	}
	return "no queue on a server is used without it"
}

// asQueue says what the value is as the place of a queue. It returns "" if others cannot share that place.
func (v leftover) asQueue() string {
	const sure, unsure = "a shared queue is named here", "what is named here may be a shared queue"
	wrong, _ := MisplacedQueue(v.text)
	lower := strings.ToLower(v.text)
	begun := strings.HasPrefix("nats://", lower) || strings.HasPrefix("tls://", lower)
	switch {
	case strings.Contains(v.text, "://") || wrong != "":
		return sure
	case v.quoted && (v.whole || !begun), v.text != "" && strings.Contains("/.~", v.text[:1]):
		return ""
	}
	return unsure
}

// remainsOf returns the characters of a file, whatever wrote it: an editor for two-byte text, or a page on the web that
// makes quotes curly.
func remainsOf(text []byte) remains {
	rest := remains(string(bytes.TrimPrefix(text, []byte("\ufeff"))))
	marks := map[binary.ByteOrder]string{binary.LittleEndian: "\xff\xfe", binary.BigEndian: "\xfe\xff"}
	for order, mark := range marks {
		if bytes.HasPrefix(text, []byte(mark)) {
			units := make([]uint16, len(text)/2-1)
			for i := range units {
				units[i] = order.Uint16(text[2+2*i:])
			}
			rest = utf16.Decode(units)
		}
	}
	for i, c := range rest {
		switch c {
		case '“', '”', '„':
			rest[i] = '"'
		case '‘', '’':
			rest[i] = '\''
		}
	}
	rest.blankComments()
	return rest
}

// blankComments replaces comments by blanks. JSON has no comments, so they break many a file.
func (r remains) blankComments() {
	quoted, closed := false, true // closed: a comment that is opened from here on may have an end
	for i := 0; i < len(r); i++ {
		switch c := r[i]; {
		case c == '\n':
			quoted = false // a string ends with its line
		case c == '\\' && quoted:
			i++
		case c == '"':
			quoted = !quoted
		case quoted || i > 0 && !strings.ContainsRune(" \t\r\n,{}[]\":", r[i-1]):
		case c == '#', r.has(i, "//"):
			for ; i+1 < len(r) && r[i] != '\n'; i++ {
				r[i] = ' '
			}
		case closed && r.has(i, "/*"):
			end := r.find(i+2, "*/")
			if closed = end >= 0; closed {
				r.blank(i, end+2)
				i = end + 1
			}
		}
	}
}

// blank keeps where lines end.
func (r remains) blank(from, to int) {
	for i := from; i < to; i++ {
		if r[i] != '\n' {
			r[i] = ' '
		}
	}
}

func (r remains) has(at int, text string) bool {
	for _, c := range text {
		if at >= len(r) || r[at] != c {
			return false
		}
		at++
	}
	return true
}

func (r remains) find(from int, text string) int {
	for i := from; i < len(r); i++ {
		if r.has(i, text) {
			return i
		}
	}
	return -1
}

// leftovers lists the values that the text seems to give our keys, at any depth.
func (r remains) leftovers() (list []leftover) {
	for i := range r {
		key, end, bare := r.keyAt(i)
		if key == "" {
			continue
		}
		at, separated := end, false
		for at < len(r) && (unicode.IsSpace(r[at]) || strings.ContainsRune(":=", r[at])) {
			separated = separated || !unicode.IsSpace(r[at])
			at++
		}
		if separated || !bare && at < len(r) && isQuote(r[at]) { // a colon may be what is missing
			v := r.valueAt(at)
			v.key = key
			list = append(list, v)
		}
	}
	return list
}

// keyAt returns the key of ours that begins at i, or "", and the offset behind it. bare: the key has no quotes.
func (r remains) keyAt(i int) (key string, end int, bare bool) {
	const escaped = 6 // the most that one character takes: \u0071
	if isQuote(r[i]) {
		end, whole := r.endOfString(i, escaped*len("queue_credentials")+2)
		if whole {
			key = unescape(string(r[i+1 : end-1]))
		}
		if !slices.Contains(onServers, key) {
			return "", end, false
		}
		return key, end, false
	}
	if !r.has(i, "queue") || !r.beginsMember(i) {
		return "", i, true
	}
	for end = i; end < len(r) && (r[end] == '_' || r[end] >= 'a' && r[end] <= 'z'); end++ {
	}
	if key = string(r[i:end]); !slices.Contains(onServers, key) {
		key = ""
	}
	return key, end, true
}

// beginsMember reports whether a key without quotes can begin at i.
func (r remains) beginsMember(i int) bool {
	for i--; i >= 0 && r[i] != '\n' && unicode.IsSpace(r[i]); i-- {
	}
	return i < 0 || strings.ContainsRune("\n{,", r[i])
}

func isQuote(c rune) bool { return c == '"' || c == '\'' }

// valueAt reads the string or the bare word that begins at i, to the end of its line at most.
func (r remains) valueAt(i int) leftover {
	if i >= len(r) || !isQuote(r[i]) {
		end := i
		for end < min(len(r), i+longestLeft) && !unicode.IsSpace(r[end]) && !strings.ContainsRune(",}]", r[end]) {
			end++
		}
		return leftover{at: i, text: string(r[i:end])}
	}
	end, whole := r.endOfString(i, longestLeft)
	inside := r[i+1 : end]
	if whole {
		inside = inside[:len(inside)-1]
	}
	return leftover{at: i, text: unescape(string(inside)), quoted: true, whole: whole}
}

// unescape reads the inside of a quoted string. It returns a string that cannot be read unchanged.
func unescape(inside string) string {
	var plain string
	if json.Unmarshal([]byte(`"`+inside+`"`), &plain) != nil {
		return inside
	}
	return plain
}

// endOfString returns the offset at which the string that begins at i ends: behind its closing quote, if that is among
// the next most characters.
func (r remains) endOfString(i, most int) (end int, whole bool) {
	for end = i + 1; end < min(len(r), i+most) && r[end] != '\n'; end++ {
		switch r[end] {
		case r[i]:
			return end + 1, true
		case '\\':
			end++
		}
	}
	return min(end, len(r)), false
}
