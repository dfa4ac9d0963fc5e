// Calls of earlier versions of CUDA's runtime, which programs still make and CUDA 13 has no more.
#pragma once
#pragma GCC system_header

BANKPROOF_CALL cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
BANKPROOF_CALL cudaError_t cudaThreadExit() { return cudaDeviceReset(); }
BANKPROOF_CALL cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value) {
  return cudaDeviceSetLimit(limit, value);
}
BANKPROOF_CALL cudaError_t cudaThreadGetLimit(size_t* value, enum cudaLimit limit) {
  return cudaDeviceGetLimit(value, limit);
}
BANKPROOF_CALL cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache* config) {
  return cudaDeviceGetCacheConfig(config);
}
BANKPROOF_CALL cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config) {
  return cudaDeviceSetCacheConfig(config);
}
// Devices have numbers of double precision.
BANKPROOF_CALL cudaError_t cudaSetDoubleForDevice(double*) { return cudaSuccess; }
BANKPROOF_CALL cudaError_t cudaSetDoubleForHost(double*) { return cudaSuccess; }
