
# What stands behind `cargo plusminus` is completed as that behind `cargo-plusminus`.
function __cargo_plusminus_place
    set -l words (commandline -opc)
    set -l place 2
    string match -q -- '+*' "$words[2]"; and set place 3
    test "$words[$place]" = plusminus; and echo $place
end

function __cargo_plusminus_complete
    set -l place (__cargo_plusminus_place); or return
    set -l words (commandline -opc)
    set -e words[1..$place]
    complete -C "cargo-plusminus "(string join ' ' -- (string escape -- $words) (commandline -ct))
end

complete -c cargo -n 'test -n (__cargo_plusminus_place; or echo)' -f -a '(__cargo_plusminus_complete)'
