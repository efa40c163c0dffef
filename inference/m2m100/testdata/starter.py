"""What starter_logits.py and starter_attention.py share: the starter model in float32, run
over two sentences of reference.jsonl, one shorter than the first static graph of the
encoder (16 tokens) and one that needs the next.
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


def write(doc, name, describe, **asked):
  """Writes a file of what describe(source, decoder, output) makes of each sentence: JSON. The
  decoder is run once over its whole input (teacher forcing, causal), asked for more."""
  parser = argparse.ArgumentParser(description=doc.split("\n")[0])
  parser.add_argument("--model", default=os.path.join(HERE, "../../../assets/starter"))
  parser.add_argument("--out", default=os.path.join(HERE, name))
  options = parser.parse_args()
  with open(os.path.join(HERE, "reference.jsonl"), encoding="utf-8") as lines:
    references = [json.loads(line) for line in lines]
  model = M2M100ForConditionalGeneration.from_pretrained(
      options.model, dtype=torch.float32, attn_implementation="eager").eval()
  sentences = []
  for line in LINES:
    source = references[line]["source_ids"]
    decoder = [START] + references[line]["target_ids"][:-1]
    with torch.inference_mode():
      output = model(
          input_ids=torch.tensor([source]), attention_mask=torch.ones(1, len(source), dtype=torch.long),
          decoder_input_ids=torch.tensor([decoder]), use_cache=False, **asked)
    sentences.append(describe(source, decoder, output))
  with open(options.out, "w", encoding="utf-8", newline="\n") as out:
    out.write('{"transformers": "%s", "torch": "%s",\n "sentences": [\n%s]}\n' % (
        transformers.__version__, torch.__version__, ",\n".join(sentences)))
