"""Fine-tunes a causal language model on packed windows, by Hugging Face's Trainer.

    torchrun --nproc-per-node 8 -m lab.train.finetune.train CONFIG PACKED OUT [--resume]

config.py describes CONFIG; packing.py writes PACKED. OUT/model holds the result, as safetensors
with the tokenizer; OUT/checkpoint-N holds the state from which --resume continues. With LoRA
the result is the merged model, so a server needs no adapter.
"""

import argparse
import json
import math
import os
import pathlib

import torch
import torch.nn.functional as F
from accelerate.utils import enable_fsdp_ram_efficient_loading
from transformers import AutoConfig, AutoModelForCausalLM, Trainer, TrainingArguments

from lab.train.finetune import config, documents, packing

IGNORED = -100  # the label of a token that is not predicted


class Examples(torch.utils.data.Dataset):
    """Windows as the model's inputs. sliding is set for models with sliding attention that need a
    mask."""

    def __init__(self, folder, masked, sliding=None):
        self.windows, self.masked, self.sliding = packing.Windows(folder), masked, sliding

    def __len__(self):
        return len(self.windows)

    def __getitem__(self, i):
        ids, weights, lengths = self.windows[i]
        ids, weights = torch.from_numpy(ids.astype("int64")), torch.from_numpy(weights)
        example = {
            "input_ids": ids,
            "position_ids": torch.from_numpy(packing.positions(lengths)),
            "labels": torch.where(weights > 0, ids, IGNORED),
            "weights": weights,
        }
        example = {name: tensor[None] for name, tensor in example.items()}
        if self.masked:
            full = torch.from_numpy(packing.mask(lengths))
            example["attention_mask"] = full
            if self.sliding:
                near = torch.from_numpy(packing.mask(lengths, self.sliding))
                example["attention_mask"] = {"full_attention": full, "sliding_attention": near}
        return example


def single(examples):
    """Returns the only example of a batch. Position ids separate documents only in batches of one
    window."""
    (example,) = examples
    return example


class FineTuner(Trainer):
    """A Trainer that weights the loss of each token."""

    def __init__(self, **arguments):
        super().__init__(data_collator=single, **arguments)
        self.model_accepts_loss_kwargs = True  # compute_loss divides by num_items_in_batch

    def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
        """Returns the weighted loss, divided by the number of predicted tokens: in training those
        of the whole step, in evaluation those of the window. The model computes logits only
        where a token is predicted."""
        labels, weights = inputs["labels"][0, 1:], inputs["weights"][0, 1:]
        given = {name: value for name, value in inputs.items() if name not in ("labels", "weights")}
        at = (labels != IGNORED).nonzero()[:, 0]
        outputs = model(**given, logits_to_keep=at, use_cache=False)
        each = F.cross_entropy(outputs.logits[0].float(), labels[at], reduction="none")
        loss = (each * weights[at]).sum()
        if model.training:  # gradients are averaged over the processes
            loss = loss / num_items_in_batch * self.accelerator.num_processes
        else:
            loss = loss / len(at)
        return (loss, outputs) if return_outputs else loss


def build(c, length):
    """Loads the model of a config, or creates a random one for a vocabulary of this length."""
    how = {"attn_implementation": c["attention"]}
    if isinstance(c["model"], dict):
        return AutoModelForCausalLM.from_config(AutoConfig.for_model(vocab_size=length, **c["model"]), **how)
    if c["training"].get("fsdp_config", {}).get("cpu_ram_efficient_loading"):
        enable_fsdp_ram_efficient_loading()  # the Trainer would do this only after the model is loaded
    # LoRA does not change these weights. Without it, small updates need float32; with bf16, the
    # computation is in bfloat16.
    return AutoModelForCausalLM.from_pretrained(c["model"], dtype=torch.bfloat16 if c["lora"] else torch.float32, **how)


def add_rows(model, new, had, length):
    """Sets the embeddings of new tokens to the mean of those that the tokenizer had before.
    Enlarges the embeddings if they have no rows for new tokens."""
    if model.get_input_embeddings().num_embeddings < length:
        model.resize_token_embeddings(length, pad_to_multiple_of=64, mean_resizing=False)
    with torch.no_grad():
        for layer in (model.get_input_embeddings(), model.get_output_embeddings()):
            if new:
                layer.weight[new] = layer.weight[:had].float().mean(0).to(layer.weight.dtype)


def with_lora(model, settings, new):
    """Wraps a model so that adapters and the embeddings of new tokens are trained."""
    from peft import LoraConfig, get_peft_model

    layers = ["embed_tokens"] if model.config.tie_word_embeddings else ["embed_tokens", "lm_head"]
    trained = {name: new for name in layers} if new else None
    model.enable_input_require_grads()  # gradient checkpointing needs it with frozen embeddings
    return get_peft_model(model, LoraConfig(task_type="CAUSAL_LM", trainable_token_indices=trained, **settings))


