"""Makes starter_attention.json: transformers' cross-attention for the starter model.

  pip install -r requirements.txt
  python starter_attention.py [--model MODEL] [--out starter_attention.json]

Engine.Look must give about the same weights. Run it only when the starter model
changes, after reference.py, whose outputs it takes.

Of each sentence, by layer, the weights [output, source] of the output's tokens as the
decoder's input, the mean of the heads; the start token has none.
"""
import argparse
import json
import os

import torch
import transformers
from transformers import M2M100ForConditionalGeneration

START = 2
LINES = (1, 4)  # of reference.jsonl, from 0

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
  parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
  parser.add_argument("--model", default=os.path.join(HERE, "../../../assets/starter"))
  parser.add_argument("--out", default=os.path.join(HERE, "starter_attention.json"))
  options = parser.parse_args()
  with open(os.path.join(HERE, "reference.jsonl"), encoding="utf-8") as lines:
    references = [json.loads(line) for line in lines]
  model = M2M100ForConditionalGeneration.from_pretrained(
      options.model, dtype=torch.float32, attn_implementation="eager").eval()
  sentences = []
  for line in LINES:
    source, output = references[line]["source_ids"], references[line]["target_ids"][:-1]
    with torch.inference_mode():
      layers = model(
          input_ids=torch.tensor([source]), attention_mask=torch.ones(1, len(source), dtype=torch.long),
          decoder_input_ids=torch.tensor([[START] + output]), use_cache=False, output_attentions=True).cross_attentions
    weights = [[[round(float(w), 5) for w in row] for row in layer[0].mean(0)[2:]] for layer in layers]
    sentences.append('  {"source_ids": %s,\n   "output_ids": %s,\n   "layers": [\n    %s]}' % (
        json.dumps(source), json.dumps(output), ",\n    ".join(json.dumps(layer) for layer in weights)))
  with open(options.out, "w", encoding="utf-8", newline="\n") as out:
    out.write('{"transformers": "%s", "torch": "%s",\n "sentences": [\n%s]}\n' % (
        transformers.__version__, torch.__version__, ",\n".join(sentences)))


if __name__ == "__main__":
  main()
