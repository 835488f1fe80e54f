package kubectl

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
)

// Raw hands over what kubectl prints, and why it ended.
func TestRaw(t *testing.T) {
	o := Options{Program: os.Args[0], Context: "c 1", Kubeconfig: "/a/b"}
	t.Setenv("INFORMERSCOPE_TEST_KUBECTL", "context")
	a := Raw(t.Context(), o, "/api/v1/pods?watch=true")
	if text, err := io.ReadAll(a); err != nil || string(text) != "kind-get---raw-/api/v1/pods?watch=true---context=c 1---kubeconfig=/a/b\n" {
		t.Errorf("%q, %v", text, err)
	}
	a.Close()

	for said, want := range map[string]Refused{
		`Error from server (Forbidden): pods is forbidden`:                                     {Code: 403, Reason: "Forbidden"},
		`Error from server (Expired): too old`:                                                 {Code: 410, Reason: "Expired"},
		`Error from server (Odd): what`:                                                        {Reason: "Odd"},
		`error: You must be logged in to the server (Unauthorized)`:                            {Code: 401, Reason: "Unauthorized"},
		`The connection to the server x was refused - did you specify the right host or port?`: {},
		`Error from server: the server has no (Forbidden) word`:                                {},
	} {
		t.Setenv("INFORMERSCOPE_TEST_KUBECTL", "refuse")
		t.Setenv("INFORMERSCOPE_TEST_SAYS", said)
		a := Raw(t.Context(), o, "/")
		text, err := io.ReadAll(a)
		want.Message = said
		var refused *Refused
		if !errors.As(err, &refused) || *refused != want || string(text) != "begun" {
			t.Errorf("%q: %q, %+v", said, text, refused)
		}
		a.Close()
	}
}

// A kubectl that hangs ends when its answer is closed, or when the context ends.
func TestRawEnds(t *testing.T) {
	t.Setenv("INFORMERSCOPE_TEST_KUBECTL", "hang")
	a := Raw(t.Context(), Options{Program: os.Args[0]}, "/")
	a.Close()
	if _, err := a.Read(make([]byte, 1)); !errors.Is(err, io.ErrClosedPipe) {
		t.Error(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	b := Raw(ctx, Options{Program: os.Args[0]}, "/")
	stop()
	if _, err := io.ReadAll(b); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	b.Close()
	c := Raw(t.Context(), Options{Program: strings.Repeat("nowhere", 3)}, "/")
	if _, err := io.ReadAll(c); !errors.Is(err, ErrNotInstalled) {
		t.Error(err)
	}
	c.Close()
}
