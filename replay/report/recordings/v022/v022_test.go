// Package v022 records informers of client-go v0.22.17.
package v022

import (
	"testing"

	"github.com/informerscope/informerscope/replay/report/recordings"
)

var version = recordings.Version{Name: "v0.22", BeforeV027: true}

func TestRecordings(t *testing.T) {
	recordings.Test(t, version)
}

func TestPlants(t *testing.T) {
	recordings.Plants(t, version)
}
