#!/bin/sh
# @TITLE@, by GNU parallel.
#
# Keep this in FILE, and have destrier in the PATH. Then
#   sh FILE
# makes as many parts at once as this machine has cores; with -j 2 behind FILE two, and with --bar it shows a bar.
#   sh FILE --sshloginfile MACHINES
# makes them on the machines of a list, with a line 16/HOST for 16 at once there and 2/: for two here. The folder that you are
# in is on a disk that they share, under the same name, and destrier in the PATH of their logins.
#   destrier merge --estimate @FOLDER@
# shows how far all parts are, and parallel.log among them which have ended, and how.
#   destrier merge @FOLDER@
# puts the parts together, or says what is missing. Then run it again: parts that are there are not made again, and those
# that were begun go on.
#
# A part that was killed is tried three times in all, on another machine if there is one. Ctrl-C ends it all, and saves what
# runs.

mkdir -p @FOLDER@ || exit
seq @PARTS@ | parallel -j @JOBS@ --joblog @FOLDER@/parallel.log --retries 3 --workdir . \
    --termseq TERM,30000,KILL,100 "$@@" @LINE@ '> /dev/null'
