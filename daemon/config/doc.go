// Package config is the one place for dragoman's settings and for where its
// files are: the configuration file, the data folder (runtimes and models), the
// cache folder (compiled models, written graphs), the state folder (the
// daemon's database, lock and logs) and the runtime folder (its socket).
//
// It owns the names of the environment variables and one table of the
// configuration file's keys, from which loading, checking, changing and the
// documented default file are made. It must not import the runtime's binding,
// the daemon's parts or the installer: all of them import it.
package config
