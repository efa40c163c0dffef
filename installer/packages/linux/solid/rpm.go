package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
)

// The tags of RPM's headers that speak of the payload (rpm's manual, "RPM V4
// package format" and "Tags").
const (
	sigSHA256     = 273  // of the header, hexadecimal
	sigSize       = 1000 // of header and payload
	payloadDigest = 5092 // SHA-256, hexadecimal
)

// packRPM packs the payload of an RPM package that is not signed. What header and
// signature say of it is put right where it stands: all of it has the same length.
func packRPM(data []byte) ([]byte, error) {
	const lead = 96
	if len(data) < lead || !bytes.Equal(data[:4], []byte{0xed, 0xab, 0xee, 0xdb}) {
		return nil, errors.New("this is no RPM package")
	}
	signature, err := readIndex(data[lead:])
	if err != nil {
		return nil, fmt.Errorf("signature: %w", err)
	}
	at := lead + (signature.length+7)/8*8
	header, err := readIndex(data[min(at, len(data)):])
	if err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	head, payload := data[:at+header.length], data[at+header.length:]
	content, err := unzstd(payload)
	if err != nil {
		return nil, fmt.Errorf("payload: %w", err)
	}
	was := sha256.Sum256(payload)
	if payload, err = zstd(content); err != nil {
		return nil, err
	}
	is := sha256.Sum256(payload)
	if err := header.replace(payloadDigest, []byte(hex.EncodeToString(was[:])), []byte(hex.EncodeToString(is[:]))); err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	sum := sha256.Sum256(head[at:])
	size := binary.BigEndian.AppendUint32(nil, uint32(header.length+len(payload)))
	err = errors.Join(signature.replace(sigSHA256, nil, []byte(hex.EncodeToString(sum[:]))), signature.replace(sigSize, nil, size))
	if err != nil {
		return nil, fmt.Errorf("signature: %w", err)
	}
	return append(head, payload...), nil
}

// index is one of RPM's tables of tags: 16 bytes, as many entries of 16, and the
// values.
type index struct {
	at     map[uint32]int // where a tag's value begins, by tag
	values []byte
	length int
}

func readIndex(data []byte) (index, error) {
	const head, entry = 16, 16
	broken := errors.New("the table of tags is broken")
	if len(data) < head || !bytes.Equal(data[:4], []byte{0x8e, 0xad, 0xe8, 1}) {
		return index{}, broken
	}
	entries, size := int(binary.BigEndian.Uint32(data[8:])), int(binary.BigEndian.Uint32(data[12:]))
	if entries > len(data)/entry || size > len(data) || head+entries*entry+size > len(data) {
		return index{}, broken
	}
	i := index{at: map[uint32]int{}, length: head + entries*entry + size}
	i.values = data[head+entries*entry : i.length]
	for n := range entries {
		e := data[head+n*entry:]
		i.at[binary.BigEndian.Uint32(e)] = int(binary.BigEndian.Uint32(e[8:]))
	}
	return i, nil
}

// replace puts a value in the place of another one, which is checked where it is
// known.
func (i index) replace(tag uint32, was, is []byte) error {
	at, ok := i.at[tag]
	if !ok || at < 0 || at+len(is) > len(i.values) {
		return fmt.Errorf("tag %d is not there", tag)
	}
	if was != nil && !bytes.Equal(i.values[at:at+len(was)], was) {
		return fmt.Errorf("tag %d has another value than nfpm gives it", tag)
	}
	copy(i.values[at:], is)
	return nil
}
