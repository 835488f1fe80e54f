// Package v037 records informers of client-go v0.37.2.
package v037

import (
	"testing"

	"github.com/informerscope/informerscope/replay/report/recordings"
)

var version = recordings.Version{Name: "v0.37", Removes: true}

func TestRecordings(t *testing.T) {
	recordings.Test(t, version)
}

func TestPlants(t *testing.T) {
	recordings.Plants(t, version)
}

func TestRows(t *testing.T) {
	recordings.Rows(t, version)
}
