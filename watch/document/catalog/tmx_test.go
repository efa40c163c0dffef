package catalog

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/watch/document/segment"
)

func TestTMX(t *testing.T) {
	const head = `<?xml version="1.0"?><tmx version="1.4"><header srclang="en"/><body>`
	const en = `<tuv xml:lang="en-US"><seg>a <bpt i="1">&lt;b></bpt>b<ept i="1">&lt;/b></ept> &amp; %s</seg></tuv>`
	const de = `<tuv xml:lang="de"><seg>A <bpt i="1">&lt;b></bpt>B<ept i="1">&lt;/b></ept> &amp; %s</seg></tuv>`
	for name, c := range map[string]struct{ body, want string }{
		"added":        {head + "<tu>\n  " + en + "\n</tu></body></tmx>", head + "<tu>\n  " + en + "\n  " + de + "\n</tu></body></tmx>"},
		"there":        {head + "<tu>" + en + `<tuv xml:lang="DE-at"><seg>x</seg></tuv></tu></body></tmx>`, head + "<tu>" + en + `<tuv xml:lang="DE-at"><seg>x</seg></tuv></tu></body></tmx>`},
		"empty":        {head + "<tu>" + en + `<tuv xml:lang="de"><seg> </seg></tuv></tu></body></tmx>`, head + "<tu>" + en + de + "</tu></body></tmx>"},
		"empty tag":    {head + "<tu>" + en + `<tuv xml:lang="de"><seg/></tuv></tu></body></tmx>`, head + "<tu>" + en + de + "</tu></body></tmx>"},
		"source later": {head + `<tu><tuv xml:lang="fr"><seg>x</seg></tuv><tuv lang="en"><seg>b</seg></tuv></tu></body></tmx>`, head + `<tu><tuv xml:lang="fr"><seg>x</seg></tuv><tuv lang="en"><seg>b</seg></tuv><tuv xml:lang="de"><seg>B</seg></tuv></tu></body></tmx>`},
		"its own":      {head + `<tu srclang="fr"><tuv xml:lang="en"><seg>x</seg></tuv><tuv xml:lang="fr"><seg>b</seg></tuv></tu></body></tmx>`, head + `<tu srclang="fr"><tuv xml:lang="en"><seg>x</seg></tuv><tuv xml:lang="fr"><seg>b</seg></tuv><tuv xml:lang="de"><seg>B</seg></tuv></tu></body></tmx>`},
		"notes":        {head + `<tu><note>n</note><tuv xml:lang="en"><prop type="x">p</prop><seg>b</seg></tuv></tu></body></tmx>`, head + `<tu><note>n</note><tuv xml:lang="en"><prop type="x">p</prop><seg>b</seg></tuv><tuv xml:lang="de"><seg>B</seg></tuv></tu></body></tmx>`},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := ReadTMX(c.body)
			require.NoError(t, err)
			p.Into("de")
			require.NoError(t, segment.Translate(t.Context(), p.Segments, upper))
			out, err := p.Render(segment.Options{To: "de"})
			require.NoError(t, err)
			require.Equal(t, c.want, out)
		})
	}
	_, err := ReadTMX("<xliff/>")
	require.ErrorContains(t, err, "not <tmx>")

	p, err := ReadTMX(head + "<tu>" + de + "<tuv xml:lang='fr'><seg>b</seg></tuv></tu></body></tmx>")
	require.NoError(t, err)
	for _, to := range []string{"fr", "it"} { // one after the other, as a drop folder does
		p.Into(to)
		require.Equal(t, to == "fr", p.Segments[0].Keep != "")
	}
}
