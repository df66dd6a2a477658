package desk

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue/form"
)

// meantStep is something that happens to a text, so many milliseconds after the test began.
type meantStep struct {
	at   int
	does string // "enter", a key, or something that the guard notes
}

// parseSteps reads steps: `0 opens t, 600 type, 700 enter`.
func parseSteps(t *testing.T, steps string) (list []meantStep) {
	t.Helper()
	for one := range strings.SplitSeq(steps, ", ") {
		var s meantStep
		_, err := fmt.Sscanf(one, "%d %s", &s.at, &s.does)
		require.NoError(t, err, one)
		_, s.does, _ = strings.Cut(one, " ")
		list = append(list, s)
	}
	return list
}

// meantRun plays steps at a guard.
type meantRun struct {
	g     Guard
	field form.Field
}

// do carries out one step, and returns what became of an Enter: sent or asks.
func (r *meantRun) do(t *testing.T, does string, now time.Time) string {
	t.Helper()
	g := &r.g
	letter := Press{Key: "J", Letter: true}
	switch does {
	case "comes":
		g.noteCameUp("a", now)
	case "another comes":
		g.noteCameUp("b", now)
	case "resized":
		g.noteCameUp("a", now)
	case "brought":
		g.beginAction(Press{Key: "enter", Effect: Sending}, now)
		g.noteBroughtUp("a", now)
	case "J":
		g.beginAction(letter, now)
		g.noteBroughtUp("a", now)
	case "stray":
		g.Stray(now)
	case "h": // opens a page
		g.beginAction(letter, now)
		g.noteCover(true, now)
	case "q": // closes it
		g.beginAction(letter, now)
		g.noteCover(false, now)
	case "esc": // closes it too
		g.beginAction(Press{Key: "esc"}, now)
		g.noteCover(false, now)
	case "focus":
		g.Focused(now)
	case "click":
		g.SeenHere()
	case "opens":
		g.Begin(r.field, NotByLetter, now)
	case "t":
		g.Begin(r.field, ByLetter, now)
	case "first":
		g.BeginFirst(now)
	case "type":
		g.Type(now)
	case "arrow":
		g.TypeOn(now)
	case "enter", "enter on a key", "enter that adds":
		if g.EndsTyping(Press{}, does != "enter that adds", does == "enter on a key", now) {
			return "sent"
		}
		_, asks := g.Doubts(true)
		require.True(t, asks)
		return "asks"
	default:
		require.Fail(t, does)
	}
	return ""
}

