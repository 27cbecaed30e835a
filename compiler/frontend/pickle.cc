// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/frontend/pickle.h"

#include <cstring>
#include <unordered_map>

#include "compiler/frontend/bytes.h"
#include "compiler/frontend/pickle_calls.h"

namespace cresset::frontend {

namespace {

constexpr size_t kMaxValues = size_t{1} << 22;
// Names and integers of the streams that we read are far shorter; every mention copies them.
constexpr size_t kMaxNameBytes = 512;

}  // namespace

const PickleValue* PickleValue::get(std::string_view key) const {
  if (kind != PickleKind::kDict) {
    return nullptr;
  }
  for (size_t i = 0; i + 1 < items.size(); i += 2) {
    if (items[i]->kind == PickleKind::kText && items[i]->text == key) {
      return items[i + 1];
    }
  }
  return nullptr;
}

// The stack machine. Every opcode makes at most one value and consumes at least one byte, which
// bounds both. Values are shared, never copied with their children, except the one level of a
// tensor.
class PickleMachine {
 public:
  PickleMachine(Span<const uint8_t> stream, const std::string& name, Pickle* pickle)
      : stream_(stream), name_(name), pickle_(pickle) {}

  Error run();

 private:
  Error fail(const std::string& what, Status status = Status::kInvalidExternalData) const {
    return {status, name_ + ": " + what + " (byte " + std::to_string(opcode_at_) + ")"};
  }
  Error cut() const { return fail("the pickle is cut short"); }

  // The next `count` bytes, or null at the end of the stream.
  const uint8_t* take(uint64_t count) {
    if (count > stream_.size() - at_) {
      return nullptr;
    }
    const uint8_t* bytes = stream_.data() + at_;
    at_ += count;
    return bytes;
  }

  PickleValue* make(PickleKind kind) {
    pickle_->values_.emplace_back();
    pickle_->values_.back().kind = kind;
    return &pickle_->values_.back();
  }
  void push(PickleValue* value) { stack_.push_back(value); }
  void push_bool(bool boolean) {
    PickleValue* value = make(PickleKind::kBool);
    value->boolean = boolean;
    push(value);
  }
  void push_int(int64_t integer) {
    PickleValue* value = make(PickleKind::kInt);
    value->integer = integer;
    push(value);
  }
  // Pops null where the stack has nothing above the innermost mark.
  PickleValue* pop() {
    const size_t floor = marks_.empty() ? 0 : marks_.back();
    if (stack_.size() <= floor) {
      return nullptr;
    }
    PickleValue* value = stack_.back();
    stack_.pop_back();
    return value;
  }

  Error step(uint8_t opcode);
  Error scalar(uint8_t opcode);
  Error text(uint64_t length);
  Error text_of_length_bytes(size_t length_bytes);
  Error tuple(size_t count);
  Error to_mark(std::vector<const PickleValue*>* items);
  Error extend(uint8_t opcode);
  Error put(uint64_t index);
  Error get(uint64_t index);
  Error global(uint8_t opcode);
  Error call(uint8_t opcode);
  Error build();

