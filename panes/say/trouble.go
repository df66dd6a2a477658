package say

// What is wrong without a key of the person; why is the error as the face shows it.

// DiskSilent says that the disk does not answer.
const DiskSilent = "the disk does not answer: what you send waits"

// QueueUnread says that the queue cannot be read.
func QueueUnread(why string) string { return "the queue cannot be read: " + why }

// SetAside says which file of the queue was no session and stands aside.
func SetAside(name, why string) string { return "set aside " + name + ": " + why }

// DraftUnsaved says that what was typed is not saved.
func DraftUnsaved(why string) string { return "the draft is not saved: " + why }

// AnswerUnsaved says that what was sent is not stored yet.
func AnswerUnsaved(why string) string { return "not saved, trying again: " + why }
