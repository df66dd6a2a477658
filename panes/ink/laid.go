package ink

import "slices"

// Laid caches texts in lines, as every frame asks for them several times. A key holds all that the lines depend on. The
// lines are shared: nobody changes them.
type Laid[K comparable] map[K][]Line

// MostLaid limits the texts that are kept before it starts over: enough for all options of a question at two widths,
// and the prompt.
const MostLaid = 512

// Once returns the result of lay, kept under its key.
func (l *Laid[K]) Once(key K, lay func() []Line) []Line {
	if lines, ok := (*l)[key]; ok {
		return lines
	}
	lines := slices.Clip(lay())
	if *l == nil || len(*l) >= MostLaid {
		*l = Laid[K]{}
	}
	(*l)[key] = lines
	return lines
}
