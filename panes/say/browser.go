package say

// Words about the page in the browser.
const (
	NoPages        = "the demo has no page in the browser"
	OpeningBrowser = "opening the browser"
)

// OpenedInBrowser says that a page was opened, and where it is.
func OpenedInBrowser(link string) string { return "opened in the browser: " + link }

// NoPage says why there is no page.
func NoPage(err error) string { return OneLine(err.Error()) }
