"""Makes a CTranslate2 model folder from a checkpoint folder in M2M-100 layout.

  pip install -r requirements.txt
  python ct2_convert.py CHECKPOINT_DIR OUT_DIR [--quantization int8] [--force]

CTranslate2's own converter (ct2-transformers-converter) needs torch and transformers,
gigabytes for one benchmark. This one fills the same specification (ctranslate2.specs)
from model.safetensors with numpy alone and lets CTranslate2 quantise and write it, so
that the peer's weights and layout are the ones that its own converter would give.

CHECKPOINT_DIR: config.json and model.safetensors (float32 or float16, also sharded with
model.safetensors.index.json; the tied embeddings as model.shared.weight). The names of the
tokens come from vocab.json, added_tokens.json and special_tokens_map.json; where there is
no vocab.json, as in a checkpoint of random weights, the tokens get made-up names ("tok12").
"""
import argparse
import json
import math
import os
import shutil
import sys

import numpy as np
from ctranslate2.specs import common_spec, transformer_spec
from safetensors import safe_open

# The names at ids 0 to 3 in every model of this family.
SPECIALS = ["<s>", "<pad>", "</s>", "<unk>"]
# The table of positions starts at row 2 in M2M-100: a token at place 0 gets row
# padding_idx + 1 = 2.
FIRST_POSITION = 2
ACTIVATIONS = {
    "relu": common_spec.Activation.RELU,
    "gelu": common_spec.Activation.GELU,
    "swish": common_spec.Activation.SWISH,
}


def read_json(*path):
  with open(os.path.join(*path), encoding="utf-8") as file:
    return json.load(file)


class Weights:
  """Reads tensors by name; each is returned as float32, in a copy of its own."""

  def __init__(self, folder):
    index = os.path.join(folder, "model.safetensors.index.json")
    if os.path.exists(index):
      names = sorted(set(read_json(index)["weight_map"].values()))
    else:
      names = ["model.safetensors"]
    self.files = {}
    for name in names:
      path = os.path.join(folder, name)
      if not os.path.exists(path):
        raise SystemExit(f"{path}: no such file; only safetensors checkpoints are read")
      file = safe_open(path, framework="numpy")
      self.files.update(dict.fromkeys(file.keys(), file))

  def __call__(self, name):
    if name not in self.files:
      raise SystemExit(f"the checkpoint has no tensor {name}")
    dtype = self.files[name].get_slice(name).get_dtype()
    if dtype not in ("F16", "F32"):
      raise SystemExit(f"{name} is {dtype}; only F16 and F32 are read")
    return self.files[name].get_tensor(name).astype(np.float32)

  def set_linear(self, spec, *names):
    """Sets one matrix from several with the same input, one above the other."""
    spec.weight = np.concatenate([self(f"{n}.weight") for n in names])
    spec.bias = np.concatenate([self(f"{n}.bias") for n in names])

  def set_norm(self, spec, name):
    spec.gamma, spec.beta = self(f"{name}.weight"), self(f"{name}.bias")


def sinusoids(rows, width):
  """The table of positions, [rows, width]: all sines, then all cosines.

  Frequencies and angles are rounded to float32, as torch does, the functions are not: this
  comes nearest to the table that transformers computes.
  """
  half = width // 2
  exponents = np.arange(half, dtype=np.float32) * np.float32(-math.log(10000) / (half - 1))
  frequencies = np.exp(exponents.astype(np.float64)).astype(np.float32)
  angles = np.arange(rows, dtype=np.float32)[:, None] * frequencies[None]
  angles = angles.astype(np.float64)
  return np.concatenate([np.sin(angles), np.cos(angles)], axis=1).astype(np.float32)


def set_attention(spec, weights, name, norm, to_itself):
  query, key, value = (f"{name}.{p}_proj" for p in "qkv")
  if to_itself:
    weights.set_linear(spec.linear[0], query, key, value)
  else:
    weights.set_linear(spec.linear[0], query)
    weights.set_linear(spec.linear[1], key, value)
  weights.set_linear(spec.linear[-1], f"{name}.out_proj")
  weights.set_norm(spec.layer_norm, norm)


