// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "compiler/frontend/zip_for_test.h"

namespace cresset::frontend {

// A small program in an archive, whose parts tests replace by others:
//   n = x.shape[0]; v = x.view(n, 6); y = linear(v, fc.weight, fc.bias); return relu(y) * scale + 2
// x is [s77, 2, 3] with 2 <= s77 <= 16; scale is a strided view of a longer storage.
class ProgramForTest {
 public:
  // Replaces the first occurrence of `from` in the JSON texts, which must be there.
  void replace(const std::string& from, const std::string& to) {
    for (std::string* text : {&json_, &config_}) {
      const size_t at = text->find(from);
      if (at != std::string::npos) {
        text->replace(at, from.size(), to);
        return;
      }
    }
    throw std::runtime_error("the program for tests has no " + from);
  }

  const std::string& json() const { return json_; }

  std::string archive(const std::vector<std::string>& names = {"model"}) const {
    ZipForTest zip;
    zip.add("tiny/archive_format", "pt2").add("tiny/archive_version", "0");
    zip.add("tiny/byteorder", "little");
    zip.add("tiny/data/weights/weight_0",
            floats({0, .125f, .25f, .375f, .5f, .625f, .75f, .875f, 1, 1.125f, 1.25f, 1.375f}));
    zip.add("tiny/data/weights/weight_1", floats({0.5f, -0.5f}));
    zip.add("tiny/data/weights/weight_2", floats({9, 1, 7, 2}));
    for (const std::string& name : names) {
      zip.add("tiny/models/" + name + ".json", json_);
      zip.add("tiny/data/weights/" + name + "_weights_config.json", config_);
      zip.add("tiny/data/constants/" + name + "_constants_config.json", R"({"config": {}})");
    }
    return zip.bytes();
  }

 private:
  static std::string floats(const std::vector<float>& values) {
    return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
  }

