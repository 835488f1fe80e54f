package changes

import (
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
)

// randomScript is a script of a few lines, the same for the same seed. It has no expectations.
func randomScript(seed uint64) string {
	r := actor.Rand(seed*0x9E3779B97F4A7C15 + 1)
	pick := func(choices ...string) string { return choices[r.Intn(len(choices))] }
	var b strings.Builder
	line := func(words ...string) {
		b.WriteString(strings.Join(strings.Fields(strings.Join(words, " ")), " ") + "\n")
	}
	if r.Intn(6) == 0 {
		line("gate WatchListClient", pick("on", "off"))
	}
	line(pick("", "", "server uncached", "server classic", "server nobookmarks", "server buffer=1"))
	line("informer pods", pick("", "", "resync=5s", "resync=30s"), pick("", "index=app"), pick("", "", "", "pages=1"), pick("", "", "", "untransformable=odd=yes"), pick("", "", "", "", "detector"))
	line("handler h", pick("", "takes=20ms", "takes=2s"), pick("", "", "resync=10s"))
	if r.Intn(3) == 0 {
		line("handler late", pick("from=1s", "from=3s until=8s", "resync=7s"))
	}
	elects := r.Intn(8) == 0
	if elects {
		line("replicas 2 lease=6s renew=4500ms retry=1s", pick("", "release"))
	}
	object := func() string { return pick("default/a", "default/b", "default/c") }
	labels := func() string { return pick("", "", "app=web", "app=db", "odd=yes") }
	for range r.Intn(4) {
		line("exists pod", object(), labels())
	}
	if r.Intn(8) > 0 {
		line(pick("run", "run", "run", "step", "run until synced"))
	}
	for range 1 + r.Intn(8) {
		if elects && r.Intn(3) == 0 {
			line(pick("cut replica", "join replica", "pause replica 3s", "pause replica 8s", "stop replica", "kill replica", "advance 4s"))
		}
		switch r.Intn(14) {
		case 0, 1:
			line("create pod", object(), labels())
		case 2, 3:
			line("update pod", object(), labels())
		case 4:
			line("delete pod", object())
		case 5:
			line("advance", pick("100ms", "1s", "5s", "11s", "40s", "130s"))
		case 6:
			line(pick("break watch", "compact", "duplicate event", "drop event", "swap events", "withhold initial end"))
		case 7:
			line("fail requests", pick("expired", "gone", "toolarge", "toomany", "internal", "refused"), pick("n=1", "n=2", "n=5", "n=all"), pick("", "", "after=1s"))
		case 8:
			line(pick("restart server down=1s", "restart server down=100ms warm=2s", "lag server 5s", "lag server forever"))
		case 9:
			line(pick("stop", "start again", "add index app", "mutate default/a app=db", "remove handler h"))
		case 10:
			line(pick("handler more", "handler more resync=3s", "takes h 1s", "takes h forever"))
		case 11:
			line("step", pick("1", "2", "5", "9"), pick("reflector", "reflector", "loop", "user", ""))
		default:
			line("run")
		}
	}
	line(pick("run", "run", "advance 20s", "stop"))
	line("run")
	return b.String()
}
