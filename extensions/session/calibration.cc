// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "extensions/session/calibration.h"

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "compiler/quantizer/quantizer.h"
#include "extensions/data/cases.h"
#include "extensions/data/input.h"
#include "extensions/data/npy.h"
#include "extensions/data/safetensors.h"

namespace cresset {

namespace {
using data::HostTensor;
using data::HostValue;
using quantizer::Calibration;
using Sample = std::vector<eval::Datum>;

constexpr size_t kRandomSamples = 4;

eval::Datum datum_of(DType dtype, Span<const int32_t> sizes, std::vector<uint8_t> dim_order,
                     Span<const uint8_t> bytes) {
  std::vector<ir::Dim> dims;
  for (const int32_t size : sizes) {
    dims.push_back(ir::Dim(int64_t{size}));
  }
  return ir::make_constant("", {dtype, std::move(dims), std::move(dim_order)}, bytes.data(),
                           bytes.size());
}

eval::Datum datum_of(const HostValue& value) {
  if (const HostTensor* tensor = value.get<HostTensor>()) {
    return datum_of(tensor->dtype(), tensor->sizes(), tensor->dim_order(), tensor->bytes());
  }
  if (const bool* flag = value.get<bool>()) {
    return Scalar::of_bool(*flag);
  }
  if (const int64_t* integer = value.get<int64_t>()) {
    return Scalar::of_int(*integer);
  }
  if (const double* number = value.get<double>()) {
    return Scalar::of_double(*number);
  }
  return {};
}

// How many samples an array holds, cut along its first dimension into pieces of the input's type.
struct Cut {
  int64_t samples = 1;
  std::vector<int32_t> sizes;  // of a piece
};

bool fits(const ir::Dim& wanted, int32_t size) {
  return !wanted.known() || *wanted.known() == size;
}

Expected<Cut> cut_for(const ir::TensorType& type, const HostTensor& array) {
  const std::vector<int32_t>& sizes = array.sizes();
  const size_t rank = type.sizes.size();
  const auto tail_fits = [&](size_t from, size_t skip) {
    for (size_t i = from; i < rank; ++i) {
      if (!fits(type.sizes[i], sizes[i + skip])) {
        return false;
      }
    }
    return true;
  };
  if (sizes.size() == rank && tail_fits(0, 0)) {
    return Cut{1, sizes};
  }
  if (sizes.size() == rank + 1 && tail_fits(0, 1)) {
    return Cut{sizes[0], {sizes.begin() + 1, sizes.end()}};
  }
  if (sizes.size() == rank && rank > 0 && tail_fits(1, 0) && *type.sizes[0].known() > 0 &&
      sizes[0] % *type.sizes[0].known() == 0) {
    std::vector<int32_t> piece = sizes;
    piece[0] = static_cast<int32_t>(*type.sizes[0].known());
    return Cut{sizes[0] / piece[0], std::move(piece)};
  }
  return invalid(data::describe(array) + " is neither one nor several of " +
                 ir::sizes_text(type.sizes));
}

class Reader {
 public:
  Reader(const ir::Graph& method, const data::ImageOptions& image)
      : method_(method), image_(image) {
    for (const ir::UserInput& input : method.inputs) {
      if (input.value != nullptr && input.value->is_tensor()) {
        tensors_.push_back(&input);
      }
    }
  }

  Error read(const std::string& source) {
    if (source == "random") {
      Calibration random = quantizer::random_calibration(method_, kRandomSamples);
      std::move(random.samples.begin(), random.samples.end(),
                std::back_inserter(calibration_.samples));
      calibration_.random = true;
      return Error();
    }
    const Error error =
        std::filesystem::is_directory(source) ? read_folder(source) : read_file(source);
    return error.ok() ? error : Error{error.status, "--calibrate " + source + ": " + error.text};
  }

  Calibration take() { return std::move(calibration_); }

 private:
  Error read_folder(const std::string& folder) {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.is_regular_file() && entry.path().filename().string()[0] != '.') {
        files.push_back(entry.path().string());
      }
    }
    std::sort(files.begin(), files.end());
    if (files.empty()) {
      return invalid("the folder is empty");
    }
    for (const std::string& file : files) {
      if (Error error = read_file(file); !error.ok()) {
        return Error{error.status, file + ": " + error.text};
      }
    }
    return Error();
  }

  Error read_file(const std::string& file) {
    const std::string extension = std::filesystem::path(file).extension().string();
    if (extension == ".safetensors") {
      const Expected<data::Safetensors> opened = data::Safetensors::open(file);
      if (!opened.ok()) {
        return opened.error();
      }
      return opened->metadata().contains("cases") ? read_cases(file) : read_safetensors(*opened);
    }
    if (extension == ".npz") {
      Expected<std::vector<data::NamedTensor>> arrays = data::read_npz(file);
      return arrays.ok() ? add_arrays(*std::move(arrays)) : arrays.error();
    }
    return read_single(file);
  }

