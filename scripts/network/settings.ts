/** The files of settings: templates of `deploy/network`, filled for this machine. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const TEMPLATES = join(import.meta.dirname, '../../deploy/network')

export type Values = Readonly<Record<string, string | number>>

/** A file that a part reads: its template, and what fills it. */
export interface Settings {
  template: string
  values: Values
}

/**
 * The text of a template with every `${NAME}` replaced.
 * @throws Error naming a placeholder without a value, or a value without a placeholder
 */
export function fill({ template, values }: Settings): string {
  const text = readFileSync(join(TEMPLATES, template), 'utf8')
  const used = new Set<string>()
  const filled = text.replace(/\$\{(\w+)\}/g, (_, name: string) => {
    used.add(name)
    const value = values[name]
    if (value === undefined) throw new Error(`${template}: ${name} has no value`)
    return String(value)
  })
  const unused = Object.keys(values).filter((name) => !used.has(name))
  if (unused.length > 0) throw new Error(`${template}: ${unused.join(', ')} stand nowhere`)
  return filled
}

/** Variables of a file `NAME=value`. */
export const variables = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]))
