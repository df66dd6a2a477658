package config

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func kept(t *testing.T) (path, copy string) {
	t.Helper()
	dir := t.TempDir()
	return filepath.Join(dir, "config.json"), filepath.Join(dir, "state", "config.good.json")
}

func TestANewProcessTakesTheLastGoodSettingsWhereTheFileIsBroken(t *testing.T) {
	path, copy := kept(t)
	put(t, path, `{"queue": "/q2", "annotations_enabled": false}`)
	first := OpenKept(path, copy)
	require.NoFileExists(t, copy, "nothing is written by looking")
	first.Keep()
	put(t, path, `{"queue": "/q3", "annotations_enabled": false}`)
	first.Reload()
	put(t, path, `{"queue": "/q`)
	first.Reload()
	require.ErrorContains(t, first.Err(), "the last good settings stay in force")
	require.Zero(t, first.LastGood(), "this process read them from the file itself")

	next := OpenKept(path, copy)
	require.Equal(t, "/q3", next.Settings().Queue)
	require.False(t, next.Settings().AnnotationsEnabled)
	require.NotZero(t, next.LastGood())
	require.ErrorContains(t, next.Err(), "the last good settings, from "+next.LastGood().Format("2006-01-02 15:04:05")+", are in force")
	for _, v := range next.Effective() {
		require.NotEqual(t, FromFile, v.From, v.Key)
		if v.Key == "queue" {
			require.Equal(t, LastGood, v.From)
		}
	}
	next.Keep()
	text, err := os.ReadFile(copy)
	require.NoError(t, err)
	require.Contains(t, string(text), "/q3", "what is broken is not kept")
	is, err := os.Stat(copy)
	require.NoError(t, err)
	require.EqualValues(t, 0o600, is.Mode().Perm())

	put(t, path, `{"theme": "mono"}`)
	require.True(t, next.Reload())
	require.Empty(t, next.Settings().Queue, "the file counts as soon as it can be read")
	require.Zero(t, next.LastGood())
	require.NoError(t, next.Err())
}

func TestWhereNoGoodSettingsWereReadTheDefaultsAreNamed(t *testing.T) {
	path, copy := kept(t)
	put(t, path, `{"queue": "/q`)
	for _, f := range []*File{Open(path), OpenKept(path, copy)} {
		f.Keep()
		require.ErrorContains(t, f.Err(), "the defaults are in force")
		require.NotContains(t, f.Err().Error(), "last good")
		require.ErrorContains(t, f.Update(func(s *Settings) { s.Theme = "mono" }), "the defaults are in force")
		require.Equal(t, Default(), f.Settings())
	}
	require.NoFileExists(t, copy)
}

func TestACopyThatCannotBeReadIsAsGoodAsNone(t *testing.T) {
	path, copy := kept(t)
	put(t, path, `{`)
	require.NoError(t, os.MkdirAll(filepath.Dir(copy), 0o700))
	put(t, copy, `{"theme`)
	f := OpenKept(path, copy)
	require.ErrorContains(t, f.Err(), "the defaults are in force")
	require.Equal(t, Default(), f.Settings())
}

func TestAChangeKeepsTheCopyAndAMissingFileMakesNone(t *testing.T) {
	path, copy := kept(t)
	f := OpenKept(path, copy)
	f.Keep()
	require.NoFileExists(t, copy)
	f = OpenKept(path, copy)
	require.NoError(t, f.Update(func(s *Settings) { s.Theme = "mono" }))
	require.FileExists(t, copy)
}
