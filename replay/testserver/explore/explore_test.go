package explore

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// pairer is a small controller: each configmap wants one secret. It reads what is there from
// two watches, like informers that never list again.
type pairer struct {
	r       *Run
	careful bool // it names the secret after the configmap, so that it can't make two

	mu      sync.Mutex
	secrets map[string]bool // by the configmap that they are for
}

func (c *pairer) ask(ctx context.Context, method, path, body string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, method, Host+"/api/v1/namespaces/shop/"+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	resp, err := c.r.Transport.RoundTrip(r)
	if err == nil && resp.StatusCode >= 300 {
		resp.Body.Close()
		return nil, errors.New(resp.Status)
	}
	return resp, err
}

// write sends a request until it is answered well, or in vain.
func (c *pairer) write(method, path, body string) {
	if resp, err := c.ask(c.r.Context(), method, path, body); err == nil {
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
}

// follow calls f for each event of a watch, and watches again when that ends.
func (c *pairer) follow(resource string, f func(name, owner string)) {
	for c.r.Context().Err() == nil {
		resp, err := c.ask(c.r.Context(), "GET", resource+"?watch=1", "")
		if err != nil {
			select {
			case <-time.After(time.Second):
			case <-c.r.Context().Done():
			}
			continue
		}
		for in := bufio.NewScanner(resp.Body); in.Scan(); {
			var e struct {
				Object struct {
					Metadata struct {
						Name   string
						Labels map[string]string
					}
				}
			}
			if json.Unmarshal(in.Bytes(), &e) == nil {
				f(e.Object.Metadata.Name, e.Object.Metadata.Labels["for"])
			}
		}
		resp.Body.Close()
	}
}

func (c *pairer) reconcile(name string) {
	c.mu.Lock()
	has := c.secrets[name]
	c.mu.Unlock()
	if has {
		return
	}
	how := `"generateName":"` + name + `-"`
	if c.careful {
		how = `"name":"` + name + `"`
	}
	c.write("POST", "secrets", `{"metadata":{`+how+`,"labels":{"for":"`+name+`"}}}`)
}

// pairs is a test of that controller.
func pairs(careful bool) func(r *Run) {
	return func(r *Run) {
		c := &pairer{r: r, careful: careful, secrets: map[string]bool{}}
		var all sync.WaitGroup
		all.Go(func() {
			c.follow("secrets", func(_, owner string) {
				c.mu.Lock()
				defer c.mu.Unlock()
				c.secrets[owner] = true
			})
		})
		all.Go(func() { c.follow("configmaps", func(name, _ string) { c.reconcile(name) }) })
		time.Sleep(time.Second)
		for i := range 3 {
			c.write("POST", "configmaps", fmt.Sprintf(`{"metadata":{"name":"m%d"}}`, i))
			time.Sleep(50 * time.Millisecond)
			r, err := http.NewRequest("PATCH", Host+fmt.Sprintf("/api/v1/namespaces/shop/configmaps/m%d", i), strings.NewReader(`{"data":{"a":"b"}}`))
			if err != nil {
				c.r.Fatal(err)
			}
			r.Header.Set("Content-Type", "application/merge-patch+json")
			if resp, err := c.r.Server.RoundTrip(r); err == nil {
				resp.Body.Close()
			}
			time.Sleep(5 * time.Second)
		}
		resp, err := c.ask(context.Background(), "GET", "secrets", "")
		for err != nil {
			time.Sleep(time.Second)
			resp, err = c.ask(context.Background(), "GET", "secrets", "")
		}
		text, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		for i := range 3 {
			if n := strings.Count(string(text), fmt.Sprintf(`"for":"m%d"`, i)); n > 1 {
				r.Errorf("m%d has %d secrets", i, n)
			}
		}
		r.Cleanup(all.Wait) // it ends with the context
	}
}

func init() { repeating = time.Hour } // the machine may be busy

// TestARaceIsFound finds the controller's race, repeats it, and leaves a trace of it.
func TestARaceIsFound(t *testing.T) {
	folder := t.TempDir()
	f := FindKnown(t, Options{Folder: folder}, pairs(false))
	if f.Reproduced != repeats || f.Tries != repeats || f.Parts != "" {
		t.Errorf("the seed fails %d of %d times again, and parts at %q", f.Reproduced, f.Tries, f.Parts)
	}
	if f.Err != nil || !regexp.MustCompile(`^#file=TestARaceIsFound-\d+\.trace\.jsonl&size=\d+&informer=(secrets|configmaps)&step=[1-9]\d*$`).MatchString(f.Link) {
		t.Errorf("the link is %q, %v", f.Link, f.Err)
	}
	if !strings.Contains(f.String(), "\nTestARaceIsFound-") || !strings.Contains(f.Found, ".trace.jsonl: ") {
		t.Errorf("it says\n%s", f)
	}
	if text, err := os.ReadFile(f.Trace); err != nil || !strings.Contains(string(text), "the test fails") {
		t.Errorf("the trace of %d bytes, %v, has no mark", len(text), err)
	}
}

// TestSeedsRepeat repeats each seed that fails, with the usual faults and a controller that follows two resources.
func TestSeedsRepeat(t *testing.T) {
	for seed := uint64(1); seed < 200; {
		x := &explorer{t: t, o: Options{Seed: seed, Runs: 200}.withDefaults(), test: pairs(false)}
		p, got := x.find()
		if p == nil {
			break
		}
		f := &Failure{}
		x.repeat(p, got, f)
		if f.Reproduced != f.Tries {
			t.Errorf("seed %d, %s, fails %d of %d times, and parts at %s", p.seed, p, f.Reproduced, f.Tries, f.Parts)
		}
		seed = p.seed + 1
	}
}

// TestWhatGoChoosesIsTold: a program that lets Go choose fails only now and then, and it is said where.
// Of two channels that are ready a select takes each half of the time; the first key of a small map isn't as fair.
func TestWhatGoChoosesIsTold(t *testing.T) {
	defer func(n int) { repeats = n }(repeats)
	repeats = 50 // all of them choose alike once in 2⁴⁹ times
	x := &explorer{t: t, o: Options{Faults: []string{}}.withDefaults(), test: func(r *Run) {
		a, b := make(chan int), make(chan int)
		close(a)
		close(b)
		name := "a"
		select {
		case <-a:
		case <-b:
			name = "b"
		}
		c := &pairer{r: r}
		c.write("POST", "configmaps", `{"metadata":{"name":"`+name+`"}}`)
		if name == "b" {
			c.write("DELETE", "configmaps/b", "")
			r.Error("b came first")
		}
	}}
	p, got := x.find()
	f := &Failure{}
	x.repeat(p, got, f)
	if f.Reproduced == 0 || f.Reproduced == f.Tries || !strings.HasPrefix(f.Parts, "its request 2, DELETE /api/v1/namespaces/shop/configmaps/b after ") {
		t.Errorf("it fails %d of %d times, and parts at %q", f.Reproduced, f.Tries, f.Parts)
	}
}

// TestNoRaceIsFound lets the careful controller be.
func TestNoRaceIsFound(t *testing.T) {
	Explore(t, Options{Runs: 50}, pairs(true))
}

// TestSeedsDiffer holds that plans are not all alike, and that each seed has its own.
func TestSeedsDiffer(t *testing.T) {
	o := Options{}.withDefaults()
	seen := map[string]bool{}
	for seed := range uint64(50) {
		p, again := newPlan(seed, &o), newPlan(seed, &o)
		a, _ := p.delays("GET", "/x")
		b, _ := again.delays("GET", "/x")
		if p.String() != again.String() || a != b {
			t.Errorf("seed %d has two plans, %s and %s", seed, p, again)
		}
		seen[fmt.Sprint(p, a, p.lags("/x"))] = true
	}
	if len(seen) < 45 {
		t.Errorf("50 seeds have %d plans", len(seen))
	}
}

// TestAHangIsAFailure has a goroutine that never ends.
func TestAHangIsAFailure(t *testing.T) {
	x := &explorer{t: t, o: Options{Runs: 1}.withDefaults(), test: func(r *Run) {
		go func() { select {} }()
	}}
	p, got := x.find()
	if p == nil || !strings.Contains(strings.Join(got.output, " "), "deadlock") {
		t.Errorf("it says %q", got.output)
	}
}
