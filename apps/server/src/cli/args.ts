import { parseArgs } from 'node:util'
import { type Command, EXIT, UsageError } from './command.ts'

interface OptionSpec {
  type: 'string' | 'boolean'
  short?: string
  /** Stands for the value in the help, such as `NOM`. */
  value?: string
  /** French. */
  help: string
}

/** What a command takes. Texts are French. */
export interface CommandSpec<O extends Record<string, OptionSpec>> {
  /** As typed, such as `ingest` or `user add`. */
  name: string
  summary: string
  /** Paragraphs below the usage line. */
  description?: string
  options?: O
  /** Arguments without a name; `max` Infinity takes any number. */
  positionals?: { label: string; help: string; min: number; max: number }
  run(given: { values: Values<O>; positionals: string[] }): Promise<number>
}

type Values<O extends Record<string, OptionSpec>> = {
  [K in keyof O]?: O[K]['type'] extends 'boolean' ? boolean : string
}

/** A command with `--help` and French refusals of what it does not take. */
export function defineCommand<const O extends Record<string, OptionSpec> = Record<never, never>>(
  spec: CommandSpec<O>,
): Command {
  return {
    summary: spec.summary,
    async run(args) {
      const { values, positionals } = parse(spec, args)
      if (values.help) {
        console.log(helpText(spec))
        return EXIT.ok
      }
      const { min, max } = spec.positionals ?? { min: 0, max: 0 }
      const hint = `radx ${spec.name} --help donne le détail.`
      if (positionals.length < min) throw new UsageError(`il manque ${spec.positionals?.label}. ${hint}`)
      if (positionals.length > max) throw new UsageError(`argument « ${positionals[max]} » en trop. ${hint}`)
      return spec.run({ values: values as Values<O>, positionals })
    },
  }
}

/** One command that leads to several, such as `radx user add`. */
export function commandGroup(name: string, summary: string, commands: Record<string, Command>): Command {
  return {
    summary,
    async run([sub, ...rest]) {
      if (sub === undefined || sub === '--help' || sub === '-h') {
        console.log(listText(`radx ${name}`, commands))
        return sub === undefined ? EXIT.usage : EXIT.ok
      }
      if (!Object.hasOwn(commands, sub))
        throw new UsageError(`commande inconnue « ${sub} ». radx ${name} --help donne la liste.`)
      return commands[sub].run(rest)
    },
  }
}

/** Usage line, the commands of a program with their summaries, and how to read more. */
export function listText(program: string, commands: Record<string, Command>): string {
  const width = Math.max(...Object.keys(commands).map((key) => key.length)) + 2
  return [
    `Usage : ${program} <commande> [options]`,
    '',
    ...Object.entries(commands).map(([key, command]) => `  ${key.padEnd(width)}${command.summary}`),
    '',
    `${program} <commande> --help détaille une commande.`,
  ].join('\n')
}

function parse(spec: CommandSpec<Record<string, OptionSpec>>, args: string[]) {
  const options = { ...spec.options, help: { type: 'boolean', short: 'h', help: '' } as const }
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError(
      `${french(error as NodeJS.ErrnoException)} radx ${spec.name} --help donne le détail.`,
    )
  }
}

function french(error: NodeJS.ErrnoException): string {
  const name = /'(?:-\w, )?(-[^ '<]*)/.exec(error.message)?.[1] ?? ''
  if (error.code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return `option ${name} inconnue.`
  if (/argument is ambiguous/.test(error.message))
    return `écrivez ${name}=VALEUR quand la valeur commence par un tiret.`
  if (/argument missing/.test(error.message)) return `l'option ${name} attend une valeur.`
  if (/does not take an argument/.test(error.message)) return `l'option ${name} n'attend pas de valeur.`
  return `${error.message}.`
}

function helpText(spec: CommandSpec<Record<string, OptionSpec>>): string {
  const { positionals } = spec
  const usage = [`Usage : radx ${spec.name} [options]`]
  if (positionals) {
    const label = positionals.max > 1 ? `${positionals.label}...` : positionals.label
    usage.push(positionals.min > 0 ? label : `[${label}]`)
  }
  const rows = Object.entries(spec.options ?? {}).map(([name, option]): [string, string] => [
    `${option.short ? `-${option.short}, ` : '    '}--${name}${option.type === 'string' ? ` ${option.value ?? 'VALEUR'}` : ''}`,
    option.help,
  ])
  rows.push(['-h, --help', 'affiche cette aide'])
  if (positionals) rows.unshift([positionals.label, positionals.help])
  const width = Math.max(...rows.map(([left]) => left.length)) + 2
  return [
    usage.join(' '),
    '',
    spec.summary,
    ...(spec.description ? ['', spec.description] : []),
    '',
    ...rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`),
  ].join('\n')
}
