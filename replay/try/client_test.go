package try

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/informerscope/informerscope/replay/internal/kubeconfigtest"
)

// programs are what the tests start.
var programs = map[string]func(words []string){"client": client}

// TestMain runs a client where the command line asks for one: the tests start their own program with what the client does wrong.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		if program := programs[os.Args[1]]; program != nil {
			program(os.Args[2:])
			os.Exit(0)
		}
	}
	os.Exit(m.Run())
}

// follower lists and watches configmaps. It is right unless it is told a word for a mistake.
type follower struct {
	*http.Client
	kubeconfigtest.Config
	words     []string
	rv, first string
	rest      string // the token of the last 410
	wait      time.Duration
	controller
}

func (f *follower) expect(word string) bool { return slices.Contains(f.words, word) }

// client follows configmaps until it is killed. The words say what it does wrong:
//
//	stops      it stops at the first end of a watch
//	exits      the program ends at the first error
//	skips      it goes on from the newest version, and doesn't take in what was before
//	rollback   it goes on from the version of its first list
//	norelist   it asks again from the same version after a 410
//	nowait     it doesn't wait after an error
//	impatient  it doesn't wait for Retry-After
//	partial    it takes a list for whole that isn't
//	deaf       it doesn't find out that its connection is lost
//	http1      it speaks HTTP/1.1
//	stream     it asks for streaming lists (which is right)
//	goes-on    it takes the rest of a list after a 410, as the answer's token offers it (which is right)
//	relist     it lists after each end of a watch (which is right)
//	leaves     it stops at the first event
//	quits      the program ends at once
//	waits      it asks for nothing
//	alone      the program ends at once if there is another one with the same file, which comes after this word
//	selects    it selects by a label that no object of the script has
//	writes     it is a controller, see writer_test.go for what that does wrong
//	slower=N   it takes N times as long to find out that its connection is lost
func client(words []string) {
	if slices.Contains(words, "quits") {
		os.Exit(3)
	}
	if slices.Contains(words, "waits") {
		select {}
	}
	if i := slices.Index(words, "alone"); i >= 0 {
		if os.Mkdir(words[i+1], 0o700) != nil {
			os.Exit(3)
		}
	}
	newFollower(words).run()
}

// newFollower returns a follower of the server that KUBECONFIG names.
func newFollower(words []string) *follower {
	config, err := kubeconfigtest.Read()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	f := &follower{Config: config, words: words}
	t := config.Transport()
	if f.expect("http1") {
		t.ForceAttemptHTTP2, t.TLSNextProto = false, map[string]func(string, *tls.Conn) http.RoundTripper{}
	}
	if !f.expect("deaf") {
		slower := 1
		for _, word := range words {
			fmt.Sscanf(word, "slower=%d", &slower)
		}
		t.HTTP2 = &http.HTTP2Config{SendPingTimeout: time.Duration(slower) * time.Second, PingTimeout: time.Duration(2*slower) * time.Second}
	}
	f.Client = &http.Client{Transport: t}
	return f
}

func (f *follower) run() {
	listed := false
	for {
		err := error(nil)
		if !listed {
			if err = f.list(); err == nil {
				listed = true
				if f.first == "" {
					f.first = f.rv
				}
			}
		}
		if listed {
			began := time.Now()
			err = f.watch()
			f.ended()
			if time.Since(began) > time.Second {
				f.wait = 0
			}
			if f.expect("rollback") {
				f.rv = f.first
			}
			if f.expect("skips") {
				f.newest()
			}
			if err == errExpired && !f.expect("norelist") || f.expect("relist") {
				listed = false
			}
			if f.expect("stops") || f.expect("leaves") {
				select {}
			}
		}
		if err != nil && f.expect("exits") {
			fmt.Fprintln(os.Stderr, "it failed:", err)
			os.Exit(3)
		}
		var later retryAfter
		switch {
		case asAfter(err, &later) && !f.expect("impatient") && !f.expect("nowait"):
			<-time.After(time.Duration(later))
		case f.expect("impatient"):
			<-time.After(300 * time.Millisecond)
		case !f.expect("nowait"):
			f.wait = min(max(2*f.wait, 150*time.Millisecond), time.Second)
			<-time.After(f.wait)
		}
	}
}

var errExpired = fmt.Errorf("410")

// retryAfter is an error that says how long to wait.
type retryAfter time.Duration

func (a retryAfter) Error() string { return "Retry-After " + time.Duration(a).String() }

func asAfter(err error, a *retryAfter) (is bool) {
	*a, is = err.(retryAfter)
	return is
}

