/**
 * Reads topologies from files. Their content is checked; an error names the line.
 *
 * - Slurm's topology.conf (plugin topology/tree), and the output of `scontrol show topology`:
 *   switches, each below one or several others. Link speeds have no unit there and are ignored.
 *   Switches without nodes are left out. A node on several switches has a link to each. Lines of
 *   topology/block are passed over.
 * - Slurm's topology.yaml: its tree, that with `cluster_default` if there are several.
 * - The output of `ibnetdiscover`. A host is a node, with the links of all its adapters. Its name
 * is the first word of their descriptions ("node1 mlx5_0", "node1-mlx5_0"); adapters whose
 *   descriptions have no adapter's name, or the same one, are nodes of their own, with the whole
 *   description as a name, or else the GUID. Adapters that are parts of switches ("Aggregation
 *   Node") and cables from a device to itself are left out. Rates are data rates, the lower one of
 *   both ends: a lane of QDR has 8 Gbit/s.
 * - YAML: lists of switches with the nodes on them, of links, and of routes:
 *
 *       switches:
 *         - {name: "leaf[0-1]", rate: 25gbit}
 *         - {name: leaf2, nodes: "n[8-11]", rate: 10gbit, latency: 300ns}
 *       links:
 *         - {from: "leaf[0-2]", to: "spine[0-1]", rate: 100gbit, latency: 400ns, count: 2}
 *       routes:
 *         - {at: leaf2, to: "n[0-3]", via: spine1}
 *
 *   Names are lists as in Slurm. `rate` and `latency` of a switch are those of the links to its
 *   nodes. A link joins each name on one side with each on the other. A name that has a link and is
 *   not declared as a switch is a node.
 */
#pragma once

#include "core/file.h"
#include "topology/spec.h"

/**
 * Read a text in any of these forms; the form is recognized by the first line that one of them has.
 * Warnings of a command may be in front of it.
 * @param text        [in]  `size` bytes; a NUL may follow or not
 * @param source      [in]  name of the topology, and prefix of messages
 * @param topology_p  [out] ct_topology_free(); untouched on error
 * @return CT_OK; CT_EFORMAT with the line; CT_ENODATA (no node); CT_EINVAL (too large);
 *         CT_EUNSUPPORTED (YAML, built without libyaml); CT_ENOMEM
 */
enum ct_status ct_topology_parse(const char *text, size_t size, const char *source,
                                 struct ct_topology *topology_p, struct ct_error *err);

/**
 * Read the text of a file for ct_topology_parse(). Files that topology.conf includes, relative to
 * its folder, are in the place of the line "Include FILE".
 * @param text_p  [out] free() its text; unchanged on error
 * @return as ct_file_read(); CT_EFORMAT (too many files)
 */
enum ct_status ct_topology_load(const char *path, struct ct_text *text_p, struct ct_error *err);

/**
 * The same from a file.
 * @return as ct_topology_load() and ct_topology_parse()
 */
enum ct_status ct_topology_read(const char *path, struct ct_topology *topology_p,
                                struct ct_error *err);

/**
 * Make a topology from the text of an option: a spec, or else the path of a file. Links whose rate
 * or latency a file does not have get those of the settings.
 * @return as ct_topology_make() and ct_topology_read()
 */
enum ct_status ct_topology_open(const char *text, const struct ct_topology_settings *settings,
                                struct ct_topology *topology_p, struct ct_error *err);
