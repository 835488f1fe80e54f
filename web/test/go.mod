module github.com/informerscope/informerscope/web/test

go 1.26.0

require (
	github.com/chromedp/cdproto v0.159.0
	github.com/chromedp/chromedp v0.22.1
	github.com/coder/websocket v1.8.15
	github.com/informerscope/informerscope v0.0.0
	github.com/klauspost/compress v1.20.3
)

require (
	github.com/go-json-experiment/json v0.0.0-20260213210345-44df1a37e875 // indirect
	github.com/goccy/go-json v0.12.0 // indirect
)

replace github.com/informerscope/informerscope => ../..
