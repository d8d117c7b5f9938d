"""The page and its API over HTTP: `taquin serve`.

guard     who may ask, and how much at once
app       the pieces put together; errors in words
routes    one function for each question, `shapes` what goes in and comes out
jobs      what takes long: queued, run, told about, cancelled, forgotten
tasks     what a job does, in a thread or in a worker
workers   the processes for what Python alone computes, `worker` is such a process
pages     the files of the page
running   the socket, the signals, the end
"""
