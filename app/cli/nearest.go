package cli

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// mostMeant limits how many names didYouMean offers.
const mostMeant = 4

// didYouMean returns a hint with the names that somebody may have meant who typed word: `did you mean choicetui list?`.
// before precedes each name, and after follows it. It is empty if no name is near.
func didYouMean(word string, names []string, before, after string) string {
	near := nearest(word, names)
	if len(near) == 0 {
		return ""
	}
	for i, name := range near {
		near[i] = before + name + after
	}
	return "did you mean " + strings.Join(near, ", or ") + "?"
}

// nearest returns the names that begin with a word, or else those that differ least from it: by at most two characters,
// or by one if the word has less than four, because a short word is like too many others. Capitals do not count.
func nearest(word string, names []string) (near []string) {
	word = strings.ToLower(word)
	if word == "" {
		return nil
	}
	least := 2
	if utf8.RuneCountInString(word) < 4 {
		least = 1
	}
	var begin []string
	for _, name := range names {
		if strings.HasPrefix(strings.ToLower(name), word) {
			begin = append(begin, name)
		}
		switch n := differences(word, strings.ToLower(name)); {
		case n < least:
			least, near = n, []string{name}
		case n == least:
			near = append(near, name)
		}
	}
	if len(begin) > 0 {
		near = begin
	}
	return near[:min(len(near), mostMeant)]
}

// differences returns by how many characters two words differ: that are missing, others, or swapped with their
// neighbour.
func differences(a, b string) int {
	from, to := []rune(a), []rune(b)
	var before, above []int // the two rows above the present one
	row := make([]int, len(to)+1)
	for j := range row {
		row[j] = j
	}
	for i, r := range from {
		before, above, row = above, row, make([]int, len(to)+1)
		row[0] = i + 1
		for j, s := range to {
			other := above[j]
			if r != s {
				other++
			}
			row[j+1] = min(above[j+1]+1, row[j]+1, other)
			if i > 0 && j > 0 && r == to[j-1] && from[i-1] == s {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(to)]
}

// commandsOf returns the names of the commands below a command that its help lists or that people may call.
func commandsOf(cmd *cobra.Command) (names []string) {
	for _, child := range cmd.Commands() {
		if child.IsAvailableCommand() {
			names = append(names, child.Name())
		}
	}
	return names
}

// flagsOf returns the names of all flags of a command, as they are typed.
func flagsOf(cmd *cobra.Command) (names []string) {
	cmd.InitDefaultHelpFlag()
	cmd.InitDefaultVersionFlag()
	for _, flags := range []*pflag.FlagSet{cmd.LocalFlags(), cmd.InheritedFlags()} {
		flags.VisitAll(func(f *pflag.Flag) {
			if name := "--" + f.Name; !f.Hidden && !slices.Contains(names, name) {
				names = append(names, name)
			}
		})
	}
	return names
}
