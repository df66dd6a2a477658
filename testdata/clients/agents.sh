#!/usr/bin/env bash
# Real agents, each in a fresh HOME: `choicetui setup`, one question by a model on loopback, answered in the dashboard
# by a key, `choicetui setup --remove`, and every settings file is byte for byte as it was. .ci/clients runs it.
#
#   agents.sh CHOICETUI TMP SOCKET    CHOICETUI is the program, TMP an empty directory, SOCKET a name for tmux -L;
#                                     codex, gemini, opencode and node are on PATH
set -euo pipefail
choicetui=$1 tmp=$2 socket=$3
here=$(cd "$(dirname "$0")" && pwd)

for name in $(env | grep -oE '^(XDG|TMUX|CHOICETUI)[A-Z_]*'); do unset "$name"; done
node "$here/model.mjs" "$tmp/port" 2>"$tmp/model.err" &
model=$!
ended() {
	kill "$model" 2>/dev/null || true
	tmux -L "$socket" kill-server 2>/dev/null || true
	for daemon in "$tmp"/*/home/.codex/app-server-daemon/*.pid; do # codex leaves one behind
		[[ ! -r $daemon ]] || kill "$(grep -oE '[0-9]+' "$daemon" | head -n 1)" 2>/dev/null || true
	done
}
trap ended EXIT
until [[ -s $tmp/port ]]; do
	kill -0 "$model"
	sleep 0.1
done
at=http://127.0.0.1:$(cat "$tmp/port")
export KEY=none GEMINI_API_KEY=none GOOGLE_GEMINI_BASE_URL=$at
export OPENCODE_DISABLE_AUTOUPDATE=1 OPENCODE_DISABLE_MODELS_FETCH=1

# What a person who uses these agents has already, with odd layout: it has to survive.
had_codex() {
	mkdir -p "$HOME/.codex"
	printf '# mine\nmodel = "m"   # odd\nmodel_provider = "here"\ncheck_for_update_on_startup = false\n\n[model_providers.here]\n' >"$HOME/.codex/config.toml"
	printf 'name = "here"\nbase_url = "%s/v1"\nwire_api = "responses"\nenv_key = "KEY"\n' "$at" >>"$HOME/.codex/config.toml"
}
had_gemini() {
	mkdir -p "$HOME/.gemini"
	printf '{"general":{"enableAutoUpdate":false},\n\t"privacy": {"usageStatisticsEnabled": false},\n "security":{"auth":{"selectedType":"gemini-api-key"},"folderTrust":{"enabled":false}}}' >"$HOME/.gemini/settings.json"
}
had_opencode() {
	mkdir -p "$HOME/.config/opencode"
	cat >"$HOME/.config/opencode/opencode.json" <<-JSON
		{ // mine
		    "\$schema": "https://opencode.ai/config.json",
		    "model": "here/m", "share": "disabled",
		  "provider": {"here": {"npm": "@ai-sdk/openai-compatible", "name": "here", /* loopback */
		    "options": {"baseURL": "$at/v1", "apiKey": "none"}, "models": {"m": {"name": "m"}}}},
		}
	JSON
}
runs_codex() { codex exec --skip-git-repo-check "ask me"; }
runs_gemini() { gemini -p "ask me"; }
runs_opencode() { opencode run "ask me"; }

# gated: the hook keeps a prompt out while the question waits. Codex wants its hooks trusted by hand first, and opencode
# has none.
gated_codex() { # its reason is for the screen alone
	gated "UserPromptSubmit Blocked" codex exec --skip-git-repo-check --dangerously-bypass-hook-trust "go on"
}
gated_gemini() { gated "chat is closed, 1 question waits" gemini -p "go on"; }
gated_opencode() { return 0; }
gated() { # words that are said, command
	local words=$1 said
	shift
	said=$(timeout 60 "$@" 2>&1 </dev/null || true)
	[[ $said == *"$words"* && $said != *GOT* ]] && return
	printf 'FAIL %s: a prompt went through while a question waited:\n%s\n' "$1" "$said"
	return 1
}

# sums are the settings files of an agent, without what it keeps for itself.
sums() {
	find "$HOME" -type f \( -name '*.toml' -o -name 'settings.json' -o -name 'opencode.json*' -o -name 'hooks.json' \) \
		-not -path '*/node_modules/*' -not -path "$HOME/.cache/*" -not -path "$HOME/.local/*" -exec sha256sum {} + | sort -k 2
}

# answer presses Enter in the dashboard once the question of an agent is on its screen.
answer() {
	local failed=0
	for _ in $(seq 300); do
		sleep 0.2
		[[ $(tmux -L "$socket" capture-pane -p) == *"⏎ send PostgreSQL"* ]] || continue
		"gated_$1" || failed=1
		sleep 0.6 # a new question takes no keys for half a second
		tmux -L "$socket" send-keys Enter
		return $failed
	done
	tmux -L "$socket" capture-pane -p
	return 1
}

for agent in ${AGENTS:-codex gemini opencode}; do
	export HOME=$tmp/$agent/home
	mkdir -p "$HOME" "$tmp/$agent/work"
	cd "$tmp/$agent/work"
	"had_$agent"
	sums >"$tmp/$agent/before"
	"$choicetui" setup "$agent" --gate --yes >"$tmp/$agent/setup"
	if sums | cmp -s - "$tmp/$agent/before"; then
		printf 'FAIL %s: setup changed nothing\n' "$agent"
		exit 1
	fi
	"$choicetui" setup "$agent" --gate --yes | grep -q 'nothing to do'
	tmux -L "$socket" -f /dev/null new-session -d -x 120 -y 40 "$choicetui"
	answer "$agent" &
	person=$!
	timeout 120 bash -c "$(declare -f "runs_$agent"); runs_$agent" >"$tmp/$agent/said" 2>"$tmp/$agent/said.err" </dev/null
	wait "$person"
	tmux -L "$socket" kill-server
	if ! tr '\n' ' ' <"$tmp/$agent/said" | grep -q 'GOT .*PostgreSQL'; then
		printf 'FAIL %s did not get the answer:\n' "$agent"
		tail -n 20 "$tmp/$agent/said" "$tmp/$agent/said.err"
		exit 1
	fi
	"$choicetui" log --json | grep -q '"event": *"collected"'
	"$choicetui" setup --remove "$agent" --yes >"$tmp/$agent/remove"
	sums | diff "$tmp/$agent/before" -
	printf 'ok   %-8s set up, asked, answered in the dashboard, taken out byte for byte\n' "$agent"
done
