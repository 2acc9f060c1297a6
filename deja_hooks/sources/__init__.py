"""What hosts write: where it lies (`places/`), which formats there are (`registry`), one reader per format (`chats/`,
`logs/`), one session out of several files (`merge`).

`places.roots.find_roots` → `all_files` → `reader_for(file.store)` → `Chunk`: a session's header, its turns and
their work (`model`).
"""
