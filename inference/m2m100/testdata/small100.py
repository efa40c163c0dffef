"""Writes what transformers generates by SMaLL-100's rules, as JSON.

  python small100.py STARTER RANDOM >small100.json

STARTER is the starter, a model that has learnt words, and RANDOM the random model
of small100_test.go, which has SMaLL-100's layers; TestSmall100ReferenceIsCurrent
writes it and calls this script.

SMaLL-100 (Mohammadshahi et al. 2022, and its model card) has the target language's
token before the source in the encoder, no token of the source language, and nothing
but </s> before the output in the decoder. Its tokenizer numbers as
M2M100Tokenizer does.
"""
import json
import sys

import torch
from transformers import M2M100ForConditionalGeneration, M2M100Tokenizer

TEXTS = [
    "The house is big.", "Where is the station?", "I have read the book that you gave me.",
    "My brother lives in a small town near the sea.", "Good morning!",
]
LANGUAGES = ["de", "fr", "es", "it", "pt"]


def generate(directory, tokens):
  tokenizer = M2M100Tokenizer.from_pretrained(directory)
  model = M2M100ForConditionalGeneration.from_pretrained(directory, dtype=torch.float32).eval()
  # What dragoman never generates, and the end: the length is fixed.
  suppressed = [0, 1, 2, 3] + list(range(len(tokenizer.encoder), model.config.vocab_size))
  for text in TEXTS:
    for language in LANGUAGES:
      tokenizer.src_lang = language  # the prefix, whatever it is called
      source = tokenizer(text, return_tensors="pt")
      with torch.no_grad():
        ids = model.generate(**source, num_beams=1, do_sample=False, max_new_tokens=tokens,
                             min_new_tokens=tokens, suppress_tokens=suppressed)[0].tolist()
      assert ids[0] == 2 and len(ids) == tokens + 1, ids
      yield json.dumps({"text": text, "to": language, "source_ids": source.input_ids[0].tolist(), "target_ids": ids[1:]},
                       ensure_ascii=False)


print('{"starter": [\n' + ",\n".join(generate(sys.argv[1], 5)) + '\n], "random": [\n' + ",\n".join(generate(sys.argv[2], 4)) + "\n]}")
