// For libraries of earlier majors of the runtime.
