package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"dragoman/inference"
	"dragoman/inference/blob"
	"dragoman/internal/english"
)

func newCache() *cobra.Command {
	c := &cobra.Command{
		Use:   "cache",
		Short: "List, check, clean and fill the cache of prepared and compiled models",
		Long: `The cache holds what is made of a model so that later starts are quick: its graphs with
weights, and what was compiled of these for a device. It may be deleted at any time.

These commands work on the folder itself, whether the service runs or not. Where the
service is the system's, name its folder: DRAGOMAN_CACHE=/var/cache/dragoman.`,
		Args: knownCommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newCacheList(), newCacheVerify(), newCachePrune(), newCacheWarm())
	return c
}

func (s setup) cache() inference.Cache {
	return inference.Cache{Dir: s.paths.CacheDir, QuotaBytes: s.config.Cache.QuotaMB * 1e6}
}

// jsonCache is the cache as `dragoman cache list --json` prints it.
type jsonCache struct {
	Folder   string         `json:"folder"`
	Bytes    int64          `json:"bytes"`
	Prepared []jsonPrepared `json:"prepared"`
	Compiled []jsonCompiled `json:"compiled"`
	Doubtful int            `json:"set_aside"`
	Left     int            `json:"left"` // folders of killed programs
}

type jsonPrepared struct {
	Name    string    `json:"name"`
	Weights string    `json:"weights"`
	Bytes   int64     `json:"bytes"`
	Used    time.Time `json:"used"`
	Old     bool      `json:"old,omitempty"`
}

type jsonCompiled struct {
	Key   string      `json:"key"`
	Bytes int64       `json:"bytes"`
	Used  time.Time   `json:"used"`
	About *blob.About `json:"about,omitempty"`
}

func newCacheList() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "list",
		Short: "List what the cache holds",
		Args:  noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			s, err := loadSetup()
			if err != nil {
				return err
			}
			cache := s.cache()
			content := cache.List()
			if asJSON {
				return json.NewEncoder(c.OutOrStdout()).Encode(newJSONCache(cache.Dir, content))
			}
			return writeCache(c.OutOrStdout(), cache, content)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON object")
	return c
}

func newJSONCache(dir string, content inference.CacheContent) jsonCache {
	j := jsonCache{Folder: dir, Bytes: content.Bytes(), Prepared: []jsonPrepared{}, Compiled: []jsonCompiled{}, Doubtful: content.Doubtful, Left: content.Left}
	for _, p := range content.Prepared {
		j.Prepared = append(j.Prepared, jsonPrepared{filepath.Base(p.Dir), p.Recipe, p.Bytes, p.Used, p.Old})
	}
	for _, l := range content.Compiled {
		entry := jsonCompiled{Key: l.Key.String(), Bytes: l.Bytes, Used: l.Used}
		if l.Known {
			entry.About = &l.About
		}
		j.Compiled = append(j.Compiled, entry)
	}
	return j
}

