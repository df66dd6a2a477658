package queue

import (
	"fmt"
	"math"
	"net/mail"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Formats that a form may demand of the person's own words. Such forms come through an agent, as in MCP elicitation.
const (
	FormatText     = "text" // anything, within the lengths
	FormatNumber   = "number"
	FormatInteger  = "integer"
	FormatEmail    = "email"
	FormatURI      = "uri"
	FormatDate     = "date"
	FormatDateTime = "date-time"
	FormatTime     = "time"
	FormatUUID     = "uuid"
	FormatIPv4     = "ipv4"
	FormatIPv6     = "ipv6"
)

// formats lists the formats, in the order in which errors name them.
var formats = []string{FormatText, FormatNumber, FormatInteger, FormatEmail, FormatURI, FormatDate, FormatDateTime,
	FormatTime, FormatUUID, FormatIPv4, FormatIPv6}

// TextFormat restricts the text of an answer. Least and Most bound a number, Above and Below without the bound itself;
// MinLength and MaxLength count characters.
type TextFormat struct {
	Kind       string   `json:"kind"`
	Least      *float64 `json:"least,omitempty"`
	Most       *float64 `json:"most,omitempty"`
	Above      *float64 `json:"above,omitempty"`
	Below      *float64 `json:"below,omitempty"`
	MultipleOf *float64 `json:"multiple_of,omitempty"`
	MinLength  *int     `json:"min_length,omitempty"`
	MaxLength  *int     `json:"max_length,omitempty"`
	// Pattern is a regular expression that matches some of the text. One that Go cannot read is shown, not checked.
	Pattern string `json:"pattern,omitempty"`
}

// Known reports whether the format is one of those above.
func (f TextFormat) Known() bool { return slices.Contains(formats, f.Kind) }

// uuidText matches a UUID.
var uuidText = regexp.MustCompile(`^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$`)

// jsonNumber matches a number as JSON writes it.
var jsonNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// Fits reports whether a text has the format, apart from white space around it. Blank text is checked elsewhere.
func (f TextFormat) Fits(text string) bool {
	text = strings.TrimSpace(text)
	n := utf8.RuneCountInString(text)
	if f.MinLength != nil && n < *f.MinLength || f.MaxLength != nil && n > *f.MaxLength {
		return false
	}
	if f.Pattern != "" {
		if pattern, err := regexp.Compile(f.Pattern); err == nil && !pattern.MatchString(text) {
			return false
		}
	}
	return f.fitsKind(text)
}

// fitsKind reports whether a text is of the format's kind.
func (f TextFormat) fitsKind(text string) bool {
	switch f.Kind {
	case FormatNumber, FormatInteger:
		return f.fitsNumber(text)
	case FormatEmail:
		at, err := mail.ParseAddress(text)
		return err == nil && at.Address == text
	case FormatURI:
		u, err := url.Parse(text)
		return err == nil && u.IsAbs() && !strings.ContainsAny(text, " \t\n")
	case FormatDate:
		_, err := time.Parse(time.DateOnly, text)
		return err == nil
	case FormatDateTime:
		_, err := time.Parse(time.RFC3339, text)
		return err == nil
	case FormatTime:
		_, err := time.Parse("15:04:05Z07:00", text)
		return err == nil
	case FormatUUID:
		return uuidText.MatchString(text)
	case FormatIPv4, FormatIPv6:
		at, err := netip.ParseAddr(text)
		return err == nil && at.Is4() == (f.Kind == FormatIPv4)
	}
	return true
}

func (f TextFormat) fitsNumber(text string) bool {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !jsonNumber.MatchString(text) || f.Kind == FormatInteger && strings.ContainsAny(text, ".eE") {
		return false
	}
	if f.MultipleOf != nil && *f.MultipleOf > 0 {
		if times := n / *f.MultipleOf; math.Abs(times-math.Round(times)) > 1e-9 {
			return false
		}
	}
	return (f.Least == nil || n >= *f.Least) && (f.Most == nil || n <= *f.Most) &&
		(f.Above == nil || n > *f.Above) && (f.Below == nil || n < *f.Below)
}

// Want describes the format as part of a sentence: `a whole number from 1 to 9`.
func (f TextFormat) Want() string {
	words := f.wantKind()
	for _, more := range []struct {
		bound *float64
		words string
	}{{f.Above, " above %v"}, {f.Below, " below %v"}, {f.MultipleOf, ", a multiple of %v"}} {
		if more.bound != nil {
			words += fmt.Sprintf(more.words, *more.bound)
		}
	}
	if lengths := boundsText(f.MinLength, f.MaxLength); lengths != "" {
		words += lengths + " characters"
	}
	if f.Pattern != "" {
		words += " that matches " + Quote(f.Pattern)
	}
	return words
}

// wantKind describes the format's kind, with the bounds of a number.
func (f TextFormat) wantKind() string {
	switch f.Kind {
	case FormatNumber:
		return "a number" + boundsText(f.Least, f.Most)
	case FormatInteger:
		return "a whole number" + boundsText(f.Least, f.Most)
	case FormatEmail:
		return "an e-mail address"
	case FormatURI:
		return "a whole address such as https://example.com/"
	case FormatDate:
		return "a date such as 2026-11-22"
	case FormatDateTime:
		return "a time such as 2026-11-22T14:02:00Z"
	case FormatTime:
		return "a time of day such as 14:02:00Z"
	case FormatUUID:
		return "a UUID"
	case FormatIPv4:
		return "an IPv4 address"
	case FormatIPv6:
		return "an IPv6 address"
	}
	return "text"
}

// boundsText describes the bounds of a number, as far as there are any.
func boundsText[N int | float64](least, most *N) string {
	switch {
	case least != nil && most != nil:
		return fmt.Sprintf(" from %v to %v", *least, *most)
	case least != nil:
		return fmt.Sprintf(" of at least %v", *least)
	case most != nil:
		return fmt.Sprintf(" of at most %v", *most)
	}
	return ""
}

// checkFormat lists the problems of the question's format.
func (q Question) checkFormat(c *checker, at string) {
	if q.Format == nil {
		return
	}
	if !q.Format.Known() {
		c.addProblem(at+".format.kind", "is "+Quote(q.Format.Kind), "one of "+strings.Join(formats, ", "))
	}
	if !q.TakesText() {
		c.addProblem(at+".format", "is not possible with mode "+q.Mode+", where nothing is typed", "leave it out")
	}
}
