#ifndef CGMime_shim_h
#define CGMime_shim_h
#include <gmime/gmime.h>
// GObject's cast macros are not imported; each returns NULL for another type.
static inline GMimePart *herald_as_part(GMimeObject *o) { return GMIME_IS_PART(o) ? GMIME_PART(o) : NULL; }
static inline GMimeTextPart *herald_as_text(GMimeObject *o) { return GMIME_IS_TEXT_PART(o) ? GMIME_TEXT_PART(o) : NULL; }
static inline GMimeMultipart *herald_as_multipart(GMimeObject *o) { return GMIME_IS_MULTIPART(o) ? GMIME_MULTIPART(o) : NULL; }
static inline GMimeMessagePart *herald_as_message_part(GMimeObject *o) { return GMIME_IS_MESSAGE_PART(o) ? GMIME_MESSAGE_PART(o) : NULL; }
static inline InternetAddressMailbox *herald_as_mailbox(InternetAddress *a) { return INTERNET_ADDRESS_IS_MAILBOX(a) ? INTERNET_ADDRESS_MAILBOX(a) : NULL; }
static inline InternetAddressGroup *herald_as_group(InternetAddress *a) { return INTERNET_ADDRESS_IS_GROUP(a) ? INTERNET_ADDRESS_GROUP(a) : NULL; }
static inline GMimeObject *herald_message_as_object(GMimeMessage *m) { return GMIME_OBJECT(m); }
static inline GByteArray *herald_stream_bytes(GMimeStream *s) { return GMIME_IS_STREAM_MEM(s) ? g_mime_stream_mem_get_byte_array(GMIME_STREAM_MEM(s)) : NULL; }
#endif
