// CUDA's functions for buffers of OpenGL. The machine has no graphics: each of them fails, and says
// so.
#pragma once
#pragma GCC system_header

#include <GL/gl.h>

#include "cuda_runtime_api.h"

#ifdef __cplusplus
extern "C" {
#endif
cudaError_t cudaGLSetGLDevice(int device);
cudaError_t cudaGLRegisterBufferObject(GLuint buffer);
cudaError_t cudaGLUnregisterBufferObject(GLuint buffer);
cudaError_t cudaGLMapBufferObject(void** memory, GLuint buffer);
cudaError_t cudaGLUnmapBufferObject(GLuint buffer);
cudaError_t cudaGraphicsGLRegisterBuffer(struct cudaGraphicsResource** resource, GLuint buffer,
                                         unsigned int flags);
cudaError_t cudaGraphicsGLRegisterImage(struct cudaGraphicsResource** resource, GLuint image,
                                        GLenum target, unsigned int flags);
#ifdef __cplusplus
}
#endif
