package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"dragoman/daemon/api"
	"dragoman/inference/language"
	"dragoman/tray/message"
	"dragoman/tray/notify"
	"dragoman/tray/target"
	"dragoman/watch/clip"
	"dragoman/watch/clip/selection"
)

type clipCommand struct {
	*options
	from, to string
	primary  bool
	replace  bool
	notify   bool
}

// clipLimit is the length of a text, in bytes, that is translated by command.
const clipLimit = 10_000_000

func newClip(o *options) *cobra.Command {
	t := &clipCommand{options: o}
	c := &cobra.Command{
		Use:   "clip",
		Short: "Translate what is on the clipboard",
		Long: `Translate what is on the clipboard now, or what is marked (--primary), and print the
translation. It goes into the language that the tray translates copies into: --to,
else clipboard.to of the settings, else the desktop's language; a text in that
language goes into clipboard.other where clipboard.two_way is on.

What a password manager has put on the clipboard is not read, nor what the programs
of clipboard.exclude have. Texts of up to 10 megabytes are translated.

Bind it to a key, as "dragoman clip --notify", or with --replace to paste it:
  GNOME    Settings, Keyboard, View and Customise Shortcuts, Custom Shortcuts: the command
  KDE      System Settings, Keyboard, Shortcuts, Add New, Command or Script: the command
  sway     in ~/.config/sway/config: bindsym $mod+t exec dragoman clip --notify
  Windows  set tray.hotkey in the settings, which needs dragoman-tray; or make a shortcut
           to the command and set its "Shortcut key"`,
		Example: `  dragoman clip --to es
  dragoman clip --primary --notify
  dragoman clip --replace`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error { return t.run(c) },
	}
	f := c.Flags()
	f.StringVar(&t.from, "from", api.Auto, "`LANGUAGE` of the text, see dragoman languages, or auto to find out")
	f.StringVar(&t.to, "to", "", "`LANGUAGE` to translate into (default: as the tray does)")
	f.BoolVar(&t.primary, "primary", false, "translate what is marked with the mouse (X11 and Wayland)")
	f.BoolVar(&t.replace, "replace", false, "put the translation on the clipboard")
	f.BoolVar(&t.notify, "notify", false, "show the translation, or why there is none, in a notification")
	f.BoolVar(&t.private, "private", false, "leave no trace in the service's history and translation memory")
	o.addEngine(f)
	o.addLocal(f, "--model, --device, --weights and --threads imply it")
	return c
}

// run shows what went wrong in a notification as well, where that is asked for:
// nobody sees the output of a command that is bound to a key.
func (t *clipCommand) run(c *cobra.Command) error {
	s, err := loadSetup()
	if err != nil {
		return err
	}
	t.origin = api.OriginClipboard
	texts := message.New(append([]string{s.config.Tray.Language}, message.System()...)...)
	done, err := t.translate(c, s)
	if err == nil {
		_, err = fmt.Fprintln(c.OutOrStdout(), shown(c.OutOrStdout(), done.Text))
	}
	if err == nil && t.replace {
		err = replaceClipboard(c.Context(), done.Text)
	}
	switch {
	case !t.notify || errors.Is(err, context.Canceled):
		return err
	case err != nil:
		note := notify.Note{Key: noteKey, Title: texts.Say(message.NoteFailed), Body: strings.Join(describe(err), "\n")}
		_ = showNote(c.Context(), s, note) // the error itself is told in any case
		return err
	}
	return showNote(c.Context(), s, resultNote(texts, s.config, t.to, done.Text))
}

