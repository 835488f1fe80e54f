package rounds

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/informerscope/informerscope/replay/testserver"
)

// Simulated is a Server that is simulated.
type Simulated struct {
	t          *testing.T
	server     *testserver.Server
	connection Connection
}

// Simulate starts a simulated server, which ends with the test.
func Simulate(t *testing.T) *Simulated {
	t.Helper()
	s := &Simulated{t: t, server: testserver.New(testserver.Options{Resources: []testserver.Resource{{
		Group: Group, Version: Version, Name: Plural, Kind: Kind, ShortNames: []string{ShortName}, Generation: true, Conditional: true,
	}}})}
	t.Cleanup(s.server.Close)
	s.connection.Serve(t, s.server)
	return s
}

// URL returns where the server listens.
func (s *Simulated) URL() string { return s.connection.URL }

// Create makes a widget.
func (s *Simulated) Create(name string) {
	s.t.Helper()
	s.request(http.MethodPost, "", fmt.Sprintf(`{"apiVersion":"%s/%s","kind":"%s","metadata":{"name":"%s","labels":{"app":"%s"}},"spec":{"size":0}}`, Group, Version, Kind, name, name))
}

// Resize changes a widget.
func (s *Simulated) Resize(name string, size int64) {
	s.t.Helper()
	o := s.request(http.MethodGet, name, "")
	o["spec"] = map[string]any{"size": size}
	b, err := json.Marshal(o)
	if err != nil {
		s.t.Fatal(err)
	}
	s.request(http.MethodPut, name, string(b))
}

// Delete deletes a widget.
func (s *Simulated) Delete(name string) {
	s.t.Helper()
	s.request(http.MethodDelete, name, "")
}

// request sends a request to the server directly.
func (s *Simulated) request(method, name, body string) (o map[string]any) {
	s.t.Helper()
	url := "http://server/apis/" + Group + "/" + Version + "/namespaces/" + Namespace + "/" + Plural
	if name != "" {
		url += "/" + name
	}
	req, err := http.NewRequestWithContext(s.t.Context(), method, url, bytes.NewReader([]byte(body)))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	answer, err := s.server.RoundTrip(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	if err := json.NewDecoder(answer.Body).Decode(&o); err != nil || answer.StatusCode >= 300 {
		s.t.Fatal(method, url, answer.Status, o, err)
	}
	return o
}

// Break breaks all connections.
func (s *Simulated) Break() { s.connection.Break() }

// Mend listens again.
func (s *Simulated) Mend() { s.connection.Mend(s.t) }

// Compact restarts the server, which forgets all revisions but the newest.
func (s *Simulated) Compact() { s.server.Restart() }

// Connection serves a handler, and can be broken.
type Connection struct {
	*httptest.Server
	handler http.Handler
}

// Serve serves handler at a free port until the test ends.
func (w *Connection) Serve(t *testing.T, handler http.Handler) {
	t.Helper()
	w.handler = handler
	w.listen(t, "127.0.0.1:0")
}

// Break breaks all connections, and listens no more.
func (w *Connection) Break() {
	w.Listener.Close()
	w.CloseClientConnections()
}

// Mend listens again, at the same port.
func (w *Connection) Mend(t *testing.T) {
	t.Helper()
	w.listen(t, w.Listener.Addr().String())
}

func (w *Connection) listen(t *testing.T, address string) {
	t.Helper()
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	server := &httptest.Server{Listener: l, Config: &http.Server{Handler: w.handler}}
	server.Start()
	t.Cleanup(func() { // whoever watches would hold it up
		server.Listener.Close()
		server.CloseClientConnections()
		server.Close()
	})
	w.Server = server
}
