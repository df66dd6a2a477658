package portal

import (
	"html/template"
	"strings"

	"github.com/choicetui/choicetui/panes/reading/markdown"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// markup returns an agent's Markdown as HTML: the lines of its source, with every character, and styles as on the
// screen.
func markup(text string) template.HTML { return (&sheetWriter{}).render(text, markdown.Parse) }

// inlineMarkup does the same for a text in a line of the page: only emphasis, code and links are styled.
func inlineMarkup(text string) template.HTML {
	return (&sheetWriter{inline: true}).render(text, markdown.ParseInline)
}

// render returns a text as HTML. A text that parse does not accept is shown as code.
func (w *sheetWriter) render(text string, parse func(string) (*markdown.Sheet, bool)) template.HTML {
	text = strings.TrimRight(say.Text(text), "\n \t")
	if text == "" {
		return ""
	}
	sheet, ok := parse(text)
	if !ok {
		sheet = markdown.AsCode(text)
	}
	w.sheet = sheet
	w.write()
	return template.HTML(w.b.String()) // writeText has escaped all text in it
}

// partHTML returns a part of an approval as HTML with every character. Only a plan is read as Markdown.
func partHTML(p queue.Part) template.HTML {
	parse := markdown.AsCode
	switch p.Kind {
	case queue.PartPlan:
		return markup(p.Text)
	case queue.PartDiff:
		parse = markdown.AsDiff
	}
	w := sheetWriter{sheet: parse(strings.TrimRight(say.Text(p.Text), "\n \t"))}
	w.write()
	return template.HTML(w.b.String()) // writeText has escaped all text in it
}

// sheetWriter writes a parsed text as HTML.
type sheetWriter struct {
	sheet *markdown.Sheet
	b     strings.Builder
	open  string // the open HTML element: p, pre or none

	inline bool // the text is part of a line of the page, so no HTML element is put around it
}

// write writes all lines of the text as HTML.
func (w *sheetWriter) write() {
	for _, l := range w.sheet.Lines {
		if !l.Code {
			w.writeProse(l)
			continue
		}
		w.openElement("pre")
		w.b.WriteString(`<span class="cl">`)
		w.writePiece(w.sheet.Piece(l.From, l.To))
		w.b.WriteString("</span>")
	}
	w.openElement("")
}

// openElement opens an element and closes the one before, unless that is the same.
func (w *sheetWriter) openElement(element string) {
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

// writeProse writes a line of prose. A bullet or quote sign before its text is in an element of its own, for a hanging
// indent.
func (w *sheetWriter) writeProse(l markdown.Line) {
	if strings.TrimSpace(w.sheet.Source[l.From:l.To]) == "" {
		w.openElement("")
		return
	}
	w.openElement("p")
	text := max(min(l.Text, l.To), l.From)
	if strings.TrimSpace(w.sheet.Source[l.From:text]) == "" {
		w.b.WriteString(`<span class="pl">`)
		w.writePiece(w.sheet.Piece(l.From, l.To))
		w.b.WriteString("</span>")
		return
	}
	w.b.WriteString(`<span class="li"><span>`)
	w.writePiece(w.sheet.Piece(l.From, text))
	w.b.WriteString(`</span><span>`)
	w.writePiece(w.sheet.Piece(text, l.To))
	w.b.WriteString("</span></span>")
}

// classes returns the CSS classes of marks.
func classes(marks markdown.Mark) string {
	var list []string
	for _, c := range []struct {
		mark markdown.Mark
		name string
	}{{markdown.Bold, "mb"}, {markdown.Italic, "mi"}, {markdown.Strike, "ms"}, {markdown.Dim, "dim"},
		{markdown.Good, "add"}, {markdown.Danger, "del"}} {
		if marks&c.mark != 0 {
			list = append(list, c.name)
		}
	}
	return strings.Join(list, " ")
}

// writePiece writes a part of a line with its marks.
func (w *sheetWriter) writePiece(p markdown.Piece) {
	for from := 0; from < len(p.Text); {
		to := from + 1
		for to < len(p.Text) && p.Marks[to] == p.Marks[from] {
			to++
		}
		text := p.Text[from:to]
		if class := classes(p.Marks[from]); class != "" {
			w.b.WriteString(`<span class="` + class + `">`)
			w.writeText(text)
			w.b.WriteString("</span>")
		} else {
			w.writeText(text)
		}
		from = to
	}
}

// writeText writes a text, escaped.
func (w *sheetWriter) writeText(text string) {
	w.b.WriteString(template.HTMLEscapeString(text))
}
