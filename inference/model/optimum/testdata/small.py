"""Makes a small random model, whose exports of every kind are kept as graphs alone.

  python small.py STARTER MODEL
  for kind in fp32 fp16 int8; do
    optimum-cli export openvino --model MODEL --weight-format $kind \\
      --task text2text-generation-with-past small-$kind
  done

STARTER gives the tokenizer. Versions are those of describe.py.
"""
import os
import shutil
import sys

import torch
from transformers import M2M100Config, M2M100ForConditionalGeneration

starter, out = sys.argv[1:]
torch.manual_seed(1)
model = M2M100ForConditionalGeneration(M2M100Config(
    vocab_size=24109, d_model=64, encoder_layers=2, decoder_layers=2, encoder_attention_heads=1,
    decoder_attention_heads=1, encoder_ffn_dim=96, decoder_ffn_dim=96, max_position_embeddings=64))
with torch.no_grad():
  for parameter in model.parameters():
    parameter.add_(torch.randn_like(parameter) * 0.01)
model.save_pretrained(out)
for name in ("sentencepiece.bpe.model", "vocab.json", "tokenizer_config.json"):
  shutil.copy(os.path.join(starter, name), out)
