package test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

func TestZZLook(t *testing.T) {
	data, err := os.ReadFile(os.Getenv("LOOK"))
	if err != nil {
		t.Fatal(err)
	}
	b := newTab(t)
	for _, line := range strings.Split(string(data), "\n") {
		cmd, arg, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch cmd {
		case "", "#":
		case "size":
			f := strings.Fields(arg)
			w, _ := strconv.ParseInt(f[0], 10, 64)
			h, _ := strconv.ParseInt(f[1], 10, 64)
			b.size(w, h)
			b.wait("innerWidth === " + f[0])
			b.faults()
		case "new":
			b.asNewcomer(arg)
		case "goto":
			b.goTo("about:blank")
			b.goTo(env.site + arg)
			b.ready()
		case "loaded":
			b.loaded()
		case "motion":
			b.media("prefers-reduced-motion", "reduce")
		case "theme":
			b.run("document.documentElement.dataset.theme = " + quote(arg))
		case "lang":
			b.chooseLanguage(arg)
			b.wait(`document.documentElement.lang.startsWith('` + arg + `')`)
		case "key":
			if arg == "space" {
				arg = " "
			}
			b.key(arg)
		case "click":
			b.click(arg)
		case "wait":
			b.wait(arg)
		case "run":
			b.run(arg)
		case "eval":
			fmt.Println(arg[:min(len(arg), 60)], "=>", eval[any](b, arg))
		case "card":
			d, err := os.ReadFile(arg)
			b.must(err)
			b.opensCard(d, arg[strings.LastIndex(arg, "/")+1:])
		case "trouble":
			b.opensCard(trouble(), "trouble.trace.jsonl")
		case "small24":
			fmt.Println("under24", arg, eval[[]string](b, under24))
		case "faults":
			fmt.Println("faults", arg, b.faults())
		case "cut":
			fmt.Println("cut", arg, b.cutTexts())
		case "axe":
			fmt.Println("axe", arg, b.violations())
		case "press":
			fmt.Println("small", arg, b.measures(small))
		case "shot":
			b.faults()
			b.shot(arg)
		default:
			t.Fatal("unknown", line)
		}
	}
}
