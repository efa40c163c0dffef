//go:build long

package main

const copies = 1000