func (f *follower) get(ctx context.Context, query string) (*http.Response, error) {
	if f.expect("selects") {
		query = "?labelSelector=app+in+(a,b)&" + strings.TrimPrefix(query, "?")
	}
	r, err := f.Request(http.MethodGet, "/api/v1/configmaps"+query)
	if err != nil {
		return nil, err
	}
	resp, err := f.Do(r.WithContext(ctx))
	if err != nil {
		return nil, err
	}
	if resp.StatusCode == 200 {
		return resp, nil
	}
	var refusal struct{ Metadata struct{ Continue string } }
	json.NewDecoder(resp.Body).Decode(&refusal)
	f.rest = refusal.Metadata.Continue
	resp.Body.Close()
	if seconds, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil {
		return nil, retryAfter(time.Duration(seconds) * time.Second)
	}
	if resp.StatusCode == http.StatusGone {
		return nil, errExpired
	}
	return nil, fmt.Errorf("%s", resp.Status)
}

func (f *follower) list() error {
	if f.expect("stream") {
		return nil // the watch lists
	}
	token := ""
	for {
		resp, err := f.get(context.Background(), "?limit=30&continue="+token)
		if err == errExpired && f.rest != "" && f.expect("goes-on") {
			token = f.rest
			continue
		}
		if err == errExpired && token != "" && !f.expect("partial") {
			if !f.expect("nowait") {
				return err
			}
			continue
		}
		if err != nil {
			if err == errExpired && token != "" {
				f.newest()
				return nil
			}
			return err
		}
		var l struct {
			Metadata struct{ ResourceVersion, Continue string }
			Items    []object
		}
		err = json.NewDecoder(resp.Body).Decode(&l)
		resp.Body.Close()
		if err != nil {
			return err
		}
		f.listed(token == "", l.Metadata.Continue == "", l.Items)
		if f.rv = l.Metadata.ResourceVersion; l.Metadata.Continue == "" {
			return nil
		}
		token = l.Metadata.Continue
	}
}

// newest goes on from the newest version.
func (f *follower) newest() {
	for ; ; <-time.After(100 * time.Millisecond) {
		resp, err := f.get(context.Background(), "?limit=1")
		if err != nil {
			continue
		}
		var l struct {
			Metadata struct{ ResourceVersion string }
		}
		err = json.NewDecoder(resp.Body).Decode(&l)
		if resp.Body.Close(); err == nil {
			f.rv = l.Metadata.ResourceVersion
			return
		}
	}
}

func (f *follower) watch() error {
	query := "?watch=true&allowWatchBookmarks=true&timeoutSeconds=300&resourceVersion=" + f.rv
	streaming := f.expect("stream") && (f.rv == "" || f.expect("relist"))
	if streaming {
		query = "?watch=true&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion="
	}
	resp, err := f.get(context.Background(), query)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	for in := bufio.NewReader(resp.Body); ; {
		line, err := in.ReadBytes('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		var e struct {
			Type   string
			Object struct {
				Code     int
				Metadata struct {
					ResourceVersion string
					Annotations     map[string]string
				}
			}
		}
		if err := json.Unmarshal(line, &e); err != nil {
			return err
		}
		if e.Type == "ERROR" {
			if e.Object.Code == http.StatusGone {
				if f.expect("stream") && !f.expect("norelist") {
					f.rv = ""
				}
				return errExpired
			}
			return fmt.Errorf("%s", line)
		}
		f.event(line)
		if f.expect("leaves") {
			return nil
		}
		if streaming && !f.expect("partial") {
			if e.Object.Metadata.Annotations["k8s.io/initial-events-end"] != "true" {
				continue
			}
			streaming = false
		}
		f.rv = e.Object.Metadata.ResourceVersion
	}
}

// plant is a client in a fault, and what is to be said of it.
type plant struct {
	fault, words string
	result       Result
	wrong        string
}

