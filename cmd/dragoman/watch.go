package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"dragoman/daemon/api"
	"dragoman/inference"
	"dragoman/internal/english"
	"dragoman/watch"
	"dragoman/watch/document"
	"dragoman/watch/document/segment"
	"dragoman/watch/folder"
	"dragoman/watch/ledger"
)

// queued is how many changed files are remembered one by one; beyond it the
// folder is looked through again.
const queued = 50_000

type watchCommand struct {
	*options
	languageFlags
	output    string
	recursive bool
}

func newWatch(o *options) *cobra.Command {
	w := &watchCommand{options: o}
	c := &cobra.Command{
		Use:   "watch --to LANGUAGE FOLDER",
		Short: "Translate the files that are dropped into a folder, until interrupted",
		Long: `Translate the files that are dropped into a folder, until interrupted. This works
without the service, which does the same for any number of folders and after each
start: see dragoman folders.

FOLDER/NAME.EXT becomes FOLDER/translated/NAME.LANGUAGE.EXT once it is no longer
being written to. Files of the formats that "dragoman translate" lists are taken, by
their names; others are left alone. Inputs are never changed.
Files that were translated before are not translated again unless they changed.
A translation stays when its input is renamed or removed.`,
		Example: "  dragoman watch --from en --to es ~/Documents/inbox",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError{fmt.Errorf("watch needs one folder, %d arguments were given", len(args))}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return w.run(c, args[0]) },
	}
	w.add(c)
	o.addEngine(c.Flags())
	c.Flags().StringVarP(&w.output, "output", "o", watch.OutputDir, "`FOLDER` for the translations, below the watched one or absolute")
	c.Flags().BoolVarP(&w.recursive, "recursive", "r", false, "sub-folders too")
	return c
}

func (w *watchCommand) run(c *cobra.Command, root string) error {
	ctx := c.Context()
	source, err := folder.New(folder.Options{
		Root: root, Recursive: w.recursive, OutputDir: w.output,
		Accept: document.Supported,
		Notify: func(n folder.Notice) { fmt.Fprintln(c.ErrOrStderr(), "dragoman:", printable(n.String())) },
	})
	if err != nil {
		return inputError{err}
	}
	if err := source.Check(); err != nil {
		return inputError{err}
	}
	translator, err := openTranslator(c, w.options)
	if err != nil {
		return err
	}
	defer translator.Close()
	if err := (local{Translator: translator}).check(ctx, w.from, w.to); err != nil {
		return err
	}
	d, err := w.newDropFolder(c, source, translator)
	if err != nil {
		return err
	}
	defer d.ledger.Close()
	fmt.Fprintf(c.ErrOrStderr(), "Watching %s: drop files, find their translations in %s. Stop with Ctrl-C.\n", source.Root(), d.outputDir)
	return d.run(ctx)
}

func (w *watchCommand) newDropFolder(c *cobra.Command, source *folder.Folder, t *inference.Translator) (*dropFolder, error) {
	outputDir := w.output
	if !filepath.IsAbs(outputDir) {
		outputDir = filepath.Join(source.Root(), outputDir)
	}
	key, err := t.ModelKey()
	if err != nil {
		return nil, setupError{err}
	}
	s, err := loadSetup()
	if err != nil {
		return nil, err
	}
	recipe := fmt.Sprintf("%s %s %s", w.from, t.Weights(), key)
	l, err := ledger.Open(outputDir, w.to, recipe)
	if err != nil {
		return nil, err
	}
	if n := l.Damaged(); n > 0 {
		fmt.Fprintf(c.ErrOrStderr(), "dragoman: %d damaged lines in the memory of %s: their files are translated again\n", n, outputDir)
	}
	own := s.words(c)
	return &dropFolder{
		source: source, translator: local{Translator: t, words: own.Terms(), own: own.Translations(), batch: true}, ledger: l, outputDir: outputDir, languages: w.languageFlags,
		out: c.OutOrStdout(), problems: c.ErrOrStderr(), queue: watch.NewQueue(queued),
	}, nil
}

// dropFolder is one watched folder at work.
type dropFolder struct {
	source        *folder.Folder
	translator    local
	ledger        *ledger.Ledger
	queue         *watch.Queue
	outputDir     string
	languages     languageFlags
	out, problems io.Writer
	unwritable    string        // folder whose failure was told already
	pause         time.Duration // until files are tried again that could not be written
	retrying      atomic.Bool   // a retry is to come
}

