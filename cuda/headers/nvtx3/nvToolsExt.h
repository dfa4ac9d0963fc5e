// NVTX: marks and ranges for profilers. No profiler runs on the reference machine, so that all calls
// do nothing and return what they return where no tool listens. C files may include this header, too.
#pragma once
#pragma GCC system_header

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#define NVTX_VERSION 3
#define NVTX_API
#define NVTX_INLINE_STATIC static inline
#define NVTX_SUCCESS 0
#define NVTX_FAIL 1
#define NVTX_NO_PUSH_POP_TRACKING ((int)-2)
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))
#define NVTX_RESOURCE_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxResourceAttributes_t))

// clang-format off: a line each
typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st nvtxDomainRegistration;
typedef nvtxDomainRegistration* nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st nvtxStringRegistration;
typedef nvtxStringRegistration* nvtxStringHandle_t;
typedef struct nvtxResourceHandle* nvtxResourceHandle_t;

typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;
typedef enum nvtxMessageType_t {
  NVTX_MESSAGE_UNKNOWN = 0, NVTX_MESSAGE_TYPE_ASCII = 1, NVTX_MESSAGE_TYPE_UNICODE = 2,
  NVTX_MESSAGE_TYPE_REGISTERED = 3
} nvtxMessageType_t;
typedef enum nvtxPayloadType_t {
  NVTX_PAYLOAD_UNKNOWN = 0, NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1, NVTX_PAYLOAD_TYPE_INT64 = 2,
  NVTX_PAYLOAD_TYPE_DOUBLE = 3, NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4, NVTX_PAYLOAD_TYPE_INT32 = 5,
  NVTX_PAYLOAD_TYPE_FLOAT = 6
} nvtxPayloadType_t;

