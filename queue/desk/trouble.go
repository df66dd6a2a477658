package desk

import "github.com/choicetui/choicetui/queue"

// Trouble lists the faults that no key of the person's caused, each until its cause is gone.
type Trouble struct {
	Queue    error         // it cannot be read
	Draft    error         // what is typed cannot be saved
	Disk     bool          // it does not answer: much has come in since it last did
	Broken   *queue.Broken // the last thing that was set aside
	Degraded bool          // notifications are lost, the store is polled
}

// faults keeps what is wrong, and tells when that changes.
type faults struct {
	trouble  Trouble
	beside   error // the rest of the queue cannot be read, at a desk that was opened on one session
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

// noteWatch notes how reading the queue went.
func (f *faults) noteWatch(b batch) {
	if b.beside {
		f.noteError(&f.beside, b.err)
		return
	}
	f.noteError(&f.trouble.Queue, b.err)
}

// noteDraft notes how saving a draft went.
func (f *faults) noteDraft(err error) { f.noteError(&f.trouble.Draft, err) }

func (f *faults) noteError(of *error, now error) {
	was := *of
	if *of = now; was != nil || now != nil {
		f.news.tell(Troubled{})
	}
}

// noteBroken notes something in the queue that could not be read.
func (f *faults) noteBroken(b queue.Broken) {
	f.trouble.Broken = &b
	f.news.tell(SetAside{b})
}

// noteDegraded notes whether the store has to be polled.
func (f *faults) noteDegraded(on bool) {
	if f.trouble.Degraded != on {
		f.trouble.Degraded = on
		f.news.tell(Troubled{})
	}
}
