package setup

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTheTmuxLineIsRemovedByteForByte(t *testing.T) {
	for _, before := range []string{"", "set -g mouse on", "set -g mouse on\n", "a\n\n\n", "bind-key b x\n"} {
		k := TmuxKey{Key: "a", File: File{Text: []byte(before)}, args: []string{"bind-key", "a", "run-shell", "-C", "x"}}
		k.File.Text = k.After()
		assert.Equal(t, "a", k.BoundKey())
		assert.Equal(t, string(k.File.Text), string(k.After()), "a second run changes nothing")
		assert.Equal(t, before, string(k.Without()))
	}
}
