#include "core/elf.h"

#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <string.h>

/* What <link.h> calls ElfW(Ehdr) and so on are the structures of this machine's word size. */
#if UINTPTR_MAX == UINT64_MAX
enum { NATIVE_CLASS = ELFCLASS64 };
#else
enum { NATIVE_CLASS = ELFCLASS32 };
#endif
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
enum { NATIVE_ORDER = ELFDATA2LSB };
#else
enum { NATIVE_ORDER = ELFDATA2MSB };
#endif

/* Whether n bytes stand at an offset. */
static bool is_within(const struct ct_elf *elf, uint64_t offset, uint64_t n)
{
    return offset <= elf->size && n <= elf->size - offset;
}

static bool copy_from(const struct ct_elf *elf, uint64_t offset, void *to, size_t n)
{
    if (!is_within(elf, offset, n))
        return false;
    memcpy(to, elf->bytes + offset, n);
    return true;
}

/* A text that ends within the file; NULL: it does not, or is empty. */
static const char *text_at(const struct ct_elf *elf, uint64_t offset)
{
    if (offset >= elf->size)
        return NULL;
    const char *text = elf->bytes + offset;
    return *text && memchr(text, '\0', elf->size - offset) ? text : NULL;
}

static bool segment_of(const struct ct_elf *elf, const ElfW(Ehdr) * header, size_t i,
                       ElfW(Phdr) * segment_p)
{
    return header->e_phentsize == sizeof *segment_p &&
           copy_from(elf, header->e_phoff + i * sizeof *segment_p, segment_p, sizeof *segment_p);
}

/* Where in the file an address of the running program comes from; false: from no part of it. */
static bool offset_of(const struct ct_elf *elf, const ElfW(Ehdr) * header, uint64_t address,
                      size_t *offset_p)
{
    for (size_t i = 0; i < header->e_phnum; i++) {
        ElfW(Phdr) segment;
        if (!segment_of(elf, header, i, &segment))
            return false;
        if (segment.p_type != PT_LOAD || address < segment.p_vaddr ||
            address - segment.p_vaddr >= segment.p_filesz ||
            !is_within(elf, segment.p_offset, segment.p_filesz))
            continue;
        *offset_p = segment.p_offset + (address - segment.p_vaddr);
        return true;
    }
    return false;
}

static bool entry_of(const struct ct_elf *elf, size_t i, ElfW(Dyn) * entry_p)
{
    return i < elf->n_dynamic &&
           copy_from(elf, elf->dynamic + i * sizeof *entry_p, entry_p, sizeof *entry_p) &&
           entry_p->d_tag != DT_NULL;
}

static void find_strings(struct ct_elf *elf, const ElfW(Ehdr) * header)
{
    ElfW(Dyn) entry;
    for (size_t i = 0; entry_of(elf, i, &entry); i++)
        if (entry.d_tag == DT_STRTAB && !offset_of(elf, header, entry.d_un.d_ptr, &elf->strings))
            elf->strings = 0;
}

bool ct_elf_read(const void *bytes, size_t size, struct ct_elf *elf_p)
{
    struct ct_elf elf = {.bytes = bytes, .size = size};
    ElfW(Ehdr) header;
    if (!copy_from(&elf, 0, &header, sizeof header) ||
        memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != NATIVE_CLASS ||
        header.e_ident[EI_DATA] != NATIVE_ORDER ||
        (header.e_type != ET_EXEC && header.e_type != ET_DYN))
        return false;
    for (size_t i = 0; i < header.e_phnum; i++) {
        ElfW(Phdr) segment;
        if (!segment_of(&elf, &header, i, &segment))
            return false;
        if (segment.p_type == PT_INTERP) {
            elf.interpreter = text_at(&elf, segment.p_offset);
        } else if (segment.p_type == PT_DYNAMIC) {
            if (!is_within(&elf, segment.p_offset, segment.p_filesz))
                return false;
            elf.dynamic = segment.p_offset;
            elf.n_dynamic = segment.p_filesz / sizeof(ElfW(Dyn));
        }
    }
    find_strings(&elf, &header);
    *elf_p = elf;
    return true;
}

const char *ct_elf_next_needed(const struct ct_elf *elf, size_t *at_p)
{
    ElfW(Dyn) entry;
    while (elf->strings != 0 && entry_of(elf, *at_p, &entry)) {
        ++*at_p;
        const char *name = NULL;
        if (entry.d_tag == DT_NEEDED && entry.d_un.d_val < elf->size)
            name = text_at(elf, elf->strings + entry.d_un.d_val);
        if (name)
            return name;
    }
    return NULL;
}

/* ---- functions ---- */

static bool section_of(const struct ct_elf *elf, const ElfW(Ehdr) * header, size_t i,
                       ElfW(Shdr) * section_p)
{
    return i < header->e_shnum && header->e_shentsize == sizeof *section_p &&
           copy_from(elf, header->e_shoff + i * sizeof *section_p, section_p, sizeof *section_p);
}

static const char *function_in(const struct ct_elf *elf, const ElfW(Shdr) * symbols,
                               const ElfW(Shdr) * strings, uint64_t address)
{
    ElfW(Sym) symbol;
    for (uint64_t at = 0; at + sizeof symbol <= symbols->sh_size; at += sizeof symbol) {
        if (!copy_from(elf, symbols->sh_offset + at, &symbol, sizeof symbol))
            return NULL;
        /* The type is in the same bits for both word sizes. */
        if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && address >= symbol.st_value &&
            address - symbol.st_value < symbol.st_size)
            return text_at(elf, strings->sh_offset + symbol.st_name);
    }
    return NULL;
}

const char *ct_elf_function_at(const struct ct_elf *elf, uint64_t address)
{
    static const unsigned kinds[] = {SHT_SYMTAB, SHT_DYNSYM};
    ElfW(Ehdr) header;
    ElfW(Shdr) symbols, strings;
    const char *name = NULL;
    if (!copy_from(elf, 0, &header, sizeof header))
        return NULL;
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds && !name; kind++)
        for (size_t i = 0; section_of(elf, &header, i, &symbols) && !name; i++)
            if (symbols.sh_type == kinds[kind] &&
                section_of(elf, &header, symbols.sh_link, &strings))
                name = function_in(elf, &symbols, &strings, address);
    return name;
}
