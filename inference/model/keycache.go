package model

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

const (
	keyCacheFile    = "checkpoint-keys.json"
	keyCacheVersion = 1
	maxRemembered   = 64 // checkpoints; more than a machine holds
	maxKeyCache     = 1 << 20
)

// keyCache is the content of keyCacheFile, oldest key first.
type keyCache struct {
	Version int             `json:"version"`
	Keys    []rememberedKey `json:"keys"`
}

type rememberedKey struct {
	Stamp string `json:"stamp"`
	Key   string `json:"key"`
}

// CachedContentKey is ContentKey, remembered under Stamp in a small file of
// cacheDir, so that an unchanged checkpoint is hashed once and not at every
// start. Where the folder cannot be made or written, or the file cannot
// be read, it only hashes. Two processes that remember at the same time may
// lose one key, which costs one more hashing.
func (c *Checkpoint) CachedContentKey(ctx context.Context, cacheDir string) (string, error) {
	if cacheDir == "" {
		return c.ContentKey(ctx) // "" is no folder, and not the current one either
	}
	stamp := c.Stamp()
	path := filepath.Join(cacheDir, keyCacheFile)
	if key, ok := loadKeyCache(path).find(stamp); ok {
		return key, nil
	}
	key, err := c.ContentKey(ctx)
	if err != nil {
		return "", err
	}
	// Loaded again: hashing takes seconds, in which others may have remembered.
	kept := loadKeyCache(path)
	kept.add(stamp, key)
	// A cache that cannot be written is no reason to fail.
	_ = kept.save(path)
	return key, nil
}

// loadKeyCache gives an empty cache for whatever cannot be understood.
func loadKeyCache(path string) *keyCache {
	empty := &keyCache{Version: keyCacheVersion}
	f, err := readSmallFile(path, maxKeyCache)
	if err != nil {
		return empty
	}
	var kept keyCache
	if json.Unmarshal(f.data, &kept) != nil || kept.Version != keyCacheVersion {
		return empty
	}
	return &kept
}

func (k *keyCache) find(stamp string) (string, bool) {
	for _, r := range k.Keys {
		if b, err := hex.DecodeString(r.Key); r.Stamp == stamp && err == nil && len(b) == 32 {
			return r.Key, true
		}
	}
	return "", false
}

func (k *keyCache) add(stamp, key string) {
	k.Keys = slices.DeleteFunc(k.Keys, func(r rememberedKey) bool { return r.Stamp == stamp })
	k.Keys = append(k.Keys, rememberedKey{Stamp: stamp, Key: key})
	if over := len(k.Keys) - maxRemembered; over > 0 {
		k.Keys = slices.Delete(k.Keys, 0, over)
	}
}

// save replaces the file in one step, so that a reader sees the old or the
// new content and a kill leaves either.
func (k *keyCache) save(path string) error {
	data, err := json.MarshalIndent(k, "", " ")
	if err != nil {
		return fmt.Errorf("remember content key: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("remember content key: %w", err)
	}
	f, err := os.CreateTemp(filepath.Dir(path), keyCacheFile+".*.tmp")
	if err != nil {
		return fmt.Errorf("remember content key: %w", err)
	}
	_, err = f.Write(append(data, '\n'))
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("remember content key in %s: %w", path, err), os.Remove(f.Name()))
	}
	return nil
}
