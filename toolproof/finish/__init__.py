"""What is done with a report once its phases are over: places, baseline, shards, merge."""
