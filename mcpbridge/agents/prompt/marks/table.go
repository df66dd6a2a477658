package marks

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/choicetui/choicetui/queue"
)

// row gives a mark to calls of some programs. The patterns see the arguments in one line, with a blank before and
// behind each, without the options before a subcommand, and with “$” for what is known only when it runs.
type row struct {
	mark     string
	programs string // their names, separated by blanks
	when     string // a pattern that the arguments match; empty: they may be anything
	unless   string // a pattern that they do not match; empty: there is none
}

// Patterns of a call that only prints something: the first for all programs, the second for those with subcommands.
const (
	asksForHelp    = `^ (--help|--version) `
	asksForItsHelp = `^ (\S+ )?(--help|--version) `
)

// Parts of the patterns below.
const (
	writesSQL = `(?i)\b(drop\s+[a-z]|truncate\s+\w|delete\s+from|update\s+\S+\s+set|insert\s+(or\s+\w+\s+)?into|` +
		`replace\s+into|alter\s+\w|rename\s+(table|to|user)|create\s+(or\s|table|database|user|role|view|index|` +
		`unique|function|trigger|temp|schema|extension)|merge\s+into|grant\s+\w|revoke\s+\w|load\s+data|call\s+\w|` +
		`reindex|vacuum|set\s+password|copy\s+\S+\s+(\([^)]*\)\s+)?from|into\s+outfile|pg_terminate)|\.(import|` +
		`restore)\b`
	// task begins a pattern of what a runner of tasks is asked to do: no file, no variable, nothing behind --.
	task = `(?i)^ (-{0,2}\w[^\s/.=]* )*?([\w:]+[:_-])?`
	// tests begins a call that runs tests, whose further words are names.
	tests   = `^ (run )?(test|t|vitest|jest|mocha|playwright)[ :]`
	anyName = ` [^-\s]\S* `
	reads   = `(get|list|ls|describe|show|view|status|diff|log|logs|info|search|version|help|head|explain|top|` +
		`inspect|whoami|wait|ps|images|history|config|completion|check|checks|watch)\b`
)