  static std::string tail(int offset) {
    return R"(, "requires_grad": false, "device": {"type": "cpu", "index": null}, )"
           R"("storage_offset": {"as_int": )" +
           std::to_string(offset) + R"(}, "layout": 7})";
  }
  // A TensorMeta of f32; items of sizes and strides in JSON.
  static std::string meta(const std::string& sizes, const std::string& strides, int offset = 0) {
    return R"({"dtype": 7, "sizes": [)" + sizes + R"(], "strides": [)" + strides + "]" +
           tail(offset);
  }
  static std::string payload(const std::string& record, const std::string& meta) {
    return R"({"path_name": ")" + record +
           R"(", "is_param": true, "use_pickle": false, "tensor_meta": )" + meta + "}";
  }
  static std::string tensor(const std::string& name) {
    return R"({"as_tensor": {"name": ")" + name + R"("}})";
  }
  static std::string input(const std::string& name, const std::string& arg, int kind = 1) {
    return R"({"name": ")" + name + R"(", "arg": )" + arg + R"(, "kind": )" + std::to_string(kind) +
           "}";
  }
  static std::string node(const std::string& target, const std::string& inputs,
                          const std::string& output, const std::string& metadata = "") {
    return R"({"target": "torch.ops.aten.)" + target + R"(", "inputs": [)" + inputs +
           R"(], "outputs": [)" + output + R"(], "metadata": {)" + metadata +
           R"(}, "is_hop_single_tensor_return": null, "name": null})";
  }

  static std::string program() {
    const std::string n =
        R"j({"as_expr": {"expr_str": "Symbol('s77', positive=True, integer=True)", )j"
        R"j("hint": {"as_int": 2}}})j";
    const std::string w =
        meta(R"({"as_int": 2}, {"as_int": 6})", R"({"as_int": 6}, {"as_int": 1})");
    const std::string two = meta(R"({"as_int": 2})", R"({"as_int": 1})");
    const std::string n2 = meta(n + R"(, {"as_int": 2})", R"({"as_int": 2}, {"as_int": 1})");
    const std::string graph =
        R"("inputs": [)" + tensor("p_fc_weight") + ", " + tensor("p_fc_bias") + ", " +
        tensor("b_scale") + ", " + tensor("x") + R"(], "outputs": [)" + tensor("add") +
        R"(], "nodes": [)" +
        node("sym_size.int", input("self", tensor("x")) + ", " + input("dim", R"({"as_int": 0})"),
             R"({"as_sym_int": {"as_name": "sym_size_int"}})") +
        ", " +
        node("view.default",
             input("self", tensor("x")) + ", " +
                 input("size", R"({"as_sym_ints": [{"as_name": "sym_size_int"}, {"as_int": 6}]})"),
             tensor("view"),
             R"j("stack_trace": "File \"net.py\", line 7, in forward\n    v = x.view(n, 6)", )j"
             R"("nn_module_stack": "L__self__,,net.Net;L__self__body.0,body.0,net.Block")") +
        ", " +
        node("linear.default",
             input("input", tensor("view")) + ", " + input("weight", tensor("p_fc_weight")) + ", " +
                 input("bias", tensor("p_fc_bias")),
             tensor("linear")) +
        ", " + node("relu.default", input("self", tensor("linear")), tensor("relu")) + ", " +
        node("mul.Tensor", input("self", tensor("relu")) + ", " + input("other", tensor("b_scale")),
             tensor("mul")) +
        ", " +
        node("add.Tensor",
             input("self", tensor("mul")) + ", " + input("other", R"({"as_int": 1})") + ", " +
                 input("alpha", R"({"as_int": 2})", 2),
             tensor("add")) +
        R"(], "tensor_values": {"p_fc_weight": )" + w + R"(, "p_fc_bias": )" + two +
        R"(, "b_scale": )" + meta(R"({"as_int": 2})", R"({"as_int": 2})", 1) + R"(, "x": )" +
        meta(n + R"(, {"as_int": 2}, {"as_int": 3})",
             R"({"as_int": 6}, {"as_int": 3}, {"as_int": 1})") +
        R"(, "view": )" + meta(n + R"(, {"as_int": 6})", R"({"as_int": 6}, {"as_int": 1})") +
        R"(, "linear": )" + n2 + R"(, "relu": )" + n2 + R"(, "mul": )" + n2 + R"(, "add": )" + n2 +
        R"(}, "sym_int_values": {"sym_size_int": )" + n +
        R"(}, "sym_bool_values": {}, "is_single_tensor_return": false, "custom_obj_values": {}, )"
        R"("sym_float_values": {})";
    const std::string leaf = R"({\"type\": null, \"context\": null, \"children_spec\": []})";
    const std::string in_spec =
        R"([1, {\"type\": \"builtins.tuple\", \"context\": \"null\", \"children_spec\": [)"
        R"({\"type\": \"builtins.tuple\", \"context\": \"null\", \"children_spec\": [)" +
        leaf +
        R"(]}, {\"type\": \"builtins.dict\", \"context\": \"[]\", \"children_spec\": []}]}])";
    return R"({"graph_module": {"graph": {)" + graph +
           R"(}, "signature": {"input_specs": [)"
           R"({"parameter": {"arg": {"name": "p_fc_weight"}, "parameter_name": "fc.weight"}}, )"
           R"({"parameter": {"arg": {"name": "p_fc_bias"}, "parameter_name": "fc.bias"}}, )"
           R"({"buffer": {"arg": {"name": "b_scale"}, "buffer_name": "scale", "persistent": true}}, )"
           R"({"user_input": {"arg": {"as_tensor": {"name": "x"}}}}], "output_specs": [)"
           R"({"user_output": {"arg": {"as_tensor": {"name": "add"}}}}]}, "module_call_graph": [)"
           R"({"fqn": "", "signature": {"inputs": [], "outputs": [], "in_spec": ")" +
           in_spec + R"(", "out_spec": "[1, )" + leaf +
           R"(]", "forward_arg_names": ["x"]}}], "metadata": {}, "treespec_namedtuple_fields": {}}, )"
           R"("opset_version": {"aten": 10}, "range_constraints": {"s77": {"min_val": 2, )"
           R"("max_val": 16}}, "schema_version": {"major": 8, "minor": 17}, "verifiers": )"
           R"(["TRAINING"], "torch_version": "2.10.0", "guards_code": []})";
  }
  static std::string weights_config() {
    return R"({"config": {"fc.weight": )" +
           payload("weight_0",
                   meta(R"({"as_int": 2}, {"as_int": 6})", R"({"as_int": 6}, {"as_int": 1})")) +
           R"(, "fc.bias": )" + payload("weight_1", meta(R"({"as_int": 2})", R"({"as_int": 1})")) +
           R"(, "scale": )" + payload("weight_2", meta(R"({"as_int": 2})", R"({"as_int": 2})", 1)) +
           "}}";
  }

  std::string json_ = program();
  std::string config_ = weights_config();
};

}  // namespace cresset::frontend
