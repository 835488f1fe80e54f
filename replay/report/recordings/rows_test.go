package recordings

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/cache"

	"github.com/informerscope/informerscope/replay/findings"
	"github.com/informerscope/informerscope/replay/findings/said"
)

// row is a mistake that people make in controllers.
type row struct {
	mistake string
	plant   string         // the plant that makes it; "" for one of its own
	do      func(b *bench) // its own
	rule    string         // the rule that finds it, "" for nothing; of a plant, its name begins with it
	says    string         // and what the report must say of it as well
	since   int            // the first minor version that can make it
}

// rows are the mistakes that were planted in controllers which were written from this project's READMEs alone, and controllers without any.
var rows = []row{
	{mistake: "it reads a cache that is late, and creates twice", plant: "duplicates.one"},
	{mistake: "the same, and the answer to a create is lost", plant: "duplicates.lost-answer", says: said.Texts["lost"]},
	{mistake: "a handler blocks for some seconds", plant: "slow-handler.one-call"},
	{mistake: "a handler blocks for ever", plant: "stuck-handler.first-list"},
	{mistake: "a streaming list has no end", rule: "not-synced", do: (*bench).endless, says: "lacks the bookmark", since: 37},
	{mistake: "a list is never answered", plant: "not-synced.unanswered"},
	{mistake: "the watch is mute, and the controller writes", plant: "unseen-writes.15"},
	{mistake: "the watch is mute, and it doesn't", plant: "silent-watch.15"},
	{mistake: "a handler changes an object of the cache", plant: "cache-changed.one"},
	{mistake: "it adds the key at the end of each reconcile", plant: "hot-loop.adds-itself", says: said.Texts["feeder.itself"]},
	{mistake: "it writes what it watches", plant: "hot-loop.own-writes", says: said.Texts["feeder.write"]},
	{mistake: "the same, slowly", plant: "own-writes.15", says: "which is 9"},
	{mistake: "it writes what is there", plant: "no-op-writes.15"},
	{mistake: "it sends a patch that changes nothing", plant: "no-op-writes.patches"},
	{mistake: "none, though it writes what is there half as often", plant: "no-op-writes.not-half"},
	{mistake: "other keys wait for one that is slow", plant: "slow-reconcile.15"},
	{mistake: "none, though other keys wait half as long", plant: "slow-reconcile.not-half"},
	{mistake: "none, though one is slow, since there is another worker", plant: "slow-reconcile.not-both-workers"},
	{mistake: "it deletes its child and makes it again", rule: "own-writes", do: (*bench).remakes},
	{mistake: "it never calls Forget, and is shut down", rule: "no-forget", do: func(b *bench) { b.shutDown("no-forget.15") }},
	{mistake: "it doesn't call Done, and is shut down", rule: "no-done", do: func(b *bench) { b.shutDown("no-done.15") }},
	{mistake: "its workers end, and it is shut down", rule: "no-worker", do: func(b *bench) { b.shutDown("no-worker.15") }},
	{mistake: "none, and it is shut down", do: func(b *bench) { b.shutDown("no-done.not-for-ever") }},
	{mistake: "it always fails", plant: "always-failing.15", says: "the quota of shop/a is used up (try 18)"},
	{mistake: "informers are made and never stopped", plant: "same-watch.leak"},
	{mistake: "one handler is in two informers", plant: "same-name.few"},
	{mistake: "OnDelete asserts a type, and meets a tombstone", rule: "handler-panic", do: (*bench).asserts, says: said.Texts["tombstone"]},
	{mistake: "an index function panics", since: 32, plant: "function-panic.one", says: "by-owner"},
	{mistake: "an index function returns keys of other objects", rule: "always-failing", do: (*bench).wrongIndex, says: "nothing is indexed under a"},
	{mistake: "conflicts come without end", plant: "conflicts.15"},
	{mistake: "none, for an hour", do: func(b *bench) { b.answers(600, 6*time.Second) }},
	{mistake: "none, though half as much of each", plant: "own-writes.not-half"},
	{mistake: "none, with twenty informers of one resource that have no object in common", do: (*bench).shards},
}

// TestRows records controllers with the mistakes of rows, and looks whether informerscope report names each, and nothing else.
func TestRows(t *testing.T) {
	bin := build(t)
	all := slices.Concat(plants, controllerPlants)
	for _, r := range rows {
		if minor < r.since {
			continue
		}
		t.Run(r.mistake, func(t *testing.T) {
			p := plant{r.mistake, func(b *bench) int64 { r.do(b); return 0 }}
			if r.plant != "" {
				p = all[slices.IndexFunc(all, func(p plant) bool { return p.name == r.plant })]
				if rule, how, _ := strings.Cut(r.plant, "."); !strings.HasPrefix(how, "not-") {
					r.rule = rule
				}
			}
			trace, _ := p.record(t)
			file := filepath.Join(t.TempDir(), "controller.trace.jsonl")
			if err := os.WriteFile(file, trace, 0o600); err != nil {
				t.Fatal(err)
			}
			out, _ := exec.Command(bin, "report", file).CombinedOutput() // whose calls differ ends with a status of its own
			var named []string
			for _, f := range findings.Rules {
				if bytes.Contains(out, []byte(said.Texts[f.ID+".title"])) {
					named = append(named, f.ID)
				}
			}
			if got := strings.Join(named, " "); got != r.rule || !bytes.Contains(words(out), words([]byte(r.says))) {
				t.Errorf("the report names %q, want %q and %q:\n%s", got, r.rule, r.says, out)
			}
		})
	}
}

