package screen

import (
	"strings"

	"github.com/choicetui/choicetui/app/desk"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
)

// hear follows what happens at the desk. What a room cares for it hears by itself.
func (s *Screen) hear(e desk.Event) {
	switch e := e.(type) {
	case desk.Ordered:
		s.locate()
		s.count()
		s.alerts.stale = true
		s.alert()
	case desk.Shown:
		if e.ID != "" {
			s.notice.message, s.notice.leaving = "", false
		} else {
			s.frame.waiting.area = areaQuestion
		}
	case desk.Stored:
		s.notice.said = s.desk.Now().Add(saidFor)
	case desk.LineSent:
		if e.Err == nil {
			s.notice.said = s.desk.Now().Add(saidFor)
		}
	case desk.Finished:
		s.stop()
	case desk.SettingsChanged:
		s.followSettings()
	}
}

// followSettings draws and binds as the settings in force say.
func (s *Screen) followSettings() {
	now := s.desk.Settings()
	name := now.Theme
	if s.o.NoColor {
		name = ink.ThemeMono
	}
	s.look.theme = ink.ThemeNamed(name)
	var problems []string
	s.look.keys, problems = keys.New(now.Keys, ink.Width)
	s.rooms.settings.KeysProblem(strings.Join(problems, " · "))
	s.look.glyphs.Enter = s.look.sign
	if key := s.look.keys.KeyOf(keys.PlaceQuestion, keys.ActEnter); key != "" && key != "Enter" {
		s.look.glyphs.Enter = key
	}
	s.alert()
}

// count tells the counter, if the number has changed.
func (s *Screen) count() {
	n := len(s.desk.Waiting())
	if s.o.Count == nil || s.o.Attach != "" || !s.desk.Loaded() || n == s.counts {
		return
	}
	s.counts = n
	s.o.Count.Show(n)
}
