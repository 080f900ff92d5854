/** crosstalk watch check, start and script. argv[0] is the word; returns the exit code. */
#pragma once

int ct_watch_check(int argc, char **argv);
int ct_watch_start(int argc, char **argv);
int ct_watch_script(int argc, char **argv);
