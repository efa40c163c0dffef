"""Makes starter_attention.json: transformers' cross-attention for the starter model.

  pip install -r requirements.txt
  python starter_attention.py [--model MODEL] [--out starter_attention.json]

Engine.Look must give about the same weights. Run it only when the starter model
changes, after reference.py, of whose sentences two are taken, see starter.py.

Of each sentence, by layer, the weights [output, source] of the output's tokens as the
decoder's input, the mean of the heads; the start token has none.
"""
import json

import starter


def describe(source, decoder, output):
  weights = [[[round(float(w), 5) for w in row] for row in layer[0].mean(0)[2:]] for layer in output.cross_attentions]
  return '  {"source_ids": %s,\n   "output_ids": %s,\n   "layers": [\n    %s]}' % (
      json.dumps(source), json.dumps(decoder[1:]), ",\n    ".join(json.dumps(layer) for layer in weights))


if __name__ == "__main__":
  starter.write(__doc__, "starter_attention.json", describe, output_attentions=True)
