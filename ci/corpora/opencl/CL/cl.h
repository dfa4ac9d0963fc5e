/* The types of OpenCL that Parboil's header names, also in programs that do not use OpenCL. */
#pragma once

typedef int cl_int;
typedef unsigned cl_uint;
typedef struct _cl_command_queue* cl_command_queue;
typedef struct _cl_event* cl_event;
typedef struct _cl_kernel* cl_kernel;
typedef struct _cl_mem* cl_mem;
