// Package setup tells agents about choicetui: it works out what has to stand in their settings files, edits the text of
// those files so that comments, order and layout stay, and takes all of it out again.
//
//	connect's table ─► Survey ─► Plan ─► (shown, agreed to) ─► Apply ─► files, the agents' own commands, the journal
//	                                                            Undo ◄── the journal and the backups
//
// Edits are made on text (json.go, toml.go, yaml.go) and held against what a parser reads of it afterwards (change.go):
// exactly the wanted values differ, or nothing is written. Only this person's files are touched, never a project's.
package setup
