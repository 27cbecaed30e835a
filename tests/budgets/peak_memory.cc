// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

// peak_memory COMMAND...: runs the command and prints its peak memory in bytes. A program of its
// own, because the memory of whoever starts a command counts as the command's.
int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: peak_memory COMMAND...\n", stderr);
    return 2;
  }
  const pid_t child = ::fork();
  if (child == 0) {
    ::execvp(argv[1], argv + 1);
    std::perror(argv[1]);
    ::_exit(127);
  }
  int status = 0;
  rusage used{};
  if (child < 0 || ::wait4(child, &status, 0, &used) != child || !WIFEXITED(status) ||
      WEXITSTATUS(status) != 0) {
    return 1;
  }
  std::printf("%lld\n", static_cast<long long>(used.ru_maxrss) * 1024);
  return 0;
}