// translate reads and translates. It leaves the language that it chose in t.to.
func (t *clipCommand) translate(c *cobra.Command, s setup) (translated, error) {
	ctx := c.Context()
	text, err := t.read(ctx, s)
	if err != nil {
		return translated{}, err
	}
	translator, err := startTranslating(c, t.options)
	if err != nil {
		return translated{}, err
	}
	defer translator.close()
	found, err := t.choose(ctx, translator, s, text)
	if err != nil {
		return translated{}, err
	}
	if err := translator.check(ctx, t.from, t.to); err != nil {
		return translated{}, err
	}
	bar := newProgress(c.ErrOrStderr(), t.selection().String())
	done, err := translator.translate(ctx, text, target.From(found), t.to, bar.update)
	bar.finish()
	if err != nil {
		return translated{}, fmt.Errorf("the %s: %w", t.selection(), err)
	}
	if found.Language != "" { // else the translation says what it found out
		done.warning, done.hint = found.Warning, found.Hint
	}
	tellDoubts(c.ErrOrStderr(), t.selection().String(), done)
	return done, nil
}

func (t *clipCommand) selection() selection.Name {
	if t.primary {
		return selection.Primary
	}
	return selection.Clipboard
}

// clipPatience is how long the window system and who copied may take.
const clipPatience = 5 * time.Second

// read returns the text, or an error that says why there is none.
func (t *clipCommand) read(ctx context.Context, s setup) (string, error) {
	if t.primary && !hasPrimary {
		return "", usageError{errors.New("--primary: this system knows only the clipboard: copy the text")}
	}
	ctx, cancel := context.WithTimeout(ctx, clipPatience)
	defer cancel()
	board, err := clip.Open(ctx, clip.Options{MaxBytes: clipLimit, Exclude: s.config.Clipboard.Exclude})
	if err != nil {
		return "", setupError{err}
	}
	defer func() { _ = board.Close(ctx) }() // nothing of ours is on it
	got, err := board.Read(ctx, t.selection())
	if err != nil {
		return "", err
	}
	if got.Skip != clip.Accepted {
		return "", inputError{fmt.Errorf("the %s %s", t.selection(), unread(got, t.primary))}
	}
	return got.Text, nil
}

// unread says in words why a selection is not read and what to do.
func unread(got clip.Copy, primary bool) string {
	switch got.Skip {
	case clip.Empty:
		if primary {
			return "is empty: mark a text with the mouse first"
		}
		return "is empty: copy a text first"
	case clip.Secret:
		return "was not read: the program that copied says that it is secret, as password managers do"
	case clip.Excluded:
		return "was not read: the settings exclude the program that copied (clipboard.exclude)"
	case clip.Own:
		return "holds a translation of dragoman's already: copy another text"
	case clip.Image:
		return "holds a picture and no text: copy a text"
	case clip.Files:
		return "holds files and no text: translate them with `dragoman translate FILE`"
	case clip.TooLong:
		return fmt.Sprintf("holds more than %d megabytes: save the text and use `dragoman translate FILE`", clipLimit/1_000_000)
	case clip.Hung:
		return "cannot be read: the program that copied does not answer: copy the text again"
	case clip.Gone:
		return "cannot be read: the program that copied has ended: copy the text again"
	}
	return "holds nothing that can be read as text: copy a text" // NoText, Refused, Garbled
}

// choose returns what the text is in and leaves in t.to what it goes into.
func (t *clipCommand) choose(ctx context.Context, translator translating, s setup, text string) (api.Detection, error) {
	found := api.Detection{Language: t.from}
	if t.to != "" && t.from != api.Auto {
		return found, nil
	}
	codes, err := translator.languages(ctx)
	if err != nil {
		return found, err
	}
	wish := target.New(s.config.Clipboard, target.Known{
		Desktop: target.Base(message.System()), Recent: target.ReadRecent(s.paths.TrayFile()), Languages: codes,
	})
	if t.to != "" {
		wish = target.Wish{To: t.to}
	}
	if t.from == api.Auto {
		if found, err = translator.detect(ctx, text); err != nil {
			return found, err
		}
	}
	if to := wish.Choose(found); to != "" {
		t.to = to
		return found, nil
	}
	name := language.Label(found.Language)
	if t.from != api.Auto {
		return found, usageError{fmt.Errorf("--from %s: texts go into %s already: say --to", t.from, name)}
	}
	return found, inputError{fmt.Errorf("the %s is in %s already, which texts go into: say --to, or --from if it is in another language", t.selection(), name)}
}
