"""What a chapter says: its tables, captions, numbers and its answer in words, all from what was measured."""
