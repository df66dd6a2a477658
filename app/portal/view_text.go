package portal

import (
	"html/template"
	"strings"

	"github.com/choicetui/choicetui/panes/reading/markdown"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// markup returns an agent's Markdown as HTML: the source's own lines, annotated, as the screen shows them. Every
// character of it is there. inline: emphasis, code and links only.
func markup(text string, inline bool) template.HTML {
	text = strings.TrimRight(say.Text(text), "\n \t")
	if text == "" {
		return ""
	}
	parse := markdown.Parse
	if inline {
		parse = markdown.ParseInline
	}
	sheet, ok := parse(text)
	if !ok {
		sheet = markdown.AsCode(text)
	}
	w := sheetWriter{sheet: sheet, inline: inline}
	w.write()
	return template.HTML(w.b.String()) // every text in it was escaped by put
}

// partHTML returns a part of an approval unchanged; a plan is Markdown.
func partHTML(p queue.Part) template.HTML {
	parse := markdown.AsCode
	switch p.Kind {
	case queue.PartPlan:
		return markup(p.Text, false)
	case queue.PartDiff:
		parse = markdown.AsDiff
	}
	w := sheetWriter{sheet: parse(strings.TrimRight(say.Text(p.Text), "\n \t"))}
	w.write()
	return template.HTML(w.b.String()) // every text in it was escaped by put
}

// sheetWriter writes a sheet as HTML.
type sheetWriter struct {
	sheet *markdown.Sheet
	b     strings.Builder
	open  string // the element that is open for lines of one kind

	inline bool // it is part of a line of the page: lines have no element around them
}

// write writes all lines.
func (w *sheetWriter) write() {
	for _, l := range w.sheet.Lines {
		if !l.Code {
			w.prose(l)
			continue
		}
		w.within("pre")
		w.b.WriteString(`<span class="cl">`)
		w.piece(w.sheet.Piece(l.From, l.To))
		w.b.WriteString("</span>")
	}
	w.within("")
}

// within opens the element for lines of one kind, and closes the one before.
func (w *sheetWriter) within(element string) {
	if w.open == element || w.inline {
		return
	}
	if w.open != "" {
		w.b.WriteString("</" + w.open + ">")
	}
	if w.open = element; element != "" {
		w.b.WriteString("<" + element + ">")
	}
}

// prose writes a line of prose with a hanging indent: a bullet or a quote sign before its text is set apart.
func (w *sheetWriter) prose(l markdown.Line) {
	if strings.TrimSpace(w.sheet.Source[l.From:l.To]) == "" {
		w.within("")
		return
	}
	w.within("p")
	text := max(min(l.Text, l.To), l.From)
	if strings.TrimSpace(w.sheet.Source[l.From:text]) == "" {
		w.b.WriteString(`<span class="pl">`)
		w.piece(w.sheet.Piece(l.From, l.To))
		w.b.WriteString("</span>")
		return
	}
	w.b.WriteString(`<span class="li"><span>`)
	w.piece(w.sheet.Piece(l.From, text))
	w.b.WriteString(`</span><span>`)
	w.piece(w.sheet.Piece(text, l.To))
	w.b.WriteString("</span></span>")
}

// classes returns the classes of a mark.
func classes(k markdown.Mark) string {
	var list []string
	for _, c := range []struct {
		mark markdown.Mark
		name string
	}{{markdown.Bold, "mb"}, {markdown.Italic, "mi"}, {markdown.Strike, "ms"}, {markdown.Dim, "dim"},
		{markdown.Good, "add"}, {markdown.Danger, "del"}} {
		if k&c.mark != 0 {
			list = append(list, c.name)
		}
	}
	return strings.Join(list, " ")
}

// piece writes a part of a line with its marks.
func (w *sheetWriter) piece(p markdown.Piece) {
	for from := 0; from < len(p.Text); {
		to := from + 1
		for to < len(p.Text) && p.Marks[to] == p.Marks[from] {
			to++
		}
		text := p.Text[from:to]
		if class := classes(p.Marks[from]); class != "" {
			w.b.WriteString(`<span class="` + class + `">`)
			w.put(text)
			w.b.WriteString("</span>")
		} else {
			w.put(text)
		}
		from = to
	}
}

// put writes a text, escaped.
func (w *sheetWriter) put(text string) {
	w.b.WriteString(template.HTMLEscapeString(text))
}