// rows is the table of marks. A program that is not in it has no mark.
var rows = []row{
	// What removes or overwrites, perhaps for good.
	{queue.MarkDestroys, "rm rmdir unlink shred truncate wipefs fdisk parted", ``, asksForHelp},
	{queue.MarkDestroys, "mkfs mkfs.ext4 mkfs.ext3 mkfs.xfs mkfs.btrfs mkfs.vfat mkswap", ``, asksForHelp},
	{queue.MarkDestroys, "dd", ` of=`, ``},
	{queue.MarkDestroys, "mv", ``, ` (-n|--no-clobber) |` + asksForHelp},
	{queue.MarkDestroys, "find", ` -(delete|fprintf?|fprint0|fls) `, ``},
	{queue.MarkDestroys, "fd fdfind", ` -(x|X|-exec|-exec-batch) rm `, ``},
	{queue.MarkDestroys, "rsync", ` (--del\S*|--remove-source-files) `, ` (-\w*n\w*|--dry-run) `},
	{queue.MarkDestroys, "kill pkill killall xkill", ``, `^ (-0|-l|-L|--list|--table) |` + asksForHelp},
	{queue.MarkDestroys, "shutdown reboot halt poweroff", ``, asksForHelp},
	{queue.MarkDestroys, "dropdb dropuser", ``, asksForHelp},
	{queue.MarkDestroys, "git", `^ reset (.* )?--(hard|merge|keep) `, ``},
	{queue.MarkDestroys, "git", `^ clean `, ` (-\w*n\w*|--dry-run) `},
	{queue.MarkDestroys, "git", `^ restore `, `^ restore (-S|--staged) `},
	{queue.MarkDestroys, "git", `^ (checkout|switch) (.* )?(--|\.|-f|-B|-C|--force|--discard-changes|:/|\S*\*\S*|` +
		`\S+\.([a-z]{2,5}|[chm])) |^ checkout [^-\s]\S* \S`, `^ checkout -b `},
	{queue.MarkDestroys, "git", `^ rm `, ` (--cached|-n|--dry-run) `},
	{queue.MarkDestroys, "git", `^ branch (.* )?(-\w*[dDMfC]\w*|--delete|--force) `, ``},
	{queue.MarkDestroys, "git", `^ (stash (drop|clear)|tag (.* )?(-d|-f|--delete|--force)|worktree (remove|prune)) `,
		``},
	{queue.MarkDestroys, "git", `^ (remote (rm|remove)|submodule deinit|notes (remove|prune)|lfs prune) `, ``},
	{queue.MarkDestroys, "git", `^ push (.* )?(-\w*[fd]\w*|--force\S*|--delete|--mirror|--prune|\+\S+|:\S+) `, ``},
	{queue.MarkDestroys, "git", `^ (filter-\S+|rebase|update-ref|prune|replace|gc (.* )?--prune\S*) `,
		`^ rebase --(show-current-patch|abort|continue|quit|skip) `},
	{queue.MarkDestroys, "git", `^ reflog (delete|expire) `, ``},
	{queue.MarkDestroys, "docker podman nerdctl", `(^| )(rm|rmi|prune|down|kill|stop|remove) `,
		`^ (run|exec|build|logs|inspect) `},
	{queue.MarkDestroys, "docker-compose", `^ (rm|down|kill|stop) `, ``},
	{queue.MarkDestroys, "kubectl oc helm", `^ (delete|uninstall|drain|replace (.* )?--force) `,
		` --dry-run(=client|=server|) `},
	{queue.MarkDestroys, "terraform tofu pulumi terragrunt", `(^| )(destroy|state rm|taint|workspace delete|stack rm|` +
		`down) `, ``},
	{queue.MarkDestroys, "cdk sam serverless sls", `^ (destroy|delete|remove) `, ``},
	{queue.MarkDestroys, "npm", `^ (unpublish|deprecate) `, ``},
	{queue.MarkDestroys, "gh glab", `^ \S+ (delete|archive|remove) `, ``},
	{queue.MarkDestroys, "aws gcloud az doctl flyctl fly heroku vercel netlify gsutil s3cmd mc",
		`( rm | rb | [\w:]*(delete|terminate|destroy|purge|remove)\S* )`, ``},
	{queue.MarkDestroys, "aws gsutil rclone", ` (s3 )?(sync|rsync) (.* )?(--delete\S*|-\w*d\w*) `, ` --dryrun `},
	{queue.MarkDestroys, "psql mysql mariadb sqlite3 duckdb clickhouse-client cqlsh sqlcmd bq", writesSQL,
		`(?i)^[^;]* show create [^;]*$`},
	{queue.MarkDestroys, "redis-cli valkey-cli", `(?im)^ *(-\S+ )*(flush\w*|\w*del|unlink|\w*set\w*|rename\w*|` +
		`expire\w*|persist|move|migrate|restore|shutdown|[lr]?push\w*|[lrsz]?pop\w*|[lzs]rem\w*|ltrim|sadd|zadd|` +
		`incr\w*|decr\w*|append|config set|script|eval\w*|fcall\w*|debug|swapdb|xadd|xtrim|sort) `, ``},
	{queue.MarkDestroys, "mongosh mongo", `(?i)[.'"](drop|delete|remove|update|insert|replace|rename|bulkwrite|` +
		`findoneand|findandmodify|save|createuser|grantroles|shutdown|runcommand|admincommand|compact)` +
		`\w*['"\]]*\s*\(`, ``},
	{queue.MarkDestroys, "mongorestore pg_restore mysqlimport dropdb", ``, asksForHelp},
	{queue.MarkDestroys, "tmux", `(^| ;) kill`, ``},
	{queue.MarkDestroys, "fuser", ` (-\w*k\w*|--kill) `, ``},
	{queue.MarkDestroys, "pm2", `^ (delete|kill|stop) `, ``},
	{queue.MarkDestroys, "mysqladmin", ` (drop|shutdown|flush\S*) `, ``},
	{queue.MarkDestroys, "rimraf del-cli srm wipe remove_directory", ``, asksForHelp},
	{queue.MarkDestroys, "prisma rails rake manage.py", `(^| )(migrate reset|db:(drop|reset|purge|schema:load|` +
		`migrate:reset)|flush|reset_db|.*--force-reset) `, ``},
	{queue.MarkDestroys, "heroku", `^ pg:(reset|push|pull) `, ``},
	{queue.MarkDestroys, "diskutil", `^ (\S+ )?(erase|partition|delete|zero)`, ``},
	{queue.MarkDestroys, "pip pip3 uv", `^ (pip )?uninstall `, ``},

	// The rights of another user or of the machine, and keys.
	{queue.MarkRights, "sudo doas su pkexec runas run0 chroot nsenter", ``, ``},
	{queue.MarkRights, "chmod chown chgrp setfacl chattr setcap", ``, asksForHelp},
	{queue.MarkRights, "useradd userdel usermod groupadd groupmod adduser deluser gpasswd visudo chpasswd chsh", ``,
		``},
	{queue.MarkRights, "passwd", ``, `^ (-S|--status) `},
	{queue.MarkRights, "systemctl", ``, `^ (--\S+ )*(status|show|cat|is-\S+|list-\S+|help|get-default) |^ (--\S+ )*$`},
	{queue.MarkRights, "service", ``, ` status |` + ` --status-all `},
	{queue.MarkRights, "launchctl", ``, `^ (list|print\S*|blame|help|version) `},
	{queue.MarkRights, "mount", anyName, ``},
	{queue.MarkRights, "umount swapoff swapon insmod rmmod modprobe sysctl losetup", anyName, `^ (-a|--all|-n) `},
	{queue.MarkRights, "crontab at batch", ``, `^ (-l|-V) `},
	{queue.MarkRights, "iptables nft ufw firewall-cmd", ``, `( -L | -S | list | status | --list\S* | --state )`},
	{queue.MarkRights, "git", `(?i)^ config (.* )?--(global|system) `, ` (--get\S*|-l|--list) `},
	{queue.MarkRights, "git", `(?i)^ config (\S+ )*(core\.(sshcommand|hookspath|fsmonitor|pager|editor|gitproxy)|` +
		`alias\.\S+|credential\.\S+|filter\.\S+|diff\.\S+\.(command|textconv)|` +
		`url\.\S+) \S`, ` (--get\S*|-l|--list|--unset\S*) `},
	{queue.MarkRights, "npm pnpm yarn bun", ` (-g|--global|global|--location=global) `,
		` (ls|list|bin|root|prefix|outdated|view) `},
	{queue.MarkRights, "npm pnpm yarn", `^ config (set|delete|edit) `, ``},
	{queue.MarkRights, "claude codex gemini", `--dangerously-|--yolo |danger-full-access|bypassPermissions`, ``},
	{queue.MarkRights, "update-alternatives ldconfig setenforce csrutil spctl dscl", ``, asksForItsHelp},
	{queue.MarkRights, "npm pnpm yarn", `^ (login|adduser|token|owner|access|trust) `,
		`^ (token|owner|access) (ls|list|get) `},
	{queue.MarkRights, "brew port apt apt-get dnf yum zypper pacman apk snap flatpak winget choco scoop nix-env", ``,
		`^ (--\S+ )*(list|ls|search|show|info|policy|depends|rdepends|deps|leaves|home|outdated|doctor|config|help|` +
			`check|-Q\S*|-Ss\S*|-Si\S*|cache|changelog|uses|why|query|--version) `},
	{queue.MarkRights, "dpkg rpm", ` (-i|-r|-P|-e|-U|-F|--install|--remove|--purge|--erase|--upgrade|--configure) `,
		``},
	{queue.MarkRights, "pip pip3", `^ install (.* )?(--user|--break-system-packages) `, ``},
	{queue.MarkRights, "gem cargo", `^ install `, ``},
	{queue.MarkRights, "uv pipx", `^ (tool )?(install|upgrade|inject) `, ``},
	{queue.MarkRights, "docker podman", `^ (login|swarm|plugin|context use|trust) `, ``},
	{queue.MarkRights, "gh", `^ (auth (token|login|logout|refresh|setup-git)|secret|ssh-key|gpg-key|variable set) `,
		` list `},
	{queue.MarkRights, "kubectl oc", `( secrets?(/\S+)? |^ (certificate|auth reconcile) |^ config (set|use|delete|` +
		`rename|unset)\S* )`, ``},
	{queue.MarkRights, "aws", ` (secretsmanager get-\S+|ssm get-parameters?\S*|iam (?:create|attach|put|update|` +
		`add)\S*|sts assume-\S+|configure( set| get| sso| import|)|ecr get-login-\S+) `, `^ configure list`},
	{queue.MarkRights, "gcloud az", ` (secrets? versions access|auth (login|print-\S+|application-default)|` +
		`keyvault secret show|account get-access-token|login) `, ``},
	{queue.MarkRights, "security pass op vault bw secret-tool keyring gopass", ``,
		`^ (--\S+ )?(status|version|help|ls|list) `},
	{queue.MarkRights, "ssh-keygen ssh-add ssh-copy-id gpg gpg2 age-keygen certbot keytool", ``,
		`^ (-l\S*|-L|--list-\S+|--verify|--version) |` + asksForHelp},
	{queue.MarkRights, "tmux screen", `(^| ;) (send|paste|run|pipe-?p|if|-S|-X|.* -X stuff)\S* `, ``},

	// What sends something away, publishes or deploys.
	{queue.MarkSends, "curl", ` (-[sSfLkvigGIjlNnpqaBJOR0-46#]*[dFT]\S*|(-H|--header) @\S+|--data\S*|--json\S*|` +
		`--form\S*|--upload-file\S*) `, ` (-G|--get) `},
	{queue.MarkSends, "curl", ` (-\w*X ?|--request[ =])"?(POST|PUT|PATCH|DELETE|\$)`, ``},
	{queue.MarkSends, "wget", ` --(post|body)-(data|file)\S* | --method=(POST|PUT|PATCH|DELETE)`, ``},
	{queue.MarkSends, "http https xh", ` (POST|PUT|PATCH|DELETE) | [^\s:=]+:?=[^=\s]`, ``},
	{queue.MarkSends, "scp", ` \S+:\S*( -\S+)* $`, ``},
	{queue.MarkSends, "rsync rclone", ` \S+:\S*( -\S+)* $`,
		` (-\w*n\w*|--dry-run) |^ (ls\S*|lsd|size|about|check|cat|version) `},
	{queue.MarkSends, "sftp ftp lftp", ``, ``},
	{queue.MarkSends, "git", `^ push (.* )?(\w+://|[\w.-]+@[\w.-]+:)|^ remote (set-url|add) `, ` (--dry-run|-n) `},
	{queue.MarkSends, "dig nslookup host ping", `\$`, ``}, // a name can carry what it is made of
	{queue.MarkSends, "http.server", ``, ` (--bind|-b)[ =](127\.0\.0\.1|localhost) `},
	{queue.MarkSends, "ngrok cloudflared localtunnel lt", ``, asksForItsHelp + `| (version|config|list) `},
	{queue.MarkNetwork, "http.server ngrok cloudflared localtunnel lt", ``, asksForHelp},
	{queue.MarkSends, "nc ncat netcat socat telnet", ``, `( -\w*z\w* |` + asksForHelp + `)`},
	{queue.MarkSends, "mail mailx mutt sendmail swaks msmtp", ``, asksForHelp},
	{queue.MarkSends, "git", `^ (send-email|request-pull|svn dcommit|p4 submit|lfs push) `, ``},
	{queue.MarkSends, "npm pnpm yarn bun vsce ovsx cargo poetry gem twine flit hatch uv mvn gradle jsr deno helm " +
		"melos dart",
		`(^| )(publish|push|yank|upload|dist-tag|pack publish|deploy|npm publish) `,
		` (--dry-run|-n) |^ (push|upload) --help |^ (run|test|t|bench|check|build|clippy|exec|view|info|why|search|` +
			`vitest|jest) `},
	{queue.MarkSends, "goreleaser semantic-release release-it lerna changeset np standard-version", ``,
		` (--dry-run|--snapshot|--skip=publish|check|version|ls|list|status) |` + asksForHelp},
	{queue.MarkSends, "docker podman nerdctl", `^ (buildx )?(push|build (.* )?--push) |^ compose (.* )?push `, ``},
	{queue.MarkSends, "kubectl oc", ``, `^ (get|describe|logs|explain|top|version|cluster-info|api-\S+|config|diff|` +
		`wait|auth|options|completion|plugin|delete|drain|exec|debug|run|attach|port-forward|proxy|kustomize|help|` +
		`events) |^ rollout (status|history) | --dry-run(=client|=server|) |^ $`},
	{queue.MarkSends, "helm", `^ (install|upgrade|rollback|push) `, ` --dry-run(=client|=server|) `},
	{queue.MarkSends, "terraform tofu terragrunt", `(^| )(apply|import|state (mv|push|replace-provider)|` +
		`run-all apply) `, ``},
	{queue.MarkSends, "pulumi", `^ (up|update|import|refresh|config set) `, ``},
	{queue.MarkSends, "ansible-playbook ansible", ``, ` (--check|-C|--list\S*|--syntax-check|--version) `},
	{queue.MarkSends, "cdk sam serverless sls wrangler firebase eb cf skaffold now amplify copilot railway render " +
		"supabase convex modal sst ng expo eas " +
		"fastlane", `(^| )(deploy|publish|push|up|release|submit|update|run) `, ``},
	{queue.MarkSends, "vercel now", `^ (-\S+ )*$`, asksForHelp},
	{queue.MarkSends, "fly flyctl doctl heroku netlify vercel gcloud az aws", `^ (\S+ ){0,2}(deploy|up|run-\S+|` +
		`invoke|send|put|start|stop|restart|scale|promote|publish|create|update|set)(-\S+)? `,
		`^ help |` + asksForItsHelp},
	{queue.MarkSends, "fly flyctl doctl heroku netlify vercel gcloud az aws gsutil s3cmd mc", ``,
		`( (` + reads + `|(get|list|describe|head|lookup|check|test|preview|batch-get|filter|search|validate|` +
			`start-query|estimate)-\S+|scan|query|tail|\S+:info|apps|domains|regions) |^ $|^ (s3 )?(cp|sync|` +
			`mv) (.* )?(s3|gs)://\S+ [^-\s:]+ |` + asksForItsHelp + `)`},
	{queue.MarkSends, "gh glab", ``,
		`^ (pr|mr|issue|run|ci|repo|release|workflow|gist|cache|label|project|ruleset|search|org|variable|secret|` +
			`extension) (view|list|ls|diff|status|checks|watch|download|clone|checkout|search|code|commits|issues|` +
			`prs|repos|show) |^ (auth (status|token)|status|browse|help|completion|version|search|api|config (get|` +
			`list)|pr checkout) |^ \S+ (delete|archive|remove) |^ (secret|ssh-key|gpg-key) |^ $|` + asksForItsHelp},
	{queue.MarkSends, "gh glab", `^ api (.* )?(-X ?|--method[ =]?)(POST|PUT|PATCH|DELETE|\$)`, ``},
	{queue.MarkSends, "gh glab", `^ api (.* )?(-f|-F|--field|--raw-field|--input)\b`,
		` (--method|-X)[ =]?GET |^ api graphql (.* )?(-f|-F) query=\s*(query|\{)`},
	{queue.MarkSends, "make just task mage rake invoke npm pnpm yarn bun cap fab nx turbo gradle gradlew mvn mix",
		task + `(deploy|publish|release|upload|ship)([ :_-]|$)`, ` (--dry-run|-n) |` + tests},
	{queue.MarkDestroys, "make just task mage rake invoke npm pnpm yarn bun",
		task + `(destroy|teardown|purge|nuke|wipe|(db|migrate)[:_-](reset|drop|flush))([ :_-]|$)`, tests},

	// What runs something that nobody saw here.
	{queue.MarkRuns, "eval", ``, ``},
	{queue.MarkRuns, "claude codex gemini qwen copilot opencode kilo amp aider goose cursor-agent pi", // another agent
		``, asksForItsHelp + `|^ (mcp|config|auth|login|models?|doctor|debug) (list|ls|get|status|show) |^ doctor `},
	{queue.MarkRuns, "npx bunx pnpx", ``, `^ --no-install |` + asksForHelp},
	{queue.MarkRuns, "npm pnpm yarn bun", `^ (dlx|x|create|init) \S`, `^ init (-y|--yes|-w)? *$`},
	{queue.MarkRuns, "npm", `^ exec \S`, `^ exec (--no|--offline) `},
	{queue.MarkRuns, "npm pnpm yarn bun", `^ (workspace \S+ )?(i|install|add|in|isntall) (\S+ )*?[^-\s]`,
		` (-g|--global|global) |^ (i|install|add|in) ((--prefix|-w|--workspace|--filter|-F|-C|--dir|--cwd|--omit|` +
			`--include|--loglevel) \S+ |-\S+ )*$`},
	{queue.MarkRuns, "uvx pipx", ``, `^ (list|install|upgrade|inject|uninstall|--version|--help) `},
	{queue.MarkRuns, "uv", `^ (tool run|run (.* )?--with\S*|add) `, ``},
	{queue.MarkRuns, "pip pip3 uv", `^ (pip )?install `, `^ (pip )?install ((-r|--requirement|-c) [^\s:]+ |-e \.\S* |` +
		`\.\S* |-\S+ )*$`},
	{queue.MarkRuns, "poetry pdm", `^ add `, ``},
	{queue.MarkRuns, "go", `^ run (-\S+ )*[^\s@]+@\S`, ``},
	{queue.MarkRights, "go", `^ install (-\S+ )*[^\s@]+@\S`, ``},
	{queue.MarkRights, "go", `^ env (-\S+ )*-[wu] `, ``},
	{queue.MarkRuns, "deno", `^ (run|install|x) (.* )?(https?|npm|jsr):`, ``},
	{queue.MarkRuns, "docker podman nerdctl", `^ (container )?(run|exec|create|start) |^ compose (.* )?(up|run|exec|` +
		`start|restart) `, ``},
	{queue.MarkRuns, "docker-compose", `^ (up|run|exec|start|restart) `, ``},
	{queue.MarkRuns, "kubectl oc", `^ (exec|run|debug|attach|cp) `, ``},
	{queue.MarkRuns, "psql mysql mariadb sqlite3 clickhouse-client", ` (-f|--file|\.read|\\i) ?\S| source \S*[./]`, ``},
	{queue.MarkRuns, "psql mysql mariadb sqlite3 duckdb", `\\!|(^|[ ;])\.(shell|system|load) |(?i)\bprogram\s+'|` +
		`load_extension`, ``},
	{queue.MarkRuns, "curl", ` (-\w*K|--config)\S* `, ``},
	{queue.MarkRuns, "ssh scp sftp rsync", `(?i)(proxycommand|localcommand|knownhostscommand)`,
		`(?i)proxycommand[ =]none `},
	{queue.MarkRuns, "tar", ` --(to-command|checkpoint-action|use-compress-program|rsh-command)`, ``},
	{queue.MarkRuns, "tar", ` -\w*I (ba|z|da)?sh `, ``},
	{queue.MarkRuns, "mongosh mongo", ` \S+\.js `, ``},
	{queue.MarkRuns, "rg split sort", ` --(pre|filter|compress-program)[ =]`, ``},
	{queue.MarkRuns, "sed gsed", ` -?\d*e \S+ \S|/[gImp0-9]*e[gImp0-9]* `, ` -\w*e | -\w*i `},
	{queue.MarkRuns, "git", ` ext::|^ (fetch|pull|clone|push|ls-remote) (.* )?(-u|--upload-pack|--receive-pack|` +
		`--exec)[ =]|^ rebase (.* )?(-x|--exec)|^ (log|diff|show) (.* )?--ext-diff `, `^ push (.* )?-u `},
	{queue.MarkRuns, "git", `^ (bisect run|submodule foreach|difftool|mergetool|daemon|credential) `, ``},
	{queue.MarkRuns, "awk gawk mawk", `system\s*\(|\|\s*"|getline`, ``},
	{queue.MarkRuns, "vim vi nvim emacs ed ex osascript", ` (-c|-e|--eval|--cmd|-s|\+)`, ``},
	{queue.MarkRuns, "tmux", `^ (new\S*|split\S*|respawn\S*) (.* )?[^-\s]\S* `, `^ new\S* (-d )?-s \S+ $`},

	// What talks to other machines, and no more.
	{queue.MarkNetwork, "curl wget http https xh aria2c ssh scp sftp ftp lftp rclone", ``, asksForHelp},
	{queue.MarkNetwork, "telnet nc ncat netcat socat nmap dig host nslookup ping traceroute whois", ``, asksForHelp},
	{queue.MarkNetwork, "rsync", ` \S+:`, ``},
	{queue.MarkNetwork, "git", `^ (push|pull|fetch|clone|ls-remote|submodule (update|add|sync)|remote (update|show|` +
		`prune)|send-email|lfs (push|pull|fetch)|archive --remote\S*) `, ``},
	{queue.MarkNetwork, "npm pnpm yarn bun", `^ (workspace \S+ )?(i|install|in|ci|clean-install|add|update|up|` +
		`upgrade|audit|outdated|view|info|search|publish|unpublish|deprecate|login|token|owner|access|dist-tag|dlx|x|` +
		`create|init \S+|ping|whoami|global) `, ``},
	{queue.MarkNetwork, "npm", `^ exec `, `^ exec (--no|--offline) `},
	{queue.MarkNetwork, "yarn pnpm bun", `^ (--\S+ )*$`, ``},
	{queue.MarkNetwork, "npx bunx pnpx uvx pipx", ``, `^ --no-install |` + asksForHelp},
	{queue.MarkNetwork, "pip pip3", `^ (install|download|index|search|wheel|list (.* )?(-o|--outdated)) `, ``},
	{queue.MarkNetwork, "uv", `^ (sync|lock|add|tool|pip (install|sync|compile)|run (.* )?--with\S*|python install|` +
		`publish) `, ``},
	{queue.MarkNetwork, "poetry pdm", `^ (install|update|add|lock|publish|sync) `, ``},
	{queue.MarkNetwork, "gem bundle", `^ (install|update|push|yank|fetch|outdated) `, ``},
	{queue.MarkNetwork, "cargo", `^ (install|fetch|update|add|search|publish|yank|login|owner) `, ``},
	{queue.MarkNetwork, "brew apt apt-get dnf yum zypper pacman apk snap flatpak", ``,
		`^ (list|ls|show|info|policy|depends|deps|leaves|-Q\S*) |` + asksForHelp},
	{queue.MarkNetwork, "go", `^ (get|mod (download|tidy)|list (.* )?-m (.* )?-u|(run|install) (-\S+ )*[^\s@]+@\S+) `,
		``},
	{queue.MarkNetwork, "deno", `( https?://| npm:| jsr:)`, ``},
	{queue.MarkNetwork, "docker podman nerdctl docker-compose", ``, asksForItsHelp},
	{queue.MarkNetwork, "gh glab aws gcloud az doctl flyctl fly heroku vercel netlify gsutil s3cmd mc kubectl oc " +
		"helm terraform tofu terragrunt pulumi ansible ansible-playbook cdk sam serverless sls wrangler firebase eb " +
		"cf skaffold",
		``, asksForItsHelp + `|^ (fmt|validate|version|completion) `},
	{queue.MarkNetwork, "twine goreleaser semantic-release release-it mail mailx mutt sendmail swaks msmtp", ``,
		asksForHelp},
}

