package fleet

import (
	"fmt"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/world"
)

// lists makes a profile list as a mode does.
func lists(p informer.Profile, mode string) informer.Profile {
	p.Reflector.StreamingList = mode == "stream"
	if mode == "paged" {
		p.Reflector.PageSize = 2
	}
	return p
}

// asked counts the requests of an informer of the engine's world.
type asked struct{ Lists, Streaming, Watches, Expired int64 }

// TestAsTheWorld: a replica asks what the informer of the engine's world asks of the engine's
// server, which are held against client-go and kube-apiserver.
func TestAsTheWorld(t *testing.T) {
	for _, mode := range []string{"list", "paged", "stream"} {
		for _, happens := range []Happening{Start, Restart, Cut} {
			t.Run(fmt.Sprint(mode, " ", happens), func(t *testing.T) {
				text := "profile current\ngate WatchListClient " + map[bool]string{true: "on", false: "off"}[mode == "stream"] + "\ninformer pods"
				if mode == "paged" {
					text += " pages=2"
				}
				text += "\nhandler h\n"
				for i := range 5 {
					text += fmt.Sprintf("exists pod default/p%d\n", i)
				}
				if happens != Start {
					text += "run\nadvance 150s\n"
				}
				from := strings.Count(text, "\n")
				switch happens {
				case Restart:
					text += "restart server down=500ms\ncreate pod default/new\n"
				case Cut:
					text += "break watch\n"
				}
				text += "advance 30s\n"
				var want asked
				line := 0
				player := script.NewRunner(func(e script.Entry) {
					if e.Line != 0 {
						line = e.Line
					}
					if line <= from && happens != Start {
						return
					}
					for _, fact := range e.Facts {
						switch {
						case strings.HasPrefix(fact, "ListRequested"):
							want.Lists++
						case strings.HasPrefix(fact, "WatchRequested") && strings.Contains(fact, "streaming"):
							want.Streaming++
						case strings.HasPrefix(fact, "WatchRequested"):
							want.Watches++
						case strings.HasPrefix(fact, "WatchErrorReceived 410"):
							want.Expired++
						}
					}
				})
				if err := player.Play(text); err != nil {
					t.Fatal(err)
				}
				r := Run(&Config{Replicas: 1, Profile: lists(world.Current, mode), Objects: 5, Size: 100, Happens: happens,
					Downtime: map[Happening]int64{Restart: second / 2}[happens], OtherWrites: map[Happening]float64{Restart: 10}[happens], Limit: 30 * second,
					Server: Server{Minor: 37}})
				if got := (asked{r.Lists + r.Pages, r.Streaming, r.Watches, r.Expired}); got != want {
					t.Errorf("the fleet asks %+v, the world %+v", got, want)
				}
			})
		}
	}
}

// small is a fleet that restarts.
func small() Config {
	p := world.Current
	return Config{Replicas: 50, Profile: p, Objects: 2000, Size: 1000, Happens: Restart, Downtime: second, Warm: second, Writes: 1, OtherWrites: 10, Server: Server{Minor: 37}}
}

// TestRepeats: a Config and a seed give the same Result, and another seed another one.
func TestRepeats(t *testing.T) {
	var said []string
	for _, seed := range []uint64{1, 1, 2} {
		cfg := small()
		cfg.Seed = seed
		said = append(said, fmt.Sprintf("%+v", *Run(&cfg)))
	}
	if said[0] != said[1] || said[0] == said[2] {
		t.Errorf("%s\n%s\n%s", said[0], said[1], said[2])
	}
}

// TestEnds: each replica is up to date in the end, with what it needs for that: a list after a
// restart, nothing but a watch after a cut, and no seat is lost.
func TestEnds(t *testing.T) {
	for _, happens := range []Happening{Start, Restart, Cut} {
		for _, mode := range []string{"list", "stream"} {
			for _, minor := range []int{22, 30, 32, 33, 37} {
				cfg := small()
				cfg.Happens, cfg.Server.Minor, cfg.Profile = happens, minor, lists(cfg.Profile, mode)
				r := Run(&cfg)
				n := int64(cfg.Replicas)
				want := n
				if happens == Cut {
					want = 0
				}
				streams := mode == "stream" && (minor == 32 || minor >= 34)
				if r.Synced != cfg.Replicas || r.FromCache+r.FromEtcd != want || r.Bytes != want*cfg.Objects*cfg.Size || r.FromEtcd > 0 {
					t.Errorf("%v, %s, v1.%d: %+v", happens, mode, minor, *r)
				}
				if invalid := r.Invalid == n; invalid != (mode == "stream" && !streams && happens != Cut) {
					t.Errorf("%v, %s, v1.%d: %d invalid", happens, mode, minor, r.Invalid)
				}
			}
		}
	}
}

// TestWindow: after a cut, a watch goes on where the watch cache still has what has happened since.
// A replica whose selector finds little knows only by bookmarks how far it is.
func TestWindow(t *testing.T) {
	for _, c := range []struct {
		selects float64
		none    bool
		lists   bool
	}{{1, false, false}, {1, true, false}, {0.00001, false, false}, {0.00001, true, true}} {
		cfg := small()
		cfg.Happens, cfg.Writes, cfg.Selects, cfg.Server.NoBookmarks = Cut, 200, c.selects, c.none
		if r := Run(&cfg); r.Synced != cfg.Replicas || (r.Expired > 0) != c.lists || (r.Streaming > 0) != c.lists {
			t.Errorf("%+v: %+v", c, *r)
		}
	}
}

// TestWidth: how many seats lists take, by the rules of both cost estimates.
func TestWidth(t *testing.T) {
	for _, c := range []struct {
		minor   int
		objects int64
		size    int64
		mode    string
		want    int
	}{
		{33, 50, 1000, "list", 1}, {33, 450, 1000, "list", 5}, {33, 100_000, 1000, "list", 10}, // one for each hundred
		{37, 50, 1000, "list", 1}, {37, 450, 1000, "list", 5}, {37, 100_000, 1000, "list", 5}, {37, 100_000, 1000, "stream", 10}, // one for each 100 kB, of the limit of 500 objects, and of 1 MB at most
		{37, 10, 20_000, "list", 2}, {33, 10, 20_000, "list", 1}, {37, 10, 20_000, "stream", 2},
	} {
		cfg := small()
		cfg.Server.Minor, cfg.Objects, cfg.Size, cfg.Profile, cfg.Happens = c.minor, c.objects, c.size, lists(cfg.Profile, c.mode), Start
		f := newFleet(&cfg)
		client := f.clients[0]
		client.refl.Run(0)
		client.listAndWatch()
		if got := f.server.fairness.width(client); got != c.want {
			t.Errorf("%+v: %d seats", c, got)
		}
	}
}

// TestFull: requests that find no seat and no room in a queue are refused with a time to wait that
// grows, and come back.
func TestFull(t *testing.T) {
	cfg := small()
	cfg.Replicas, cfg.Happens, cfg.Downtime, cfg.Server.Seats, cfg.Server.Bytes = 1000, Start, 0, 10, 1_000_000_000
	r := Run(&cfg)
	if r.Full == 0 || r.Synced != cfg.Replicas || r.WaitingMost != handSize*queueLength {
		t.Errorf("%+v", *r)
	}
	d := dropped{retryAfter: 1}
	for at, want := range []int64{1, 2, 2, 4, 4, 4, 4, 8} {
		for range 20 {
			if got := d.drop(int64(at) + 1); got != want {
				t.Errorf("in second %d: %d", at+1, got)
			}
		}
	}
}
