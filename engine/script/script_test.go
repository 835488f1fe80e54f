package script

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/explore"
	"github.com/informerscope/informerscope/engine/world"
)

var update = flag.Bool("update", false, "rewrite the transcripts")

// transcript plays a text. If that fails, the last line is the error.
func transcript(text string) string {
	var b strings.Builder
	s, err := Parse(text)
	if err == nil {
		err = NewRunner(func(e Entry) { b.WriteString(e.String() + "\n") }).PlayScript(s)
	}
	if err != nil {
		b.WriteString("! " + err.Error() + "\n")
	}
	return b.String()
}

// script takes the script out of a golden file: its comments, and the lines that
// begin with "> ".
func scriptOf(golden string) string {
	var b strings.Builder
	for line := range strings.Lines(golden) {
		if s, ok := strings.CutPrefix(line, "> "); ok {
			b.WriteString(s)
		} else if strings.HasPrefix(line, "#") {
			b.WriteString(line)
		} else if strings.HasPrefix(line, "!") || strings.HasPrefix(line, "=") || strings.HasPrefix(line, "  ") {
			continue
		} else {
			b.WriteString("\n")
		}
	}
	return b.String()
}

// golden puts a transcript back among the comments and the empty lines of its script.
func golden(text string) string {
	var b strings.Builder
	lines := strings.SplitAfter(transcript(text), "\n")
	for line := range strings.Lines(text) {
		plain := strings.TrimSpace(line)
		if plain == "" || plain[0] == '#' {
			b.WriteString(line)
			continue
		}
		b.WriteString("> " + plain + "\n")
		if len(lines) == 0 || lines[0] != "> "+plain+"\n" {
			continue
		}
		lines = lines[1:]
		for len(lines) > 0 && !strings.HasPrefix(lines[0], "> ") {
			b.WriteString(lines[0])
			lines = lines[1:]
		}
	}
	for _, line := range lines { // an error before anything was played
		b.WriteString(line)
	}
	return b.String()
}

// TestGolden plays every script of testdata. A golden file is a script with the
// transcript of each line beneath it.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts", err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got := golden(scriptOf(string(want)))
			if strings.Contains(got, "\n! ") && !strings.HasPrefix(filepath.Base(name), "wrong-") {
				t.Error(got[strings.Index(got, "\n! ")+1:])
			}
			if *update {
				if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			g, w := strings.Split(got, "\n"), strings.Split(string(want), "\n")
			for i := range max(len(g), len(w)) {
				if i >= len(g) || i >= len(w) || g[i] != w[i] {
					t.Fatalf("line %d:\n got %s\nwant %s", i+1, strings.Join(g[min(i, len(g)):min(i+1, len(g))], ""), strings.Join(w[min(i, len(w)):min(i+1, len(w))], ""))
				}
			}
		})
	}
}