const redisOptions = "-h -p -n -a -u -i -r -s --user --pass"

// valueOptions lists the options before a subcommand that take the next argument as their value.
var valueOptions = map[string]string{
	"git":    "-C -c --git-dir --work-tree --namespace --exec-path",
	"docker": "-H --host -c --context --config -l --log-level", "podman": "--url --connection --identity",
	"kubectl": "-n --namespace --context --kubeconfig --cluster --user -s --server",
	"helm":    "-n --namespace --kube-context --kubeconfig", "npm": "--prefix -C -w --workspace --registry " +
		"--loglevel --cache --userconfig",
	"go": "-C", "redis-cli": redisOptions, "valkey-cli": redisOptions,
	"pip": "--proxy --cache-dir --log", "pip3": "--proxy --cache-dir --log", "gem": "",
	"pnpm": "-C --dir --filter -F", "yarn": "--cwd", "bun": "--cwd", "make": "-C -f -j -I",
	"aws":       "--profile --region --output",
	"terraform": "", "gh": "-R --repo", "tmux": "-L -S -f", "poetry": "-C --directory -P --project",
	"cargo": "--config -Z -C",
	"uv":    "--directory --project --python -p", "gcloud": "--project --account --configuration",
	"just":           "-f --justfile -d",
	"docker-compose": "-f --file -p --project-name", "systemctl": "-H --host -M -t --type",
}

