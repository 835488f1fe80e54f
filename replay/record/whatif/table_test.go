package whatif_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/informerscope/informerscope/engine/script/syntax"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/record/whatif"
)

// TestEachKindIsDoneOrRefused holds that each kind of command either has a row here, or is refused
// by its name, and that the engine knows which ones have one.
func TestEachKindIsDoneOrRefused(t *testing.T) {
	values := strings.NewReplacer("INFORMER", "pods", "KEY", "shop/a", "SHARD", "0/3", "HANDLER", "h", "LABEL=VALUE …", "", "LABEL", "app", "FAILURE", "refused", "TIME|forever", "1s", "TIME", "1s", "N", "1")
	known := whatif.Forms()
	for kind := world.BreakWatch; !kind.ByHand(); kind++ {
		all := syntax.Forms(func(k world.CommandKind) bool { return k == kind })
		for _, form := range all {
			if got, want := slices.Contains(known, form), kind.OnConnection(); got != want {
				t.Errorf("%s has a row: %v; the engine says %v", form, got, want)
			}
			line := ""
			for _, word := range strings.Fields(values.Replace(form)) {
				if word[0] != '[' && !strings.HasSuffix(word, "]") {
					line += word + " "
				}
			}
			line = strings.TrimSpace(line)
			err := whatif.New(nil).Do(line)
			switch {
			case kind.OnConnection() && err != nil:
				t.Errorf("%s: %v", line, err)
			case !kind.OnConnection() && (err == nil || !strings.Contains(err.Error(), line)):
				t.Errorf("%s is not refused by its name: %v", line, err)
			}
		}
		if len(all) == 0 && kind.OnConnection() {
			t.Errorf("no line is a command of kind %d", kind)
		}
	}
}

// TestDropsBookmarks holds that every second bookmark is lost, and no event.
func TestDropsBookmarks(t *testing.T) {
	inBubble(t, "", func(b *bench) {
		resp := b.ask("/api/v1/configmaps?watch=1&resourceVersion=2&allowWatchBookmarks=true&timeoutSeconds=300")
		defer resp.Body.Close()
		came := make(chan string, 100)
		go func() {
			buf := make([]byte, 64<<10)
			for {
				n, err := resp.Body.Read(buf)
				if err != nil {
					close(came)
					return
				}
				came <- string(buf[:n])
			}
		}()
		count := func(d time.Duration) (bookmarks, events int) {
			time.Sleep(d)
			for {
				select {
				case text := <-came:
					bookmarks += strings.Count(text, `"BOOKMARK"`)
					events += strings.Count(text, `"MODIFIED"`)
				default:
					return bookmarks, events
				}
			}
		}
		all, _ := count(61 * time.Second)
		if all == 0 {
			t.Fatal("the server sends no bookmarks")
		}
		b.play("drop bookmarks 1\nupdate configmaps shop/a n=1\n")
		if n, events := count(61 * time.Second); n != 0 || events != 1 {
			t.Errorf("%d bookmarks and %d events came", n, events)
		}
		b.play("drop bookmarks 2\n")
		if n, _ := count(121 * time.Second); n != all {
			t.Errorf("%d bookmarks came, want every second one: %d", n, all)
		}
	})
}
