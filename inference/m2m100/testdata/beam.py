"""Makes beam.jsonl: what transformers' beam search gives for 100 sentences.

The Go beam search in float32 must give the same token ids. Run it only when the
starter model or reference.jsonl changes:

  pip install -r requirements.txt
  python beam.py [--model MODEL] [--out beam.jsonl]

MODEL is a checkpoint folder in M2M-100 layout, the starter where it is left out.
The sentences are every second one of reference.jsonl, so all its language pairs
and lengths; none is left out, however near its choices are to a tie.

The settings are those of M2M-100's generation_config.json but for the number of
beams, which is BEAMS there 5: early stopping, and each length penalty of PENALTIES
in turn. Tokens that dragoman never generates are suppressed. Outputs are bounded by the source's length
as dragoman bounds them.

Every line of the output is one JSON object:

  line         of reference.jsonl, from 1
  penalty      length penalty
  beams        the BEAMS outputs, best first: [[tokens], score]. Tokens are without
               the start token, the forced language token and the end token; the
               score is the sum of the logarithms of the probabilities over the
               length to the power of the penalty.
  ended        by output, whether it came to its end token
"""
import argparse
import json
import os

import torch
from transformers import M2M100ForConditionalGeneration

BEAMS = 4
PENALTIES = [1.0]
EVERY = 2
START = END = 2
PAD = 1

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
  parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
  parser.add_argument("--model", default=os.path.join(HERE, "../../../assets/starter"))
  parser.add_argument("--out", default=os.path.join(HERE, "beam.jsonl"))
  parser.add_argument("--threads", type=int, default=1)
  options = parser.parse_args()
  torch.set_num_threads(options.threads)

  model = M2M100ForConditionalGeneration.from_pretrained(
      options.model, dtype=torch.float32, attn_implementation="eager").eval()
  model.generation_config.max_length = None  # generate's own limit is the only one
  with open(os.path.join(HERE, "reference.jsonl"), encoding="utf-8") as file:
    references = [json.loads(line) for line in file]
  # <s>, <pad>, <unk>, and all from the first language token on.
  vocabulary = model.config.vocab_size
  with open(os.path.join(options.model, "vocab.json"), encoding="utf-8") as file:
    first_special = len(json.load(file))
  suppressed = [0, 1, 3] + list(range(first_special, vocabulary))

  with open(options.out, "w", encoding="utf-8", newline="\n") as out:
    for number, reference in enumerate(references, 1):
      if number % EVERY:
        continue
      source = reference["source_ids"]
      language = reference["target_ids"][0]
      limit = min(2 * len(source) + 12, model.config.max_position_embeddings - 2)
      for penalty in PENALTIES:
        with torch.inference_mode():
          result = model.generate(
              input_ids=torch.tensor([source]),
              attention_mask=torch.ones(1, len(source), dtype=torch.long),
              forced_bos_token_id=language, num_beams=BEAMS, do_sample=False,
              early_stopping=True, length_penalty=penalty,
              num_return_sequences=BEAMS, max_new_tokens=limit + 1,
              # The forced token is the only one that suppressing would take away.
              suppress_tokens=[t for t in suppressed if t != language],
              output_scores=True, return_dict_in_generate=True)
        beams, ended = [], []
        for sequence, score in zip(result.sequences.tolist(), result.sequences_scores.tolist()):
          assert sequence[:2] == [START, language]
          tokens = sequence[2:]
          while tokens and tokens[-1] == PAD:
            tokens.pop()
          ended.append(bool(tokens) and tokens[-1] == END)
          if ended[-1]:
            tokens.pop()
          assert END not in tokens and PAD not in tokens
          beams.append([tokens, round(score, 6)])
        out.write(json.dumps({"line": number, "penalty": penalty, "beams": beams, "ended": ended}) + "\n")


if __name__ == "__main__":
  main()
