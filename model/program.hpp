// A warp's program is a C++20 coroutine that returns Program. It runs until its next access,
// barrier or computation, and goes on when the machine resumes it. One coroutine runs all threads
// of a warp. Programs with a coroutine for each thread would be about thirty times slower.
//
// Programs call each other: `co_await scan(warp, a)` runs Program scan(Warp&, Array<T>&), and
// `Lanes<T> x = co_await total(warp, a)` runs Subprogram<Lanes<T>> total(Warp&, Array<T>&).
//
// In builds without optimization, the compiler does not turn the return of a subprogram into a
// jump. In such a build, the stack may overflow if a loop calls a subprogram some hundred thousand
// times and the subprogram never waits for an access.
//
// Write programs as functions, not as lambdas with captures: a coroutine outlives the lambda object
// whose captures it would refer to.
#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

namespace bankproof {

class Warp;

namespace detail {

/// The data of every promise: the warp, the program that awaits this one, and the exception with
/// which this one failed.
struct PromiseBase {
  Warp* warp = nullptr;
  std::coroutine_handle<> caller;
  std::exception_ptr error;

  std::suspend_always initial_suspend() noexcept { return {}; }
  void unhandled_exception() noexcept { error = std::current_exception(); }

  /// Returns to the caller, or to the machine.
  struct Final {
    bool await_ready() noexcept { return false; }
    template <class Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> program) noexcept {
      const std::coroutine_handle<> awaiting = program.promise().caller;
      return awaiting ? awaiting : std::noop_coroutine();
    }
    void await_resume() noexcept {}
  };
  Final final_suspend() noexcept { return {}; }
};

template <class T>
struct Promise : PromiseBase {
  std::optional<T> result;
  void return_value(T value) { result = std::move(value); }
  T take() { return std::move(*result); }
};

template <>
struct Promise<void> : PromiseBase {
  void return_void() noexcept {}
  void take() noexcept {}
};

}  // namespace detail

/// A coroutine of a warp with a result of type T.
template <class T>
class [[nodiscard]] Subprogram {
 public:
  struct promise_type : detail::Promise<T> {
    Subprogram get_return_object() {
      return Subprogram(std::coroutine_handle<promise_type>::from_promise(*this));
    }
  };
  using Handle = std::coroutine_handle<promise_type>;

  Subprogram(Subprogram&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  Subprogram& operator=(Subprogram&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Subprogram() {
    if (handle_) handle_.destroy();
  }

  /// A call of a subprogram. Await it in the expression that makes it: after that expression, its
  /// arguments may be gone.
  struct Call {
    Handle handle;
    bool await_ready() const noexcept { return false; }
    template <class Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> caller) {
      handle.promise().warp = caller.promise().warp;
      handle.promise().caller = caller;
      return handle;
    }
    T await_resume() {
      if (handle.promise().error) std::rethrow_exception(handle.promise().error);
      return handle.promise().take();
    }
  };
  Call operator co_await() && { return {handle_}; }
  void operator co_await() & = delete;  // co_await the call itself

  /// For the machine: the coroutine, which this object still owns.
  Handle handle() const { return handle_; }

 private:
  explicit Subprogram(Handle handle) : handle_(handle) {}
  Handle handle_;
};

using Program = Subprogram<void>;

}  // namespace bankproof
