"""The config file of a fine-tuning run: a JSON object.

    model       a name on the Hugging Face hub, a folder, or the settings of a random
                model (an object with model_type)
    tokenizer   a name or a folder; by default the model's; "bytes" is for tests
    attention   flash_attention_2 on GPUs; sdpa elsewhere, with a mask
    window      the largest number of tokens of a training example
    decided     the weight in the loss, from 0.3 to 1, of reply text that follows from
                the text before it; text that does not follow has the weight 1
    lora        null, or the arguments of peft.LoraConfig
    schedule    kind (cosine or wsd), warmup and, for wsd, fall: shares of the steps;
                shape of wsd's fall (linear, cosine or 1-sqrt)
    epochs      passes over the data; or steps, a number of optimiser steps
    training    arguments of transformers.TrainingArguments
"""

import json

LEAST = 0.3  # with a smaller weight, the model unlearns the structure of replies
DEFAULTS = {
    "model": None,
    "tokenizer": None,
    "attention": "flash_attention_2",
    "window": 16384,
    "decided": 0.5,
    "lora": None,
    "schedule": {"kind": "cosine", "warmup": 0.02},
    "epochs": 1,
    "steps": None,
    "training": {},
}
SCHEDULE = {"kind", "warmup", "fall", "shape"}
# train.py derives these from the rest of the config.
OWN = {"output_dir", "max_steps", "num_train_epochs", "lr_scheduler_type", "lr_scheduler_kwargs", "warmup_steps",
       "per_device_train_batch_size", "per_device_eval_batch_size", "remove_unused_columns",
       "average_tokens_across_devices"}


def read(path):
    """Reads a config file. Raises ValueError for unknown settings, and for values that cannot
    work."""
    with open(path, encoding="utf-8") as f:
        given = json.load(f)
    config = {**DEFAULTS, **given}
    reject(path, "unknown setting", set(given) - set(DEFAULTS))
    reject(path, "unknown setting in schedule", set(config["schedule"]) - SCHEDULE)
    reject(path, "set outside training", set(config["training"]) & OWN)
    if not config["model"]:
        raise ValueError(f"{path}: model is missing")
    if config["tokenizer"] is None:
        if not isinstance(config["model"], str):
            raise ValueError(f"{path}: a random model needs a tokenizer")
        config["tokenizer"] = config["model"]
    if config["attention"] != "sdpa" and "flash" not in config["attention"]:
        raise ValueError(f"{path}: attention is sdpa or a flash attention: {config['attention']} would mix documents")
    if not LEAST <= config["decided"] <= 1:
        raise ValueError(f"{path}: decided must be {LEAST} to 1, not {config['decided']}")
    if config["schedule"]["kind"] not in ("cosine", "wsd"):
        raise ValueError(f"{path}: the schedule is cosine or wsd, not {config['schedule']['kind']}")
    if config["lora"] and config["training"].get("fsdp"):
        raise ValueError(f"{path}: lora does not work with fsdp: leave one out")
    return config


def reject(path, what, names):
    """Raises ValueError if names is not empty."""
    if names:
        raise ValueError(f"{path}: {what}: {', '.join(sorted(names))}")
