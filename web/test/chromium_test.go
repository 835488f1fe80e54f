package test

import (
	"context"

	"github.com/chromedp/chromedp"
)

// chromium drives a tab of Chromium by its DevTools protocol.
type chromium struct{}

func (chromium) evaluate(ctx context.Context, expression string, into any) error {
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string](asText(expression), chromedp.EvalAwaitPromise))
	if err != nil {
		return err
	}
	return decode(text, into)
}

func (chromium) navigate(ctx context.Context, url string) error {
	return chromedp.Do(ctx, chromedp.Navigate(url))
}

func (chromium) reload(ctx context.Context) error { return chromedp.Do(ctx, chromedp.Reload()) }

// named has the driver's codes of keys that type nothing.
var named = map[string]string{
	"ArrowDown": "\u0301", "ArrowUp": "\u0304", "ArrowLeft": "\u0302", "ArrowRight": "\u0303", "Home": "\u0306", "End": "\u0305", "Escape": "\u001b", "Tab": "\t", "Enter": "\r", "Backspace": "\b",
}

func (chromium) press(ctx context.Context, key string, shifted bool) error {
	if n, ok := named[key]; ok {
		key = n
	}
	var modifiers []chromedp.Modifier
	if shifted {
		modifiers = append(modifiers, shift)
	}
	return chromedp.Do(ctx, chromedp.KeyEvent(key, chromedp.KeyModifiers(modifiers...)))
}

func (chromium) click(ctx context.Context, x, y float64) error {
	return chromedp.Do(ctx, chromedp.MouseClickXY(x, y))
}

func (chromium) upload(ctx context.Context, selector string, files []string) error {
	return chromedp.Do(ctx, chromedp.SetUploadFiles(chromedp.CSS(selector), files, chromedp.NodeReady))
}

func (chromium) resize(ctx context.Context, width, height int64) error {
	return chromedp.Do(ctx, chromedp.EmulateViewport(width, height))
}

func (chromium) screenshot(ctx context.Context) ([]byte, error) {
	return chromedp.Run(ctx, chromedp.CaptureScreenshot())
}
