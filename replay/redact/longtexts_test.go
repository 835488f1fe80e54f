//go:build !js

package redact

import (
	"strings"
	"testing"
	"time"
)

// TestLongTexts reads texts that would take for ever if the time grew with the square of their length.
// Four times the text then takes sixteen times as long, and otherwise four times. A busy machine may
// stretch one of the two, but not in the same way each time.
func TestLongTexts(t *testing.T) {
	const n = 1 << 17
	r := redactor(t, Options{Rules: Default | Names, Key: testKey})
	r.pseudo.learn([]byte("a" + strings.Repeat("-a", maxWords-1)))
	for _, s := range []string{"=", "a=", "%3d", "bearer ", "eyJ", "eyJ.", "eyJaaaaaa.", "@", "://", "a@", ":", `"a":"`, "a-", "b-", `token":\`, "token=\"\\",
		"-p ", "-pa1 ", "--token ", "--token -", "password ", "password '", "password: |\n", "token: |\n  ", "- name: token\n  value: ", "-----BEGIN ", "-----BEGIN CERTIFICATE-----",
		"<password>", "<password></", "' ", "identified by '", "machine x password ", "a: b\n", "{a: b, ", "pw=(", "pw=),", "/aB3", "aB3-", "aB3", "eyJhIjo", "$6$", "$2a$", "a,", "a;", "x:y@", "https://x/",
		"{", "[", "{\"a\":", "a: [", "- ", "? ", "a: &a\n", "*a ", "api key: ", "QUtJQQ==", "::", "\n", "aaaaaa.0",
		"user a on ", "echo a", "echo a | kinit ", "createUser a ", "send \"", "expect \"assword\"\nsend ", "+1", "| password ", "|", "密码", "密码:", "пароль ", "mot de passe ", "\\\\a", "/home/a", "('password',", "arn:", "github.com/", "a@b.c ", "value=", "name=\"password\" value=", "ENV a", "<value>", "a,password\n", "password,a\n", "a\\.", "a1:b2:1:2:", "htpasswd -b ", "70617373"} {
		takes := func(n int) time.Duration {
			line := `{"mark":{"text":` + string(appendQuoted(nil, []byte(strings.Repeat(s, n/len(s))))) + `}}`
			began := time.Now()
			if r.Line([]byte(line)) == nil {
				t.Errorf("%q: left out", s)
			}
			return time.Since(began)
		}
		const tries = 8
		long := takes(n)
		for try := 0; long > 100*time.Millisecond; try++ {
			short := takes(n / 4)
			if long < 10*short {
				break
			}
			if try == tries {
				t.Errorf("%q: %d bytes take %v, and a quarter of them %v", s, n, long, short)
				break
			}
			long = min(long, takes(n))
		}
	}
}
