package cli

import (
	"strings"

	"rsc.io/qr"

	"github.com/choicetui/choicetui/panes/say"
)

// showPairing shows a link that lets one device in, and its QR code for the device's camera. remote: other machines
// reach it; else it is for a device behind a tunnel.
func (r *webRun) showPairing(url string, remote bool) error {
	var out page
	if utf8Locale() {
		if code, err := qr.Encode(url, qr.L); err == nil {
			out.line("%s", drawQR(code.Size, code.Black))
		}
	}
	out.line("%s", url)
	if err := out.send(r.sh.out); err != nil {
		return err
	}
	r.sh.note("%s", say.PairOnce)
	if !remote {
		r.sh.note("%s", say.PairHere)
	}
	return nil
}

const (
	quiet = 2 // modules that stay light around a code; scanners want it

	black, light = "16", "231" // of the 256 colours: no theme changes these
)

// drawQR draws a code with two modules a cell. Its colours do not depend on the terminal's: a code that is light on
// dark is not read by every camera.
func drawQR(size int, set func(x, y int) bool) string {
	var b strings.Builder
	dark := func(x, y int) bool {
		return x >= 0 && y >= 0 && x < size && y < size && set(x, y)
	}
	for y := -quiet; y < size+quiet; y += 2 {
		last := ""
		for x := -quiet; x < size+quiet; x++ {
			upper, lower := light, light
			if dark(x, y) {
				upper = black
			}
			if dark(x, y+1) {
				lower = black
			}
			if colours := "\x1b[38;5;" + upper + ";48;5;" + lower + "m"; colours != last {
				b.WriteString(colours)
				last = colours
			}
			b.WriteString("▀")
		}
		b.WriteString("\x1b[0m\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}
