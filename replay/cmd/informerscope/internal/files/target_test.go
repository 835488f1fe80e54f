package files

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// This disk fills after some lines were written.
func TestTargetIsRemovedWhenTheDiskIsFull(t *testing.T) {
	name := filepath.Join(t.TempDir(), "out")
	to, err := Create(t.Context(), name, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	to.file.Close()
	var failed error
	for failed == nil {
		_, failed = to.Write([]byte(`{"type":"ADDED"}` + "\n"))
	}
	err = to.Close(failed, 5000)
	if want := name + " could not be written: file already closed; nothing of it is kept"; err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	if _, err := os.Stat(name); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file is still there: %v", err)
	}
}
