// Package requests sends written requests to an API server and writes down what it answers,
// so that two servers can be compared. What differs from run to run has the same text in
// each: resourceVersions and UIDs are numbered as they appear, and times are left out.
//
// A request is a line such as "POST /api/v1/namespaces/shop/pods", or "WATCH 3 /api/v1/pods"
// for the first three events of a watch. Headers may follow, and a body of one line.
// {a.rv} and {a.uid} stand for what the object with the name a was answered with last,
// {a.shard} for the shard selector, escaped for a path, of a alone, and {continue} for the last token. A line that begins with # says something, and one that
// begins with = is an answer.
package requests

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// Play sends the requests of a text to a server, and returns the text with the answers.
func Play(t http.RoundTripper, base, text string) (string, error) {
	p := &player{t: t, base: base, known: map[string]string{}, rvs: map[string]string{}, uids: map[string]string{}, ips: map[string]string{}, shards: map[string]string{}}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, "= ") {
			continue
		}
		if line == "" || line[0] == '#' {
			if err := p.send(); err != nil {
				return "", err
			}
			p.out.WriteString(line + "\n")
			continue
		}
		p.request = append(p.request, line)
		p.out.WriteString(line + "\n")
	}
	err := p.send()
	return p.out.String(), err
}

// patience is how long an answer is waited for.
const patience = 30 * time.Second

type player struct {
	t       http.RoundTripper
	base    string
	out     strings.Builder
	request []string
	known   map[string]string // "a.rv" and the like
	rvs     map[string]string
	uids    map[string]string
	ips     map[string]string
	shards  map[string]string
}

var (
	head     = regexp.MustCompile(`^[A-Z][A-Za-z-]*: `)
	variable = regexp.MustCompile(`\{(continue|[a-z0-9-]+\.(rv|uid|shard))\}`)
	age      = regexp.MustCompile(`^\d+s$`)
	number   = regexp.MustCompile(`\b\d+\b`)
)

// send sends the request that was read, if there is one.
func (p *player) send() error {
	lines := p.request
	p.request = nil
	if len(lines) == 0 {
		return nil
	}
	for i := range lines {
		lines[i] = variable.ReplaceAllStringFunc(lines[i], func(v string) string { return p.known[strings.Trim(v, "{}")] })
	}
	method, path, _ := strings.Cut(lines[0], " ")
	events := 0
	if method == "WATCH" {
		if _, err := fmt.Sscan(path, &events); err != nil {
			return fmt.Errorf("%s: %w", lines[0], err)
		}
		method = http.MethodGet
		_, path, _ = strings.Cut(path, " ")
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, p.base+path, nil)
	if err != nil {
		return err
	}
	for _, line := range lines[1:] {
		if head.MatchString(line) {
			name, value, _ := strings.Cut(line, ": ")
			r.Header.Set(name, value)
			continue
		}
		r.Body, r.ContentLength = io.NopCloser(strings.NewReader(line)), int64(len(line))
		if r.Header.Get("Content-Type") == "" {
			r.Header.Set("Content-Type", "application/json")
		}
	}
	resp, err := p.t.RoundTrip(r)
	if err != nil {
		return fmt.Errorf("%s: %w", lines[0], err)
	}
	defer resp.Body.Close()
	if events == 0 || resp.StatusCode != http.StatusOK {
		b, err := io.ReadAll(resp.Body)
		if err != nil {
			return fmt.Errorf("%s: %w", lines[0], err)
		}
		return p.answer(fmt.Sprint(resp.StatusCode), b)
	}
	in := bufio.NewReader(resp.Body)
	for range events {
		line, err := in.ReadBytes('\n')
		if err != nil {
			fmt.Fprintf(&p.out, "= the watch ends: %v\n", err)
			break
		}
		if err := p.answer("event", line); err != nil {
			return err
		}
	}
	return nil
}

// answer writes an answer down.
func (p *player) answer(what string, b []byte) error {
	var v any
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		v = string(b)
	}
	plain := p.normalized("", v)
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(plain); err != nil {
		return err
	}
	fmt.Fprintf(&p.out, "= %s %s", what, out.Bytes())
	return nil
}

// normalized returns a value without what differs from run to run.
func (p *player) normalized(name string, v any) any {
	switch v := v.(type) {
	case map[string]any:
		p.learn(v)
		out := map[string]any{}
		for name, element := range v {
			if name == "cells" {
				element = aged(element)
			}
			if name == "managedFields" { // requests that say who they are for have tests of their own
				continue
			}
			out[name] = p.normalized(name, element)
		}
		if prefix, _ := v["generateName"].(string); prefix != "" {
			if name, _ := v["name"].(string); strings.HasPrefix(name, prefix) {
				out["name"] = prefix + strings.Repeat("*", len(name)-len(prefix))
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = p.normalized(strings.TrimSuffix(name, "s"), v[i])
		}
		return out
	case string:
		switch name {
		case "resourceVersion":
			return p.numbered(p.rvs, "rv", v)
		case "uid":
			return p.numbered(p.uids, "uid", v)
		case "clusterIP":
			if v != "None" {
				return p.numbered(p.ips, "ip", v)
			}
		case "selector":
			for shard, text := range p.shards {
				v = strings.ReplaceAll(v, shard, text)
			}
			return v
		case "creationTimestamp", "deletionTimestamp", "time":
			return "a time"
		case "continue":
			if v != "" {
				return "a token"
			}
		case "message":
			for uid, n := range p.uids {
				v = strings.ReplaceAll(v, uid, n)
			}
			return number.ReplaceAllStringFunc(v, func(s string) string {
				if n := p.rvs[s]; n != "" {
					return n
				}
				return s
			})
		}
	}
	return v
}

// aged returns the cells of a Table's row without the age.
func aged(v any) any {
	cells, _ := v.([]any)
	for i, cell := range cells {
		if text, is := cell.(string); is && age.MatchString(text) {
			cells[i] = "an age"
		}
	}
	return v
}

// learn keeps what later requests may name.
func (p *player) learn(o map[string]any) {
	if token, _ := o["continue"].(string); token != "" {
		p.known["continue"] = token
	}
	name, _ := o["name"].(string)
	if rv, is := o["resourceVersion"].(string); is && name != "" {
		p.known[name+".rv"] = rv
	}
	if uid, is := o["uid"].(string); is && name != "" {
		p.known[name+".uid"] = uid
		h := fnv.New64a()
		io.WriteString(h, uid)
		shard := fmt.Sprintf("shardRange(object.metadata.uid, '0x%016x', '0x%016x')", h.Sum64(), h.Sum64()+1)
		p.known[name+".shard"], p.shards[shard] = url.QueryEscape(shard), "{"+name+".shard}"
	}
}

// numbered returns the number of a value, in the order in which values appear.
func (p *player) numbered(all map[string]string, what, v string) string {
	if v == "" || v == "0" {
		return v
	}
	if all[v] == "" {
		all[v] = fmt.Sprint(what, len(all)+1)
	}
	return all[v]
}