def set_stack(spec, weights, name, config, embeddings):
  """Fills the encoder or the decoder."""
  width = config["d_model"]
  spec.scale_embeddings = math.sqrt(width) if config.get("scale_embedding", True) else 1.0
  rows = config["max_position_embeddings"] + FIRST_POSITION
  spec.position_encodings.encodings = sinusoids(rows, width)[FIRST_POSITION:]
  # An encoder may have several tables, a decoder has one.
  table = spec.embeddings[0] if isinstance(spec.embeddings, list) else spec.embeddings
  table.weight = embeddings
  weights.set_norm(spec.layer_norm, f"{name}.layer_norm")
  for number, layer in enumerate(spec.layer):
    at = f"{name}.layers.{number}"
    set_attention(layer.self_attention, weights, f"{at}.self_attn",
                  f"{at}.self_attn_layer_norm", to_itself=True)
    if hasattr(layer, "attention"):
      set_attention(layer.attention, weights, f"{at}.encoder_attn",
                    f"{at}.encoder_attn_layer_norm", to_itself=False)
    weights.set_linear(layer.ffn.linear_0, f"{at}.fc1")
    weights.set_linear(layer.ffn.linear_1, f"{at}.fc2")
    weights.set_norm(layer.ffn.layer_norm, f"{at}.final_layer_norm")


def read_vocabulary(folder, size):
  """Returns the names of the tokens 0 to size-1."""
  if not os.path.exists(os.path.join(folder, "vocab.json")):
    return SPECIALS + [f"tok{i}" for i in range(len(SPECIALS), size)]
  ids = read_json(folder, "vocab.json")
  if os.path.exists(os.path.join(folder, "added_tokens.json")):
    ids |= read_json(folder, "added_tokens.json")
  names = [name for name, _ in sorted(ids.items(), key=lambda item: item[1])]
  if [ids[name] for name in names] != list(range(len(names))):
    raise SystemExit(f"{folder}: the ids of vocab.json and added_tokens.json have gaps")
  if os.path.exists(os.path.join(folder, "special_tokens_map.json")):
    special = read_json(folder, "special_tokens_map.json")
    for token in special.get("additional_special_tokens", []):
      name = token if isinstance(token, str) else token["content"]
      if name not in ids:
        names.append(name)
  names += [f"madeupword{i}" for i in range(size - len(names))]
  if len(names) != size:
    raise SystemExit(f"{folder}: {len(names)} names for {size} tokens")
  return names


def convert(folder):
  config = read_json(folder, "config.json")
  if config.get("model_type") != "m2m_100":
    raise SystemExit(f"{folder}: model_type is {config.get('model_type')}, not m2m_100")
  heads = config["encoder_attention_heads"]
  if heads != config["decoder_attention_heads"]:
    raise SystemExit(f"{folder}: encoder and decoder differ in their number of heads")
  spec = transformer_spec.TransformerSpec.from_config(
      (config["encoder_layers"], config["decoder_layers"]), heads, pre_norm=True,
      activation=ACTIVATIONS[config["activation_function"]])
  weights = Weights(folder)
  embeddings = weights("model.shared.weight")
  set_stack(spec.encoder, weights, "model.encoder", config, embeddings)
  set_stack(spec.decoder, weights, "model.decoder", config, embeddings)
  spec.decoder.projection.weight = embeddings
  names = read_vocabulary(folder, config["vocab_size"])
  spec.register_source_vocabulary(names)
  spec.register_target_vocabulary(names)
  spec.config.bos_token, _, spec.config.eos_token, spec.config.unk_token = SPECIALS
  spec.config.decoder_start_token = names[config["decoder_start_token_id"]]
  return spec


def main():
  parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
  parser.add_argument("checkpoint")
  parser.add_argument("out")
  parser.add_argument("--quantization", default="int8")
  parser.add_argument("--force", action="store_true", help="replace what is there")
  options = parser.parse_args()
  if os.path.exists(options.out) and not options.force:
    raise SystemExit(f"{options.out} is there already; --force replaces it")
  spec = convert(options.checkpoint)
  spec.validate()
  spec.optimize(quantization=options.quantization)
  # Written beside and renamed, so that an interrupted run leaves no half model behind.
  unfinished = options.out.rstrip(os.sep) + ".unfinished"
  shutil.rmtree(unfinished, ignore_errors=True)
  os.makedirs(unfinished)
  spec.save(unfinished)
  shutil.rmtree(options.out, ignore_errors=True)
  os.rename(unfinished, options.out)
  size = os.path.getsize(os.path.join(options.out, "model.bin"))
  print(f"{options.out}: {options.quantization}, {size / 1e6:.1f} MB", file=sys.stderr)


if __name__ == "__main__":
  main()
