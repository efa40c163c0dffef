package main

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"dragoman/daemon/api"
)

// completionWait bounds what a person waits for after pressing Tab.
const completionWait = time.Second

// ask lets the service answer in time for a completion; false where it does not.
func ask[T any](c *cobra.Command, question func(context.Context, *api.Client) (T, error)) (T, bool) {
	ctx, cancel := context.WithTimeout(c.Context(), completionWait)
	defer cancel()
	var none T
	client, err := newClient()
	if err != nil {
		return none, false
	}
	answer, err := question(ctx, client)
	return answer, err == nil
}

// completeWatched offers the watched folders by number, or by path once a path
// is begun.
func completeWatched(c *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 && c.HasParent() && c.Parent().Name() == "folders" {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	found, ok := ask(c, func(ctx context.Context, client *api.Client) (api.FoldersResponse, error) { return client.Folders(ctx) })
	if !ok {
		return nil, cobra.ShellCompDirectiveFilterDirs
	}
	var offers []cobra.Completion
	for _, f := range found.Folders {
		id := strconv.FormatInt(f.ID, 10)
		switch {
		case strings.HasPrefix(id, typed):
			offers = append(offers, cobra.CompletionWithDesc(id, printable(f.Settings.Path)))
		case strings.HasPrefix(f.Settings.Path, typed):
			offers = append(offers, f.Settings.Path)
		}
	}
	if len(offers) == 0 {
		return nil, cobra.ShellCompDirectiveFilterDirs // ~ and relative paths
	}
	return offers, cobra.ShellCompDirectiveNoFileComp
}

// completeJobs offers the numbers of jobs in some states.
func completeJobs(states ...api.JobState) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		var offers []cobra.Completion
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		for _, state := range states {
			found, _ := ask(c, func(ctx context.Context, client *api.Client) (api.JobsResponse, error) {
				return client.Jobs(ctx, api.JobQuery{State: state})
			})
			for _, j := range found.Jobs {
				if strings.HasPrefix(j.Name(), typed) {
					offers = append(offers, cobra.CompletionWithDesc(j.Name(), printable(whatOf(j))))
				}
			}
		}
		return offers, cobra.ShellCompDirectiveNoFileComp
	}
}
