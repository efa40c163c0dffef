package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// confirm asks at a terminal whether to go on, unless that was said before; no
// answer is no. Where there is no terminal nobody is asked.
func confirm(c *cobra.Command, said bool, question string) (sure, asked bool, err error) {
	in, isFile := c.InOrStdin().(*os.File)
	if said || !isFile || !term.IsTerminal(int(in.Fd())) {
		return said, false, nil
	}
	fmt.Fprintf(c.ErrOrStderr(), "%s [y/N] ", question)
	answer := make(chan string, 1)
	go func() { // ends with the process: a read from a terminal cannot be interrupted
		line, _ := bufio.NewReader(in).ReadString('\n')
		answer <- line
	}()
	select {
	case <-c.Context().Done():
		fmt.Fprintln(c.ErrOrStderr())
		return false, true, c.Context().Err()
	case line := <-answer:
		line = strings.ToLower(strings.TrimSpace(line))
		return line == "y" || line == "yes", true, nil
	}
}
