// The rules of CUDA as edges.
#include "graph.hpp"

namespace bankproof::cuda::tests {

std::set<Node> ProgramGraph::before(Node node) const {
  std::set<Node> found;
  std::vector<Node> open{node};
  while (!open.empty()) {
    const Node at = open.back();
    open.pop_back();
    for (const Node from : edges_[at]) {
      if (found.insert(from).second) open.push_back(from);
    }
  }
  return found;
}

Node ProgramGraph::node(const std::vector<Node>& after) {
  edges_.push_back(after);
  return edges_.size() - 1;
}

std::set<Node> ProgramGraph::known_to_all() const {
  if (last_.empty()) return known_at_last_end_;
  std::set<Node> all;
  for (Node node = 0; node < edges_.size(); ++node) all.insert(node);
  for (const auto& [host, last] : last_) {
    std::set<Node> known = before(last);
    known.insert(last);
    std::set<Node> both;
    for (const Node node : all) {
      if (known.count(node) != 0) both.insert(node);
    }
    all = both;
  }
  return all;
}

Node ProgramGraph::call(int host) {
  std::vector<Node> after;
  if (lives(host)) {
    after = {last_[host]};
  } else {
    const std::set<Node> known = known_to_all();
    after.assign(known.begin(), known.end());
  }
  return last_[host] = node(after);
}

void ProgramGraph::passed(int from, int to) {
  const Node passed = call(from);
  const Node got = call(to);
  edges_[got].push_back(passed);
}

void ProgramGraph::ended(int host) {
  known_at_last_end_ = known_to_all();
  last_.erase(host);
}

std::size_t ProgramGraph::create(int device, Kind kind, int host) {
  // Nobody creates a legacy stream.
  const Node creation = kind == Kind::legacy ? node({}) : call(host);
  streams_.push_back({device, kind, creation, {}});
  return streams_.size() - 1;
}

std::vector<Node> ProgramGraph::awaited_by(std::size_t stream) const {
  const StreamNodes& own = streams_[stream];
  std::vector<Node> awaited = own.actions;
  awaited.push_back(own.creation);
  for (const StreamNodes& other : streams_) {
    const bool default_order = (own.kind == Kind::legacy && other.kind == Kind::blocking) ||
                               (own.kind == Kind::blocking && other.kind == Kind::legacy);
    if (!default_order || other.device != own.device) continue;
    awaited.insert(awaited.end(), other.actions.begin(), other.actions.end());
  }
  return awaited;
}

Node ProgramGraph::act(std::size_t stream, int host) {
  std::vector<Node> after = awaited_by(stream);
  after.push_back(call(host));
  const Node action = node(after);
  streams_[stream].actions.push_back(action);
  return action;
}

void ProgramGraph::join(std::size_t stream, const std::vector<Node>& nodes) {
  std::vector<Node>& actions = streams_[stream].actions;
  actions.insert(actions.end(), nodes.begin(), nodes.end());
}

void ProgramGraph::record(int event, std::size_t stream, int host) {
  records_[event] = act(stream, host);
}

void ProgramGraph::wait(std::size_t stream, int event, int host) {
  if (records_.count(event) == 0) {
    call(host);
  } else {
    edges_[act(stream, host)].push_back(records_[event]);
  }
}

void ProgramGraph::synchronize_stream(int host, std::size_t stream) {
  const Node done = call(host);
  for (const Node action : awaited_by(stream)) edges_[done].push_back(action);
}

void ProgramGraph::synchronize_event(int host, int event) {
  const Node done = call(host);
  if (records_.count(event) != 0) edges_[done].push_back(records_[event]);
}

void ProgramGraph::synchronize_device(int host, int device) {
  const Node done = call(host);
  for (const StreamNodes& stream : streams_) {
    if (stream.device != device) continue;
    for (const Node action : stream.actions) edges_[done].push_back(action);
  }
}

}  // namespace bankproof::cuda::tests
