package plain

import (
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/say"
)

// hiding keeps options out of later questions, through the person's settings.
type hiding struct {
	*voice
	settings Settings
	asked    config.HiddenOption  // what Enter would hide
	last     *config.HiddenOption // hidden here last, and not shown again; nil: none
}

// set hides an option from now on, or shows it again, and says so once the settings have it.
func (h *hiding) set(option config.HiddenOption, hide bool) {
	h.desk.Later(func() {
		err := h.settings.Update(func(c *config.Settings) {
			c.HiddenOptions = config.ToggleHidden(c.HiddenOptions, option, hide)
		})
		h.desk.Do(func() { h.isSet(option, hide, err) })
	})
}

func (h *hiding) isSet(option config.HiddenOption, hide bool, err error) {
	if err != nil {
		h.say(say.Sentence(say.NotHidden(err)))
		return
	}
	if h.last = nil; hide {
		h.last = &option
	}
	h.say(say.Sentence(say.HiddenOption(hide, h.speech())))
	h.desk.SetSettings(h.settings.Settings())
}
