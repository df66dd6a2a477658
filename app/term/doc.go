// Package term is the terminal under tview: it sends few bytes, and it leaves the terminal as it found it.
//
//	tview draws ──► Screen (own cells) ──only what differs──► tcell ──► tty
//	tview polls ◄── events (unbounded, paste repaired) ◄───── tcell ◄── tty
//	signals, panics, Ctrl-Z ──► Terminal ──► Screen.Fini / Suspend / Resume
//
// The order of calls matters, because tview throws errors away and ignores modes set too early:
//
//	screen, err := term.Open()       // initialised; the error is a sentence for the person
//	t := term.New(app, screen)       // SetScreen, then EnablePaste
//	t.Go(pump)                       // every goroutine of ours, so that a panic restores the terminal
//	err = t.Run(ctx)                 // blocks; afterwards the terminal is as it was found
//
// Drawing belongs to one goroutine (tview's event loop); everything else may be called from anywhere.
package term
