package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Models are fetched through the proxy of the environment.
func TestModelsComeThroughTheProxy(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ variable, hub, want string }{
		"HTTP":  {"HTTP_PROXY", "http://hub.test", "GET http://hub.test/api/models/own/small/revision/main"},
		"HTTPS": {"HTTPS_PROXY", "https://hub.test", "CONNECT //hub.test:443"},
		"lower": {"https_proxy", "https://hub.test", "CONNECT //hub.test:443"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asked := make(chan string, 100)
			proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				address := *r.URL
				address.RawQuery = ""
				asked <- r.Method + " " + address.String()
				w.WriteHeader(http.StatusNotFound)
			}))
			defer proxy.Close()
			c := newCommand(t)
			c.env["DRAGOMAN_HUB"], c.env[test.variable] = test.hub, proxy.URL
			c.env["DRAGOMAN_DATA"], c.env["DRAGOMAN_CONFIG"] = filepath.Join(c.dir, "data"), filepath.Join(c.dir, "config.toml")
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			pull := c.prepare(ctx, "models", "pull", "own/small")
			require.NoError(t, pull.Start())
			select {
			case got := <-asked:
				require.Equal(t, test.want, got)
			case <-ctx.Done():
				t.Error("the proxy was not asked")
			}
			_ = pull.Process.Kill() // it would try again
			_ = pull.Wait()
		})
	}
}
