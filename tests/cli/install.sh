#!/usr/bin/env bash
# What `cmake --install` makes is complete, and can be moved: programs find their libraries, and others
# build with libcrosstalk, by CMake and by pkg-config.
# shellcheck disable=SC2317 # called by check
# shellcheck source=tests/lab/common.sh
. "$(dirname "$0")/../lab/common.sh"
cd "${work:?}" || exit 1
flags=(-std=c99 -pedantic -Wall -Wextra -Werror)
limit() { timeout -k 2 60 "$@"; }

install() { # the variables DESTDIR and prefix count
    cmake --install "${CROSSTALK_BUILD:?}" "$@" >install.log || { tail install.log; return 1; }
}
check 'an installation' install --prefix "$work/first"
check 'one for a package' env DESTDIR="$work/stage" cmake --install "$CROSSTALK_BUILD" --prefix /opt/crosstalk
mv first moved
installed=$work/moved
stage=$work/stage/opt/crosstalk
PATH=$installed/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin

# ---- what is there ----
names() { (cd "$1" && find . ! -type d | sort); }
check 'both have the same files' equal "$(names "$installed" | cksum)" "$(names "$stage" | cksum)"
pages() {
    local program=$1 page
    page=$installed/share/man/man1/$(basename "$program").1
    [ -s "$page" ] && [ -s "$installed/share/bash-completion/completions/$(basename "$program")" ]
}
for program in "$installed"/bin/*; do
    check "$(basename "$program") has a man page and a completion" pages "$program"
done
for file in README.md CHANGELOG.md LICENSE docs/models.md examples/lab8/campaign.h5 examples/cluster.yaml; do
    check "$file is among the documents" test -s "$installed/share/doc/crosstalk/$file"
done
links_lead_somewhere() {
    local link
    while read -r link; do
        [ -e "$installed/share/doc/crosstalk/${link%%#*}" ] || { echo "README.md: $link"; return 1; }
    done < <(sed -nE 's/.*\]\(([a-z][^):]*)\).*/\1/p' "$installed/share/doc/crosstalk/README.md")
}
check "the README's links" links_lead_somewhere
# Debug information does: it is not looked at.
no_path_of_the_build() {
    ! grep -rIlF "$CROSSTALK_BUILD" "$installed" &&
        ! readelf -d "$installed"/bin/* "$installed"/lib/*.so "$installed"/lib/crosstalk/*.so | grep -F "$CROSSTALK_BUILD"
}
check 'nothing knows where it was built' no_path_of_the_build

# ---- programs find what they load ----
check 'the version' equal "$(crosstalk --version)" "$("$CROSSTALK_BIN/crosstalk" --version)"
check 'a traced program' limit crosstalk trace -o traces -- "${CROSSTALK_MPIEXEC:?}" -n 2 \
    "$installed/bin/workload" fft --iterations 2 --scale 0.1
check 'its traces' crosstalk trace --check traces
cat >watched.yaml <<'YAML'
campaign: watched
launcher: {kind: mpiexec}
durations: {runtime: 100ms}
repetitions: {idle: 0, baseline: 1, impact: 0, compression: 0, corun: 0}
applications: [{name: nap, command: sleep 0.1, passes: driver}]
YAML
watched() {
    limit crosstalk campaign run watched.yaml -o watched &&
        crosstalk show --all watched/runs/baseline-nap-r0.h5 >shown && cat shown && grep -q '^cpu_measured_' shown &&
        ! grep -q 'no rank was watched' shown
}
check 'a campaign watches its ranks' watched
in_a_lab() {
    lab_ up --hosts 2 -q && limit crosstalk lab mpiexec -n 2 workload fft --iterations 2 --scale 0.1 &&
        limit crosstalk lab mpiexec -n 2 grep -o '/.*libcrosstalk-lab.so' /proc/self/maps >loaded &&
        grep -qxF "$installed/lib/crosstalk/libcrosstalk-lab.so" loaded
    local code=$?
    cat loaded
    lab_ down
    return "$code"
}
if crosstalk lab up --hosts 2 -q >up.out 2>&1; then
    lab_ down
    check 'a lab, with its own library' in_a_lab
else
    not_tried "a lab ($(head -n 1 up.out))"
fi

# ---- programs of others ----
example=$installed/share/doc/crosstalk/examples/library
with_cmake() {
    cmake -S "$example" -B with_cmake -DCMAKE_PREFIX_PATH="$installed" -DCMAKE_BUILD_TYPE=Release &&
        cmake --build with_cmake
}
with_pkg_config() { # PREFIX
    local words
    words=$(PKG_CONFIG_PATH=$1/lib/pkgconfig pkg-config --cflags --libs crosstalk) || return
    # shellcheck disable=SC2086 # words
    cc "${flags[@]}" "$example/slowdown.c" -o with_pkg_config $words
}
check 'an example by CMake' with_cmake
check 'the same by pkg-config' with_pkg_config "$installed"
check 'and from a staged installation' with_pkg_config "$stage"
printf '#include <crosstalk.h>\nint main() { return crosstalk_version() == nullptr; }\n' >in_cxx.cc
check 'the header in C99' cc "${flags[@]}" -fsyntax-only -x c "$installed/include/crosstalk.h"
check 'the header in C++' c++ -std=c++11 -pedantic -Wall -Wextra -Werror -I "$installed/include" in_cxx.cc \
    -o in_cxx -L "$installed/lib" -lcrosstalk
check 'a program in C++' env LD_LIBRARY_PATH="$installed/lib" ./in_cxx

# The example says what the command says.
lab8=$installed/share/doc/crosstalk/examples/lab8
numbers() {
    limit crosstalk predict "$lab8" --no-cache --models queue --seed 1 --format json >predict.json &&
        limit crosstalk tolerance "$lab8/traces/lulesh" --serialize-nic --logp "$lab8/logp.h5" --format json >tolerance.json &&
        limit ./with_cmake/slowdown "$lab8" "$lab8/traces/lulesh" "$lab8/logp.h5" >answers &&
        python3 "${CROSSTALK_SOURCE:?}/tests/cli/library.py" answers predict.json tolerance.json
}
check 'the example answers as the command does' numbers

in_python() {
    (cd / && env -u CROSSTALK_LIBRARY PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$installed/lib/python3/dist-packages" \
        /usr/bin/python3 -c 'import crosstalk; print(crosstalk._c.library._name, crosstalk.__version__)') >in_python &&
        grep -F "$installed/" in_python
}
if /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
    check 'Python has its package, with this library' in_python
else
    not_tried 'the package of Python (numpy is not installed: package python3-numpy)'
fi

# ---- the library itself ----
library=$installed/lib/libcrosstalk.so
only_the_interface() {
    local foreign
    foreign=$(nm -D --defined-only "$library" | awk '$2 != "A" && $3 !~ /^crosstalk_/ { print $3 }')
    [ -z "$foreign" ] || { echo "$foreign"; return 1; }
}
declared() { sed -nE 's/^[a-z].*[ *](crosstalk_[a-z_]+)\(.*/\1/p' "$installed/include/crosstalk.h" | sort; }
exported() { nm -D --defined-only "$library" | sed -nE 's/.* T (crosstalk_[a-z_]+).*/\1/p' | sort; }
check 'nothing but its interface is visible' only_the_interface
check 'all that is declared is there' equal "$(declared)" "$(exported)"
check 'its name has version 0' test -e "$installed/lib/libcrosstalk.so.0"
finish
