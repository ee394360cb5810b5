// `shelf completion`: a script for the shell that completes commands and options. It is made from the table of commands.
import { commonOptions } from "#shelf/arguments.js";
import { type Command, defineCommand, type Options } from "#shelf/command.js";
import { Failure } from "#shelf/failures.js";

interface Completed {
  name: string;
  summary: string;
  /** With their dashes. */
  options: { words: string[]; help: string; takesValue: boolean }[];
}

const toOptions = (options: Options): Completed["options"] =>
  Object.entries({ ...options, ...commonOptions } as Options).map(([name, { short, help, type }]) => ({
    words: [`--${name}`, ...(short ? [`-${short}`] : [])],
    ...{ help, takesValue: type === "string" },
  }));

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Files are completed where neither a command nor an option is typed: many commands take folders. */
const shells: Record<string, (commands: readonly Completed[]) => string[]> = {
  bash: (commands) => [
    "_shelf() {",
    `  local word="\${COMP_WORDS[COMP_CWORD]}" options=""`,
    "  COMPREPLY=()",
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    COMPREPLY=($(compgen -W ${quoted(commands.map(({ name }) => name).join(" "))} -- "$word"))`,
    "    return",
    "  fi",
    `  case "\${COMP_WORDS[1]}" in`,
    ...commands.map(
      ({ name, options }) => `    ${name}) options=${quoted(options.flatMap(({ words }) => words).join(" "))} ;;`,
    ),
    "  esac",
    '  if [[ "$word" == -* ]]; then COMPREPLY=($(compgen -W "$options" -- "$word")); fi',
    "}",
    "complete -o default -F _shelf shelf",
  ],
  zsh: (commands) => [
    "#compdef shelf",
    "_shelf() {",
    "  if (( CURRENT == 2 )); then",
    `    local -a commands=(${commands.map(({ name, summary }) => quoted(`${name}:${summary}`)).join(" ")})`,
    "    _describe command commands",
    "    return",
    "  fi",
    "  local -a options=()",
    '  case "$words[2]" in',
    ...commands.map(({ name, options }) => {
      const described = options.flatMap(({ words, help }) => words.map((word) => quoted(`${word}:${help}`)));
      return `    ${name}) options=(${described.join(" ")}) ;;`;
    }),
    "  esac",
    "  if [[ $PREFIX == -* ]]; then _describe option options; else _files; fi",
    "}",
    "compdef _shelf shelf",
  ],
  fish: (commands) => [
    ...commands.map(
      ({ name, summary }) => `complete -c shelf -n __fish_use_subcommand -f -a ${name} -d ${fishQuoted(summary)}`,
    ),
    ...commands.flatMap(({ name, options }) =>
      options.map(({ words: [long, short], help, takesValue }) =>
        [
          `complete -c shelf -n '__fish_seen_subcommand_from ${name}' -l ${long!.slice(2)}`,
          ...(short ? [`-s ${short.slice(1)}`] : []),
          ...(takesValue ? ["-r"] : []),
          `-d ${fishQuoted(help)}`,
        ].join(" "),
      ),
    ),
  ],
  pwsh: (commands) => [
    "Register-ArgumentCompleter -Native -CommandName shelf -ScriptBlock {",
    "  param($word, $line, $position)",
    "  $table = @{",
    ...commands.map(
      ({ name, options }) =>
        `    '${name}' = @(${options.flatMap(({ words }) => words.map((word) => `'${word}'`)).join(", ")})`,
    ),
    "  }",
    "  $words = @($line.CommandElements | ForEach-Object { $_.ToString() })",
    "  $isFirst = $words.Count -lt 2 -or ($words.Count -eq 2 -and $word)",
    "  $found = if ($isFirst) { $table.Keys } elseif ($word.StartsWith('-')) { $table[$words[1]] }",
    '  $found | Where-Object { $_ -like "$word*" } | Sort-Object | ForEach-Object {',
    "    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)",
    "  }",
    "}",
  ],
};

const fishQuoted = (text: string): string => `'${text.replace(/['\\]/g, "\\$&")}'`;

const names = Object.keys(shells);

export const makeCompletion = (shell: string, commands: readonly Command[]): string[] | undefined =>
  Object.hasOwn(shells, shell)
    ? shells[shell]!([
        ...commands.map(({ name, summary, options }) => ({ name, summary, options: toOptions(options) })),
        { name: "help", summary: "List the commands, or explain one.", options: [] },
      ])
    : undefined;

export const completion = defineCommand({
  name: "completion",
  usage: names.join(" | "),
  summary: "Print a script that completes commands in your shell.",
  details: [
    'bash: add eval "$(shelf completion bash)" to ~/.bashrc. zsh: the same in ~/.zshrc, after compinit.',
    "fish: shelf completion fish > ~/.config/fish/completions/shelf.fish",
    "PowerShell: add shelf completion pwsh | Out-String | Invoke-Expression to your profile.",
  ],
  options: {},
  words: [1, 1],
  async run({ words: [shell = ""], commands }) {
    const lines = makeCompletion(shell, commands);
    if (lines) return { data: { shell, script: lines.join("\n") }, lines };
    throw new Failure(`There is no script for "${shell}".`, {
      advice: `Choose one of: ${names.join(", ")}`,
      code: "usage",
    });
  },
});
