// Package kubeconfigtest reads the kubeconfig that "informerscope try" gives to a command, for tests whose program is the command.
package kubeconfigtest

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"net/http"
	"os"
)

// Config is what it says.
type Config struct {
	Server, Token string
	CA            []byte
}

// Read reads the file that KUBECONFIG names.
func Read() (c Config, err error) {
	var config struct {
		Clusters []struct {
			Cluster struct {
				Server string
				CA     []byte `json:"certificate-authority-data"`
			}
		}
		Users []struct{ User struct{ Token string } }
	}
	b, err := os.ReadFile(os.Getenv("KUBECONFIG"))
	if err == nil {
		err = json.Unmarshal(b, &config)
	}
	if err == nil {
		c = Config{config.Clusters[0].Cluster.Server, config.Users[0].User.Token, config.Clusters[0].Cluster.CA}
	}
	return c, err
}

// Transport returns a transport that trusts the server, and speaks HTTP/2.
func (c *Config) Transport() *http.Transport {
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(c.CA)
	return &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true}
}

// Request returns a request with the token.
func (c *Config) Request(method, path string) (*http.Request, error) {
	r, err := http.NewRequest(method, c.Server+path, nil)
	if err == nil {
		r.Header.Set("Authorization", "Bearer "+c.Token)
	}
	return r, err
}
