package portal

import (
	"bytes"
	"hash/maphash"
	"html/template"
	"sync"
)

// The files view*.go make a page's HTML from what it shows. They read nothing but that value: no page, no desk, no
// request. page.shown says what a page shows now.

// drawn is the content of a page: HTML by the id of its element, and texts by the id of their field.
type drawn struct {
	parts  map[string]part
	values map[string]string
	title  string
}

// seed makes the checksums of the parts that a page has.
var seed = maphash.MakeSeed()

// partOf executes a template with its data.
func partOf(name string, data any) part {
	var b bytes.Buffer
	if err := templates().ExecuteTemplate(&b, name, data); err != nil {
		b.Reset() // the template has a mistake; a test draws them all
		template.HTMLEscape(&b, []byte(err.Error()))
	}
	return part{b.String(), maphash.Bytes(seed, b.Bytes())}
}

// templates parses the templates for the parts of a page. All text goes through html/template, and text from an agent
// first goes through say.Text, say.OneLine or markup. They are parsed when the first page is drawn, because every
// command links this package and few show a page.
var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"inc": func(n int) int { return n + 1 },
	}).Parse(readAsset("page.html")))
})

// draw returns the content of the page.
func (v shown) draw() drawn {
	made := drawn{parts: map[string]part{"foot": {}, "panel": {}}, values: map[string]string{}, title: "choicetui"}
	put := func(id, template string, data any) { made.parts[id] = partOf(template, data) }
	switch {
	case v.list != nil:
		made.parts["main"] = *v.list
	case v.batch != nil:
		put("main", "batch", v.batch)
		put("foot", "batchfoot", v.batch)
	case v.asked == nil:
		put("main", "words", v.words)
	case v.asked.isOver():
		put("main", "over", v.over())
	default:
		q, f := v.question(), v.asked.form
		made.title, made.values = q.Title, q.texts
		if v.asked.fills && f.Unconfirmed() { // the text is in its field, and not in the answer yet
			made.values[fieldID(f)] = f.TypedText()
		}
		put("main", "question", q)
		put("foot", "foot", v.footer())
	}
	if v.line != nil {
		made.values[v.line.ID] = v.line.Text
		put("foot", "linefoot", v.line)
	}
	put("top", "top", struct {
		shown
		topView
	}{v, v.top})
	if v.panel != "" {
		put("panel", v.panel, v.panelData)
	}
	if v.pending > 0 {
		made.title = "(" + itoa(v.pending) + ") " + made.title
	}
	return made
}
