package whatif_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/replay/record/whatif"
	"github.com/informerscope/informerscope/replay/testserver"
)

// TestEndings holds what a client reads of a watch that ends, and by which error.
func TestEndings(t *testing.T) {
	for how, want := range map[whatif.Ending]struct {
		text string
		err  error
	}{
		whatif.Reset: {"", syscall.ECONNRESET}, whatif.Closed: {"", io.EOF}, whatif.Expired: {`"code":410`, io.EOF}, whatif.AfterBookmark: {"", io.EOF},
	} {
		inBubble(t, "", func(b *bench) {
			b.faults.End(how, "configmaps")
			text, err := b.lines.ReadString('\n')
			if err == nil {
				_, err = b.lines.ReadByte()
			}
			if !strings.Contains(text, want.text) || !errors.Is(err, want.err) {
				t.Errorf("ending %d: %q and %v", how, text, err)
			}
		})
	}
	inBubble(t, "", func(b *bench) {
		b.faults.End(whatif.Torn, "")
		b.play("update configmaps shop/a n=1\n")
		if text, err := b.lines.ReadString('\n'); len(text) < 20 || json.Valid([]byte(text)) || !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("of an event comes %q, and then %v", text, err)
		}
	})
}

// TestOnAServer holds the lines that only a server carries out, and the faults that only a program orders.
func TestOnAServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := testserver.New(testserver.Options{})
		defer server.Close()
		b := &bench{t: t, faults: whatif.New(server)}
		b.play("exists configmaps shop/a\nexists configmaps shop/b\n")
		get := func(path string, want int, parts ...string) string {
			t.Helper()
			resp := b.ask("/api/v1/configmaps" + path)
			defer resp.Body.Close()
			text, err := io.ReadAll(resp.Body)
			for _, part := range parts {
				if !strings.Contains(string(text), part) {
					t.Errorf("%s lacks %s", text, part)
				}
			}
			if err != nil || resp.StatusCode != want {
				t.Errorf("%s: %d %s, %v", path, resp.StatusCode, text, err)
			}
			return string(text)
		}
		first := get("?limit=1", http.StatusOK)
		_, token, _ := strings.Cut(first, `"continue":"`)
		token, _, _ = strings.Cut(token, `"`)
		b.faults.AtContinue(func() { b.play("create configmaps shop/c\nrestart server\n") })
		get("?limit=1&continue="+token, http.StatusGone, "Expired")
		get("", http.StatusOK, `"name":"c"`)

		b.faults.Fail(whatif.Failing{Failure: whatif.Unavailable, After: apiserver.AfterSeconds(2)}, 1, "configmaps")
		get("", http.StatusServiceUnavailable, "ServiceUnavailable", `"retryAfterSeconds":2`)
		b.faults.Fail(whatif.Failing{Failure: whatif.Unsupported, Parameter: "sendInitialEvents"}, -1, "")
		get("", http.StatusOK)
		const streaming = "?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=1"
		get(streaming, http.StatusUnprocessableEntity, "Invalid")
		b.faults.Calm()
		get(streaming, http.StatusOK, "initial-events-end")

		marked := b.ask(fmt.Sprintf("/api/v1/configmaps?watch=1&allowWatchBookmarks=true&resourceVersion=%d", server.Revision()))
		defer marked.Body.Close()
		b.play("create secrets shop/s\n")
		b.faults.End(whatif.AfterBookmark, "")
		server.Bookmark()
		text, err := io.ReadAll(marked.Body)
		if want := fmt.Sprintf(`"resourceVersion":"%d"`, server.Revision()); err != nil || strings.Count(string(text), "\n") != 1 || !strings.Contains(string(text), want) {
			t.Errorf("before its end the watch brings %s without %s, %v", text, want, err)
		}

		b.play("restore server 2\nrestart server\n")
		if text := get("", http.StatusOK); strings.Contains(text, `"b"`) {
			t.Errorf("after the backup there is %s", text)
		}
	})
}
