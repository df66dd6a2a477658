#!/usr/bin/env bash
# What real agents ask by themselves, answered in the dashboard and at the agent: Codex, opencode and Gemini CLI with a
# model on loopback, in private tmux servers. Each case has a fresh HOME, a model and a dashboard of its own. It looks
# at the screens, at what the model got, and at `choicetui log --json`. .ci/clients runs it.
#
#   native.sh CHOICETUI TMP SOCKET [CASE…]    CHOICETUI is the program, TMP an empty directory with a short name, SOCKET
#                                             the beginning of names for tmux -L, CASE the cases that are wanted (else
#                                             all of them); codex, gemini, opencode and node are on PATH
set -euo pipefail
choicetui=$1 tmp=$2 sockets=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd)

for name in $(env | grep -oE '^(XDG|TMUX|CHOICETUI|CODEX)[A-Z_]*'); do unset "$name"; done
export KEY=none GEMINI_API_KEY=none LANG=C.UTF-8 LC_ALL=C.UTF-8
export OPENCODE_DISABLE_AUTOUPDATE=1 OPENCODE_DISABLE_MODELS_FETCH=1

# -- A case: its world, its screens, what is pressed there, and what is looked at. Each case runs in a shell of its own.

begin() { # name
	world=$tmp/$1 socket=$sockets-$1
	mkdir -p "$world/home" "$world/work" "$world/other"
	export HOME=$world/home
	cd "$world/work"
	node "$here/model.mjs" "$world/port" "$world/told" 2>"$world/model.err" &
	model=$!
	trap over EXIT
	until [[ -s $world/port ]]; do
		kill -0 "$model"
		sleep 0.1
	done
	at=http://127.0.0.1:$(cat "$world/port")
	touch "$world/told"
}

over() {
	kill "$model" 2>/dev/null || true
	ends_daemon TERM
	tmux -L "$socket" kill-server 2>/dev/null || true
}

opens() { # name of a window, directory, command
	if tmux -L "$socket" has-session 2>/dev/null; then
		tmux -L "$socket" new-window -d -n "$1" -c "$2" "$3"
	else
		tmux -L "$socket" -f /dev/null new-session -d -x 120 -y 40 -n "$1" -c "$2" "$3"
	fi
}
dashboard() { opens dashboard "$world/work" "$choicetui"; }
screen() { tmux -L "$socket" capture-pane -p -t ":$1" 2>/dev/null; }

# shows waits until words are on a screen, hides until they are not. An agent in a new home takes its time.
shows() { until_true 90 on_screen "$1" "$2" || missing "$1" "no “$2” on its screen"; }
hides() { until_true 30 off_screen "$1" "$2" || missing "$1" "still “$2” on its screen"; }
on_screen() { [[ $(screen "$1") == *"$2"* ]]; }
off_screen() { ! on_screen "$1" "$2"; }
until_true() { # seconds, command
	local end=$((SECONDS + $1))
	shift
	until "$@"; do
		((SECONDS < end)) || return 1
		sleep 0.2
	done
}
missing() {
	printf 'FAIL %s: %s\n' "$1" "$2"
	screen "$1" || true
	tail -n 5 "$world/told"
	"$choicetui" log --json | head -n 3
	exit 1
}

# press is for the dashboard, where a new question takes no keys for half a second, and Enter waits behind a mark.
press() { # keys
	local key
	for key in "$@"; do
		sleep 0.8
		tmux -L "$socket" send-keys -t :dashboard "$key"
	done
}
types() { # words
	sleep 0.5
	tmux -L "$socket" send-keys -t :dashboard -l "$1"
}
at_agent() { # window, keys
	local window=$1
	shift
	sleep 0.5
	tmux -L "$socket" send-keys -t ":$window" "$@"
}

# told waits until the model got words back, asked until it called what a play says, logged until the trail of a
# question says so.
told() { until_true 30 grep -qF -- "$1" "$world/told" || missing dashboard "the model was not told “$1”"; }
untold() { ! grep -qF -- "$1" "$world/told" || missing dashboard "the model was told “$1”"; }
logged() { # title, words …
	until_true 20 in_log "$@" || missing dashboard "the log does not say “${*:2}” of “$1”"
}
in_log() {
	local found words
	found=$("$choicetui" log --json | grep -F -- "\"title\":\"$1")
	for words in "${@:2}"; do
		found=$(grep -F -- "$words" <<<"$found") || return 1
	done
}
nothing_waits() { [[ $("$choicetui" list --json) == "[]" ]] || missing dashboard "something still waits"; }

