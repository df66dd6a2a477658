package cli

import (
	"github.com/choicetui/choicetui/mcpbridge/native"
	"github.com/choicetui/choicetui/panes/say"
)

// codexNativeWords are the words of this program's for the choices that Codex offers.
func codexNativeWords() native.CodexWords {
	return native.CodexWords{Stop: say.CodexStop, StopCovers: say.CodexStopCovers, Similar: say.CodexSimilar,
		SimilarCovers: say.CodexSimilarCovers, Host: say.CodexHost, HostCovers: say.CodexHostCovers,
		NotHost: say.CodexNotHost, NotHostCovers: say.CodexNotHostCovers, SessionFiles: say.CodexSessionFiles,
		SessionCommand: say.CodexSessionCommand, UntilSessionEnds: say.CodexUntilEnd}
}