  Span<const uint8_t> stream_;
  const std::string& name_;
  Pickle* pickle_;
  size_t at_ = 0;
  size_t opcode_at_ = 0;
  bool stopped_ = false;
  std::vector<PickleValue*> stack_;
  std::vector<size_t> marks_;
  std::unordered_map<uint64_t, PickleValue*> memo_;
};

Error PickleMachine::run() {
  while (!stopped_) {
    opcode_at_ = at_;
    const uint8_t* opcode = take(1);
    if (opcode == nullptr) {
      return cut();
    }
    if (pickle_->values_.size() >= kMaxValues) {
      return fail("the pickle holds more than " + std::to_string(kMaxValues) + " values");
    }
    if (Error error = step(*opcode); !error.ok()) {
      return error;
    }
  }
  return {};
}

Error PickleMachine::step(uint8_t opcode) {
  switch (opcode) {
    case 0x80: {  // PROTO
      const uint8_t* version = take(1);
      if (version == nullptr) {
        return cut();
      }
      return *version <= 5 ? Error{} : fail("unknown pickle protocol");
    }
    case 0x95:  // FRAME
      return take(8) != nullptr ? Error{} : cut();
    case '.': {  // STOP
      PickleValue* root = pop();
      if (root == nullptr) {
        return fail("the pickle ends without a value");
      }
      pickle_->root_ = root;
      stopped_ = true;
      return {};
    }
    case '(':  // MARK
      marks_.push_back(stack_.size());
      return {};
    case ')':
      return tuple(0);
    case 0x85:
      return tuple(1);
    case 0x86:
      return tuple(2);
    case 0x87:
      return tuple(3);
    case 't': {  // TUPLE
      PickleValue* value = make(PickleKind::kTuple);
      if (Error error = to_mark(&value->items); !error.ok()) {
        return error;
      }
      push(value);
      return {};
    }
    case ']':
      push(make(PickleKind::kList));
      return {};
    case 0x8f:  // EMPTY_SET
      push(make(PickleKind::kList));
      return {};
    case '}':
      push(make(PickleKind::kDict));
      return {};
    case 'a':
    case 'e':
    case 0x90:
    case 's':
    case 'u':
      return extend(opcode);
    case 'q':
    case 'h': {  // BINPUT, BINGET
      const uint8_t* index = take(1);
      return index == nullptr ? cut() : opcode == 'q' ? put(*index) : get(*index);
    }
    case 'r':
    case 'j': {  // LONG_BINPUT, LONG_BINGET
      const uint8_t* index = take(4);
      return index == nullptr ? cut() : opcode == 'r' ? put(load_u32(index)) : get(load_u32(index));
    }
    case 0x94:  // MEMOIZE
      return put(memo_.size());
    case 'X':
    case 'B':
      return text_of_length_bytes(4);
    case 'U':
    case 'C':
    case 0x8c:
      return text_of_length_bytes(1);
    case 0x8d:
    case 0x8e:
      return text_of_length_bytes(8);
    case 'c':
    case 0x93:
      return global(opcode);
    case 'R':
    case 0x81:
      return call(opcode);
    case 'b':
      return build();
    case 'Q': {  // BINPERSID
      PickleValue* id = pop();
      if (id == nullptr) {
        return fail("the pickle's stack is empty");
      }
      Expected<PickleValue> value = persistent_value(*id);
      if (!value.ok()) {
        return fail(value.error().text, value.error().status);
      }
      push(make(PickleKind::kStorage));
      *stack_.back() = std::move(*value);
      return {};
    }
    default:
      return scalar(opcode);
  }
}

Error PickleMachine::scalar(uint8_t opcode) {
  switch (opcode) {
    case 'N':
      push(make(PickleKind::kNone));
      return {};
    case 0x88:
    case 0x89:
      push_bool(opcode == 0x88);
      return {};
    case 'J':
    case 'K':
    case 'M': {
      const uint8_t* bytes = take(opcode == 'J' ? 4 : opcode == 'K' ? 1 : 2);
      if (bytes == nullptr) {
        return cut();
      }
      push_int(opcode == 'J'   ? static_cast<int32_t>(load_u32(bytes))
               : opcode == 'K' ? *bytes
                               : load_u16(bytes));
      return {};
    }
    case 0x8a: {  // LONG1: two's complement, any length; more than eight bytes is no tensor's
                  // number
      const uint8_t* length = take(1);
      const uint8_t* bytes = length == nullptr ? nullptr : take(*length);
      if (bytes == nullptr) {
        return cut();
      }
      if (*length > 8) {
        return fail("the pickle holds an integer of more than 64 bits", Status::kNotSupported);
      }
      uint64_t number = *length > 0 && bytes[*length - 1] >= 0x80 ? ~uint64_t{0} : 0;
      for (size_t i = *length; i > 0; --i) {
        number = number << 8 | bytes[i - 1];
      }
      push_int(static_cast<int64_t>(number));
      return {};
    }
    case 'G': {  // BINFLOAT: big-endian
      const uint8_t* bytes = take(8);
      if (bytes == nullptr) {
        return cut();
      }
      uint64_t bits = 0;
      for (int i = 0; i < 8; ++i) {
        bits = bits << 8 | bytes[i];
      }
      PickleValue* value = make(PickleKind::kFloat);
      std::memcpy(&value->real, &bits, sizeof(bits));
      push(value);
      return {};
    }
    default:
      return fail("the pickle uses the instruction " + std::to_string(opcode) +
                      ", which plain tensors do not need",
                  Status::kNotSupported);
  }
}

Error PickleMachine::text_of_length_bytes(size_t length_bytes) {
  const uint8_t* length = take(length_bytes);
  if (length == nullptr) {
    return cut();
  }
  return text(length_bytes == 1   ? *length
              : length_bytes == 4 ? load_u32(length)
                                  : load_u64(length));
}

Error PickleMachine::text(uint64_t length) {
  const uint8_t* bytes = take(length);
  if (bytes == nullptr) {
    return cut();
  }
  PickleValue* value = make(PickleKind::kText);
  value->text.assign(reinterpret_cast<const char*>(bytes), length);
  push(value);
  return {};
}

Error PickleMachine::tuple(size_t count) {
  PickleValue* value = make(PickleKind::kTuple);
  value->items.resize(count);
  for (size_t i = count; i > 0; --i) {
    value->items[i - 1] = pop();
    if (value->items[i - 1] == nullptr) {
      return fail("the pickle's stack is empty");
    }
  }
  push(value);
  return {};
}

Error PickleMachine::to_mark(std::vector<const PickleValue*>* items) {
  if (marks_.empty()) {
    return fail("the pickle's stack has no mark");
  }
  const size_t mark = marks_.back();
  marks_.pop_back();
  items->insert(items->end(), stack_.begin() + static_cast<ptrdiff_t>(mark), stack_.end());
  stack_.resize(mark);
  return {};
}

Error PickleMachine::extend(uint8_t opcode) {
  std::vector<const PickleValue*> items;
  if (opcode == 'a' || opcode == 's') {
    items.resize(opcode == 'a' ? 1 : 2);
    for (size_t i = items.size(); i > 0; --i) {
      items[i - 1] = pop();
      if (items[i - 1] == nullptr) {
        return fail("the pickle's stack is empty");
      }
    }
  } else if (Error error = to_mark(&items); !error.ok()) {
    return error;
  }
  const bool pairs = opcode == 's' || opcode == 'u';
  PickleValue* target = pop();
  if (target == nullptr || target->kind != (pairs ? PickleKind::kDict : PickleKind::kList) ||
      (pairs && items.size() % 2 != 0)) {
    return fail("the pickle adds items to something that holds none");
  }
  target->items.insert(target->items.end(), items.begin(), items.end());
  push(target);
  return {};
}

Error PickleMachine::put(uint64_t index) {
  if (stack_.empty()) {
    return fail("the pickle's stack is empty");
  }
  memo_[index] = stack_.back();
  return {};
}

Error PickleMachine::get(uint64_t index) {
  const auto found = memo_.find(index);
  if (found == memo_.end()) {
    return fail("the pickle refers to a value that it has not made");
  }
  push(found->second);
  return {};
}

Error PickleMachine::global(uint8_t opcode) {
  std::string name;
  if (opcode == 'c') {
    for (int line = 0; line < 2; ++line) {
      const uint8_t* first = stream_.data() + at_;
      const void* newline = std::memchr(first, '\n', stream_.size() - at_);
      if (newline == nullptr) {
        return cut();
      }
      const size_t length = static_cast<size_t>(static_cast<const uint8_t*>(newline) - first);
      name += line == 0 ? "" : ".";
      name.append(reinterpret_cast<const char*>(first), length);
      at_ += length + 1;
    }
  } else {
    PickleValue* tail = pop();
    PickleValue* module = pop();
    if (tail == nullptr || module == nullptr || tail->kind != PickleKind::kText ||
        module->kind != PickleKind::kText) {
      return fail("the pickle's stack holds no name");
    }
    name = module->text + "." + tail->text;
  }
  if (name.size() > kMaxNameBytes) {
    return fail("the pickle holds a name of " + std::to_string(name.size()) + " bytes");
  }
  push(make(PickleKind::kGlobal));
  *stack_.back() = name_value(std::move(name));
  return {};
}

Error PickleMachine::call(uint8_t opcode) {
  PickleValue* args = pop();
  PickleValue* callee = pop();
  if (args == nullptr || callee == nullptr) {
    return fail("the pickle's stack is empty");
  }
  if (opcode == 0x81 && callee->kind == PickleKind::kGlobal) {  // NEWOBJ: an inert node
    PickleValue* value = make(PickleKind::kObject);
    value->text = callee->text;
    value->items.push_back(args);
    push(value);
    return {};
  }
  Expected<PickleValue> result = call_value(*callee, *args);
  if (!result.ok()) {
    return fail(result.error().text, result.error().status);
  }
  push(make(PickleKind::kNone));
  *stack_.back() = std::move(*result);
  return {};
}

Error PickleMachine::build() {
  PickleValue* state = pop();
  PickleValue* target = pop();
  if (state == nullptr || target == nullptr) {
    return fail("the pickle's stack is empty");
  }
  // The state of a dictionary (attributes such as _metadata) and of a tensor is of no use here.
  if (target->kind == PickleKind::kObject) {
    target->items.push_back(state);
  } else if (target->kind != PickleKind::kDict && target->kind != PickleKind::kTensor) {
    return fail("the pickle gives a state to something that has none");
  }
  push(target);
  return {};
}

Expected<Pickle> Pickle::parse(Span<const uint8_t> stream, const std::string& name) {
  Pickle pickle;
  if (Error error = PickleMachine(stream, name, &pickle).run(); !error.ok()) {
    return error;
  }
  return pickle;
}

}  // namespace cresset::frontend
