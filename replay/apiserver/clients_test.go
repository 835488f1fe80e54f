package apiserver

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/informerscope/informerscope/replay/serve"
)

// onPort serves a capture on a port, and returns what sends a request as a client with a user agent over HTTP/2 or 1.1.
func onPort(t *testing.T, capture string, o Options) (s *Server, send func(c *http.Client, agent, path string) *http.Response) {
	t.Helper()
	s, err := serverOf([]byte(capture), o)
	if err != nil {
		t.Fatal(err)
	}
	port, err := serve.Secure(0, "apiserver", "default")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go s.Run(ctx)
	go func() { served <- s.Serve(ctx, port, HandlerOf(s.Server)) }()
	t.Cleanup(func() {
		stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
		s.Close()
		port.Close()
	})
	var config struct {
		Users []struct{ User struct{ Token string } }
	}
	b, err := os.ReadFile(port.Kubeconfig())
	if err == nil {
		err = json.Unmarshal(b, &config)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s, func(c *http.Client, agent, path string) *http.Response {
		t.Helper()
		r, _ := http.NewRequest(http.MethodGet, "https://"+port.Addr().String()+path, nil)
		r.Header.Set("Authorization", "Bearer "+config.Users[0].User.Token)
		r.Header.Set("User-Agent", agent)
		resp, err := c.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		return resp
	}
}

func httpClient(two bool) *http.Client {
	return &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: two, MaxConnsPerHost: 0}}
}

// await waits until the state is one, and returns it.
func (s *Server) await(t *testing.T, what string, is func(State) bool) State {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; {
		if st := s.State(); is(st) {
			return st
		} else if time.Now().After(end) {
			t.Fatalf("%s: %+v", what, st)
		}
		<-time.After(time.Millisecond)
	}
}