var plants = []plant{
	{"close", "", Recovered, ""},
	{"close", "stops", NotWithin, ""},
	{"close", "skips", NotWithin, "missed"},
	{"reset", "", Recovered, ""},
	{"reset", "rollback", Recovered, "went-back"},
	{"reset", "exits", Ended, ""},
	{"bookmark", "", Recovered, ""},
	{"bookmark", "stops", NotWithin, ""},
	{"bookmark", "rollback norelist", NotWithin, ""},
	{"401", "", Recovered, ""},
	{"401", "exits", Ended, ""},
	{"401", "stops", NotWithin, ""},
	{"429", "", Recovered, ""},
	{"429", "impatient", Recovered, "too-early"},
	{"429", "nowait", Recovered, "too-early storm"},
	{"503", "", Recovered, ""},
	{"503", "nowait", Recovered, "storm"},
	{"503", "exits", Ended, ""},
	{"410", "", Recovered, ""},
	{"410", "norelist", NotWithin, ""},
	{"410", "norelist skips", NotWithin, "missed"},
	{"compact", "", Recovered, ""},
	{"compact", "http1 relist", Recovered, ""},
	{"compact", "norelist nowait", NotWithin, "storm"},
	{"compact", "exits", Ended, ""},
	{"continue", "", Recovered, ""},
	{"continue", "partial", NotWithin, "missed"},
	{"continue", "nowait", NotWithin, "storm"},
	{"continue", "goes-on", Recovered, ""},
	{"continue", "stream", NotAsked, ""},
	{"silence", "", Recovered, ""},
	{"silence", "deaf", NotWithin, ""},
	{"silence", "deaf http1", NotWithin, ""},
	{"silence", "skips", NotWithin, "missed"},
	{"endless", "stream", Recovered, ""},
	{"endless", "stream partial", NotWithin, "missed"},
	{"endless", "stream norelist", NotWithin, ""},
	{"endless", "", NotAsked, ""},
	{"restore", "relist", Recovered, ""},
	{"restore", "stream relist", Recovered, ""},
	{"restore", "", NotWithin, "missed"},
	{"restore", "stops", NotWithin, ""},

	{"close", "writes", Recovered, ""},
	{"429", "writes", Recovered, ""},
	{"429", "writes gives-up", Recovered, "missing"},
	{"503", "writes", Recovered, ""},
	{"503", "writes gives-up", Recovered, "missing"},
	{"410", "writes", Recovered, ""},
	{"compact", "writes", Recovered, ""},
	{"continue", "writes", Recovered, ""},
	{"silence", "writes", Recovered, ""},
	{"endless", "writes stream", Recovered, ""},
	{"restore", "writes relist", Recovered, ""},
	{"410", "writes twice", Recovered, "extra"},
	{"compact", "writes twice", Recovered, "extra"},
	{"410", "writes forgets", Recovered, "missing differs"},
	{"compact", "writes forgets", Recovered, "missing differs"},
	{"410", "writes reverts", Recovered, "undone differs"},
	{"410", "writes unowned", Recovered, "extra"},
	{"410", "writes random", Recovered, ""},
	{"410", "writes random forgets", Recovered, "missing differs"},
	{"close", "writes unowned", Recovered, ""},
	{"410", "writes norelist skips", NotWithin, "missed missing differs"},
}

// TestPlants holds what is said of clients that do right in a fault, and of clients that don't. On a busy machine a client may be
// late, so what isn't as it should be is tried again, three times slower and then nine times: what is wrong stays wrong.
func TestPlants(t *testing.T) {
	const atOnce = 12 // they wait most of the time
	room := make(chan struct{}, atOnce)
	var all sync.WaitGroup
	for _, p := range plants {
		all.Go(func() {
			room <- struct{}{}
			defer func() { <-room }()
			for slower := time.Duration(1); slower <= 9; slower *= 3 {
				at := pace{rest: 300 * time.Millisecond * slower, hold: 2500 * time.Millisecond * slower, look: 1200 * time.Millisecond * slower, start: time.Minute}
				within := 6 * time.Second * slower
				if p.result == Recovered || p.result == NotAsked {
					if within = time.Minute; p.wrong != "" { // it takes as long as it does, and what it writes isn't as it should be till then
						within = 20 * time.Second * slower
					}
				}
				r, err := runAt(t.Context(), Options{Command: append([]string{os.Args[0], "client", fmt.Sprintf("slower=%d", slower)}, strings.Fields(p.words)...), Faults: []string{p.fault}, Within: within}, at)
				says := p.differs(r, err)
				switch {
				case says == "":
					return
				case slower == 9:
					t.Error(says)
				default:
					t.Logf("%d times slower: %s", slower, says)
				}
			}
		})
	}
	all.Wait()
}

// differs says how a Report differs from what is to be said of a client, "" for not at all.
func (p *plant) differs(r *Report, err error) string {
	if err != nil || len(r.Verdicts) != 1 {
		return fmt.Sprintf("%s %s: %v: %+v", p.fault, p.words, err, r)
	}
	v := &r.Verdicts[0]
	wrong := v.problemIDs()
	slices.Sort(wrong)
	want := strings.Fields(p.wrong)
	slices.Sort(want)
	if v.Result != p.result || !slices.Equal(wrong, want) {
		return fmt.Sprintf("%s %s: %s, want %s %s: %+v", p.fault, p.words, v.Text(), p.result, p.wrong, v)
	}
	if v.Result == Recovered && (!v.SentAll || len(v.From) == 0 || v.Requests == 0) {
		return fmt.Sprintf("%s %s: it is not said how it recovered: %+v", p.fault, p.words, v)
	}
	return ""
}
