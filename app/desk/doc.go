// Package desk is the person's side of the queue without a screen: what every face does alike, the full screen and
// the lines. It knows no cells, no keys and no words; a face asks it what is to be done and says it in its own way.
package desk
