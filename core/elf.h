/** Reads from an ELF file which dynamic loader and which libraries it needs. Pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A program or shared library of this machine's word size and byte order. */
struct ct_elf {
    const char *bytes; /**< size; borrowed */
    size_t size;
    const char *interpreter; /**< path of the dynamic loader, within bytes; NULL: none is named */
    size_t dynamic;          /**< offset of the dynamic section; 0: none, it is linked statically */
    size_t n_dynamic;        /**< number of its entries */
    size_t strings;          /**< offset of its string table; 0: none */
};

/**
 * Read the headers of a file in memory.
 * @param bytes  [in]  size; borrowed as long as elf_p is used, need not be aligned
 * @param elf_p  [out] unchanged if false is returned
 * @return false: no ELF file of this machine, or a damaged one
 */
bool ct_elf_read(const void *bytes, size_t size, struct ct_elf *elf_p);

/**
 * Names of the libraries that the file itself needs (DT_NEEDED), in its order.
 * @param at_p  [in,out] index in the list; 0 before the first
 * @return name, within the file's bytes; NULL: no more
 */
const char *ct_elf_next_needed(const struct ct_elf *elf, size_t *at_p);

/**
 * Name of the function that has an address: of its symbols, or, if it was stripped of them, of
 * those that other files may use.
 * @param address  [in] as in the file: of a running program less what it was moved by
 * @return name, within the file's bytes; NULL: none is known
 */
const char *ct_elf_function_at(const struct ct_elf *elf, uint64_t address);
