// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/forked/forked.h"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

namespace cresset::tests {

// A message on the pipe: tag, length in 4 bytes, text.
void Reporter::send(char tag, const std::string& text) {
  std::string message(1, tag);
  for (size_t i = 0; i < 4; ++i) {
    message += static_cast<char>(text.size() >> (8 * i) & 0xff);
  }
  message += text;
  size_t done = 0;
  while (done < message.size()) {
    const ssize_t n = ::write(pipe_, message.data() + done, message.size() - done);
    if (n < 0 && errno != EINTR) {
      std::_Exit(3);  // the parent is gone
    }
    done += n > 0 ? static_cast<size_t>(n) : 0;
  }
}

void Reporter::begin(const std::string& label) {
  ::alarm(step_seconds_);
  send('b', label);
}
void Reporter::pass() { send('p', ""); }
void Reporter::fail(const std::string& line) { send('f', line); }
void Reporter::skip(const std::string& line) { send('s', line); }
void Reporter::note(const std::string& line) { send('n', line); }

namespace {

struct Child {
  size_t item = 0;
  pid_t pid = 0;
  int pipe = -1;
  std::string received;
  std::string label;  // of the step that runs
  bool in_step = false;
};

std::string death_text(int status) {
  if (WIFSIGNALED(status)) {
    return WTERMSIG(status) == SIGALRM ? "took too long"
                                       : std::string("crashed: ") + ::strsignal(WTERMSIG(status));
  }
  return "ended with status " + std::to_string(WEXITSTATUS(status));
}

class Runner {
 public:
  Runner(size_t items, const ForkedOptions& options, const Work& work, const Done& done)
      : items_(items),
        options_(options),
        work_(work),
        done_(done),
        outcomes_(items),
        steps_(items) {}

  void run() {
    size_t next = 0;
    while (next < items_ || !children_.empty()) {
      while (next < items_ && children_.size() < options_.jobs) {
        start(next++);
      }
      wait_for_news();
    }
  }

 private:
  void start(size_t item) {
    int ends[2];
    if (::pipe(ends) != 0) {
      std::perror("pipe");
      std::exit(3);
    }
    std::fflush(nullptr);
    const pid_t pid = ::fork();
    if (pid < 0) {
      std::perror("fork");
      std::exit(3);
    }
    if (pid == 0) {
      ::close(ends[0]);
      Reporter reporter(ends[1], options_.step_seconds);
      work_(item, steps_[item], reporter);
      std::fflush(nullptr);
      std::_Exit(0);
    }
    ::close(ends[1]);
    children_.push_back({item, pid, ends[0], "", "", false});
  }

  void wait_for_news() {
    std::vector<pollfd> files;
    for (const Child& child : children_) {
      files.push_back({child.pipe, POLLIN, 0});
    }
    if (::poll(files.data(), files.size(), -1) < 0) {
      return;  // interrupted
    }
    for (size_t i = files.size(); i-- > 0;) {
      if (files[i].revents != 0 && !read_some(children_[i])) {
        const Child child = children_[i];
        children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(i));
        finish(child);
      }
    }
  }

  // False at the end of the child's messages.
  bool read_some(Child& child) {
    char buffer[1 << 16];
    const ssize_t n = ::read(child.pipe, buffer, sizeof(buffer));
    if (n <= 0) {
      return n < 0 && errno == EINTR;
    }
    child.received.append(buffer, static_cast<size_t>(n));
    size_t at = 0;
    while (child.received.size() - at >= 5) {
      size_t length = 0;
      for (size_t i = 4; i-- > 0;) {
        length = length << 8 | static_cast<uint8_t>(child.received[at + 1 + i]);
      }
      if (child.received.size() - at - 5 < length) {
        break;
      }
      take(child, child.received[at], child.received.substr(at + 5, length));
      at += 5 + length;
    }
    child.received.erase(0, at);
    return true;
  }

  void take(Child& child, char tag, std::string text) {
    Outcome& outcome = outcomes_[child.item];
    switch (tag) {
      case 'b':
        child.label = std::move(text);
        child.in_step = true;
        ++steps_[child.item];
        return;
      case 'p':
        ++outcome.passed;
        break;
      case 'f':
        ++outcome.failed;
        outcome.failures.push_back(std::move(text));
        break;
      case 's':
        ++outcome.skipped;
        outcome.skips.push_back(std::move(text));
        break;
      default:
        outcome.notes.push_back(std::move(text));
        return;
    }
    child.in_step = false;
  }

  void finish(const Child& child) {
    ::close(child.pipe);
    int status = 0;
    while (::waitpid(child.pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (status != 0) {
      Outcome& outcome = outcomes_[child.item];
      ++outcome.failed;
      outcome.failures.push_back((child.label.empty() ? "before the first step" : child.label) +
                                 (child.in_step ? ": " : ", afterwards: ") + death_text(status));
      if (options_.resume && child.in_step) {
        start(child.item);
        return;
      }
    }
    finished_.emplace(child.item, true);
    while (finished_.count(reported_) != 0) {
      done_(reported_, outcomes_[reported_]);
      ++reported_;
    }
  }

  size_t items_;
  const ForkedOptions& options_;
  const Work& work_;
  const Done& done_;
  std::vector<Outcome> outcomes_;
  std::vector<size_t> steps_;  // begun
  std::vector<Child> children_;
  std::map<size_t, bool> finished_;
  size_t reported_ = 0;
};

}  // namespace

void run_forked(size_t items, const ForkedOptions& options, const Work& work, const Done& done) {
  Runner(items, options, work, done).run();
}

}  // namespace cresset::tests
