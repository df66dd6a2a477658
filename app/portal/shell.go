package portal

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"strings"
	"sync"
)

//go:embed assets
var assets embed.FS

// shellPage is the page without any question, the same for every path: one file with its style and its script.
type shellPage struct {
	html string
	// style and script are the sources in a Content-Security-Policy that allow these two and no other.
	style, script string
}

// shell returns the page without any question.
var shell = sync.OnceValue(func() shellPage {
	html, style, script := readAsset("shell.html"), readAsset("page.css"), readAsset("page.js")
	return shellPage{html: strings.NewReplacer("{{style}}", style, "{{script}}", script).Replace(html),
		style: sourceOf(style), script: sourceOf(script)}
})

// readAsset returns a file of the page.
func readAsset(name string) string {
	raw, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic(err) // the file is embedded, so reading it cannot fail
	}
	return string(raw)
}

// sourceOf returns the source in a Content-Security-Policy that allows a text inside the page.
func sourceOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
