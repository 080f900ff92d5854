# bash completion for PROGRAMS.

# _crosstalk_row NAME: what may follow a command, or an option of a command. The rows are printed by the
# programs themselves (PROGRAM --completion), from the tables that their --help comes from.
_crosstalk_row() {
    words='' files=''
    case $1 in
    # rows
    *) return 1 ;;
    esac
}

_crosstalk() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local name=${COMP_WORDS[0]##*/} words files i
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        [[ ${COMP_WORDS[i]} != -* ]] || break
        _crosstalk_row "$name ${COMP_WORDS[i]}" || break
        name+=" ${COMP_WORDS[i]}"
    done
    if [[ $previous == -* ]] && _crosstalk_row "$name $previous"; then
        : # the argument of an option
    elif [[ $current == -* ]]; then
        _crosstalk_row "$name"
        files=''
    elif _crosstalk_row "$name"; then
        local all=$words word
        words=''
        for word in $all; do
            [[ $word == -* ]] || words+="$word "
        done
        [[ $words ]] || files=1
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    if [[ $files ]]; then
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
    fi
}

complete -F _crosstalk PROGRAMS
