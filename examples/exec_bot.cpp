// A bot that NashGap can ask, in C++ and without a library:
//   c++ -O2 -std=c++17 -o exec_bot examples/exec_bot.cpp && nashgap check-bot exec:./exec_bot --game hunl
//
// It raises all-in with aces and kings, folds low cards, and calls with any. Probabilities are sent as base64 of float32,
// little-endian like this machine, which is smaller and faster than numbers. The questions are JSON without spaces; a bot
// that needs more of them than this one takes a JSON library.
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

std::string base64(const std::vector<float>& numbers) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto* bytes = reinterpret_cast<const unsigned char*>(numbers.data());
  const size_t size = numbers.size() * sizeof(float);
  std::string text;
  for (size_t i = 0; i < size; i += 3) {
    const size_t left = std::min<size_t>(3, size - i);
    const unsigned bits = bytes[i] << 16 | (left > 1 ? bytes[i + 1] << 8 : 0) | (left > 2 ? bytes[i + 2] : 0);
    for (size_t k = 0; k < 4; ++k) text += k <= left ? letters[bits >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

// What follows `"key":` in the text; empty if the key is not there.
std::string after(const std::string& text, const std::string& key) {
  const size_t place = text.find("\"" + key + "\":");
  return place == std::string::npos ? "" : text.substr(place + key.size() + 3);
}

std::string policy(const std::string& state, const std::vector<double>& strengths) {
  std::string actions = after(state, "can_fold").rfind("true", 0) == 0 ? "\"f\",\"c\"" : "\"c\"";
  const bool can_fold = actions.size() > 3;
  const std::string raise_to = after(state, "raise_to");  // [smallest,largest] or null
  const bool can_raise = raise_to[0] == '[';
  if (can_raise) actions += ",\"r" + std::to_string(std::stoi(raise_to.substr(raise_to.find(',') + 1))) + "\"";
  std::vector<float> rows;
  for (const double strength : strengths) {
    const double fold = can_fold ? std::max(0.0, 0.6 - strength) : 0.0;
    const double raise = can_raise && strength > 0.9 ? 0.5 : 0.0;
    if (can_fold) rows.push_back(static_cast<float>(fold));
    rows.push_back(static_cast<float>(1.0 - fold - raise));
    if (can_raise) rows.push_back(static_cast<float>(raise));
  }
  return "{\"actions\":[" + actions + "],\"probabilities\":{\"base64\":\"" + base64(rows) + "\"}}";
}

int main() {
  std::string line, hand;
  std::getline(std::cin, line);
  std::vector<double> strengths;  // of the hands, which are like ["2d2c","2h2c",...]
  const std::string hands = after(line, "hands");
  for (size_t i = 1; i < hands.size() && hands[i - 1] != ']'; ++i) {
    if (hands[i] != '"' && hands[i] != ',' && hands[i] != ']') hand += hands[i];
    if ((hands[i] != ',' && hands[i] != ']') || hand.empty()) continue;
    double sum = 0.0;
    for (size_t k = 0; k < hand.size(); k += 2) sum += std::string("23456789TJQKA").find(hand[k]);
    strengths.push_back(sum / (6.0 * hand.size()));
    hand.clear();
  }
  std::cout << "{\"nashgap\":1,\"name\":\"all-in\"}" << std::endl;
  while (std::getline(std::cin, line)) {
    std::string policies;
    for (size_t at = line.find("{\"state\":"); at != std::string::npos;) {
      const size_t next = line.find("{\"state\":", at + 1);
      policies += (policies.empty() ? "" : ",") + policy(line.substr(at, next - at), strengths);
      at = next;
    }
    std::cout << "{\"id\":" << std::stol(after(line, "id")) << ",\"policies\":[" << policies << "]}" << std::endl;
  }
}
