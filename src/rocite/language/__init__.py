"""What the checks know of Romanian and English: words, numbers, statements.

`statements` takes a text apart; `quantities` (with `scan`, `units`, `number_words`, `identifiers`) reads numbers and
codes, `nominals` what is named, `question_focus` how much of a question a statement speaks about. `lexicon` holds the
words on which a true sentence turns, `wordlists` and `weights` the shipped lists. All of it knows `rocite.text` only.
"""