func TestErrorsSayWhere(t *testing.T) {
	const setup = "informer pods\nhandler h\n"
	for _, c := range []struct{ text, want string }{
		{"bogus", `line 1, column 1: unknown command "bogus"; want blind, break, …`},
		{"creat pod a/b", `line 1, column 1: unknown command "creat"; did you mean create?`},
		{"infromer pods", `line 1, column 1: unknown command "infromer"; did you mean informer?`},
		{setup + "log loud", `line 3, column 5: unknown level "loud"; want none, calls, main, all`},
		{"informer pods\ncontroller pods guard=hope", `line 2, column 17: unknown guard "hope"; want none, expectations, consistency, readyourwrites, mutation, live, expectations+consistency`},
		{"informer pods\ncontroller pods runtime=v0.3", `line 2, column 17: unknown version of controller-runtime "v0.3"; want one from v0.15 to v0.25`},
		{"informer pods\nexpect lock queue free", `line 2, column 13: unknown lock "queue"; want fifo, blockDeltas, listenersLock`},
		{setup + "handler i take=1s", `line 3, column 11: unknown option "take"; want takes=, informer=, resync=, from=, until=, workqueue, blind, panics, ifleader`},
		{"profile v9", `line 1, column 9: unknown profile "v9"; want classic, delta, ordered, batched, current, v0.38.0-beta.0, or a release of client-go from v0.22.0 to v0.37.2`},
		{"gate Speed on", `line 1, column 6: unknown feature gate "Speed"; want InOrderInformers, InOrderInformersBatchProcess, AtomicFIFO, UnlockWhileProcessingFIFO, WatchListClient, InformerResourceVersion`},
		{"gate AtomicFIFO maybe", `line 1, column 17: invalid value "maybe"; want on or off`},
		{setup + "run\nqueue add a/x", `line 4, column 1: the informer is running, so its stations cannot be moved by hand`},
		{setup + "queue add a/x\nrun", `line 4, column 1: the stations are moved by hand, so nothing moves by itself`},
		{setup + "queue boil", `line 3, column 7: unknown command "queue boil"; want queue add, queue update, queue delete, queue replace, queue known, queue pop, queue retry, queue resync, queue close`},
		{setup + "break", `line 3, column 6: "watch" is missing`},
		{setup + "restart server up=1s", `line 3, column 16: unknown option "up"; want down=, warm=`},
		{setup + "restart server down=soon", `line 3, column 21: invalid time "soon"; want one such as 1.5s`},
		{setup + "takes h", `line 3, column 8: a time or forever is missing`},
		{setup + "compact pods now", `line 3, column 14: unexpected "now"; want the end of the line`},
		{setup + "compact nodes", `line 3, column 9: unknown informer "nodes"; want pods`},
		{setup + "remove index app", `line 3, column 8: client-go cannot remove an index: an Indexer has AddIndexers and no opposite of it`},
		{setup + "fail requests toomany after=1.5s", `line 3, column 29: invalid time "1.5s"; want whole seconds such as 5s`},
		{setup + "withhold initial end", `line 3, column 1: there is nothing for this to do`},
		{setup + "fail requests reset n=some", `line 3, column 23: invalid number "some"; want one such as 3`},
		{setup + "work after a soon", `line 3, column 14: invalid time "soon"; want one such as 1.5s`},
		{"profile", `line 1, column 8: a profile is missing`},
		{"informer pods resync=soon", `line 1, column 15: invalid time "soon"; want one such as 1.5s`},
		{"informer pods colour=red", `line 1, column 15: unknown option "colour"; want resync, index, key, selector, shard, namespaces, detector, processor, factory, quota, pages, workers, work, fails, writes, untransformable, unindexable`},
		{"informer pods \"x", `line 1, column 15: missing quotation mark`},
		{"expect queue [a", `line 1, column 14: missing bracket`},
		{"# only this\n\n  run now", `line 3, column 7: unknown command "run now"; want run until`},
		{"run", `line 1, column 1: missing informer; write an informer line first`},
		{"handler h", `line 1, column 1: missing informer; write an informer line first`},
		{setup + "handler h", `line 3, column 9: there is already a handler "h"`},
		{setup + "run\nprofile classic", `line 4, column 1: this line must come before anything happens`},
		{setup + "create node a", `line 3, column 8: unknown resource "node"; want pods`},
		{setup + "create pod a/x\ncreate pod a/x", `line 4, column 12: there is already an object "a/x"`},
		{setup + "patch pod a/x", `line 3, column 11: unknown object "a/x"`},
		{setup + "create pod a/web\npatch pod a/wep", `line 4, column 11: unknown object "a/wep"; want a/web`},
		{setup + "create pod a/web .finalizers=x\ndelete pod a/web\ndelete pod a/web", `line 5, column 12: "a/web" was deleted already, and waits for its finalizers`},
		{setup + "create pod a/web\nrun\nmutate a/wep x=y", `line 5, column 8: the cache holds no "a/wep"; want a/web`},
		{setup + "create pod a/x .owner=web#1\npatch pod a/x .owner=db#2", `line 4, column 11: "a/x" has a controller already, and an object has one at most`},
		{setup + "delete pod a/x", `line 3, column 12: unknown object "a/x"`},
		{setup + "run until pop a/x", `line 3, column 11: this did not happen until 889s, and only timers are left`},
		{setup + "stop\nrun until pop a/x", `line 4, column 11: this did not happen, and nothing more will`},
		{setup + "run until Enqeued", `line 3, column 11: unknown event "Enqeued"; did you mean Enqueued?`},
		{setup + "run until Boiled", `line 3, column 11: unknown event "Boiled"; want BookmarkLost, BookmarksDropped, …`},
		{setup + "fail request expired", `line 3, column 6: unknown command "fail request"; want fail requests, fail reconciles`},
		{setup + "swap evnts", `line 3, column 6: unknown command "swap evnts"; want swap events`},
		{setup + "run until call g", `line 3, column 16: unknown handler "g"; want h`},
		{setup + "step loop 5", `line 3, column 6: loop cannot move: it waits for stopped`},
		{setup + "step driver", `line 3, column 6: unknown actor "driver"; want user, reflector, resync, loop, pop/h, run/h, delaying, worker/0`},
		{setup + "expect queue", `line 3, column 13: a value is missing`},
		{setup + "expect colour red", `line 3, column 8: unknown subject "colour"; want costs, …`},
		{setup + "run\nexpect store [a/x@1]", `line 4, column 14: got [], not [a/x@1]`},
		{setup + "expect index app x []", `line 3, column 18: Index with name app does not exist`},
		{setup + "expect behind g 0", `line 3, column 15: unknown handler "g"; want h`},
		{setup + "can h OnAdd", `line 3, column 12: a key is missing`},
		{setup + "can h OnAdd a/x after", `line 3, column 17: unknown command "can h OnAdd a/x after"; want can h OnAdd a/x before`},
		{setup + "can g OnAdd a/x", `line 3, column 5: unknown handler "g"; want h`},
		{setup + "can pop", `line 3, column 8: a key is missing`},
		{setup + "can call g", `line 3, column 10: unknown handler "g"; want h`},
		{setup + "run random", `line 3, column 11: a seed is missing`},
		{setup + "run random x", `line 3, column 12: invalid number "x"; want one such as 3`},
		{setup + "can store", `line 3, column 10: a value is missing`},
		{setup + "can synced maybe", `line 3, column 12: synced is never maybe; it is true or false`},
		{setup + "can synced true before h OnAdd a/x", `line 3, column 12: synced is never true before h OnAdd a/x; it is true or false`},
		{setup + "can behind h far", `line 3, column 14: behind is never far; it is a number, or >= and a number`},
		{setup + "can notified h [OnAdd a/x]", `line 3, column 14: can asks about calls by their handler, as in: can audit OnUpdate default/web`},
		{setup + "remove handler g", `line 3, column 16: unknown handler "g"; want h`},
		{setup + "work limited a times=0", `line 3, column 22: invalid number "0"; want one from 1 to 1000`},
		{"informer pods namespaces=shop,,a", `line 1, column 15: invalid namespaces "shop,,a"; want names with commas between them, such as shop,payments`},
		{"informer pods namespaces=shop key=:", `line 1, column 10: namespaces goes with neither key nor factory`},
		{"informer pods namespaces=shop,a\nhandler h workqueue", `line 2, column 9: a handler of several namespaces feeds the workqueue of a controller; write a controller line`},
		{"informer pods namespaces=shop,a\ncontroller pods guard=live", `line 2, column 12: a cache of several namespaces goes with the guards none and expectations only`},
		{"informer pods untransformable=odd", `line 1, column 15: invalid value "odd"; want one of "LABEL=VALUE", "tombstones"`},
		{"informer pods untransformable=odd=yes", `line 1, column 10: client-go v0.22 has no SetTransform`},
		{setup + "advance 1000h", `line 3, column 9: invalid time "1000h"; want one such as 1.5s`},
		{setup + "restore server 9", `line 3, column 1: revision 9 has not been reached`},
		{"informer pods\ncontroller pods runtime=v0.21 warmup", `line 2, column 12: that version of controller-runtime has no "warmup"`},
		{"informer pods\ncontroller pods kubernetes=v1.37 warmup", `line 2, column 12: the controllers of kube-controller-manager have no warm-up`},
		{"informer pods\ncontroller pods warmup=yes", `line 2, column 17: invalid option "warmup=yes"; want warmup alone`},
		{"informer pods\ninformer jobs\ncontroller pods owns=jobs warmup\ncontroller jobs\nreplicas 2", `line 5, column 1: an informer that runs before its process leads can't feed a controller that starts when it leads`},
		{setup + "repeat", `line 3, column 7: a number is missing`},
		{setup + "repeat 0 run", `line 3, column 8: invalid number "0"; want one from 1 to 10000`},
		{setup + "repeat 6000 run; advance 1s", `line 3, column 8: invalid number "6000"; want one from 1 to 5000`},
		{setup + "repeat 2 # run", `line 3, column 9: a line to repeat is missing`},
		{setup + "repeat 2 run; advance $ns; advance $n", `line 3, column 36: invalid time "1"; want one such as 1.5s`},
		{setup + "repeat 2 repeat 2 run", `line 3, column 10: a repeat can't be repeated`},
		{setup + "repeat 2 exists pod a/$n; advance 1ms", `line 3, column 10: this line must come before anything happens`},
		{setup + "fail requests softly", `line 3, column 15: unknown failure "softly"; want none, expired, gone, toolarge, toomany, internal, refused, reset, badrequest, unauthorized, forbidden, notfound, other`},
	} {
		got := transcript(c.text)
		got = got[strings.LastIndex(got, "! ")+2:]
		if got != c.want+"\n" {
			t.Errorf("%q:\n got %swant %s", c.text, got, c.want)
		}
	}
}

