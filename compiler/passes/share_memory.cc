// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "compiler/passes/linearizer.h"
#include "ops/op.h"

namespace cresset::passes {

using ir::Operand;
using ir::Register;
using ir::Step;

namespace {

// First and last step of all registers of a block, and whether it must keep its contents to the
// end.
struct Life {
  uint32_t first = UINT32_MAX;
  uint32_t last = 0;
};

class Sharing {
 public:
  explicit Sharing(ir::Schedule* schedule) : s_(*schedule), life_(schedule->registers.size()) {
    for (Register& reg : s_.registers) {
      reg.block = root(reg.block);
      Life& life = life_[reg.block];
      life.first = std::min(life.first, reg.first_step);
      life.last = std::max(life.last, reg.last_step);
    }
  }

  void write_outputs_in_place() {
    for (uint32_t i = 0; i < s_.steps.size(); ++i) {
      const Step& step = s_.steps[i];
      if (step.kind != Step::Kind::kKernel || (step.info->traits & ops::kInPlace) == 0 ||
          step.out_count != 1) {
        continue;
      }
      for (size_t a = 0; a + 1 < step.operands.size(); ++a) {
        if (may_take(step, i, a)) {
          merge(step.operands[a].reg(), step.operands.back().reg());
          break;
        }
      }
    }
  }

  // copy_(target, update) at the end is idle where `update` can be made in the target's memory:
  // from the step that first writes it on, nobody reads the old contents.
  void update_in_place() {
    for (uint32_t i = static_cast<uint32_t>(s_.steps.size()); i-- > 0;) {
      const Step& step = s_.steps[i];
      if (step.kind != Step::Kind::kKernel || step.info->op != ops::Op::copy_) {
        break;
      }
      const uint32_t target = step.operands[0].reg();
      const uint32_t update = step.operands[1].reg();
      if (same_type(target, update) &&
          s_.registers[update].storage == Register::Storage::kPlanned &&
          is_replaceable(target, update, i)) {
        merge(target, update);
        remove_step(i);
      }
    }
  }

 private:
  uint32_t root(uint32_t block) const {
    while (s_.registers[block].block != block) {
      block = s_.registers[block].block;
    }
    return block;
  }
  uint32_t block_of(uint32_t reg) const { return root(s_.registers[reg].block); }

  bool same_type(uint32_t a, uint32_t b) const {
    const Register& x = s_.registers[a];
    const Register& y = s_.registers[b];
    return x.kind == Register::Kind::kTensor && y.kind == Register::Kind::kTensor &&
           x.type == y.type;
  }

  // Whether the step's output may be written over operand `a`.
  bool may_take(const Step& step, uint32_t at, size_t a) const {
    if (!step.operands[a].is_register() || !step.operands.back().is_register()) {
      return false;
    }
    const uint32_t in = step.operands[a].reg();
    const uint32_t out = step.operands.back().reg();
    if (!same_type(in, out) || s_.registers[in].storage != Register::Storage::kPlanned ||
        s_.registers[out].storage != Register::Storage::kPlanned || block_of(in) == block_of(out) ||
        s_.registers[block_of(in)].storage != Register::Storage::kPlanned) {
      return false;
    }
    return life_[block_of(in)].last == at && life_[block_of(out)].first == at &&
           alone_in_block(step, block_of(in), in);
  }

  // No other operand reads the same memory in another shape.
  bool alone_in_block(const Step& step, uint32_t block, uint32_t reg) const {
    const auto clashes = [&](const Operand& operand, const auto& self) -> bool {
      if (operand.is_list()) {
        return std::any_of(operand.list().begin(), operand.list().end(),
                           [&](const Operand& item) { return self(item, self); });
      }
      return operand.is_register() && operand.reg() != reg && block_of(operand.reg()) == block;
    };
    return std::none_of(step.operands.begin(), step.operands.end(),
                        [&](const Operand& operand) { return clashes(operand, clashes); });
  }

