package cli

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"rsc.io/qr"
)

func TestAQRCodeIsDrawnWholeInColoursThatNoThemeChanges(t *testing.T) {
	code, err := qr.Encode("https://home.example:8443/?t=WZIR33VCTZBCOMHJCM7GULWPLY", qr.L)
	require.NoError(t, err)
	rows := strings.Split(drawQR(code.Size, code.Black), "\n")
	require.LessOrEqual(t, len(rows), 22, "with the link below it fits a terminal of 24 rows")
	cells := regexp.MustCompile(`\x1b\[38;5;(16|231);48;5;(16|231)m|▀`)
	for y, row := range rows {
		var upper, lower string
		x := -quiet
		for _, found := range cells.FindAllStringSubmatch(row, -1) {
			if found[1] != "" {
				upper, lower = found[1], found[2]
				continue
			}
			at := 2*y - quiet
			require.Equal(t, code.Black(x, at), upper == "16", "%d,%d", x, at)
			require.Equal(t, code.Black(x, at+1), lower == "16", "%d,%d", x, at+1)
			x++
		}
		require.Equal(t, code.Size+quiet, x)
		require.True(t, strings.HasSuffix(row, "\x1b[0m"), "the terminal's own colours come back")
	}
}
