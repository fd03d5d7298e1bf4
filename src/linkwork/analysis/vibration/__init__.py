"""Small motions about states and along periods."""
