// Package v026 records informers of client-go v0.26.15.
package v026

import (
	"testing"

	"github.com/informerscope/informerscope/replay/report/recordings"
)

func TestRecordings(t *testing.T) {
	recordings.Test(t, recordings.Version{Name: "v0.26", BeforeV027: true, Removes: true})
}
