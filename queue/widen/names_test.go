package widen

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/choicetui/choicetui/queue"
)

func team(names ...string) (all []queue.Member) {
	for i, n := range names {
		all = append(all, queue.Member{UserID: string(rune('a' + i)), Name: n})
	}
	return all
}

func TestTheAudienceIsTrimmedByNames(t *testing.T) {
	all := team("Alice Johnson", "Bob Smith", "Carol Lee")
	for _, c := range []struct {
		name, input string
		kept        []queue.Member
		unknown     []string
	}{
		{"nothing typed is everybody", " ", all, nil},
		{"any case, the audience's order, once", "carol lee, ALICE JOHNSON,Carol Lee", []queue.Member{all[0], all[2]}, nil},
		{"unknown names are neither counted nor sent", "Bob Smith, Eve, eve", []queue.Member{all[1]}, []string{"Eve"}},
		{"nobody known is nobody", "Eve", nil, []string{"Eve"}},
		{"commas alone are nothing typed", ", ,", all, nil},
		{"part of a name is no name", "Bob", nil, []string{"Bob"}},
	} {
		kept, unknown := Trim(all, c.input)
		assert.Equal(t, c.kept, kept, c.name)
		assert.Equal(t, c.unknown, unknown, c.name)
	}
}

func TestTwoPeopleOfOneNameAreBothMeant(t *testing.T) {
	all := team("Sam", "Sam", "Kim")
	kept, unknown := Trim(all, "sam")
	assert.Equal(t, all[:2], kept)
	assert.Empty(t, unknown)
	kept, _ = Trim(append(all, all[0]), "")
	assert.Equal(t, all, kept)
}

func TestAHostileNameIsCalledAsItIsShown(t *testing.T) {
	all := team("Al\u202eice\n")
	kept, _ := Trim(all, "al<U+202E>ice")
	assert.Equal(t, all, kept)
}

func TestANameWithACommaIsOnePersonWhoCanBeTyped(t *testing.T) {
	all := team("Evil, Bob", "Alice，Carol", "Bob")
	assert.Equal(t, "Evil; Bob", Name(all[0].Name))
	assert.Equal(t, "Alice;Carol", Name(all[1].Name))
	kept, unknown := Trim(all, "evil; bob")
	assert.Equal(t, all[:1], kept)
	assert.Empty(t, unknown)
}
