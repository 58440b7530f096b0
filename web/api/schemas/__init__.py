"""What requests may say and what answers look like, noun by noun."""
