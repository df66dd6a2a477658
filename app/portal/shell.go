package portal

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"strings"
	"sync"

	"github.com/choicetui/choicetui/app/portal/door"
)

//go:embed assets
var assets embed.FS

// shell is the page without any question: one file with its style and its script.
var shell = sync.OnceValue(func() door.Shell {
	html, style, script := readAsset("shell.html"), readAsset("page.css"), readAsset("page.js")
	return door.Shell{HTML: strings.NewReplacer("{{style}}", style, "{{script}}", script).Replace(html),
		Style: sourceOf(style), Script: sourceOf(script)}
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