func FuzzScript(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.txt")
	for _, name := range files {
		if text, err := os.ReadFile(name); err == nil {
			f.Add(scriptOf(string(text)))
		}
	}
	f.Add("informer pods resync=1ns key=- selector=a=b workers=16 fails=9\nhandler h takes=1h workqueue from=1ns\nexists pod /x\nrestart server down=9h\nadvance 9s\nlag server forever\nrestore server 0\nstop\nrun")
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Count(text, "advance")+strings.Count(text, "run")+strings.Count(text, "step")+strings.Count(text, "create") > 20 {
			return
		}
		s, err := Parse(text)
		if err != nil {
			if e, ok := err.(Error); !ok || e.Line < 1 || e.Col < 1 || e.Err.Error() == "" {
				t.Fatalf("the error has no place in the text: %#v", err)
			}
			return
		}
		r := NewRunner(func(Entry) {})
		r.limit, r.limits = 20_000, explore.Limits{States: 500}
		for _, st := range s.statements {
			if err := r.play(st); err != nil {
				if e := (Error{}); !errors.As(err, &e) {
					t.Fatalf("the error has no place in the text: %#v", err)
				}
				return
			}
		}
	})
}

// TestSyncedIsStored: in every profile the store holds the list when HasSynced
// says yes, whether that takes the queue's lock or waits for a channel.
func TestSyncedIsStored(t *testing.T) {
	for _, version := range []string{"v0.22.17", "v0.23.5", "v0.24.17", "v0.26.15", "v0.28.15", "v0.32.9", "v0.34.3", "v0.35.3", "v0.36.0", "v0.37.2"} {
		got := transcript("profile " + version + "\ninformer pods\nhandler h\nexists pod default/a\nexists pod default/b\n" +
			"run until synced\nexpect synced true\nexpect store [default/a@1 default/b@2]\nrun until synced\nrun\nexpect calls h 2\n")
		if strings.Contains(got, "!") {
			t.Errorf("%s:\n%s", version, got)
		}
	}
}

