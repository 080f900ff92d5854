/** Pairs that tell apart what pairs chosen before do not. Internal to topology/paths.h. */
#pragma once

#include "topology/paths.h"

/**
 * Choose more pairs, until the rows of those chosen span the rows of all pairs: those of round
 * trips, and those of the ways there and back, each by itself.
 *
 * A random vector, less its projection on the rows chosen (the least solution of |A y - A z|, by
 * conjugate gradients: CGLS, Bjorck, Numerical Methods for Least Squares Problems, 1996, 7.4), is a
 * random vector of what they leave open. A row that is not orthogonal to it is no combination of
 * them. Of pairs with such rows each is chosen that passes none of the directions left open which
 * others of this turn pass; then there is a new vector. So there are some more pairs than
 * independent rows. A turn takes time linear in the entries of the chosen rows, times the steps of
 * the gradients, and memory linear in those of the matrix.
 * @param chosen  [in,out] [n_pairs]
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_paths_tell_apart(const struct ct_paths *paths, bool *chosen,
                                   struct ct_error *err);
