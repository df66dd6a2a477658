package queue

import (
	"fmt"
	"net/mail"
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
)

// TextFormat restricts the text of an answer. Least and Most bound a number; MinLength and MaxLength count
// characters.
type TextFormat struct {
	Kind      string   `json:"kind"`
	Least     *float64 `json:"least,omitempty"`
	Most      *float64 `json:"most,omitempty"`
	MinLength *int     `json:"min_length,omitempty"`
	MaxLength *int     `json:"max_length,omitempty"`
}

// jsonNumber matches a number as JSON writes it.
var jsonNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// Fits reports whether a text has the format, apart from white space around it. Blank text is checked elsewhere.
func (f TextFormat) Fits(text string) bool {
	text = strings.TrimSpace(text)
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
	}
	n := utf8.RuneCountInString(text)
	return (f.MinLength == nil || n >= *f.MinLength) && (f.MaxLength == nil || n <= *f.MaxLength)
}

func (f TextFormat) fitsNumber(text string) bool {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !jsonNumber.MatchString(text) || f.Kind == FormatInteger && strings.ContainsAny(text, ".eE") {
		return false
	}
	return (f.Least == nil || n >= *f.Least) && (f.Most == nil || n <= *f.Most)
}

// Want describes the format as part of a sentence: `a whole number from 1 to 9`.
func (f TextFormat) Want() string {
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
	}
	if f.MinLength == nil && f.MaxLength == nil {
		return "text"
	}
	return "text" + boundsText(f.MinLength, f.MaxLength) + " characters"
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
	kinds := []string{FormatText, FormatNumber, FormatInteger, FormatEmail, FormatURI, FormatDate, FormatDateTime}
	if !slices.Contains(kinds, q.Format.Kind) {
		c.addProblem(at+".format.kind", "is "+Quote(q.Format.Kind), "one of "+strings.Join(kinds, ", "))
	}
	if !q.TakesText() {
		c.addProblem(at+".format", "is not possible with mode "+q.Mode+", where nothing is typed", "leave it out")
	}
}
