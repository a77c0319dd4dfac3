package subcommands

import (
	"fmt"
	"io"
	"strings"

	"github.com/kubemath/kubemath/examples/internal/command"
)

// scripts complete subcommands and flags, by shell. They ask the program for the flags of a subcommand, and complete the
// names of files besides. %s stands for the subcommands, and %s for the argument that lists flags.
var scripts = map[string]string{
	"bash": `# source <(kubemath completion bash)
_kubemath() {
  local word="${COMP_WORDS[COMP_CWORD]}" words="%[1]s"
  if ((COMP_CWORD > 1)) || [[ $word == -* ]]; then
    local of="${COMP_WORDS[1]}"
    [[ $of == -* ]] && of=report
    words="$("${COMP_WORDS[0]}" "$of" %[2]s 2>/dev/null)"
    [[ $word == -* ]] || { mapfile -t COMPREPLY < <(compgen -f -- "$word"); return; }
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o filenames -F _kubemath kubemath
`,
	"zsh": `#compdef kubemath
# source <(kubemath completion zsh)
_kubemath() {
  local of=${words[2]}
  if ((CURRENT == 2)) && [[ $of != -* ]]; then
    compadd -- %[1]s
    return
  fi
  [[ $of == -* ]] && of=report
  if [[ ${words[CURRENT]} == -* ]]; then
    compadd -- ${(f)"$(${words[1]} $of %[2]s 2>/dev/null)"}
  else
    _files
  fi
}
compdef _kubemath kubemath
`,
}

func complete(all []command.Subcommand, args []string, stdout, stderr io.Writer) int {
	script, known := "", false
	if len(args) == 1 {
		script, known = scripts[args[0]]
	}
	if !known {
		fmt.Fprintln(stderr, "kubemath: want completion bash or completion zsh")
		return command.Unread
	}
	if _, err := fmt.Fprintf(stdout, script, strings.Join(names(all), " "), command.ListFlags); err != nil {
		return command.Failed
	}
	return command.OK
}
