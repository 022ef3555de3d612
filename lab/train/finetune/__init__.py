"""Fine-tuning of open-weight models on npdb's datasets: see README.md."""
