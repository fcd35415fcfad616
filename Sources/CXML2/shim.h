#ifndef CXML2_shim_h
#define CXML2_shim_h
#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#endif