func writeCache(out io.Writer, cache inference.Cache, content inference.CacheContent) error {
	size := func(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }
	quota := "no limit"
	if cache.QuotaBytes > 0 {
		quota = "compiled graphs at most " + size(cache.QuotaBytes)
	}
	fmt.Fprintf(out, "%s: %s (%s)\n", cache.Dir, size(content.Bytes()), quota)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if len(content.Prepared) > 0 {
		fmt.Fprintln(w, "\nPREPARED\tWEIGHTS\tSIZE\tUSED\t")
	}
	for _, p := range content.Prepared {
		note := ""
		if p.Old {
			note = "of another version of dragoman"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", filepath.Base(p.Dir), dash(p.Recipe), size(p.Bytes), p.Used.Local().Format(time.DateOnly), note)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if len(content.Compiled) > 0 {
		fmt.Fprintln(w, "\nCOMPILED\tMODEL\tGRAPH\tDEVICE\tDRIVER\tSIZE\tUSED")
	}
	for _, l := range content.Compiled {
		a := l.About
		driver := dash(a.Driver)
		if a.Device == "NPU" && a.Driver == "" {
			driver = "any"
		}
		if !l.Known {
			driver = "not known"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", l.Key.String()[:12], dash(a.Model), dash(a.Graph),
			dash(join(a.Device, a.Architecture)), driver, size(l.Bytes), l.Used.Local().Format(time.DateOnly))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if content.Doubtful > 0 {
		fmt.Fprintf(out, "\n%s set aside, damaged or refused (%s): `dragoman cache prune` removes them\n", english.Count(content.Doubtful, "file"), size(content.DoubtfulLen))
	}
	if content.Left > 0 {
		fmt.Fprintf(out, "\n%s that killed programs left or that are damaged (%s): `dragoman cache prune` removes them\n", english.Count(content.Left, "folder"), size(content.LeftLen))
	}
	return nil
}

// errDamagedCache has the command end with 1 after it has said what is damaged.
var errDamagedCache = errors.New("parts of the cache were damaged: they are out of use and are made anew when they are needed")

func newCacheVerify() *cobra.Command {
	return &cobra.Command{
		Use:   "verify",
		Short: "Read everything in the cache and compare it with its checksums",
		Long: `Read everything in the cache and compare it with its checksums. What is damaged is put
out of use and made anew when it is needed; then the exit code is 1.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			s, err := loadSetup()
			if err != nil {
				return err
			}
			parts, damaged, bytes := 0, 0, int64(0)
			err = s.cache().Verify(c.Context(), func(what string, n int64, wrong error) {
				parts, bytes = parts+1, bytes+n
				if wrong != nil {
					damaged++
					fmt.Fprintln(c.OutOrStdout(), printable(wrong.Error()))
				}
			})
			if err != nil {
				return err
			}
			fmt.Fprintf(c.OutOrStdout(), "%s read (%.1f MB), %d damaged\n", english.Count(parts, "part"), float64(bytes)/1e6, damaged)
			if damaged > 0 {
				return errDamagedCache
			}
			return nil
		},
	}
}

func newCachePrune() *cobra.Command {
	var all, try bool
	c := &cobra.Command{
		Use:   "prune",
		Short: "Remove from the cache what nobody will use",
		Long: `Remove from the cache what nobody will use: models that no start has used for 90 days or
that another version of dragoman has prepared, what was compiled of models that are not
prepared any more, by another OpenVINO than the one in use, or not used for 90 days,
what was found damaged, and what killed programs left. What a running program has open
stays.`,
		Example: `  dragoman cache prune --dry-run
  dragoman cache prune --all`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			s, err := loadSetup()
			if err != nil {
				return err
			}
			build := ""
			if core, _ := loadRuntime(); core != nil {
				build = core.Runtime().Build
			}
			freed, failed := int64(0), 0
			for _, r := range s.cache().Prune(build, all, try) {
				fmt.Fprintf(c.OutOrStdout(), "%s (%.1f MB): %s\n", printable(r.What), float64(r.Bytes)/1e6, printable(r.Why))
				if r.Err != nil {
					failed++
					fmt.Fprintf(c.ErrOrStderr(), "dragoman: %s stays: %v\n", printable(r.What), r.Err)
					continue
				}
				freed += r.Bytes
			}
			verb := "removed"
			if try {
				verb = "would be removed"
			}
			fmt.Fprintf(c.OutOrStdout(), "%.1f MB %s\n", float64(freed)/1e6, verb)
			if failed > 0 {
				return fmt.Errorf("%s of the cache could not be removed: stop the service (`dragoman service stop`) and try again", english.Count(failed, "part"))
			}
			return nil
		},
	}
	c.Flags().BoolVar(&all, "all", false, "remove everything that no running program has open; the next start makes it anew")
	c.Flags().BoolVar(&try, "dry-run", false, "only say what would be removed")
	return c
}
