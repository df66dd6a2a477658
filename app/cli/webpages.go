package cli

import (
	"net/http"

	"github.com/choicetui/choicetui/app/desk"
	"github.com/choicetui/choicetui/app/portal"
)

// pagesOf are the pages of a desk.
func pagesOf(*desk.Desk) portal.Behind { return noPages{} }

// noPages serves an empty page.
type noPages struct{}

func (noPages) Live(w http.ResponseWriter, _ *http.Request, _ portal.Grant) {
	http.Error(w, "not built in", http.StatusNotImplemented)
}

func (noPages) Shell(w http.ResponseWriter, _ *http.Request) {
	_, _ = w.Write([]byte("<!doctype html><title>choicetui</title>"))
}

func (noPages) Asset(w http.ResponseWriter, r *http.Request) { http.NotFound(w, r) }
func (noPages) Looking() int                                 { return 0 }
