package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// newMan writes the manual pages that packages install. It is hidden: people
// read them with man.
//
// The pages are written here, not with cobra/doc, whose Markdown libraries would
// cost every start of this command half a millisecond.
func newMan() *cobra.Command {
	return &cobra.Command{
		Use:    "man FOLDER",
		Short:  "Write the manual pages into a folder",
		Hidden: true,
		Args:   between(1, 1, "man takes one folder"),
		RunE: func(c *cobra.Command, args []string) error {
			date, err := pageDate()
			if err != nil {
				return usageError{err}
			}
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return fmt.Errorf("make the folder of the manual pages: %w", err)
			}
			for _, documented := range allCommands(c.Root()) {
				if documented.HasParent() && !documented.IsAvailableCommand() {
					continue
				}
				name := filepath.Join(args[0], pageName(documented)+".1")
				if err := os.WriteFile(name, manPage(documented, date), 0o644); err != nil {
					return fmt.Errorf("write a manual page: %w", err)
				}
			}
			return nil
		},
	}
}

// pageDate makes pages of the same sources the same: it is SOURCE_DATE_EPOCH as
// of reproducible-builds.org, else the date of the commit.
func pageDate() (time.Time, error) {
	if epoch := os.Getenv("SOURCE_DATE_EPOCH"); epoch != "" {
		seconds, err := strconv.ParseInt(epoch, 10, 64)
		if err != nil {
			return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH=%s: give seconds since 1970", epoch)
		}
		return time.Unix(seconds, 0).UTC(), nil
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if t, err := time.Parse(time.RFC3339, s.Value); s.Key == "vcs.time" && err == nil {
				return t.UTC(), nil
			}
		}
	}
	return time.Unix(0, 0).UTC(), nil // built outside of a checkout
}

func pageName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// manPage is a command's manual page in the macros of man(7).
func manPage(c *cobra.Command, date time.Time) []byte {
	c.InitDefaultHelpFlag() // cobra adds these to the command only that is run
	c.InitDefaultVersionFlag()
	var b bytes.Buffer
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line(`.TH "%s" "1" "%s" "dragoman %s" "Dragoman"`, roff(strings.ToUpper(pageName(c))), date.Format(time.DateOnly), roff(version))
	line(`.SH NAME`)
	line(`%s \- %s`, roff(pageName(c)), roff(c.Short))
	line(`.SH SYNOPSIS`)
	line(`.B %s`, roff(c.CommandPath()))
	if arguments := strings.TrimSpace(strings.TrimPrefix(c.UseLine(), c.CommandPath())); arguments != "" {
		line("%s", roff(arguments))
	}
	line(`.SH DESCRIPTION`)
	if c.Long == "" {
		line("%s.", roff(c.Short))
	} else {
		b.WriteString(manProse(c.Long))
	}
	if subs := availableBelow(c); len(subs) > 0 {
		line(`.SH COMMANDS`)
		for _, sub := range subs {
			line(".TP\n.B %s\n%s.", roff(sub.Name()), roff(sub.Short))
		}
	}
	manFlags(&b, "OPTIONS", c.NonInheritedFlags())
	manFlags(&b, "GLOBAL OPTIONS", c.InheritedFlags())
	if c.Example != "" {
		line(".SH EXAMPLES\n.nf\n%s\n.fi", roff(c.Example))
	}
	var others []string
	if c.HasParent() {
		others = append(others, pageName(c.Parent()))
	}
	for _, sub := range availableBelow(c) {
		others = append(others, pageName(sub))
	}
	line(`.SH "SEE ALSO"`)
	for i, other := range others {
		others[i] = `\fB` + roff(other) + `\fR(1)`
	}
	line("%s", strings.Join(others, ",\n"))
	return b.Bytes()
}

func availableBelow(c *cobra.Command) []*cobra.Command {
	var subs []*cobra.Command
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			subs = append(subs, sub)
		}
	}
	return subs
}

func manFlags(b *bytes.Buffer, title string, set *pflag.FlagSet) {
	if !set.HasAvailableFlags() {
		return
	}
	fmt.Fprintf(b, ".SH %q\n", title)
	set.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		b.WriteString(".TP\n")
		if f.Shorthand != "" {
			fmt.Fprintf(b, `\fB\-%s\fR, `, f.Shorthand)
		}
		fmt.Fprintf(b, `\fB\-\-%s\fR`, roff(f.Name))
		if value != "" {
			fmt.Fprintf(b, ` \fI%s\fR`, roff(value))
		}
		if d := f.DefValue; d != "" && d != "false" && d != "0" && d != "[]" {
			usage += " (default " + d + ")"
		}
		fmt.Fprintf(b, "\n%s\n", roff(usage))
	})
}

// manProse sets a command's long help. A line with lines below it that are indented
// by four is a term with its description; lines indented by two stay as they are;
// others are filled.
func manProse(text string) string {
	var b strings.Builder
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		lines := strings.Split(strings.Trim(paragraph, "\n"), "\n")
		b.WriteString(".PP\n")
		kept := false
		for i, text := range lines {
			describes := i+1 < len(lines) && strings.HasPrefix(lines[i+1], "    ")
			keep := strings.HasPrefix(text, "  ") && !strings.HasPrefix(text, "    ")
			switch {
			case keep && !kept:
				b.WriteString(".nf\n")
			case kept && !keep:
				b.WriteString(".fi\n")
			}
			kept = keep
			switch {
			case strings.HasPrefix(text, "    "):
				text = strings.TrimSpace(text)
			case describes:
				b.WriteString(".TP\n")
			}
			b.WriteString(roff(text) + "\n")
		}
		if kept {
			b.WriteString(".fi\n")
		}
	}
	return b.String()
}

// roff keeps a text from being taken for requests and its hyphens from being
// taken for typography, so that commands can be copied.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
