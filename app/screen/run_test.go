package screen

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestOneProcessorWaitsAndAllOfThemServeAPage(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
	b := newBench(t, 80, 24)
	b.memory.processors = 3

	b.press("h")
	assert.Equal(t, 3, runtime.GOMAXPROCS(0), "in history")
	b.press("?", "esc")
	assert.Equal(t, 3, runtime.GOMAXPROCS(0), "in history again, from help")
	b.press("esc")
	assert.Equal(t, 1, runtime.GOMAXPROCS(0), "back at the queue")
}
