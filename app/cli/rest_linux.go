package cli

import (
	"bytes"
	"fmt"
	"os"
	"runtime/debug"
	"unsafe"

	"golang.org/x/sys/unix"
)

// rest gives back what starting took and lying idle does not need: memory, and the pages of the program's own file that
// were read on the way. The kernel brings a page back when it is used, mostly without a disk.
func rest() {
	debug.FreeOSMemory()
	maps, err := os.ReadFile("/proc/self/maps")
	self, failed := os.Readlink("/proc/self/exe")
	if err != nil || failed != nil {
		return
	}
	for line := range bytes.Lines(maps) {
		var from, to uintptr
		var allows string
		if _, err := fmt.Sscanf(string(line), "%x-%x %s", &from, &to, &allows); err != nil || to <= from {
			continue
		}
		written := len(allows) < 2 || allows[1] != '-' // else it is the same as in the file
		if !written && bytes.HasSuffix(bytes.TrimSpace(line), []byte(" "+self)) {
			_ = unix.Madvise(unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(nil), from)), to-from), unix.MADV_DONTNEED)
		}
	}
}
