/** `les completion`: shell scripts that ask this program for completions, so that they are always current. */
import type { Command, Option } from 'commander'
import { readConfig } from '../profiles.ts'
import type { Io } from '../io.ts'
import type { Given } from './own-command.ts'

const bash = `# les completion for bash: source <(les completion bash)
_les() {
  local IFS=$'\\n' line word
  COMPREPLY=()
  # A word after = or : is one of its own to bash; les wants it whole.
  local words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  while IFS= read -r line; do
    word=\${line%%$'\\t'*}
    [[ $word == "\${COMP_WORDS[COMP_CWORD]}"* ]] && COMPREPLY+=("$word")
  done < <(les __complete -- "\${words[@]}" 2>/dev/null)
}
complete -o default -F _les les
`

const zsh = `#compdef les
# les completion for zsh: put it on your fpath as _les
_les() {
  local -a candidates
  local line tab=$'\\t'
  while IFS= read -r line; do
    candidates+=("\${\${line%%$tab*}//:/\\\\:}:\${line#*$tab}")
  done < <(les __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#candidates} )); then
    _describe 'les' candidates
  else
    _files
  fi
}
if [ "$funcstack[1]" = "_les" ]; then
  _les "$@"
else
  compdef _les les
fi
`

const fish = `# les completion for fish: put it in ~/.config/fish/completions/les.fish
function __les_complete
    set -l words (commandline -opc) (commandline -ct)
    les __complete -- $words[2..-1] 2>/dev/null
end
complete -c les -f -a '(__les_complete)'
`

const scripts: Readonly<Record<string, string>> = { bash, zsh, fish }

export async function printScript({ args, shell }: Given): Promise<void> {
  shell.stdout.write(scripts[args[0]!]!)
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ')

const optionsOf = (command: Command | null): Option[] =>
  command ? [...command.options, ...optionsOf(command.parent)] : []

function argumentChoices(command: Command, env: Io['env']): string[] {
  if (command.name() === 'switch') return Object.keys(readConfig(env).profiles)
  return [...(command.registeredArguments[0]?.argChoices ?? [])]
}

/** Completions of the last word after `les`, each followed by a tab and its description. */
export function complete(program: Command, given: readonly string[], env: Io['env']): string[] {
  const words = given[0] === '--' ? given.slice(1) : given
  const [before, current] = [words.slice(0, -1), words.at(-1) ?? '']
  let command = program
  let awaits: Option | undefined
  let takesWords = true
  for (const word of before) {
    if (awaits) awaits = undefined
    else if (word.startsWith('-'))
      awaits = optionsOf(command).find((option) => (option.long === word || option.short === word) && option.required)
    else {
      const next = takesWords
        ? command.commands.find((each) => each.name() === word || each.aliases().includes(word))
        : undefined
      if (next) command = next
      else takesWords = false
    }
  }
  const fits = ([word]: readonly [string, string]) => word.startsWith(current)
  if (awaits?.long === '--profile')
    return Object.keys(readConfig(env).profiles)
      .filter((name) => name.startsWith(current))
      .map((name) => `${name}\tprofile`)
  if (awaits)
    return (awaits.argChoices ?? [])
      .filter((choice) => choice.startsWith(current))
      .map((choice) => `${choice}\t${awaits.long}`)
  const candidates = current.startsWith('-')
    ? optionsOf(command).map((option) => [option.long ?? '', oneLine(option.description)] as const)
    : command.commands.length > 0
      ? command.commands.map((each) => [each.name(), oneLine(each.summary() || each.description())] as const)
      : argumentChoices(command, env).map((choice) => [choice, ''] as const)
  return [...new Map(candidates.filter(fits).filter(([word]) => word !== ''))].map(
    ([word, about]) => `${word}\t${about}`,
  )
}
