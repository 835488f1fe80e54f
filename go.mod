module github.com/informerscope/informerscope

go 1.26.0

require (
	github.com/goccy/go-json v0.12.0
	github.com/hack-pad/safejs v0.1.0
	honnef.co/go/js/dom/v2 v2.0.0-20250304181735-b5e52f05e89d
)
