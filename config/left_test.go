package config

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// unusableIn returns the words that a new process hears of the queue in a broken file.
func unusableIn(t *testing.T, text string) error {
	t.Helper()
	f := Open(place(t, text))
	require.True(t, Broken(f.Err()), "%q is no broken file: %v", text, f.Err())
	return f.Unusable("queue")
}

func TestABrokenFileThatNamesASharedQueueIsNoReasonToUseADirectory(t *testing.T) {
	for text, where := range map[string]string{
		"{\"queue\": \"nats://h:4222\"":                         "config.json:1:11: ",
		"{\n  \"theme\": \"dark\"\n  \"queue\": \"tls://h\"\n}": "config.json:3:12: ",
		"{\"queue\": \"NATS://h\",}":                            "",
		"{\"queue\" \"nats://h\"}":                              "",
		"{\"queue\":\n\n\"nats://h\",\n]":                       "config.json:3:1: ",
		"{\"queue\": \"nats://h}":                               "",
		"{\"queue\": \"nats://h,\n\"theme\": \"dark\"}":         "",
		"{\"theme\": \"dark, \"queue\": \"nats://h\"}":          "",
		"{\"theme\": \"dark\\\", \"queue\": \"nats://h\"}":      "",
		"{'queue': 'nats://h'}":                                 "",
		"{queue: \"nats://h\"}":                                 "",
		"queue = nats://h":                                      "config.json:1:9: ",
		"queue: nats://h # the team's\n":                        "",
		"{“queue”: “nats://h”}":                                 "",
		"{\"\\u0071ueue\": \"nats://h\",}":                      "",
		"{\"queue\": \"nats:\\/\\/h\",}":                        "",
		"{\"queue\": \"\\u006eats://h\",}":                      "",
		"{\"queue\" /* ours */ : // the team's\n \"nats://h\"}": "config.json:2:2: ",
		"{\"queue\": \"nats://ana:geheim@h\",}":                 "",
		"{\"queue\": \"nats:h\",}":                              "",
		"{\"queue\": \"h:4222\",}":                              "",
		"{\"queue\": \"https://h\",}":                           "",
		"{\"queue\": \"na":                                      "",
		"{\"queue\": \"":                                        "",
		"{\"queue\":":                                           "",
		"{\"queue\": 5,}":                                       "",
		"{\"queue\": nats://h}":                                 "",
		"{\"queue\": \"/q\", \"queue\": \"nats://h\",}":         "",
		"[{\"queue\": \"nats://h\"}]":                           "",
		"{\"widen\": {\"base_url\": \"https://t\"}, /*x\n\"queue\": \"nats://h\"}":                                         "",
		"\xff\xfe{\x00\"\x00q\x00u\x00e\x00u\x00e\x00\"\x00:\x00\"\x00n\x00a\x00t\x00s\x00:\x00/\x00/\x00h\x00\"\x00}\x00": "",
		"\x1b]0;x\x07{\"queue\": \"nats://h\"}":                                                                            "",
	} {
		err := unusableIn(t, text)
		require.ErrorContains(t, err, "so the usual directory is not used instead", "%q", text)
		require.ErrorContains(t, err, where, "%q", text)
		require.True(t, Broken(err), "%q: it cannot be mended with config set", text)
		require.NotContains(t, err.Error(), "geheim")
		require.NotContains(t, err.Error(), "\n")
	}
}

func TestABrokenFileThatNamesNoSharedQueueFallsBackAsBefore(t *testing.T) {
	for _, text := range []string{
		"{", "[1]", "{} x", "{\"theme\": \"dark\",}",
		"{\"queue\": \"/q3", "{\"queue\": \"/q\",}", "{\"queue\": /tmp/q}", "{\"queue\": \"\",}", "{\"queue\": \"~/q\",}",
		"{\"queue\": \"../q\" \"theme\": 1}", "{'queue': './nats:x'}",
		"{\n  // \"queue\": \"nats://h\"\n}", "{ /* \"queue\": \"nats://h\" */ }", "# queue = nats://h\n{}",
		"{\"theme\": \"dark\", // or \"queue\": \"nats://h\"\n}",
		"{\"widen\": {\"channel\": \"\\\"queue\\\": \\\"nats://h\\\"\"},}",
		"{\"queues\": \"nats://h\",}", "{\"queue_bucket\": \"nats://h\",}", "{\"my queue\": \"nats://h\",}",
		"{\"theme\": \"queue\", \"web\": \"nats://h\",}", "{\"theme\": \"queue\" \"web\": \"nats://h\"}",
		"{\"Queue\": \"nats://h\",}", "[\"queue\", \"nats://h\"]",
	} {
		require.NoError(t, unusableIn(t, text), "%q", text)
	}
}

func TestWhatABrokenFileSaysOfABucketIsNoReasonToUseAnother(t *testing.T) {
	f := Open(place(t, "{\"queue_bucket\": \"team\",\n  \"theme\": }"))
	err := f.Unusable("queue_credentials", "queue_bucket")
	require.ErrorContains(t, err, `config.json:1:18: queue_bucket is set here, but the file cannot be read`)
	require.ErrorContains(t, err, "line 2: ")
	require.NoError(t, f.Unusable("queue"))
}

func TestAProcessThatHasReadGoodSettingsGoesOnWithItsQueue(t *testing.T) {
	path := place(t, `{"queue": "nats://h"}`)
	f := Open(path)
	put(t, path, `{"queue": "nats://h",}`)
	f.Reload()
	require.True(t, Broken(f.Err()))
	require.NoError(t, f.Unusable("queue"))
	require.Equal(t, "nats://h", f.Settings().Queue)
	require.True(t, strings.HasSuffix(f.Err().Error(), leftAlone))
	require.True(t, strings.HasSuffix(Open(path).Err().Error(), butTheQueue), Open(path).Err())
}

func TestAHostileBrokenFileTakesEightTimesAsLongWhereItIsEightTimesAsLong(t *testing.T) {
	took := func(one string, size int) time.Duration {
		text := "{" + strings.Repeat(one, size/len(one)-1)
		began := time.Now()
		_ = unusableIn(t, text)
		return time.Since(began)
	}
	for _, one := range []string{`"`, `\"`, `"queue"`, `"queue": "`, "/*", "queue:", "'\\", "“", "queue \n"} {
		ratio := 100.0
		for try := 0; try < 5 && ratio > 30; try++ { // 64 if it were quadratic; again, where one of both was held up
			ratio = float64(took(one, maxSize/4)) / float64(took(one, maxSize/32))
		}
		require.LessOrEqual(t, ratio, 30.0, "%q", one)
	}
}
