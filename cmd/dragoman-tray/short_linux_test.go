//go:build !long

package main

const copies = 100