  bool is_replaceable(uint32_t target, uint32_t update, uint32_t copy_step) const {
    const uint32_t old_block = block_of(target);
    const uint32_t new_block = block_of(update);
    // Shared state holds named tensors and nothing else.
    if (old_block == new_block || s_.registers[target].shared_state ||
        s_.registers[new_block].storage != Register::Storage::kPlanned) {
      return false;
    }
    // An input's memory is not given to another input, nor state to state.
    for (uint32_t input : s_.inputs) {
      if (block_of(input) == new_block) {
        return false;
      }
    }
    uint32_t last_read = 0;
    bool read = false;
    for (uint32_t i = 0; i < s_.steps.size(); ++i) {
      if (i != copy_step && reads(s_.steps[i], old_block)) {
        last_read = i;
        read = true;
      }
    }
    for (uint32_t output : s_.outputs) {
      if (block_of(output) == old_block) {
        return false;
      }
    }
    const uint32_t born = life_[new_block].first;
    if (!read || last_read < born) {
      return true;
    }
    const Step& step = s_.steps[born];
    if (last_read > born || step.kind != Step::Kind::kKernel ||
        (step.info->traits & ops::kInPlace) == 0 || step.out_count != 1) {
      return false;
    }
    // The very step that reads the old contents last makes the new: in place, if it reads them as
    // they lie.
    const Operand& out = step.operands.back();
    for (size_t a = 0; a + 1 < step.operands.size(); ++a) {
      const Operand& operand = step.operands[a];
      if (operand.is_register() && block_of(operand.reg()) == old_block) {
        return out.is_register() && same_type(operand.reg(), out.reg()) &&
               alone_in_block(step, old_block, operand.reg());
      }
    }
    return false;
  }

  bool reads(const Step& step, uint32_t block) const {
    if (step.kind == Step::Kind::kMove || step.kind == Step::Kind::kJumpFalse) {
      return block_of(step.from) == block;
    }
    const auto in_block = [&](const Operand& operand, const auto& self) -> bool {
      if (operand.is_list()) {
        return std::any_of(operand.list().begin(), operand.list().end(),
                           [&](const Operand& item) { return self(item, self); });
      }
      return operand.is_register() && block_of(operand.reg()) == block;
    };
    return std::any_of(step.operands.begin(), step.operands.end(),
                       [&](const Operand& operand) { return in_block(operand, in_block); });
  }

  void merge(uint32_t into, uint32_t from) {
    const uint32_t a = block_of(into);
    const uint32_t b = block_of(from);
    s_.registers[b].block = a;
    life_[a].first = std::min(life_[a].first, life_[b].first);
    life_[a].last = std::max(life_[a].last, life_[b].last);
  }

  void remove_step(uint32_t at) {
    s_.steps.erase(s_.steps.begin() + at);
    for (Step& step : s_.steps) {
      step.target -= step.kind == Step::Kind::kJumpFalse && step.target > at ? 1 : 0;
    }
  }

  ir::Schedule& s_;
  std::vector<Life> life_;  // by block root
};

}  // namespace

void share_memory(ir::Schedule* schedule, const std::vector<std::pair<uint32_t, uint32_t>>& loops,
                  bool in_place) {
  // Inner loops come first in the list, so that what they extend the outer ones see.
  for (const auto& [first, last] : loops) {
    for (Register& reg : schedule->registers) {
      if (reg.first_step < first && reg.last_step >= first && reg.last_step < last) {
        reg.last_step = last;
      }
    }
  }
  Sharing sharing(schedule);
  if (in_place) {
    sharing.write_outputs_in_place();
    sharing.update_in_place();
  }
  for (Register& reg : schedule->registers) {
    while (schedule->registers[reg.block].block != reg.block) {
      reg.block = schedule->registers[reg.block].block;
    }
  }
}

}  // namespace cresset::passes
