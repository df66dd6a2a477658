#!/usr/bin/env bash
# Cuts the power under processes that write to a queue, on a file system of its own in a file, and looks for what they
# were told is stored. The cut is the one of ext4's own tests: from one moment on nothing reaches the disk any more, and
# what the journal had not written by then is lost. The control leaves out the fsync, and must lose something.
#
#   testdata/evidence/powercut.sh [CUTS]     10 if not told; as root, where a loop device can be mounted
set -euo pipefail
# In a mount namespace of its own: a browser or container that starts meanwhile would take the file system along, and one
# that is not let go of is not read anew after the cut.
if [[ -z ${POWERCUT_ALONE:-} ]] && unshare --mount --propagation private true 2>/dev/null; then
	POWERCUT_ALONE=1 exec unshare --mount --propagation private "$0" "$@"
fi
cd "$(dirname "$0")/../.."
cuts=${1:-10}

tmp=$(mktemp -d "${TMPDIR:-/tmp}/choicetui-powercut.XXXXXX")
disk=$tmp/disk
pids=()
ended() {
	((${#pids[@]})) && kill -KILL "${pids[@]}" 2>/dev/null || true
	wait
	! mountpoint -q "$disk" || unmount || true
	rm -rf --one-file-system "$tmp"
}
trap ended EXIT
# unmount waits for whatever else on this machine looks at a new file system.
unmount() {
	local n
	for n in {1..30}; do
		umount "$disk" 2>/dev/null && return
		sleep 0.1
	done
	umount "$disk"
}
skip() { printf 'SKIPPED power cuts: %s\n' "$1"; exit 0; }

((EUID == 0)) || skip "only root may mount"
for program in mkfs.ext4 mount perl; do command -v $program >/dev/null || skip "$program is missing"; done
fresh() { # an empty file system
	mkdir -p "$disk"
	rm -f "$tmp/image"
	truncate -s 64M "$tmp/image"
	mkfs.ext4 -q -F "$tmp/image"
	mount -o loop "$tmp/image" "$disk"
}
fresh 2>"$tmp/why" || skip "no loop device can be mounted here ($(tail -n 1 "$tmp/why"))"
cut_power() { perl -e 'open(my $d, "<", $ARGV[0]) or die $!; my $no_log = pack("L", 2); ioctl($d, 0x8004587d, $no_log) or die $!' "$disk"; }
unmount
go test -c -o "$tmp/worker" ./app/e2e

# one cut: prints what was acknowledged and what of it is lost, as two numbers.
cut_once() { # kind of store
	fresh
	mkdir "$disk/home"
	local shared id
	shared=$(CHOICETUI_E2E_WORKER=ask "$tmp/worker" "$disk/home/queue" real)
	touch "$disk/marker"
	sync "$disk/marker" "$disk"
	pids=()
	rm -f "$tmp"/told.* # of the cut before: a worker that has not started yet would leave it there
	for id in 1 2 3 4; do
		CHOICETUI_E2E_WORKER=work "$tmp/worker" "$disk/home/queue" "$1" $shared >"$tmp/told.$id" 2>/dev/null &
		pids+=($!)
	done
	for id in 1 2 3 4; do # a slow machine takes longer than the sleep to start them
		for _ in {1..300}; do
			[[ ! -s $tmp/told.$id ]] || break
			sleep 0.1
		done
	done
	sleep "0.$((RANDOM % 5 + 3))"
	kill -STOP "${pids[@]}" # or an fsync under way could be told as done by the cut itself
	sleep 0.05
	cut_power
	kill -KILL "${pids[@]}"
	wait "${pids[@]}" 2>/dev/null || true
	pids=()
	unmount
	mount -o loop "$tmp/image" "$disk" # replays the journal
	if [[ ! -e $disk/marker ]]; then # not even what was synced by others long before: it is not the disk that was cut
		echo "again: the file system was not read anew" >&2
		unmount
		cut_once "$1"
		return
	fi
	local sums # printed last: whoever reads them mounts the next file system in the same place
	sums=$(cat "$tmp"/told.* | CHOICETUI_E2E_WORKER=audit "$tmp/worker" "$disk/home/queue" real 2>>"$tmp/wrong")
	unmount
	printf '%s\n' "$sums"
}

# many cuts; leaves the sums in $told and $lost.
cut_often() { # kind of store, cuts
	told=0 lost=0
	local n t l
	for ((n = 0; n < $2; n++)); do
		read -r t l < <(cut_once "$1")
		told=$((told + t)) lost=$((lost + l))
	done
}

cut_often real "$cuts"
printf 'power cuts: %d cuts, %d acknowledged events, %d lost or torn\n' "$cuts" "$told" "$lost"
((told > 0 && lost == 0)) || { head -n 20 "$tmp/wrong"; exit 1; }
cut_often unsynced "$cuts"
printf 'control, without the fsync: %d cuts, %d acknowledged events, %d lost or torn\n' "$cuts" "$told" "$lost"
((lost > 0)) || { printf 'FAIL the control lost nothing, so this would notice nothing\n'; exit 1; }
