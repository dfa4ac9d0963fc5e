// The oracle of the order: a CUDA program as a plain directed graph, searched anew for each
// question.
//
// Each call of a host thread is a node, and so is each action in a stream. The rules of CUDA's
// documentation are edges, all of them: to an action from every earlier one of its stream, to an
// action of a legacy stream from every earlier one of the blocking streams. It is slow on purpose
// and shares no code with cuda/order/.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <vector>

namespace bankproof::cuda::tests {

using Node = std::size_t;

class ProgramGraph {
 public:
  enum class Kind { blocking, non_blocking, legacy };

  /// The nodes from which there is a path to the node; the node is not among them.
  std::set<Node> before(Node node) const;

  bool lives(int host) const { return last_.count(host) != 0; }
  /// A call of the host: it comes after the host's calls so far.
  Node call(int host);
  void passed(int from, int to);
  void ended(int host);
  /// The number of the new stream.
  std::size_t create(int device, Kind kind, int host);
  /// An action of the stream, enqueued by a call of the host.
  Node act(std::size_t stream, int host);
  void record(int event, std::size_t stream, int host);
  void wait(std::size_t stream, int event, int host);
  void synchronize_stream(int host, std::size_t stream);
  void synchronize_event(int host, int event);
  void synchronize_device(int host, int device);
  /// A node of a graph that is launched, and what later actions of the stream wait for.
  Node node(const std::vector<Node>& after);
  void join(std::size_t stream, const std::vector<Node>& nodes);

 private:
  struct StreamNodes {
    int device;
    Kind kind;
    Node creation;
    std::vector<Node> actions;
  };

  std::set<Node> known_to_all() const;
  /// All actions that an action, or a synchronization, of the stream waits for.
  std::vector<Node> awaited_by(std::size_t stream) const;

  std::vector<std::vector<Node>> edges_;  // the nodes that lead to each node
  std::map<int, Node> last_;              // of each host that lives
  std::set<Node> known_at_last_end_;
  std::vector<StreamNodes> streams_;
  std::map<int, Node> records_;
};

}  // namespace bankproof::cuda::tests
