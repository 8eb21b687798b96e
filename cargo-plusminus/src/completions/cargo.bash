
# What stands behind `cargo plusminus` is completed as that behind `cargo-plusminus`; all else of cargo as it was before.
_cargo_with_plusminus() {
    local at=1
    [[ ${COMP_WORDS[1]} == +* ]] && at=2
    if (( COMP_CWORD > at )) && [[ ${COMP_WORDS[at]} == plusminus ]]; then
        local words=("${COMP_WORDS[@]:at+1}") place=$(( COMP_CWORD - at ))
        local COMP_WORDS=(cargo-plusminus "${words[@]}") COMP_CWORD=$place
        _cargo__plusminus cargo-plusminus "$2" "${COMP_WORDS[COMP_CWORD - 1]}"
        return
    fi
    if [[ -z ${__cargo_before_plusminus-} ]]; then
        # Where bash-completion loads cargo's own at the first use, this is the first use.
        local load
        for load in _comp_load __load_completion; do
            if declare -F "$load" > /dev/null; then
                "$load" cargo > /dev/null 2>&1
                break
            fi
        done
        __complete_cargo_with_plusminus
    fi
    if [[ -n ${__cargo_before_plusminus-} ]]; then
        "$__cargo_before_plusminus" "$@"
    else
        COMPREPLY=($(compgen -W plusminus -- "$2"))
    fi
}

# Takes the place of what completes cargo so far, and keeps its name.
__complete_cargo_with_plusminus() {
    local pattern='-F ([^ ]+)'
    if [[ $(complete -p cargo 2> /dev/null) =~ $pattern ]] && [[ ${BASH_REMATCH[1]} != _cargo_with_plusminus ]]; then
        __cargo_before_plusminus=${BASH_REMATCH[1]}
    fi
    complete -F _cargo_with_plusminus -o bashdefault -o default cargo
}

__complete_cargo_with_plusminus
