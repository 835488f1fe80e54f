package test

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
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
	"ArrowDown": "\u0301", "ArrowUp": "\u0304", "ArrowLeft": "\u0302", "ArrowRight": "\u0303", "Home": "\u0306", "End": "\u0305", "Escape": "\u001b", "Tab": "\t", "Enter": "\r", "Backspace": "\b", "PageDown": kb.PageDown, "PageUp": kb.PageUp,
}

// press presses a key as a keyboard does. What is typed comes with the key's going down, so a page
// that prevents the one prevents the other.
func (chromium) press(ctx context.Context, key string, shifted bool) error {
	if n, ok := named[key]; ok {
		key = n
	}
	for _, r := range key {
		events := kb.Encode(r)
		down, up := events[0], events[len(events)-1]
		if len(events) == 3 {
			down.Text, down.UnmodifiedText = events[1].Text, events[1].UnmodifiedText
		}
		if shifted {
			down.Modifiers |= int64(shift)
			up.Modifiers |= int64(shift)
		}
		for _, e := range []*input.DispatchKeyEventParams{down, up} {
			if _, err := chromedp.Call(ctx, input.DispatchKeyEvent, *e); err != nil {
				return err
			}
		}
	}
	return nil
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

func (chromium) focused(ctx context.Context, role, name string) (bool, error) {
	got, err := chromedp.Call(ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	if err != nil {
		return false, err
	}
	for _, n := range got.Nodes {
		has := slices.ContainsFunc(n.Properties, func(p *accessibility.Property) bool {
			return p.Name == accessibility.PropertyNameFocused && string(p.Value.Value) == "true"
		})
		var got, called string
		// The document has it, too.
		if has && json.Unmarshal(n.Role.Value, &got) == nil && json.Unmarshal(n.Name.Value, &called) == nil && got == role && called == name {
			return true, nil
		}
	}
	return false, nil
}

func (chromium) screenshot(ctx context.Context) ([]byte, error) {
	return chromedp.Run(ctx, chromedp.CaptureScreenshot())
}
