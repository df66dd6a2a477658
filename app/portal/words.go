package portal

const (
	linkCommand = "choicetui web"
	linkWanted  = "this page needs a new link: run " + linkCommand
)