// pattern is a regular expression that is compiled at its first use: compiling all of them would take a hook longer
// than all its other work. nil: there is none.
type pattern func() *regexp.Regexp

// lazy returns the pattern of an expression; nil if that is empty.
func lazy(expression string) pattern {
	if expression == "" {
		return nil
	}
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// matches reports whether a text has a match. The caller knows that there is a pattern.
func (p pattern) matches(text string) bool { return p().MatchString(text) }

// compiled is a row with its patterns.
type compiled struct {
	mark         string
	when, unless pattern
}

// byProgram returns the rows of each program.
var byProgram = sync.OnceValue(func() map[string][]*compiled {
	all := map[string][]*compiled{}
	for _, r := range rows {
		c := &compiled{r.mark, lazy(r.when), lazy(r.unless)}
		for name := range strings.FieldsSeq(r.programs) {
			all[name] = append(all[name], c)
		}
	}
	return all
})

// applies reports whether the row's mark is that of a call with these arguments, in one line.
func (c *compiled) applies(arguments string) bool {
	return (c.when == nil || c.when.matches(arguments)) && (c.unless == nil || !c.unless.matches(arguments))
}

// readers lists the programs that read files and change nothing, whatever their arguments are, but for those of
// unlessReads.
var readers = strings.Fields("cat head tail less more bat ls tree stat file wc grep egrep fgrep rg ag ack find fd " +
	"fdfind diff cmp comm du df realpath readlink basename dirname test [ [[ md5sum sha1sum sha256sum sha512sum " +
	"shasum cksum sum strings od xxd hexdump nl tac cut sort uniq jq yq column which type whereis command pwd cd " +
	"pushd popd awk gawk sed tr fold join paste zcat bzcat xzcat zgrep echo printf true false : export set unset " +
	"local declare readonly date id whoami hostname uname env sleep wait exit return break continue shift read " +
	"sha224sum b2sum nm objdump ldd git rgrep look")

// unlessReads matches the arguments with which a reader writes, runs or changes something.
var unlessReads = map[string]pattern{
	"find": lazy(` -(exec\w*|ok\w*|delete|fprint\w*|fls) `), "fd": lazy(` (-x|-X|--exec\S*) `),
	"fdfind": lazy(` (-x|-X|--exec\S*) `),
	"sort":   lazy(` (-o\S*|--output\S*) `), "sed": lazy(` (-\w*i\S*|--in-place\S*) | w \S|/w | -f [/~]`),
	"yq":   lazy(` (-\w*i\w*|--inplace) `),
	"tree": lazy(` -o `),
	"awk":  lazy(`>|system|getline|-i inplace| -f [/~]`), "gawk": lazy(`>|system|getline|-i inplace| -f [/~]`),
	"rg":       lazy(` --pre\b`),
	"date":     lazy(` (-s|--set) `),
	"hostname": lazy(` [^-\s]`), "env": lazy(` \S+=| [^-\s]`), "xxd": lazy(` -r `),
	"uniq": lazy(` [^-\s]\S* [^-\s]\S* `),
	"git": lazy(`^ (add|am|apply|bisect|branch \S|checkout|cherry-pick|clean|clone|commit|config \S+ \S|fetch|gc|` +
		`init|lfs|` +
		`merge|mv|notes|prune|pull|push|rebase|remote (add|rm|remove|set-\S+|rename|prune|update)|replace|reset|` +
		`restore|revert|rm|stash|submodule|switch|tag \S|update-\S+|worktree|archive|bundle|daemon|difftool|` +
		`filter-\S+|format-patch|send-email|svn|p4) `),
}

// readsOnly reports whether a call only reads.
func readsOnly(program, arguments string) bool {
	unless := unlessReads[program]
	return slices.Contains(readers, program) && (unless == nil || !unless.matches(arguments))
}
