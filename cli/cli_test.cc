// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "cli/json.h"
#include "cli/text.h"
#include "compiler/frontend/program_for_test.h"

namespace cresset::cli {
namespace {

namespace fs = std::filesystem;

TEST(Text, HasThreeDigitsAndAUnit) {
  EXPECT_EQ(bytes_text(999), "999 B");
  EXPECT_EQ(bytes_text(1000), "1.00 kB");
  EXPECT_EQ(bytes_text(13951264), "14.0 MB");
  EXPECT_EQ(seconds_text(0.0125), "12.5 ms");
  EXPECT_EQ(seconds_text(3.0e-6), "3.00 us");
  EXPECT_EQ(count_text(1, "operator"), "1 operator");
}

TEST(Text, TablesAlign) {
  Table table("<>");
  table.add({"a", "1"});
  table.add({"long", "100"});
  EXPECT_EQ(table.text(" "), " a       1\n long  100\n");
}

TEST(Json, Prints) {
  Json json = Json::object();
  json.set("a\"", Json::array_of(std::vector<int>{1, 2})).set("b", Json()).set("c", 0.5);
  EXPECT_EQ(Json::array().push(Json(0.5)).push(Json(std::nan(""))).push(Json(-HUGE_VAL)).text(),
            "[0.5, null, null]");
  EXPECT_EQ(json.text(), "{\n  \"a\\\"\": [1, 2],\n  \"b\": null,\n  \"c\": 0.5\n}");
}

struct Ended {
  int status;
  std::string output;  // of both streams
};

// The command line, run as a user runs it, on models of the corpus.
class Program : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(models())) {
      GTEST_SKIP() << "no corpus at " << CRESSET_CORPUS_DIR;
    }
    folder_ = fs::temp_directory_path() / ("cresset_cli_" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  static fs::path models() { return fs::path(CRESSET_CORPUS_DIR) / "models"; }
  static std::string model(const std::string& name) {
    return (models() / name / "model.pt2").string();
  }
  static std::string cases(const std::string& name) {
    return (models() / name / "io.safetensors").string();
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  static Ended run(const std::string& arguments) {
    FILE* const pipe =
        ::popen((std::string(CRESSET_PROGRAM) + " " + arguments + " 2>&1").c_str(), "r");
    Ended ended{-1, ""};
    char buffer[4096];
    for (size_t n; (n = std::fread(buffer, 1, sizeof(buffer), pipe)) > 0;) {
      ended.output.append(buffer, n);
    }
    ended.status = WEXITSTATUS(::pclose(pipe));
    return ended;
  }

 private:
  fs::path folder_;
};

TEST_F(Program, CompilesRunsAndVerifies) {
  const std::string out = path("m.pte");
  const Ended compiled = run("compile " + model("mlperf_tiny_autoencoder") + " -o " + out);
  EXPECT_EQ(compiled.status, 0);
  EXPECT_EQ(compiled.output.substr(0, out.size() + 1), out + ":");
  EXPECT_EQ(std::count(compiled.output.begin(), compiled.output.end(), '\n'), 1) << compiled.output;
  const Ended ran = run("run " + out + " --input random:1 -o " + path("y.npz"));
  EXPECT_EQ(ran.status, 0) << ran.output;
  EXPECT_EQ(ran.output.substr(0, 27), "output 0: float32 [1, 640] ");
  EXPECT_EQ(run("run " + out + " --input random:1").output, ran.output);
  EXPECT_TRUE(fs::exists(path("y.npz")));
  EXPECT_EQ(run("run " + out + " --input " + path("y.npz") + " -q").output, "");
  const Ended verified = run("verify " + out + " --cases " + cases("mlperf_tiny_autoencoder"));
  EXPECT_EQ(verified.status, 0);
  EXPECT_NE(verified.output.find(" passed, 0 failed\n"), std::string::npos) << verified.output;
}

TEST_F(Program, FailedCasesNameTheWorstElement) {
  const Ended ended =
      run("verify " + model("mlperf_tiny_autoencoder") + " --cases " + cases("espcn_x3"));
  EXPECT_EQ(ended.status, 1);
  EXPECT_NE(ended.output.find("case 0: "), std::string::npos);
  EXPECT_NE(ended.output.find("0 passed, "), std::string::npos) << ended.output;
}

TEST_F(Program, StatusTellsFailureFromWrongUsage) {
  EXPECT_EQ(run("").status, 2);
  EXPECT_EQ(run("fly").status, 2);
  EXPECT_EQ(run("run").status, 2);
  EXPECT_EQ(run("compile x.pt2 --max n").status, 2);
  const Ended missing = run("run " + path("no.pte"));
  EXPECT_EQ(missing.status, 1);
  EXPECT_EQ(missing.output.substr(0, 16), "cresset: error: ");
  EXPECT_EQ(run("--version").status, 0);
  for (const char* verb : {"compile", "run", "verify", "inspect", "ops", "bench"}) {
    const Ended help = run(std::string(verb) + " --help");
    EXPECT_EQ(help.status, 0);
    EXPECT_NE(help.output.find(std::string("Examples:\n  cresset ") + verb), std::string::npos);
  }
}

TEST_F(Program, QuantizesAndSaysWhatBecameOfIt) {
  const std::string autoencoder = model("mlperf_tiny_autoencoder");
  const std::string quantize =
      " --quantize int8 --calibrate " + cases("mlperf_tiny_autoencoder") + " -o " + path("q.pte");
  const Ended done =
      run("compile " + autoencoder + quantize + " --strict --report " + path("q.html"));
  EXPECT_EQ(done.status, 0) << done.output;
  EXPECT_NE(done.output.find("forward: int8, 19 of 19 float nodes quantized"), std::string::npos)
      << done.output;
  EXPECT_NE(done.output.find("SQNR"), std::string::npos);
  EXPECT_LT(fs::file_size(path("q.pte")), fs::file_size(autoencoder) / 3);
  const Ended kept = run("compile " + autoencoder + quantize + " --keep-float l.9 -v");
  EXPECT_NE(kept.output.find("float: --keep-float l.9"), std::string::npos) << kept.output;
  // Options of the quantizer go where models are compiled in memory, too.
  EXPECT_EQ(run("run " + autoencoder + " --quantize int8 --calibrate random --input zeros").status,
            0);
}

TEST_F(Program, CalibratesByPicturesAsItRunsThem) {
  const std::string photo = CRESSET_SOURCE_DIR "/tests/data/quantization/photos/test";
  const auto range = [&](const std::string& options) {
    const Ended ended = run("compile " + model("resnet20_cifar10") + " -o " + path("q.pte") +
                            " --quantize int8 --calibrate " + photo + " -v" + options);
    EXPECT_EQ(ended.status, 0) << ended.output;
    return ended.output.substr(ended.output.find("aten::"), 200);
  };
  EXPECT_EQ(range(""), range(" --mean 0 --std 1"));
  EXPECT_NE(range(""), range(" --mean 0.5,0.5,0.5 --std 0.25"));
}

TEST_F(Program, RefusesQuantizationThatMeansNothing) {
  const std::string autoencoder = model("mlperf_tiny_autoencoder");
  const std::string out = " -o " + path("q.pte");
  const auto says = [&](const std::string& arguments, int status, const std::string& part) {
    const Ended ended = run("compile " + arguments + out);
    EXPECT_EQ(ended.status, status) << ended.output;
    EXPECT_NE(ended.output.find(part), std::string::npos) << ended.output;
  };
  says(autoencoder + " --quantize int8", 1, "needs calibration data: --calibrate");
  says(autoencoder + " --quantize int7 --calibrate random", 2, "unknown scheme 'int7'");
  says(autoencoder + " --calibrate random", 2, "--calibrate requires --quantize");
  says(autoencoder + " --quantize int8 --calibrate random", 0, "not meaningful");
  says(autoencoder + " --quantize int8 --calibrate " + path("none.npz"), 1, "none.npz");
  says((fs::path(CRESSET_CORPUS_DIR) / "executorch/x_int8_static_pc/model.pt2").string() +
           " --quantize int8 --calibrate random",
       1, "is quantized already");
}

// A file of several programs: torch.export.save writes one, PyTorch's packaging any number.
TEST_F(Program, AFileOfSeveralProgramsBecomesSeveralMethods) {
  const std::string model = path("several.pt2");
  std::ofstream(model, std::ios::binary)
      << frontend::ProgramForTest().archive({"decode", "encode"});
  const std::string out = path("several.pte");
  ASSERT_EQ(run("compile -q " + model + " -o " + out).status, 0);
  EXPECT_NE(run("inspect " + out).output.find("methods     decode, encode\n"), std::string::npos);
  const std::string input = " --input '[[[0,1,2],[3,4,5]],[[0,0,0],[0,0,0]]]:float32'";
  const Ended ran = run("run " + out + " --method encode" + input);
  ASSERT_EQ(ran.status, 0) << ran.output;
  EXPECT_EQ(run("run " + model + " --method decode" + input).output, ran.output);
  const Ended unnamed = run("run " + model + input);
  EXPECT_EQ(unnamed.status, 1);
  EXPECT_NE(unnamed.output.find("no method 'forward'; it has decode, encode"), std::string::npos);

  // One of them, under another name.
  const std::string one = path("one.pte");
  ASSERT_EQ(run("compile -q --method forward=" + model + ":encode -o " + one).status, 0);
  EXPECT_EQ(run("run " + one + input).output, ran.output);
  for (const char* which : {"", ":other"}) {
    const Ended ended = run("compile --method forward=" + model + which + " -o " + path("no.pte"));
    EXPECT_EQ(ended.status, 1);
    EXPECT_NE(ended.output.find("decode, encode"), std::string::npos) << ended.output;
    EXPECT_FALSE(fs::exists(path("no.pte")));
  }
  EXPECT_NE(run("inspect " + model).output.find("operators of encode\n"), std::string::npos);
  EXPECT_NE(run("inspect --ir " + model).output.find("graph decode("), std::string::npos);
}

TEST_F(Program, InspectShowsTheRangesOfAProgram) {
  const std::string model = path("tiny.pt2");
  std::ofstream(model, std::ios::binary) << frontend::ProgramForTest().archive();
  const std::string out = path("tiny.pte");
  ASSERT_EQ(run("compile -q " + model + " -o " + out).status, 0);
  const std::string shown = run("inspect " + out).output;
  const size_t at = shown.find("dynamic dimensions of forward\n");
  ASSERT_NE(at, std::string::npos) << shown;
  EXPECT_NE(shown.find("input 0          0    2   16     1\n", at), std::string::npos) << shown;
  ASSERT_EQ(run("compile -q " + model + " --max s77=4 -o " + out).status, 0);
  EXPECT_NE(run("inspect " + out).output.find("input 0          0    2    4     1\n"),
            std::string::npos);
}

TEST_F(Program, OptionsForTheCompilerAreWrongUsageOnceCompiled) {
  const std::string program = path("m.pte");
  ASSERT_EQ(run("compile -q " + model("mlperf_tiny_autoencoder") + " -o " + program).status, 0);
  for (const char* option :
       {"--max s0=4", "--target executorch", "--backend none", "--ops x.def"}) {
    for (const std::string verb : {"run ", "bench ", "verify --cases c.safetensors "}) {
      const Ended ended = run(verb + program + " " + option);
      EXPECT_EQ(ended.status, 2) << verb << option;
      EXPECT_NE(ended.output.find("is compiled already"), std::string::npos) << ended.output;
    }
  }
}

TEST_F(Program, ValuesThatNoOptionKnowsAreWrongUsage) {
  const std::string small = model("mlperf_tiny_autoencoder");
  const struct {
    std::string option, known;
  } wrong[] = {{"--target moon", "executorch, host"},
               {"--max s0=many", "natural number"},
               {"--max s0", "NAME=VALUE"},
               {"--backend moon", "this build has example, null"}};
  for (const auto& w : wrong) {
    for (const std::string verb : {"compile ", "run ", "bench ", "verify --cases c.safetensors "}) {
      const Ended ended = run(verb + small + " " + w.option);
      EXPECT_EQ(ended.status, 2) << verb << w.option;
      EXPECT_NE(ended.output.find(w.known), std::string::npos) << ended.output;
    }
  }
  const Ended report = run("compile " + small + " --report " + path("r.xyz"));
  EXPECT_EQ(report.status, 2);
  EXPECT_NE(report.output.find(".html, .json"), std::string::npos) << report.output;
  EXPECT_FALSE(fs::exists(path("r.xyz")));
  const Ended outputs = run("run " + small + " --input zeros -o " + path("y.xyz"));
  EXPECT_EQ(outputs.status, 2);
  EXPECT_NE(outputs.output.find(".npy, .npz, .safetensors"), std::string::npos) << outputs.output;
  EXPECT_EQ(run("inspect --ir --json " + small).status, 2);
  // What is well said and cannot be had has failed.
  EXPECT_EQ(run("compile " + small + " --max no=4 -o " + path("m.pte")).status, 1);
  EXPECT_EQ(run("compile " + small + " --ops " + path("no.def") + " -o " + path("m.pte")).status,
            1);
  EXPECT_FALSE(fs::exists(path("m.pte")));
}

TEST_F(Program, VerifyRunsTheCasesOfAMethod) {
  const std::string small = model("mlperf_tiny_autoencoder");
  const std::string program = path("m.pte");
  ASSERT_EQ(
      run("compile -q --method forward=" + small + " --method other=" + small + " -o " + program)
          .status,
      0);
  const std::string verify =
      "verify " + program + " --cases " + cases("mlperf_tiny_autoencoder") + " --method ";
  EXPECT_EQ(run(verify + "forward").status, 0);
  const Ended other = run(verify + "other");
  EXPECT_EQ(other.status, 1);
  EXPECT_NE(other.output.find("no case for method 'other'"), std::string::npos) << other.output;
  const Ended none = run(verify + "none");
  EXPECT_EQ(none.status, 1);
  EXPECT_NE(none.output.find("no method 'none'; it has forward, other"), std::string::npos)
      << none.output;
}

TEST_F(Program, OperatorsNameTheirLibraries) {
  EXPECT_NE(run("ops aten::relu").output.find("portable"), std::string::npos);
  EXPECT_NE(run("ops aten::_linalg_eigh").output.find("numerics"), std::string::npos);
  EXPECT_GT(run("ops -v aten::relu").output.size(), run("ops aten::relu").output.size());
  EXPECT_EQ(run("ops no_such_operator").status, 1);
}

TEST_F(Program, DelegatesAreCompiledRunAndShown) {
  const std::string small = model("mlperf_tiny_resnet8");
  const std::string program = path("m.pte");
  const std::string compile = "compile " + small + " -o " + program;
  const Ended compiled = run(compile + " --backend null,example -v");
  EXPECT_EQ(compiled.status, 0) << compiled.output;
  for (const char* part : {"8 delegates", "example ", "left\n", "aten::avg_pool2d",
                           "operator not supported by null; operator not supported by example"}) {
    EXPECT_NE(compiled.output.find(part), std::string::npos) << part << compiled.output;
  }
  EXPECT_EQ(run("verify " + program + " --cases " + cases("mlperf_tiny_resnet8")).status, 0);
  EXPECT_NE(run("inspect " + program).output.find("ExampleBackend"), std::string::npos);
  const std::string bench = run("bench " + program + " --per-op --seconds 0").output;
  EXPECT_NE(bench.find("\nExampleBackend "), std::string::npos) << bench;
  EXPECT_NE(bench.find("\n  conv2d "), std::string::npos) << bench;
  EXPECT_NE(run("run " + program + " --input zeros --trace " + path("t.etdump")).status, 2);
  EXPECT_NE(run("inspect " + path("t.etdump")).output.find("DELEGATE_CALL (ExampleBackend)"),
            std::string::npos);
  EXPECT_NE(run("ops aten::conv2d").output.find("backend example"), std::string::npos);
}

TEST_F(Program, StrictNamesWhatIsLeft) {
  const Ended strict = run("compile " + model("mlperf_tiny_resnet8") + " -o " + path("m.pte") +
                           " --backend example --strict");
  EXPECT_EQ(strict.status, 1);
  EXPECT_NE(strict.output.find("--strict: "), std::string::npos) << strict.output;
  EXPECT_NE(strict.output.find("(aten::pad), model.py:43"), std::string::npos) << strict.output;
  EXPECT_FALSE(fs::exists(path("m.pte")));
}

TEST_F(Program, ReportsSayWhoTookWhat) {
  const std::string arguments =
      "compile " + model("mlperf_tiny_resnet8") + " --backend example -o " + path("m.pte");
  ASSERT_EQ(run(arguments + " --report " + path("r.json")).status, 0);
  ASSERT_EQ(run(arguments + " --report " + path("r.html")).status, 0);
  const auto text = [&](const std::string& name) {
    std::ifstream file(path(name));
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  for (const char* part : {"\"delegate\": 7", "\"reason\": \"operator not supported by example\"",
                           "\"id\": \"ExampleBackend\"", "\"blob_bytes\": 516"}) {
    EXPECT_NE(text("r.json").find(part), std::string::npos) << part;
  }
  for (const char* part : {"<svg", "left: operator not supported by example", "example #7",
                           "ExampleBackend", "aten::constant_pad_nd, portable"}) {
    EXPECT_NE(text("r.html").find(part), std::string::npos) << part;
  }
  EXPECT_EQ(text("r.html").find("http"), std::string::npos) << "parts from outside";
}

TEST_F(Program, WrongInputsAreNamed) {
  const std::string program = model("mlperf_tiny_autoencoder");
  EXPECT_NE(run("run " + program).output.find("input 0 of 'forward' is missing: float32 [1, 640]"),
            std::string::npos);
  const Ended shape = run("run " + program + " --input '[1,2]'");
  EXPECT_EQ(shape.status, 1);
  EXPECT_NE(shape.output.find("float32 [2]"), std::string::npos) << shape.output;
  EXPECT_EQ(run("run " + program + " --input zeros --input zeros").status, 1);
}

TEST_F(Program, InspectKnowsTheFamily) {
  const std::string program = path("m.pte");
  const std::string trace = path("m.etdump");
  ASSERT_EQ(run("compile -q " + model("mlperf_tiny_autoencoder") + " -o " + program).status, 0);
  ASSERT_EQ(run("run -q " + program + " --input zeros --trace " + trace).status, 0);
  EXPECT_NE(run("inspect " + program).output.find(": program\n"), std::string::npos);
  EXPECT_NE(run("inspect " + trace).output.find(": ETDump"), std::string::npos);
  EXPECT_NE(run("inspect " + cases("bert_tiny")).output.find("3 of a program"), std::string::npos);
  const Ended archive = run("inspect " + model("bert_tiny"));
  EXPECT_NE(archive.output.find(": torch.export archive\n"), std::string::npos) << archive.output;
  EXPECT_EQ(run("inspect --json " + program).output.substr(0, 2), "{\n");
  EXPECT_NE(run("inspect --ir " + model("bert_tiny")).output.find("graph forward("),
            std::string::npos);
}

TEST_F(Program, RefusesOutputsThatMeanNothing) {
  const std::string small = model("mlperf_tiny_autoencoder");
  const std::string arguments = "compile -q " + small + " -o " + path("m.pte");
  EXPECT_EQ(run(arguments + " --external-weights " + path("m.pte")).status, 2);
  EXPECT_EQ(run(arguments + " --print-after no_such_stage").status, 2);
  EXPECT_EQ(run(arguments + " --stop-after no_such_stage").status, 2);
  const Ended twice =
      run("compile --method a=" + small + " --method a=" + small + " -o " + path("m.pte"));
  EXPECT_EQ(twice.status, 2);
  EXPECT_NE(twice.output.find("'a' is named twice"), std::string::npos) << twice.output;
  EXPECT_FALSE(fs::exists(path("m.pte")));
}

TEST_F(Program, AFailureLeavesWhatWasThere) {
  const auto put = [&](const std::string& name) { std::ofstream(path(name)) << "precious"; };
  const auto text = [&](const std::string& name) {
    std::ifstream file(path(name));
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const std::string small = model("mlperf_tiny_autoencoder");
  for (const char* name : {"w.ptd", "r.json", "ops.def", "t.etdump"}) {
    put(name);
  }
  const Ended compiled =
      run("compile " + small + " -o " + path("no/m.pte") + " --external-weights " + path("w.ptd") +
          " --report " + path("r.json") + " --emit-ops " + path("ops.def"));
  EXPECT_EQ(compiled.status, 1) << compiled.output;
  const Ended ran = run("run " + small + " --input zeros -o " + path("no/y.npz") + " --trace " +
                        path("t.etdump"));
  EXPECT_EQ(ran.status, 1) << ran.output;
  for (const char* name : {"w.ptd", "r.json", "ops.def", "t.etdump"}) {
    EXPECT_EQ(text(name), "precious") << name;
  }
  const fs::path folder = fs::path(path("w.ptd")).parent_path();
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 4) << "temporary files are left";
}

TEST_F(Program, OutputsGoThroughLinksButNeverToTheModel) {
  const std::string small = path("small.pt2");
  fs::copy_file(model("mlperf_tiny_autoencoder"), small);
  fs::create_symlink("small.pt2", path("link"));
  for (const char* option : {" -o ", " --external-weights ", " --emit-ops "}) {
    const Ended ended = run("compile -q " + small + option + path("link"));
    EXPECT_EQ(ended.status, 2) << option;
    EXPECT_NE(ended.output.find("is the model itself"), std::string::npos) << ended.output;
  }
  EXPECT_EQ(fs::file_size(small), fs::file_size(model("mlperf_tiny_autoencoder")));
  const std::string program = path("m.pte");
  ASSERT_EQ(run("compile -q " + small + " -o " + program).status, 0);
  const auto bytes = [&](const std::string& name) {
    std::ifstream file(path(name), std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  // Standard output: a pipe, a file from its beginning, and behind what is there.
  EXPECT_EQ(run("compile -q " + small + " -o /dev/stdout").output, bytes("m.pte"));
  ASSERT_EQ(run("compile -q " + small + " -o /dev/stdout > " + path("a.pte")).status, 0);
  EXPECT_EQ(bytes("a.pte"), bytes("m.pte"));
  ASSERT_EQ(run("compile -q " + small + " -o /dev/stdout >> " + path("a.pte")).status, 0);
  EXPECT_EQ(bytes("a.pte"), bytes("m.pte") + bytes("m.pte"));
  EXPECT_TRUE(fs::exists("/dev/stdout"));
}

TEST_F(Program, OptionsThatMeanNothingTogetherAreWrongUsage) {
  const std::string small = model("mlperf_tiny_autoencoder");
  const std::string int8 = " --quantize int8 --calibrate random";
  const struct {
    std::string options, why;
  } wrong[] = {
      {int8 + " --group-size 32", "--group-size: int8 has no groups"},
      {int8 + " --embedding-bits 4", "--embedding-bits: int8 has no groups"},
      {" --quantize int4 --per-tensor", "int4 has scales of rows or groups"},
      {" --quantize int4 --max-drop 1", "no ranges"},
      {" --quantize int4 --group-size 0", "'0' is not a whole number above 0"},
      {" --quantize int4 --group-size 1.5", "'1.5' is not a whole number above 0"},
      {int8 + " --max-drop nan", "'nan' is not a number from 0 up"},
      {int8 + " --max-drop=-1", "'-1' is not a number from 0 up"},
      {" --max s0=8 --max s0=9", "--max: 's0' is given twice"},
      {" --target executorch --requantize narrow", "no integer operators"},
  };
  for (const auto& w : wrong) {
    for (const std::string verb : {"compile ", "run "}) {
      const Ended ended = run(verb + small + w.options + " -o " + path("x.npz"));
      EXPECT_EQ(ended.status, 2) << verb << w.options;
      EXPECT_NE(ended.output.find(w.why), std::string::npos) << ended.output;
      EXPECT_LT(ended.output.size(), 200u) << ended.output;
    }
  }
  const Ended unmatched = run("compile -q " + small + int8 +
                              " --keep-float zzz --keep-float "
                              "linear -o " +
                              path("m.pte"));
  EXPECT_EQ(unmatched.status, 0);
  EXPECT_NE(unmatched.output.find("warning: forward: --keep-float zzz: no module"),
            std::string::npos)
      << unmatched.output;
  EXPECT_EQ(unmatched.output.find("--keep-float linear"), std::string::npos) << unmatched.output;
}

TEST_F(Program, LabelsThatCannotBeReadAreNamed) {
  const std::string arguments =
      "run " + model("mlperf_tiny_autoencoder") + " --input zeros --labels ";
  const Ended missing = run(arguments + path("nope"));
  EXPECT_EQ(missing.status, 1);
  EXPECT_NE(missing.output.find("nope: cannot open"), std::string::npos) << missing.output;
  std::ofstream(path("empty")) << "";
  EXPECT_NE(run(arguments + path("empty")).output.find("no labels"), std::string::npos);
}

TEST_F(Program, SpeaksJson) {
  const std::string small = model("mlperf_tiny_autoencoder");
  const Ended verified =
      run("verify --json " + small + " --cases " + cases("mlperf_tiny_autoencoder"));
  EXPECT_EQ(verified.output.substr(0, 2), "{\n");
  EXPECT_NE(verified.output.find("\"failed\": 0"), std::string::npos) << verified.output;
  const std::string tensors = run("inspect --json " + cases("bert_tiny")).output;
  const size_t first = tensors.find("\"tensors\":");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(tensors.find("\"tensors\":", first + 1), std::string::npos) << "a key twice";
  EXPECT_NE(tensors.find("\"file_bytes\": "), std::string::npos);
}

TEST_F(Program, WritesReportsAndOperatorLists) {
  const std::string arguments =
      "compile " + model("mlperf_tiny_autoencoder") + " -o " + path("m.pte");
  EXPECT_EQ(
      run(arguments + " --report " + path("r.json") + " --emit-ops " + path("ops.def")).status, 0);
  EXPECT_EQ(run(arguments + " --report " + path("r.html")).status, 0);
  std::ifstream ops(path("ops.def"));
  std::string line;
  ASSERT_TRUE(std::getline(ops, line));
  EXPECT_EQ(line.substr(0, 6), "KERNEL");
  // Nothing is left of an output that could not be written.
  EXPECT_EQ(run(arguments + " --report " + path("no/such/r.json")).status, 1);
}

}  // namespace
}  // namespace cresset::cli
