// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/partitioner/find_partitions.h"

#include <algorithm>
#include <unordered_map>

namespace cresset::partitioner {

namespace {

// Sets of nodes that grow by merging; nodes that are not wanted are sets of one.
class Sets {
 public:
  Sets(const ir::Graph& graph, const std::vector<bool>& wanted) : wanted_(wanted) {
    std::unordered_map<const ir::Node*, size_t> position;
    for (const auto& node : graph.nodes()) {
      position[node.get()] = nodes_.size();
      nodes_.push_back(node.get());
    }
    producers_.resize(nodes_.size());
    consumers_.resize(nodes_.size());
    for (size_t i = 0; i < nodes_.size(); ++i) {
      nodes_[i]->for_each_value([&](const ir::Value* value) {
        if (value->origin() != ir::Value::Origin::kNode) {
          return;
        }
        const size_t from = position.at(value->producer());
        if (std::find(producers_[i].begin(), producers_[i].end(), from) == producers_[i].end()) {
          producers_[i].push_back(from);
          consumers_[from].push_back(i);
        }
      });
      set_of_.push_back(i);
      members_.push_back({i});
    }
  }

  void merge_all() {
    for (size_t i = 0; i < nodes_.size(); ++i) {
      for (const size_t from : producers_[i]) {
        if (wanted_[i] && wanted_[from] && set_of_[i] != set_of_[from] &&
            !path_around(set_of_[from], set_of_[i]) && !path_around(set_of_[i], set_of_[from])) {
          merge(set_of_[from], set_of_[i]);
        }
      }
    }
  }

  std::vector<Partition> partitions() const {
    std::vector<std::vector<size_t>> sets;
    for (std::vector<size_t> members : members_) {
      if (!members.empty() && wanted_[members[0]]) {
        std::sort(members.begin(), members.end());
        sets.push_back(std::move(members));
      }
    }
    std::sort(sets.begin(), sets.end());
    std::vector<Partition> partitions;
    for (const std::vector<size_t>& members : sets) {
      Partition& partition = partitions.emplace_back();
      for (const size_t member : members) {
        partition.push_back(nodes_[member]);
      }
    }
    return partitions;
  }

 private:
  // Whether a path leads from set `a` to set `b` through at least one other set.
  bool path_around(size_t a, size_t b) const {
    const size_t last = *std::max_element(members_[b].begin(), members_[b].end());
    std::vector<bool> seen(nodes_.size());
    std::vector<size_t> open;
    const auto visit = [&](size_t set) {
      // Nothing whose members all stand behind b leads to b.
      const std::vector<size_t>& members = members_[set];
      if (!seen[set] && *std::min_element(members.begin(), members.end()) <= last) {
        seen[set] = true;
        open.push_back(set);
      }
    };
    for (const size_t member : members_[a]) {
      for (const size_t to : consumers_[member]) {
        if (set_of_[to] != a && set_of_[to] != b) {
          visit(set_of_[to]);
        }
      }
    }
    while (!open.empty()) {
      const size_t set = open.back();
      open.pop_back();
      for (const size_t member : members_[set]) {
        for (const size_t to : consumers_[member]) {
          if (set_of_[to] == b) {
            return true;
          }
          visit(set_of_[to]);
        }
      }
    }
    return false;
  }

  void merge(size_t into, size_t from) {
    for (const size_t member : members_[from]) {
      set_of_[member] = into;
      members_[into].push_back(member);
    }
    members_[from].clear();
  }

  const std::vector<bool>& wanted_;
  std::vector<ir::Node*> nodes_;
  std::vector<std::vector<size_t>> producers_, consumers_;  // without repetition
  std::vector<size_t> set_of_;                              // number of the set of each node
  std::vector<std::vector<size_t>> members_;                // by number; empty: merged away
};

}  // namespace

std::vector<Partition> find_partitions(const ir::Graph& graph, const std::vector<bool>& wanted) {
  Sets sets(graph, wanted);
  sets.merge_all();
  return sets.partitions();
}

}  // namespace cresset::partitioner