// TestClients holds what State says about clients: each connection of HTTP/2 is a client, all connections of HTTP/1.1 with one user agent
// are a client, and each has its watches, its last version and its refusals, until it has gone.
func TestClients(t *testing.T) {
	s, send := onPort(t, simple, Options{Paused: true})
	first, second, old := httpClient(true), httpClient(true), httpClient(false)
	for _, c := range []*http.Client{first, second} {
		resp := send(c, "same", pods)
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
	watch := send(first, "same", pods+"?watch=true&resourceVersion=100")
	older := []*http.Response{send(old, "older", pods+"?watch=true&resourceVersion=100"), send(old, "older", pods+"?watch=true&resourceVersion=100")}
	for range 2 {
		resp := send(second, "same", "/api/v1/secrets")
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
	st := s.await(t, "three clients", func(st State) bool { return len(st.Clients) == 3 && st.Clients[1].Requests == 3 })
	a, b, c := st.Clients[0], st.Clients[1], st.Clients[2]
	if len(a.Lists) != 1 || a.Lists[0].Name != "pods" || a.Lists[0].Watches != 1 || a.Lists[0].Version != 100 || a.Lists[0].Revision != 100 || a.Requests != 2 {
		t.Errorf("the first: %+v", a)
	}
	if len(b.Refused) != 1 || b.Refused[0].Code != 404 || b.Refused[0].Times != 2 || !strings.HasPrefix(b.Refused[0].Why, "secrets was not recorded; the recording has pods") {
		t.Errorf("the second: %+v", b)
	}
	if a.Address == "" || a.Address == b.Address || c.Address != "" || c.Lists[0].Watches != 2 {
		t.Errorf("connections: %q, %q, %q, %+v", a.Address, b.Address, c.Address, c.Lists)
	}
	s.Cut(a.Lists[0].ID)
	if got, err := io.ReadAll(watch.Body); err == nil || len(got) > 0 {
		t.Errorf("the watch that is cut ends with %q, %v", got, err)
	}
	s.await(t, "one is cut", func(st State) bool { return st.Clients[0].Lists[0].Watches == 0 && st.Clients[2].Lists[0].Watches == 2 })
	s.Cut(0)
	for _, resp := range older {
		if _, err := io.ReadAll(resp.Body); err == nil {
			t.Error("a watch is not cut with all")
		}
	}
	watch.Body.Close()
	first.CloseIdleConnections()
	s.await(t, "the first has gone", func(st State) bool { return st.Clients[0].Gone && !st.Clients[1].Gone })
}

// TestCutAClientThatDoesNotRead cuts a watch whose client reads nothing, so that the server can't write to it.
func TestCutAClientThatDoesNotRead(t *testing.T) {
	lines := []string{"0 list 1 " + pods + " 100", "0 watch 2 " + pods + "?watch=true&resourceVersion=100"}
	for n := range 1000 {
		lines = append(lines, fmt.Sprintf("1 ADDED 2 a/x%d@%d", n, 101+n))
	}
	large := strings.ReplaceAll(capture(append(lines, "2 until")...), `"spec":{`, `"spec":{"padding":"`+strings.Repeat("x", 16<<10)+`",`)
	for _, how := range []struct{ two, small bool }{{true, false}, {false, false}, {true, true}} {
		s, send := onPort(t, large, Options{Paused: true})
		c := httpClient(how.two)
		c.Transport.(*http.Transport).DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
			if err == nil && how.small {
				err = conn.(*net.TCPConn).SetReadBuffer(4 << 10)
			}
			return conn, err
		}
		resp := send(c, "stuck", pods+"?watch=true&resourceVersion=100")
		s.SetSpeed(1000)
		s.Pause(false)
		sent, same := 0, 0
		s.await(t, "it is stuck", func(st State) bool { // were it not, the cut would be too easy, but no less right
			if n := st.Clients[0].Lists[0].Sent; n != sent {
				sent, same = n, 0
			}
			same++
			return sent > 0 && same > 300
		})
		s.Cut(0)
		s.await(t, "it is cut", func(st State) bool {
			return len(st.Clients) == 1 && (len(st.Clients[0].Lists) == 0 || st.Clients[0].Lists[0].Watches == 0)
		})
		resp.Body.Close()
	}
}

// TestTooManyWatches opens 10 000 watches on a port and reads none. The first MaxWatches are answered, and the others get 429. Then
// time passes, and each watch that is read has all events. A watch that ends makes room for another one.
func TestTooManyWatches(t *testing.T) {
	t.Parallel()
	s, send := onPort(t, simple, Options{Paused: true, Speed: 1000})
	c := httpClient(true)
	var mu sync.Mutex
	var open []*http.Response
	refused := 0
	var opening sync.WaitGroup
	const together = 100
	for range together {
		opening.Go(func() {
			for range 2 * MaxWatches / together {
				resp := send(c, "greedy", pods+"?watch=true&resourceVersion=100")
				mu.Lock()
				if resp.StatusCode == http.StatusOK {
					open = append(open, resp)
					mu.Unlock()
					continue
				}
				refused++
				mu.Unlock()
				b, err := io.ReadAll(resp.Body)
				resp.Body.Close()
				if resp.StatusCode != http.StatusTooManyRequests || resp.Header.Get("Retry-After") != "1" || err != nil || !strings.Contains(string(b), `"reason":"TooManyRequests"`) {
					t.Errorf("a watch too many: %s, %v, %s, %v", resp.Status, resp.Header, b, err)
				}
			}
		})
	}
	opening.Wait()
	if len(open) != MaxWatches || refused != MaxWatches {
		t.Fatalf("%d watches are open, and %d were refused", len(open), refused)
	}
	st := s.State()
	watches, times := 0, 0
	for _, client := range st.Clients {
		for _, l := range client.Lists {
			watches += l.Watches
		}
		for _, r := range client.Refused {
			times += r.Times
		}
	}
	if watches != MaxWatches || times != MaxWatches || len(st.Clients) == mostClients {
		t.Errorf("the page is told of %d watches and %d refusals, by %d clients", watches, times, len(st.Clients))
	}
	s.Pause(false)
	want := []string{"ADDED a/z@101", "MODIFIED a/x@105", "DELETED b/y@108", "MODIFIED a/z@121"}
	for i, resp := range open {
		if i%100 == 0 {
			in := json.NewDecoder(resp.Body)
			for _, w := range want {
				var e answer
				if err := in.Decode(&e); err != nil || e.Object == nil || e.Type+" "+e.Object.text() != w {
					t.Fatalf("watch %d: %+v, %v, want %s", i, e, err, w)
				}
			}
		}
	}
	open[0].Body.Close()
	s.await(t, "there is room", func(State) bool {
		resp := send(c, "greedy", pods+"?watch=true&resourceVersion=121")
		defer resp.Body.Close()
		return resp.StatusCode == http.StatusOK
	})
	for _, resp := range open {
		resp.Body.Close()
	}
}

// TestClientsAreBounded sends more clients, lists and refusals than are kept.
func TestClientsAreBounded(t *testing.T) {
	s, err := serverOf([]byte(simple), Options{Paused: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	h := s.clients.follow(s.Server)
	send := func(agent, path string) {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.Header.Set("User-Agent", agent)
		h.ServeHTTP(httptest.NewRecorder(), r)
	}
	for n := range 2 * mostClients {
		send(fmt.Sprint("client", n, strings.Repeat("é", 1000)), pods)
	}
	for n := range 2 * mostLists {
		send("client0"+strings.Repeat("é", 1000), fmt.Sprint(pods, "?labelSelector=app%3D", n))
		send("client0"+strings.Repeat("é", 1000), fmt.Sprint("/api/v1/", n, "s"))
	}
	st := s.State()
	if len(st.Clients) != mostClients || st.Untold != mostClients || len(st.Clients[0].Lists) != mostLists || len(st.Clients[0].Refused) != mostRefusals {
		t.Errorf("%d clients, %d requests of others, %d lists, %d refusals", len(st.Clients), st.Untold, len(st.Clients[0].Lists), len(st.Clients[0].Refused))
	}
	if b, err := json.Marshal(st); err != nil || len(b) > 1<<20 {
		t.Errorf("the state has %d bytes, %v", len(b), err)
	}
}

// TestPage holds what the page is told, what it can do, and who else can't.
func TestPage(t *testing.T) {
	s, err := serverOf([]byte(simple), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	o := serve.NewOpener(http.NotFoundHandler(), nil, "apiserver.html", func() {})
	o.Handle("apiserver", s.Page(About{Name: "simple"}))
	l, err := serve.Listen(0)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- serve.Run(ctx, l, o) }()
	defer func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()
	site := "http://" + l.Addr().String()
	resp, err := http.Get(site + "/" + o.KeyPath())
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(resp.Body)
	if !strings.Contains(string(body), `url=./apiserver.html"`) {
		t.Errorf("the key leads to %s", body)
	}
	cookies := resp.Cookies()
	ask := func(method, query string, header ...string) *http.Response {
		t.Helper()
		r, _ := http.NewRequest(method, site+"/opened/apiserver"+query, nil)
		for _, c := range cookies {
			r.AddCookie(c)
		}
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { resp.Body.Close() })
		return resp
	}
	stream := json.NewDecoder(ask("GET", "").Body)
	var page struct {
		About
		State
	}
	if err := stream.Decode(&page); err != nil || page.Name != "simple" || page.Paused || page.End != 6000 || page.Start == "" {
		t.Fatalf("%+v, %v", page, err)
	}
	for _, c := range []struct {
		query  string
		header []string
		code   int
	}{
		{"?do=pause", []string{"Origin", site, "Sec-Fetch-Site", "same-origin"}, http.StatusNoContent},
		{"?do=seek&to=1500", nil, http.StatusNoContent},
		{"?do=seek&to=1e300", nil, http.StatusBadRequest},
		{"?do=seek&to=NaN", nil, http.StatusBadRequest},
		{"?do=speed&to=0", nil, http.StatusNoContent},
		{"?do=cut", nil, http.StatusNoContent},
		{"?do=cut&to=99", nil, http.StatusNoContent},
		{"?do=stop", nil, http.StatusBadRequest},
		{"", nil, http.StatusBadRequest},
		{"?do=resume", []string{"Origin", "http://127.0.0.1:1"}, http.StatusForbidden},
		{"?do=resume", []string{"Origin", "null"}, http.StatusForbidden},
		{"?do=resume", []string{"Sec-Fetch-Site", "same-site"}, http.StatusForbidden},
		{"?do=resume", []string{"Cookie", "x=y"}, http.StatusUnauthorized},
	} {
		if resp := ask("POST", c.query, c.header...); resp.StatusCode != c.code {
			t.Errorf("POST %s with %q: %s, want %d", c.query, c.header, resp.Status, c.code)
		}
	}
	for page.At != 1500 || page.Speed != MinSpeed || !page.Paused {
		if err := stream.Decode(&page); err != nil {
			t.Fatal(err)
		}
	}
	if resp := ask("DELETE", ""); resp.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("DELETE: %s", resp.Status)
	}
	cookies = slices.DeleteFunc(cookies, func(c *http.Cookie) bool { return c.HttpOnly })
	if resp := ask("GET", ""); resp.StatusCode != http.StatusUnauthorized {
		t.Errorf("without the key: %s", resp.Status)
	}
}