// TestRunWaitsForHandlers: Run returns when the handlers have returned.
// Meanwhile it holds the listeners' lock, so RemoveEventHandler has to wait.
func TestRunWaitsForHandlers(t *testing.T) {
	for _, p := range world.Profiles() {
		removes := "lock listenersLock"
		if !p.Registrations {
			removes = "stopped" // there is no such call
		}
		got := transcript("profile " + p.Name + "\nlog all\ninformer pods\nhandler slow takes=10s\nhandler idle\nexists pod a/x\n" +
			"advance 1s\nstop\nadvance 1s\nexpect stopped true\nexpect lock listenersLock loop\n" +
			"remove handler slow\nadvance 1s\nexpect actor user " + removes + "\n" +
			"run until HandlerReturned\nexpect lock listenersLock free\nrun\nexpect actor user stopped\n")
		if strings.Contains(got, "!") || !strings.Contains(got, "LockReleased listenersLock; InformerStopped\n") {
			t.Errorf("%s:\n%s", p.Name, got)
		}
	}
}

// TestRunRandom: a seed gives one schedule, other seeds give others, and each is
// written as lines that make it again.
func TestRunRandom(t *testing.T) {
	setup := "informer pods\nhandler one\nhandler two takes=5ms\nexists pod default/a\nexists pod default/b\nlog all\n"
	all := map[string]bool{}
	for seed := range 8 {
		run := setup + "run random " + strconv.Itoa(seed) + "\nexpect store [default/a@1 default/b@2]\nexpect calls one 2\nexpect calls two 2\n"
		got := transcript(run)
		if strings.Contains(got, "!") || got != transcript(run) {
			t.Errorf("seed %d:\n%s", seed, got)
		}
		all[strings.ReplaceAll(got, "run random "+strconv.Itoa(seed), "")] = true
	}
	if len(all) < 4 {
		t.Errorf("8 seeds give only %d schedules", len(all))
	}
	if got := transcript(setup + "run random 1 until call two\nexpect calls two 1\nrun\nexpect calls two 2\n"); strings.Contains(got, "!") {
		t.Error(got)
	}
}