// words returns a text whose lines are not broken.
func words(b []byte) []byte { return bytes.Join(bytes.Fields(b), []byte(" ")) }

// shutDown makes a plant whose workqueue is shut down before the recording ends.
func (b *bench) shutDown(name string) {
	controllerPlants[slices.IndexFunc(controllerPlants, func(p plant) bool { return p.name == name })].play(b)
	for _, end := range b.ends {
		end()
	}
	b.pass(time.Minute)
}

// remakes runs a controller that deletes an object and creates it again, and hears of both.
func (b *bench) remakes() {
	c := &controller{}
	c.do = func(ctx context.Context, item string) (time.Duration, error) {
		if n := c.nth(item); item != key || n > 200 {
			return 0, nil
		}
		if err := b.write(ctx, "DELETE", "own", ""); err != nil {
			return 0, err
		}
		b.pass(2 * time.Second)
		err := b.write(ctx, "POST", "", `"name":"own","labels":{"of":"a"}`)
		b.pass(time.Second) // and the cache has it
		return 0, err
	}
	b.send("POST", "configmaps", "", `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"own","namespace":"shop","labels":{"of":"a"}}}`)
	b.run(c)
	b.until(c, 201)
}

// endless keeps back the bookmark that ends a streaming list.
func (b *bench) endless() {
	b.put("configmaps", "a", 0)
	b.wire.edit = func(line []byte, pass func([]byte)) {
		if typ, _, _ := parts(line); typ != "BOOKMARK" {
			pass(line)
		}
	}
	b.informer("configmaps", &member{name: "h"})
	b.pass(2 * time.Minute)
	b.rec.Mark("the end")
}

// asserts runs a handler that takes each object for one of its type, and deletes one while no watch is open.
func (b *bench) asserts() {
	b.put("configmaps", "a", 0)
	b.put("configmaps", "b", 0)
	utilruntime.ReallyCrash = false
	b.informer("configmaps", &member{name: "h", of: func(obj any) { obj.(metav1.Object).GetName() }})
	b.pass(2 * time.Minute)
	b.withoutWatch(func() { b.remove("configmaps", "b") })
}

// wrongIndex runs a controller that looks for what is indexed under a name, where the index has each object under its namespace.
func (b *bench) wrongIndex() {
	c := &controller{}
	b.indexers = cache.Indexers{"by-name": func(any) ([]string, error) { return []string{"shop"}, nil }}
	c.do = func(_ context.Context, item string) (time.Duration, error) {
		c.nth(item)
		if found, err := c.store.(cache.Indexer).ByIndex("by-name", "a"); err != nil || len(found) == 0 {
			return 0, fmt.Errorf("nothing is indexed under a: %v", err)
		}
		return 0, nil
	}
	b.run(c)
	b.until(c, 14)
}

// shards runs twenty informers of one resource whose selectors have no object in common. A controller moves objects from one to the next, and
// creates two for each, the second one after it has seen the first. All watches end once, and once what happened meanwhile is listed.
func (b *bench) shards() {
	const shards = 20
	begin := time.Now().Add(time.Minute) // when all informers have their lists
	c := &controller{}
	c.do = func(ctx context.Context, item string) (time.Duration, error) {
		var i int64
		if n, _ := fmt.Sscanf(item, "shop/shard%d", &i); n == 0 {
			return 0, nil
		}
		if time.Now().Before(begin) {
			return 5 * time.Second, nil
		}
		switch n := c.nth(item); n {
		case 1, 20:
			return 5 * time.Second, b.write(ctx, "POST", "", fmt.Sprintf(`"generateName":"child-","labels":{"n":"%d"}`, (i+7)%shards))
		case 2, 21:
			return 5 * time.Second, b.write(ctx, "PUT", fmt.Sprint("shard", i), fmt.Sprintf(`"labels":{"n":"%d"}`, (i+n)%shards))
		default:
			return 5 * time.Second, nil
		}
	}
	for i := range shards {
		b.put("configmaps", fmt.Sprint("shard", i), i)
	}
	b.labels = "n=0"
	b.run(c)
	for i := 1; i < shards; i++ {
		b.labels = fmt.Sprint("n=", i)
		b.informer("configmaps", &member{name: fmt.Sprint("shard ", i), of: c.add})
	}
	b.pass(2 * time.Minute)
	b.server.BreakWatches()
	b.pass(2 * time.Minute)
	b.withoutWatch(func() { b.remove("configmaps", "shard3"); b.put("configmaps", "shard4", 19) })
	b.pass(time.Minute)
	b.rec.Mark("the end")
}
