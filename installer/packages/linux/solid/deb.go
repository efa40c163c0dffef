package main

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// packDeb packs the member data.tar of a Debian package (deb(5)), an archive of ar
// (ar(5)): a line, then members with a header of 60 bytes each, on even offsets.
func packDeb(data []byte) ([]byte, error) {
	const magic, header, name, size = "!<arch>\n", 60, 16, 48
	rest, ok := bytes.CutPrefix(data, []byte(magic))
	if !ok {
		return nil, errors.New("this is no package of Debian")
	}
	out, packed := []byte(magic), false
	for len(rest) >= header {
		head, n := rest[:header], 0
		n, err := strconv.Atoi(strings.TrimSpace(string(head[size : size+10])))
		if err != nil || n < 0 || n > len(rest)-header {
			return nil, errors.New("a member is larger than the file")
		}
		content := rest[header : header+n]
		rest = rest[min(header+n+n%2, len(rest)):]
		if strings.TrimRight(string(head[:name]), " /") == "data.tar" {
			if content, err = xz(content); err != nil {
				return nil, err
			}
			head = []byte(fmt.Sprintf("%-16s", "data.tar.xz") + string(head[name:size]) + fmt.Sprintf("%-10d", len(content)) + string(head[size+10:]))
			packed = true
		}
		out = append(append(out, head...), content...)
		if len(content)%2 == 1 {
			out = append(out, '\n')
		}
	}
	if !packed {
		return nil, errors.New("it has no data.tar, so its content is packed already")
	}
	return out, nil
}