// TestUntilWaitsForTimers: a run until reaches an event that only a timer
// brings, and ends there as any other run does.
func TestUntilWaitsForTimers(t *testing.T) {
	for _, c := range []struct{ script, at string }{
		{"informer pods resync=30s\nhandler h\nexists pod default/a\nrun\nrun until call h\n", "30.005166s"},
		{"informer pods\nhandler h\nexists pod default/a\nrun\nsilence watch\nupdate pod default/a\nrun until StoreUpdated default/a\n", "46.411980405s"},
	} {
		got := transcript(c.script + "expect time " + c.at + "\nrun\n")
		if strings.Contains(got, "!") {
			t.Error(got)
		}
	}
}

// TestCanVersions: a version alone is the one that a handler is called with, whichever was
// before it.
func TestCanVersions(t *testing.T) {
	const setup = "profile v0.32.9\ninformer pods\nexists pod a/x\nhandler one\nrun\nupdate pod a/x\n"
	for question, yes := range map[string]bool{
		"can one OnUpdate a/x": true, "can one OnUpdate a/x@2": true, "can one OnUpdate a/x@1->2": true,
		"can one OnUpdate a/x@1": false, "can one OnUpdate a/x@2->2": false,
		"can behind one 1": true, "can behind one >= 1": true,
	} {
		if got := transcript(setup + question); strings.Contains(got, "yes, ") != yes || strings.Contains(got, "! ") {
			t.Errorf("%s:\n%s", question, got)
		}
	}
}

// TestCanBefore: what came before the question can't come after it, and no state is looked at.
func TestCanBefore(t *testing.T) {
	const setup = "profile v0.32.9\ninformer pods\nexists pod a/x\nhandler one\nhandler two\nrun\nupdate pod a/x\n"
	for question, want := range map[string]string{
		"can one OnUpdate a/x before two OnAdd a/x":      "no, two OnAdd a/x has come already",
		"can one OnUpdate a/x before one OnAdd a/x@1":    "no, one OnAdd a/x@1 has come already",
		"can one OnUpdate a/x before two OnUpdate a/x":   "yes, ",
		"can one OnUpdate a/x before two OnUpdate a/x@1": "yes, ",
	} {
		if got := transcript(setup + question); !strings.Contains(got, "= "+want) {
			t.Errorf("%s:\n%s", question, got)
		}
	}
}

// TestShowsComparisons: an expression may begin with a text.
func TestShowsComparisons(t *testing.T) {
	if got := transcript("informer pods\nrun\nshow \"loop\" == \"loop\""); !strings.Contains(got, "true") || strings.Contains(got, "! ") {
		t.Error(got)
	}
}

// TestNewerReleases: a release that is newer than the last known one of its minor is played as
// that one, and the transcript says so.
func TestNewerReleases(t *testing.T) {
	if got := transcript("profile v0.37.99\ninformer pods\nrun"); !strings.Contains(got, "client-go v0.37.99 is newer than what is known; it is played as v0.37.2") {
		t.Error(got)
	}
}

// TestCanWait: passing time is part of what can happen, and an answer that a bound has cut short says so.
func TestCanWait(t *testing.T) {
	begin := "informer pods RESYNC\nhandler h RESYNC\nexists pod default/a\nrun\n"
	resync := strings.ReplaceAll(begin, "RESYNC", "resync=60s")
	silent := strings.ReplaceAll(begin, "RESYNC", "resync=0s") + "silence watch\nupdate pod default/a\nrun\n"
	for _, c := range []struct{ script, want string }{
		{resync + "can h OnUpdate default/a", "= yes, in "},
		{silent + "can store [default/a@2]", "= yes, in "},
		{resync + "can store []", "= not within 15m, in none of "},
		{silent + "can store []", "= not within 15m, in none of "},
		{"informer pods\nhandler h\nstop\nrun\ncan store [default/a]", "= no, in none of "},
		{resync + "can ResyncFired", "= yes, in "},
		{resync + "can Popped", "= yes, in "},
		{resync + "can pop default/b", "= not within 15m, in none of "},
		{silent + "can call h", "= yes, in "},
	} {
		if got := transcript("profile current\n" + c.script + "\n"); !strings.Contains(got, c.want) {
			_, answer, _ := strings.Cut(got, "> can")
			t.Errorf("the answer to\n%s\nis %q, want %q", c.script, answer, c.want)
		}
	}
}
