package main

import (
	"bytes"
	"testing"
)

// The notices have the licence of each module that the program and its page are made of.
func TestNotices(t *testing.T) {
	b, err := notices("../..", ofProgram...)
	if err != nil {
		t.Fatal(err)
	}
	for _, module := range []string{"\nGo\n", "github.com/spf13/cobra v", "github.com/klauspost/compress v", "github.com/goccy/go-json v", "honnef.co/go/js/dom/v2 v", "Permission is hereby granted", "Redistribution and use"} {
		if !bytes.Contains(b, []byte(module)) {
			t.Errorf("they lack %q", module)
		}
	}
	if bytes.Contains(b, []byte("k8s.io/")) {
		t.Error("they have what only tests are made of")
	}
}
