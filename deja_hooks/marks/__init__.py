"""What the user decided about sessions: notes, promotions, rejections, forgetting, exclusions.

None of it can be rebuilt, so it lies in the config folder. The indexer brings the memory in line with it at each pass.
"""
