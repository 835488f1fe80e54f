// Package v032 records informers of client-go v0.32.13.
package v032

import (
	"testing"

	"github.com/informerscope/informerscope/replay/report/recordings"
)

var version = recordings.Version{Name: "v0.32", Removes: true}

func TestRecordings(t *testing.T) {
	recordings.Test(t, version)
}

func TestPlants(t *testing.T) {
	recordings.Plants(t, version)
}

func TestRows(t *testing.T) {
	recordings.Rows(t, version)
}