// run works until ctx ends, which is how a watch is meant to stop.
func (d *dropFolder) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	watching := make(chan error, 1)
	go func() {
		defer cancel()
		watching <- d.source.Run(ctx, d.queue.Push)
	}()
	for {
		it, err := d.queue.Pop(ctx)
		if err != nil {
			if cause := <-watching; !errors.Is(cause, context.Canceled) {
				return cause
			}
			return nil
		}
		switch it.Kind {
		case watch.Rescan:
			d.source.Rescan()
		case watch.FileSettled:
			d.file(ctx, it.Path)
		}
	}
}

// file translates one file and tells what came of it. A bad file must not stop
// the others.
func (d *dropFolder) file(ctx context.Context, rel string) {
	target, result, err := d.translate(ctx, rel)
	var write *document.WriteError
	switch {
	case err == nil && target == "", errors.Is(err, context.Canceled), errors.Is(err, document.ErrChanged):
		// Up to date, stopping, or settled again soon.
	case err == nil:
		d.unwritable, d.pause = "", 0
		fmt.Fprintf(d.out, "%s -> %s (%s)\n", printable(rel), printable(target), english.Duration(result.Stats.Total))
		tellDoubts(d.problems, printable(rel), result)
	case errors.As(err, &write):
		if d.unwritable != write.Dir {
			d.unwritable = write.Dir
			fmt.Fprintf(d.problems, "dragoman: %s\n", printable(err.Error()))
		}
		d.retryLater(ctx)
	default:
		fmt.Fprintf(d.problems, "dragoman: %s\n", printable(err.Error()))
	}
}

// The pause until files are tried again whose output could not be written
// grows between these.
const (
	firstRetry = 30 * time.Second
	lastRetry  = 10 * time.Minute
)

func (d *dropFolder) retryLater(ctx context.Context) {
	if d.retrying.Swap(true) {
		return
	}
	d.pause = min(max(firstRetry, 2*d.pause), lastRetry)
	time.AfterFunc(d.pause, func() {
		d.retrying.Store(false)
		if ctx.Err() == nil {
			d.source.Rescan()
		}
	})
}

// checkOutput finds out before the work whether a translation of about size
// bytes can be written, once one could not. The folder must also not have
// become the watched one, by a link, or every output would be a new input.
func (d *dropFolder) checkOutput(size int) error {
	output, outputErr := os.Stat(d.outputDir)
	root, rootErr := os.Stat(d.source.Root())
	if outputErr == nil && rootErr == nil && os.SameFile(output, root) {
		return &document.WriteError{Dir: d.outputDir, Err: errors.New("it leads to the watched folder itself: remove the link")}
	}
	if d.unwritable == "" {
		return nil
	}
	return document.CheckWritable(d.outputDir, size)
}

// translate returns the output's path, "" where there was nothing to do.
func (d *dropFolder) translate(ctx context.Context, rel string) (string, translated, error) {
	in := filepath.Join(d.source.Root(), filepath.FromSlash(rel))
	fresh, err := d.ledger.UpToDate(ctx, rel, in)
	if err != nil || fresh {
		return "", translated{}, err
	}
	reading := document.Reading{}
	if d.languages.from != api.Auto {
		reading.Language = d.languages.from
	}
	doc, err := reading.Open(in)
	if err != nil {
		return "", translated{}, err
	}
	if err := d.checkOutput(int(doc.Stamp.Size)); err != nil {
		return "", translated{}, err
	}
	result, err := translateDocument(ctx, d.translator, doc, d.languages, nil)
	if err != nil {
		return "", result, fmt.Errorf("%s: %w", in, err)
	}
	data, err := doc.Bytes(segment.Options{To: d.languages.to})
	if err != nil {
		return "", result, err
	}
	target, err := d.ledger.Output(rel)
	if err != nil {
		return "", result, err
	}
	below, err := filepath.Rel(d.outputDir, target)
	if err != nil {
		return "", result, err
	}
	if err := document.MakeFolders(d.outputDir, filepath.ToSlash(below)); err != nil {
		return "", result, err
	}
	if err := document.WriteAtomic(target, data, doc.Mode); err != nil {
		return "", result, err
	}
	return target, result, d.ledger.Record(rel, doc.Stamp)
}
