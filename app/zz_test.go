package app
import ("testing";"strings";"time";"github.com/gdamore/tcell/v2")
func TestZZ(t *testing.T){
 b := newBench(t, 30, 10)
 b.ask(hybrid(), shop()); b.clock.pass(time.Second)
 b.press("t"); b.Paste(strings.Repeat("long text line with words\n", 1500)); b.press("enter","k","n")
 b.picture()
 start := time.Now()
 n := 0
 for time.Since(start) < 3*time.Second { b.Key(tcell.NewEventKey(tcell.KeyRune,'x',0)); b.Draw(b.screen); n++ }
 t.Log(time.Since(start)/time.Duration(n))
}
