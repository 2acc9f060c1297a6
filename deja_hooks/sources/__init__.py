"""What hosts write: where it lies (`roots`), which formats there are (`registry`), one reader per format.

`find_roots` → `files` → `reader_for(file.store)` → `Chunk`: a session's header, its turns and their work.
"""