answered_here='"by":"human","surface":"dashboard"'
in_codex='"outcome":{"status":"answered_elsewhere","by":"caller","surface":"client","reason":"in codex"'
in_opencode=${in_codex/codex/opencode}
went_away='"outcome":{"status":"cancelled","by":"caller"'

format="Which output format shall the report have?"
length="How long shall the report be?"

# -- Codex, with its daemon

codex_home() { # further lines of its settings
	mkdir -p "$HOME/.codex"
	cat >"$HOME/.codex/config.toml" <<-TOML
		model = "m"
		model_provider = "here"
		check_for_update_on_startup = false
		approval_policy = "on-request"
		sandbox_mode = "read-only"
		[features]
		default_mode_request_user_input = true
		request_permissions_tool = true
		[model_providers.here]
		name = "here"
		base_url = "$at/v1"
		wire_api = "responses"
		env_key = "KEY"
		[projects."$world/work"]
		trust_level = "trusted"
		[projects."$world/other"]
		trust_level = "trusted"
		[mcp_servers.elicits]
		command = "$(command -v node)"
		args = ["$here/elicits.mjs"]
	TOML
}
codex_plays() { opens "${2:-codex}" "${3:-$world/work}" "codex 'play=$1'"; }

# ends_daemon ends the server that Codex leaves behind, and what updates it.
ends_daemon() { # signal
	local file
	for file in "$HOME"/.codex/app-server-daemon/*.pid; do
		[[ ! -r $file ]] || kill "-$1" "$(grep -oE '"pid":[0-9]+' "$file" | grep -oE '[0-9]+')" 2>/dev/null || true
	done
}

codex_question_answered_here() {
	codex_home
	dashboard
	codex_plays format
	shows codex "$format"
	shows dashboard "⏎ send Markdown"
	press j Enter
	told '\"answers\":[\"HTML\"]'
	hides codex "enter to submit"
	logged "$format" '"event":"settled"' "$answered_here"
	logged "$format" '"event":"collected"'
	nothing_waits
}

codex_question_answered_there() {
	codex_home
	dashboard
	codex_plays format
	shows codex "$format"
	shows dashboard "⏎ send Markdown"
	at_agent codex 2
	at_agent codex Enter
	told '\"answers\":[\"HTML\"]'
	shows dashboard "Answered in codex"
	logged "$format" "$in_codex"
	nothing_waits
}

codex_command_allowed_here() {
	codex_home
	dashboard
	codex_plays touch
	shows codex "Would you like to run the following command?"
	shows dashboard "touch made-by-codex"
	shows dashboard "It makes a file"
	press y
	shows dashboard "⏎ send Allow once"
	press Enter
	told "Process exited with code 0"
	[[ -e made-by-codex ]]
	logged "Allow command" '"event":"settled"' "$answered_here"
	nothing_waits
}

codex_command_refused_with_words() {
	codex_home
	dashboard
	codex_plays touch
	shows dashboard "touch made-by-codex"
	press n
	types "make none, say so"
	press Enter
	told "make none, say so"
	[[ ! -e made-by-codex ]]
	hides codex "Would you like to run"
	logged "Allow command" '"event":"settled"' "$answered_here"
	nothing_waits
}

codex_command_allowed_there() {
	codex_home
	dashboard
	codex_plays touch
	shows dashboard "touch made-by-codex"
	shows codex "Would you like to run the following command?"
	at_agent codex y
	told "Process exited with code 0"
	logged "Allow command" "$in_codex"
	nothing_waits
}

codex_seen_late() {
	codex_home
	codex_plays format
	shows codex "$format"
	sleep 2
	dashboard
	shows dashboard "⏎ send Markdown"
	press Enter
	told '\"answers\":[\"Markdown (Recommended)\"]'
	logged "$format" "$answered_here"
}

codex_killed() {
	codex_home
	dashboard
	codex_plays format
	shows dashboard "⏎ send Markdown"
	tmux -L "$socket" kill-window -t :codex
	ends_daemon KILL
	until_true 20 in_log "$format" "$went_away" || missing dashboard "the question outlived its agent"
	nothing_waits
	untold answers
}

codex_two_sessions() {
	codex_home
	dashboard
	codex_plays format one "$world/work"
	shows dashboard "$format"
	codex_plays length two "$world/other"
	shows two "$length"
	shows dashboard "2 waiting"
	press J
	shows dashboard "⏎ send Short"
	press j
	shows dashboard "⏎ send Long"
	press Enter
	shows two "Long"
	told '\"len\":{\"answers\":[\"Long\"]}'
	untold '\"fmt\":'
	shows dashboard "⏎ send Markdown"
	press Enter
	told '\"fmt\":{\"answers\":[\"Markdown (Recommended)\"]}'
	logged "$length" "$answered_here"
	logged "$format" "$answered_here"
}

codex_daemon_restarted() {
	codex_home
	dashboard
	codex_plays format
	shows dashboard "⏎ send Markdown"
	tmux -L "$socket" kill-window -t :codex
	ends_daemon KILL
	codex_plays length again
	shows again "$length"
	shows dashboard "$length"
	until_true 20 in_log "$format" "$went_away" || missing dashboard "the question outlived its server"
	shows dashboard "⏎ send Short"
	press Enter
	told '\"len\":{\"answers\":[\"Short\"]}'
	logged "$length" "$answered_here"
}

codex_files_changed() {
	codex_home
	dashboard
	codex_plays patch
	shows codex "Would you like to make the following edits?"
	shows dashboard "patched.txt"
	shows dashboard "+two"
	press y Enter
	told "Success. Updated the following files"
	[[ $(cat patched.txt) == $'one\ntwo' ]]
	logged "Allow edit" "$answered_here"
}

codex_permissions_granted_in_part() {
	codex_home
	dashboard
	codex_plays more
	shows codex "Would you like to grant these permissions?"
	shows dashboard "Codex wants 3 more permissions"
	press y 2
	shows dashboard "⏎ Allow for this turn, Use the network, Write /srv/cache, then confirm"
	press Enter
	shows dashboard "y confirms"
	press y Enter
	told '\"network\":{\"enabled\":true},\"file_system\":{\"write\":[\"/srv/cache\"]}'
	logged "Codex wants 3 more permissions" '"event":"settled"' "$answered_here"
	nothing_waits
}

codex_form_filled_in() {
	codex_home
	dashboard
	codex_plays deploy
	shows dashboard "A form of elicits"
	shows dashboard "Leave it empty"
	press t
	types 3
	press Enter Enter
	shows dashboard "⏎ Yes, on to Name"
	press Enter t
	types first
	press Enter Enter
	shows dashboard "Staging"
	press 2
	sleep 0.5
	press Enter
	shows dashboard "⏎ send 4 answers"
	press Enter
	told '{\\\"action\\\":\\\"accept\\\",\\\"content\\\":{\\\"copies\\\":3,\\\"dry\\\":true,\\\"name\\\":\\\"first\\\",\\\"place\\\":\\\"production\\\"}}'
	logged "A form of elicits" "$answered_here"
}

# -- opencode, with its plugin

opencode_home() {
	mkdir -p "$HOME/.config/opencode"
	cat >"$HOME/.config/opencode/opencode.json" <<-JSON
		{"\$schema": "https://opencode.ai/config.json", "model": "here/m", "share": "disabled", "permission": {"bash": "ask"},
		 "provider": {"here": {"npm": "@ai-sdk/openai-compatible", "name": "here",
		  "options": {"baseURL": "$at/v1", "apiKey": "none"}, "models": {"m": {"name": "m"}}}}}
	JSON
	"$choicetui" setup opencode --yes >"$world/setup"
	# What opencode fetches of its own accord in each new home: once is enough.
	[[ ! -d $tmp/fetched ]] || cp -rn "$tmp/fetched/." "$HOME/.config/opencode/"
}
opencode_plays() { opens "${2:-opencode}" "${3:-$world/work}" "opencode --prompt 'play=$1'"; }
opencode_fetched() {
	cp -r "$HOME/.config/opencode" "$tmp/fetched"
	rm -rf "$tmp/fetched/plugins" "$tmp/fetched"/opencode.json*
}

opencode_question_answered_here() {
	opencode_home
	dashboard
	opencode_plays question
	shows opencode "$format"
	shows dashboard "⏎ send Markdown"
	opencode_fetched
	press j Enter
	told '=\"HTML\"'
	hides opencode "enter submit"
	logged "$format" '"event":"settled"' "$answered_here"
	logged "$format" '"event":"collected"'
	nothing_waits
}

opencode_question_answered_there() {
	opencode_home
	dashboard
	opencode_plays question
	shows opencode "$format"
	shows dashboard "⏎ send Markdown"
	at_agent opencode Down
	at_agent opencode Enter
	told '=\"HTML\"'
	shows dashboard "Answered in opencode"
	logged "$format" "$in_opencode"
	nothing_waits
}

opencode_command_allowed_here() {
	opencode_home
	dashboard
	opencode_plays bash
	shows opencode "Permission required"
	shows dashboard "touch made-by-opencode"
	press y
	shows dashboard "⏎ send Allow once"
	press Enter
	until_true 20 test -e made-by-opencode || missing opencode "the command did not run"
	logged "Allow bash" '"event":"settled"' "$answered_here"
	nothing_waits
}

opencode_command_refused_with_words() {
	opencode_home
	dashboard
	opencode_plays bash
	shows dashboard "touch made-by-opencode"
	press n
	types "make none, say so"
	press Enter
	told "make none, say so"
	[[ ! -e made-by-opencode ]]
	hides opencode "Permission required"
	logged "Allow bash" '"event":"settled"' "$answered_here"
	nothing_waits
}

opencode_seen_late() {
	opencode_home
	opencode_plays question
	shows opencode "$format"
	sleep 2
	dashboard
	shows dashboard "⏎ send Markdown"
	press Enter
	told '=\"Markdown (Recommended)\"'
	logged "$format" "$answered_here"
}

opencode_killed() {
	opencode_home
	dashboard
	opencode_plays question
	shows dashboard "⏎ send Markdown"
	kill -KILL "$(tmux -L "$socket" display-message -p -t :opencode '#{pane_pid}')"
	until_true 15 in_log "$format" "$went_away" || missing dashboard "the question outlived its agent"
	nothing_waits
}

opencode_two_directories() {
	opencode_home
	dashboard
	opencode_plays question one "$world/work"
	shows dashboard "$format"
	opencode_plays howlong two "$world/other"
	shows two "$length"
	shows dashboard "2 waiting"
	shows dashboard "other · opencode"
	press J
	shows dashboard "⏎ send Short"
	press j
	shows dashboard "⏎ send Long"
	press Enter
	told "\\\"$length\\\"=\\\"Long\\\""
	untold "\\\"$format\\\"="
	shows dashboard "⏎ send Markdown"
	press Enter
	told "\\\"$format\\\"=\\\"Markdown (Recommended)\\\""
	logged "$length" "$answered_here"
	logged "$format" "$answered_here"
}

# -- Gemini CLI: nothing of its own is asked here

gemini_asks_by_itself() {
	mkdir -p "$HOME/.gemini"
	printf '{"general":{"enableAutoUpdate":false},"privacy":{"usageStatisticsEnabled":false},"security":{"auth":{"selectedType":"gemini-api-key"},"folderTrust":{"enabled":false}}}' >"$HOME/.gemini/settings.json"
	"$choicetui" setup gemini --yes >"$world/setup"
	dashboard
	opens gemini "$world/work" "GOOGLE_GEMINI_BASE_URL=$at gemini -i 'play=ask_user'"
	shows gemini "$format"
	sleep 3
	shows gemini "$format"
	nothing_waits
	off_screen dashboard "$format" || missing dashboard "it shows what it cannot answer"
	at_agent gemini Down
	at_agent gemini Enter
	told HTML
	[[ $("$choicetui" log --json) == "" ]] || missing dashboard "the log knows of it"
}

cases=("$@")
((${#cases[@]})) || mapfile -t cases < <(declare -F | grep -oE '(codex|opencode|gemini)_[a-z_]+' |
	grep -vE '_(home|plays|fetched)$' | grep -v '^opencode_question_answered_here$')
(($#)) || cases=(opencode_question_answered_here "${cases[@]}") # it fetches what the others copy

failed=0
for case in "${cases[@]}"; do
	began=$SECONDS
	set +e # a shell in a condition would go on after a failure
	(
		set -e
		begin "$case"
		"$case"
	) >"$tmp/$case.out" 2>&1
	status=$?
	set -e
	if ((!status)); then
		printf 'ok   %-36s %2d s\n' "$case" $((SECONDS - began))
	else
		printf 'FAIL %s\n' "$case"
		cat "$tmp/$case.out"
		failed=1
	fi
done
exit $failed
