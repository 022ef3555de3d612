#!/bin/bash
# A Slurm array that makes a dataset with npdb, a share of it in each task:
#
#     OUT=/shared/trajectories sbatch lab/dataset/jobs/slurm.sh
#
# OUT is a folder that all nodes see. A task that was ended, by its time or by a node that
# went down, goes on where it was when it is run again: all of them, or some alone, as
# sbatch --array=3,7 has it. When all have come to their ends:
#
#     npdb dataset merge /shared/trajectories
#
#SBATCH --job-name=npdb-dataset
#SBATCH --array=0-31
#SBATCH --cpus-per-task=8
#SBATCH --mem=16G
#SBATCH --time=08:00:00
#SBATCH --requeue
set -euo pipefail

shares=32 # as many as --array has above, also where only some of them are run again

exec npdb dataset --out "${OUT:?the folder to write to}" \
	--seed "${SEED:-1}" --count "${COUNT:-1000000}" \
	--shard "$SLURM_ARRAY_TASK_ID/$shares" -j "$SLURM_CPUS_PER_TASK"