func TestMeant_EnterAsksWhereATextMayBeForAnotherPane(t *testing.T) {
	at := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		field form.Field
		steps string
		want  string // what became of each Enter
	}{
		"came up on its own":          {form.FieldText, "0 comes, 60000 first, 60100 type, 60200 enter, 60700 enter", "asks sent"},
		"came up, opened by a letter": {form.FieldText, "0 comes, 9000 t, 9600 type, 9700 enter, 9800 enter, 10200 enter", "asks asks sent"},
		"came up, opened by Enter":    {form.FieldText, "0 comes, 9000 opens, 9600 type, 9700 enter", "asks"},
		"added to options":            {form.FieldText, "0 comes, 9000 t, 9600 type, 9700 enter that adds", "sent"},
		"brought up":                  {form.FieldText, "0 brought, 100 first, 200 type, 300 enter", "sent"},
		"brought up and resized":      {form.FieldText, "0 brought, 50 resized, 100 first, 200 type, 300 enter", "sent"},
		"brought up, then another":    {form.FieldText, "0 brought, 50 another comes, 900 first, 1200 enter", "asks"},
		"stepped to":                  {form.FieldText, "0 J, 500 first, 600 enter", "sent"},
		"stepped to by a sentence":    {form.FieldText, "0 J, 499 first, 600 type, 5600 enter", "asks"},
		"stepped to behind a stray":   {form.FieldText, "0 stray, 400 J, 5000 first, 5600 enter", "asks"},
		"back from a page":            {form.FieldText, "0 comes, 900 h, 2000 esc, 2100 first, 2200 enter", "asks"},
		"back from a page by a text":  {form.FieldText, "0 comes, 900 h, 1000 stray, 1100 q, 1900 first, 2200 enter", "asks"},
		"the page's key ran on":       {form.FieldText, "0 comes, 900 h, 2000 q, 2400 first, 2600 enter", "asks"},
		"got the focus":               {form.FieldText, "0 comes, 500 focus, 1500 first, 1600 enter", "sent"},
		"got the focus just now":      {form.FieldText, "0 comes, 500 focus, 1499 first, 1600 enter", "asks"},
		"had the focus before":        {form.FieldText, "0 focus, 1 comes, 9000 first, 9600 enter", "asks"},
		"clicked into":                {form.FieldText, "0 comes, 500 opens, 500 click, 510 type, 600 enter", "sent"},
		"the second text":             {form.FieldText, "0 comes, 900 first, 1000 enter, 1500 enter, 1600 opens, 1700 type, 1800 enter", "asks sent sent"},
		"text behind the question":    {form.FieldText, "0 comes, 900 first, 1000 enter, 1100 type, 9000 enter, 9500 enter", "asks asks sent"},
		"an arrow behind it":          {form.FieldText, "0 comes, 900 first, 1000 enter, 1100 arrow, 9000 enter", "asks asks"},
		"as fast as a paste":          {form.FieldText, "0 brought, 900 first, 901 type, 949 enter, 1449 enter", "asks sent"},
		"a letter that is a key":      {form.FieldText, "0 brought, 900 first, 1000 enter on a key, 1500 enter on a key", "asks sent"},
		"a letter, then more":         {form.FieldText, "0 brought, 900 first, 1000 enter on a key, 1500 type, 1700 enter", "asks sent"},
		"a note, slowly":              {form.FieldNote, "0 comes, 900 t, 1200 type, 1300 enter", "sent"},
		"a note behind its letter":    {form.FieldNote, "0 comes, 900 t, 1199 type, 1500 type, 60000 enter, 60500 enter", "asks sent"},
		"a refusal, slowly":           {form.FieldRefusal, "0 comes, 900 t, 1400 type, 1500 enter", "sent"},
		"a reason behind its letter":  {form.FieldReason, "0 comes, 900 t, 1399 type, 1500 enter", "asks"},
		"opened by a letter":          {form.FieldText, "0 brought, 900 t, 1200 type, 1300 enter", "sent"},
		"behind its letter":           {form.FieldText, "0 brought, 900 t, 1199 type, 1300 enter", "asks"},
		"a note without text":         {form.FieldNote, "0 comes, 900 t, 950 enter", "sent"},
		"as fast as pasted":           {form.FieldNote, "0 comes, 900 t, 949 enter, 1449 enter", "asks sent"},
	} {
		t.Run(name, func(t *testing.T) {
			r := meantRun{field: c.field}
			var got []string
			for _, s := range parseSteps(t, c.steps) {
				if what := r.do(t, s.does, at.Add(time.Duration(s.at)*time.Millisecond)); what != "" {
					got = append(got, what)
				}
			}
			require.Equal(t, c.want, strings.Join(got, " "))
		})
	}
}

func TestMeant_ARefusalWithoutWordsWaitsAsAfterAMark(t *testing.T) {
	at := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	for ms, want := range map[int]bool{499: false, 500: true} {
		var g Guard
		g.Begin(form.FieldRefusal, ByLetter, at)
		require.Equal(t, want, g.EndsTyping(Press{Decides: true}, true, false, at.Add(time.Duration(ms)*time.Millisecond)))
	}
}

func TestMeant_NoNumberOfSentencesSendsAnything(t *testing.T) {
	at := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	for _, pace := range []int{30, 60, 140, 300, 400} {
		for _, rest := range []int{300, 800, 5000} { // between two sentences
			var g Guard
			now := at
			key := func(after int) { now = now.Add(time.Duration(after) * time.Millisecond) }
			g.noteCameUp("a", now)
			key(60000)
			g.BeginFirst(now)
			for range 9 {
				for range 12 {
					key(pace)
					g.Type(now)
				}
				key(pace)
				require.False(t, g.EndsTyping(Press{}, true, false, now), "%d ms a key, %d between", pace, rest)
				key(rest)
			}
		}
	}
}
