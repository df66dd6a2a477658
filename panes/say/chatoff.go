package say

// ChatOff says why there is no chat: on a form that was opened for one question, else by the setting.
func ChatOff(form bool) string {
	if form {
		return "chat is in the dashboard: this form is for one question"
	}
	return "chat is switched off in the settings: chat delivery"
}