def arguments(c, out, windows, evaluate):
    """Returns the Trainer's arguments for a number of windows."""
    given = {"save_steps": 200, "eval_steps": 200, "save_total_limit": 2, "report_to": "none", **c["training"]}
    at_once = int(os.environ.get("WORLD_SIZE", 1)) * given.get("gradient_accumulation_steps", 1)
    steps = c["steps"] or math.ceil(windows / at_once * c["epochs"])
    schedule = c["schedule"]
    if schedule["kind"] == "wsd":
        fall = {"num_decay_steps": round(steps * schedule.get("fall", 0.5)), "decay_type": schedule.get("shape", "1-sqrt")}
        given.update(lr_scheduler_type="warmup_stable_decay", lr_scheduler_kwargs=fall)
    else:
        given["lr_scheduler_type"] = "cosine"
    return TrainingArguments(
        output_dir=str(out), max_steps=steps, warmup_steps=round(steps * schedule.get("warmup", 0)),
        per_device_train_batch_size=1, per_device_eval_batch_size=1, remove_unused_columns=False,
        prediction_loss_only=True, eval_strategy="steps" if evaluate else "no", **given,
    )


def last_checkpoint(out):
    """Returns the newest complete checkpoint, or None. The Trainer writes its state last."""
    whole = [p.parent for p in pathlib.Path(out).glob("checkpoint-*/trainer_state.json")]
    return max(whole, key=lambda p: int(p.name.split("-")[1]), default=None)


def save(trainer, tokenizer, folder, merged):
    """Writes the trained model and its tokenizer, for vLLM and from_pretrained."""
    model, state = trainer.accelerator.unwrap_model(trainer.model), None
    dtype = torch.bfloat16 if trainer.args.bf16 else torch.float32
    if trainer.is_fsdp_enabled:  # all processes take part
        state = trainer.accelerator.get_state_dict(trainer.model)
    if not trainer.is_world_process_zero():
        return
    if merged:
        model = model.merge_and_unload()
    state = model.state_dict() if state is None else state
    model.save_pretrained(folder, state_dict={name: tensor.to(dtype) for name, tensor in state.items()})
    model.config.dtype = dtype  # save_pretrained has written the dtype used in training
    model.config.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def options(given=None):
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("config")
    p.add_argument("packed", help="the folder that packing.py wrote")
    p.add_argument("out")
    p.add_argument("--resume", action="store_true", help="continue from the last checkpoint in OUT, if there is one")
    return p.parse_args(given)


def check(c, packed, out, resume):
    """Exits if the training would use other windows than the config describes, or mix two runs."""
    try:
        made = json.loads((packed / "settings.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise SystemExit(f"{packed} is incomplete: run python3 -m lab.train.finetune.packing") from None
    if made != packing.settings(c):
        raise SystemExit(f"{packed} was packed with {made}: pack again with this config")
    if last_checkpoint(out) and not resume:
        raise SystemExit(f"{out} has checkpoints: add --resume, or name another folder")


def main(given=None):
    o = options(given)
    c, packed, out = config.read(o.config), pathlib.Path(o.packed), pathlib.Path(o.out)
    check(c, packed, out, o.resume)
    windows = {split: len(packing.Windows(packed / split)) for split in ("train", "test")}
    if not windows["train"]:
        raise SystemExit(f"{packed}/train has no windows")
    # Create the arguments before the model: they start the processes and set how FSDP loads the
    # model.
    how = arguments(c, out, windows["train"], evaluate=windows["test"] > 0)
    if how.n_gpu > 1:
        raise SystemExit("several GPUs need torchrun --nproc-per-node N")
    torch.manual_seed(how.seed)
    tokenizer, new, had = documents.load(c["tokenizer"])
    model = build(c, len(tokenizer))
    add_rows(model, new, had, len(tokenizer))
    sliding = model.config.sliding_window if "sliding_attention" in (getattr(model.config, "layer_types", None) or []) else None
    masked = c["attention"] == "sdpa"
    if c["lora"]:
        model = with_lora(model, c["lora"], new)
    examples = {split: Examples(packed / split, masked, sliding) for split, n in windows.items() if n}
    trainer = FineTuner(model=model, args=how, train_dataset=examples["train"], eval_dataset=examples.get("test"))
    checkpoint = last_checkpoint(out) if o.resume else None
    trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
    last = [each for each in trainer.state.log_history if each["step"] == how.max_steps]
    if "test" in examples and not any("eval_loss" in each for each in last):
        trainer.evaluate()
    trainer.save_state()
    save(trainer, tokenizer, out / "model", merged=bool(c["lora"]))


if __name__ == "__main__":
    main()