typedef union nvtxMessageValue_t {
  const char* ascii;
  const wchar_t* unicode;
  nvtxStringHandle_t registered;
} nvtxMessageValue_t;
typedef struct nvtxEventAttributes_v2 {
  uint16_t version, size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType, reserved0;
  union payload_t {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
    uint32_t uiValue;
    int32_t iValue;
    float fValue;
  } payload;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxEventAttributes_v2;
typedef struct nvtxEventAttributes_v2 nvtxEventAttributes_t;
typedef struct nvtxResourceAttributes_v0 {
  uint16_t version, size;
  int32_t identifierType;
  union identifier_t {
    const void* pValue;
    uint64_t ullValue;
  } identifier;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxResourceAttributes_v0;
typedef struct nvtxResourceAttributes_v0 nvtxResourceAttributes_t;

#define BANKPROOF_NVTX(Result, name, parameters, ...) \
  static inline __attribute__((unused)) Result name parameters { return __VA_ARGS__; }
BANKPROOF_NVTX(void, nvtxInitialize, (const void* reserved), (void)reserved)
BANKPROOF_NVTX(void, nvtxMarkA, (const char* message), (void)message)
BANKPROOF_NVTX(void, nvtxMarkW, (const wchar_t* message), (void)message)
BANKPROOF_NVTX(void, nvtxMarkEx, (const nvtxEventAttributes_t* event), (void)event)
BANKPROOF_NVTX(nvtxRangeId_t, nvtxRangeStartA, (const char* message), (void)message, 0)
BANKPROOF_NVTX(nvtxRangeId_t, nvtxRangeStartW, (const wchar_t* message), (void)message, 0)
BANKPROOF_NVTX(nvtxRangeId_t, nvtxRangeStartEx, (const nvtxEventAttributes_t* event), (void)event, 0)
BANKPROOF_NVTX(void, nvtxRangeEnd, (nvtxRangeId_t id), (void)id)
BANKPROOF_NVTX(int, nvtxRangePushA, (const char* message), (void)message, NVTX_NO_PUSH_POP_TRACKING)
BANKPROOF_NVTX(int, nvtxRangePushW, (const wchar_t* message), (void)message, NVTX_NO_PUSH_POP_TRACKING)
BANKPROOF_NVTX(int, nvtxRangePushEx, (const nvtxEventAttributes_t* event), (void)event, NVTX_NO_PUSH_POP_TRACKING)
BANKPROOF_NVTX(int, nvtxRangePop, (void), NVTX_NO_PUSH_POP_TRACKING)
BANKPROOF_NVTX(void, nvtxNameCategoryA, (uint32_t category, const char* name), (void)category, (void)name)
BANKPROOF_NVTX(void, nvtxNameCategoryW, (uint32_t category, const wchar_t* name), (void)category, (void)name)
BANKPROOF_NVTX(void, nvtxNameOsThreadA, (uint32_t thread, const char* name), (void)thread, (void)name)
BANKPROOF_NVTX(void, nvtxNameOsThreadW, (uint32_t thread, const wchar_t* name), (void)thread, (void)name)
BANKPROOF_NVTX(nvtxDomainHandle_t, nvtxDomainCreateA, (const char* name), (void)name, (nvtxDomainHandle_t)0)
BANKPROOF_NVTX(nvtxDomainHandle_t, nvtxDomainCreateW, (const wchar_t* name), (void)name, (nvtxDomainHandle_t)0)
BANKPROOF_NVTX(void, nvtxDomainDestroy, (nvtxDomainHandle_t domain), (void)domain)
BANKPROOF_NVTX(void, nvtxDomainMarkEx, (nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event), (void)domain, (void)event)
BANKPROOF_NVTX(nvtxRangeId_t, nvtxDomainRangeStartEx, (nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event), (void)domain, (void)event, 0)
BANKPROOF_NVTX(void, nvtxDomainRangeEnd, (nvtxDomainHandle_t domain, nvtxRangeId_t id), (void)domain, (void)id)
BANKPROOF_NVTX(int, nvtxDomainRangePushEx, (nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event), (void)domain, (void)event, NVTX_NO_PUSH_POP_TRACKING)
BANKPROOF_NVTX(int, nvtxDomainRangePop, (nvtxDomainHandle_t domain), (void)domain, NVTX_NO_PUSH_POP_TRACKING)
BANKPROOF_NVTX(nvtxResourceHandle_t, nvtxDomainResourceCreate, (nvtxDomainHandle_t domain, nvtxResourceAttributes_t* resource), (void)domain, (void)resource, (nvtxResourceHandle_t)0)
BANKPROOF_NVTX(void, nvtxDomainResourceDestroy, (nvtxResourceHandle_t resource), (void)resource)
BANKPROOF_NVTX(void, nvtxDomainNameCategoryA, (nvtxDomainHandle_t domain, uint32_t category, const char* name), (void)domain, (void)category, (void)name)
BANKPROOF_NVTX(void, nvtxDomainNameCategoryW, (nvtxDomainHandle_t domain, uint32_t category, const wchar_t* name), (void)domain, (void)category, (void)name)
BANKPROOF_NVTX(nvtxStringHandle_t, nvtxDomainRegisterStringA, (nvtxDomainHandle_t domain, const char* string), (void)domain, (void)string, (nvtxStringHandle_t)0)
BANKPROOF_NVTX(nvtxStringHandle_t, nvtxDomainRegisterStringW, (nvtxDomainHandle_t domain, const wchar_t* string), (void)domain, (void)string, (nvtxStringHandle_t)0)
#undef BANKPROOF_NVTX

// The names without a letter take the letters that the program's text is in.
#if defined(UNICODE)
#define BANKPROOF_NVTX_NAME(name) name##W
#else
#define BANKPROOF_NVTX_NAME(name) name##A
#endif
#define nvtxMark BANKPROOF_NVTX_NAME(nvtxMark)
#define nvtxRangeStart BANKPROOF_NVTX_NAME(nvtxRangeStart)
#define nvtxRangePush BANKPROOF_NVTX_NAME(nvtxRangePush)
#define nvtxNameCategory BANKPROOF_NVTX_NAME(nvtxNameCategory)
#define nvtxNameOsThread BANKPROOF_NVTX_NAME(nvtxNameOsThread)
#define nvtxDomainCreate BANKPROOF_NVTX_NAME(nvtxDomainCreate)
#define nvtxDomainRegisterString BANKPROOF_NVTX_NAME(nvtxDomainRegisterString)
#define nvtxDomainNameCategory BANKPROOF_NVTX_NAME(nvtxDomainNameCategory)
// clang-format on
