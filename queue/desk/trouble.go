package desk

import "github.com/choicetui/choicetui/queue"

// Trouble lists the present faults that have nothing to do with the person's keys.
type Trouble struct {
	Queue    error             // why the queue cannot be read; nil: it can be read
	Draft    error             // why drafts cannot be saved; nil: they can be saved
	Disk     bool              // the disk does not answer: much work has come in since the worker last finished a piece
	Broken   *queue.Broken     // the last file that could not be read and was set aside
	Degraded bool              // the store is polled, because file notifications are lost
	Hosts    []queue.HostState // the other hosts that are not connected
}

// faults keeps the present faults, and sends an event when they change.
type faults struct {
	trouble Trouble
	// at a desk that was opened on one session: why the rest of the queue cannot be read
	beside   error
	news     *news
	worklist *worklist
}

// Trouble returns the present faults.
func (f *faults) Trouble() Trouble {
	t := f.trouble
	t.Disk = f.worklist.stuck()
	if t.Queue == nil {
		t.Queue = f.beside
	}
	return t
}

// noteWatch notes whether reading the queue failed.
func (f *faults) noteWatch(b batch) {
	if b.beside {
		f.noteFault(&f.beside, b.err)
		return
	}
	f.noteFault(&f.trouble.Queue, b.err)
}

// noteDraft notes whether saving a draft failed; nil: it succeeded.
func (f *faults) noteDraft(err error) { f.noteFault(&f.trouble.Draft, err) }

// noteFault replaces a fault by its new state; nil: it is over.
func (f *faults) noteFault(of *error, now error) {
	was := *of
	if *of = now; was != nil || now != nil {
		f.news.tell(Troubled{})
	}
}

// noteBroken notes a file of the queue that could not be read and was set aside.
func (f *faults) noteBroken(b queue.Broken) {
	f.trouble.Broken = &b
	f.news.tell(SetAside{b})
}

// noteHosts notes which other hosts are not connected; nil: that has not changed.
func (f *faults) noteHosts(hosts *[]queue.HostState) {
	if hosts == nil || len(*hosts) == 0 && len(f.trouble.Hosts) == 0 {
		return
	}
	f.trouble.Hosts = *hosts
	f.news.tell(Troubled{})
}

// noteDegraded notes whether the store has to be polled.
func (f *faults) noteDegraded(on bool) {
	if f.trouble.Degraded != on {
		f.trouble.Degraded = on
		f.news.tell(Troubled{})
	}
}