  Error read_cases(const std::string& file) {
    const Expected<std::vector<data::ProgramCase>> cases = data::read_program_cases(file);
    if (!cases.ok()) {
      return cases.error();
    }
    const size_t before = calibration_.samples.size();
    for (const data::ProgramCase& c : *cases) {
      if (c.method != method_.name || c.expect.error || !c.expect.impossible.empty()) {
        continue;
      }
      Sample sample;
      for (const HostValue& input : c.inputs) {
        sample.push_back(datum_of(input));
      }
      calibration_.samples.push_back(std::move(sample));
    }
    return calibration_.samples.size() > before
               ? Error()
               : invalid("no case calls the method '" + method_.name + "'");
  }

  Error read_safetensors(const data::Safetensors& file) {
    std::vector<data::NamedTensor> arrays;
    for (const data::Safetensors::Entry& entry : file.entries()) {
      Expected<HostTensor> array = data::Safetensors::copy(entry);
      if (!array.ok()) {
        return array.error();
      }
      arrays.push_back({entry.key, *std::move(array)});
    }
    return add_arrays(std::move(arrays));
  }

  Error read_single(const std::string& file) {
    if (tensors_.size() != 1) {
      return invalid("'" + method_.name + "' has " + std::to_string(tensors_.size()) +
                     " tensor inputs; give their names in an .npz or .safetensors");
    }
    const ir::TensorType& type = tensors_[0]->value->tensor();
    data::InputSpec spec;
    spec.dtype = type.dtype;
    for (const ir::Dim& size : type.sizes) {
      spec.sizes.push_back(static_cast<int32_t>(size.known().value_or(1)));
    }
    Expected<HostValue> value = data::parse_input(file, spec, image_);
    if (!value.ok()) {
      return value.error();
    }
    std::vector<data::NamedTensor> arrays;
    arrays.push_back({tensors_[0]->name, std::move(*value->get<HostTensor>())});
    return add_arrays(std::move(arrays));
  }

  // Samples from arrays that are named like inputs.
  Error add_arrays(std::vector<data::NamedTensor> arrays) {
    int64_t samples = 1;
    std::vector<std::pair<const HostTensor*, Cut>> parts;  // in the order of tensors_
    std::vector<HostTensor> held;
    held.reserve(tensors_.size());
    for (const ir::UserInput* input : tensors_) {
      const auto found =
          std::find_if(arrays.begin(), arrays.end(), [&](const data::NamedTensor& array) {
            return array.key == input->name || array.key == input->value->name;
          });
      const bool only = tensors_.size() == 1 && arrays.size() == 1;
      if (found == arrays.end() && !only) {
        return missing(*input, arrays);
      }
      const HostTensor& array = only ? arrays[0].tensor : found->tensor;
      const ir::TensorType& type = input->value->tensor();
      // Row-major, in the input's dtype: pictures are often stored as bytes.
      std::vector<uint8_t> order(array.rank());
      for (size_t i = 0; i < order.size(); ++i) {
        order[i] = static_cast<uint8_t>(i);
      }
      held.push_back(array.converted(type.dtype).reordered(order));
      Expected<Cut> cut = cut_for(type, held.back());
      if (!cut.ok()) {
        return Error{cut.error().status, "'" + input->name + "': " + cut.error().text};
      }
      if (cut->samples != 1 && samples != 1 && cut->samples != samples) {
        return invalid("the arrays hold different numbers of samples: " + std::to_string(samples) +
                       " and " + std::to_string(cut->samples));
      }
      samples = std::max(samples, cut->samples);
      parts.emplace_back(&held.back(), *std::move(cut));
    }
    for (int64_t s = 0; s < samples; ++s) {
      Sample sample;
      size_t next = 0;
      for (const ir::UserInput& input : method_.inputs) {
        if (input.value == nullptr) {
          sample.emplace_back();
        } else if (!input.value->is_tensor()) {
          return invalid("'" + input.name + "' is a number: use a case file");
        } else {
          const auto& [array, cut] = parts[next++];
          const size_t piece = array->size_bytes() / static_cast<size_t>(cut.samples);
          const size_t from = cut.samples == 1 ? 0 : static_cast<size_t>(s) * piece;
          sample.push_back(
              datum_of(array->dtype(), cut.sizes, {}, {array->bytes().data() + from, piece}));
        }
      }
      calibration_.samples.push_back(std::move(sample));
    }
    return Error();
  }

  Error missing(const ir::UserInput& input, const std::vector<data::NamedTensor>& arrays) const {
    std::string text = "no array is named '" + input.name + "'; there are";
    if (arrays.empty()) {
      text += " none";
    }
    for (const data::NamedTensor& array : arrays) {
      text += " '" + array.key + "'";
    }
    return invalid(text);
  }

  const ir::Graph& method_;
  const data::ImageOptions& image_;
  std::vector<const ir::UserInput*> tensors_;
  Calibration calibration_;
};

}  // namespace

Expected<Calibration> read_calibration(const ir::Graph& method,
                                       const std::vector<std::string>& sources,
                                       const data::ImageOptions& image) {
  Reader reader(method, image);
  for (const std::string& source : sources) {
    try {
      if (Error error = reader.read(source); !error.ok()) {
        return error;
      }
    } catch (const std::filesystem::filesystem_error& e) {
      return invalid("--calibrate " + source + ": " + e.code().message());
    }
  }
  return reader.take();
}

}  // namespace cresset
