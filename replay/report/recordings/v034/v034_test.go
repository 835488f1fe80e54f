// Package v034 records informers of client-go v0.34.3.
package v034

import (
	"testing"

	"github.com/informerscope/informerscope/replay/report/recordings"
)

func TestRecordings(t *testing.T) {
	recordings.Test(t, recordings.Version{Name: "v0.34", Removes: true})
}
