/**
 * Template language of electronic medical documents: XML with placeholders filled from plain data. A template never
 * runs code.
 *
 *
 * - `{{patient.surname}}` an escaped value; `{{patient.snils!}}` a required one: reported if missing;
 * `{{visit.from|ts}}` with a format: `ts` (HL7 date and time with its offset), `day` (HL7 date), `time` (readable),
 * `digits`.
 * - `{{#tests}} … {{/tests}}` once per item of a list, once with an object, or once if a value is present;
 * `{{^patient.snils}} … {{/patient.snils}}` if it is absent. Names are resolved in the inner scope first, then in the
 * outer ones.
 * - `{{> patient}}` a part shared by templates.
 */

const formats = {
  /** 2026-11-26T09:30:00+03:00 → 202611260930+0300 (HL7 TS). */
  ts: (value: string) => {
    const found = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/.exec(value)
    if (!found) return value
    const [, year, month, day, hour, minute, offset = 'Z'] = found
    return `${year}${month}${day}${hour}${minute}${offset === 'Z' ? '+0000' : offset.replace(':', '')}`
  },
  /** 2026-11-26T09:30:00+03:00 → 26.11.2026 09:30. */
  time: (value: string) => value.replace(/^(\d{4})-(\d\d)-(\d\d)T(\d\d:\d\d).*$/, '$3.$2.$1 $4'),
  day: (value: string) => value.slice(0, 10).replaceAll('-', ''),
  digits: (value: string) => value.replace(/\D/g, ''),
} as const satisfies Readonly<Record<string, (value: string) => string>>
type Format = keyof typeof formats

type Piece =
  | { text: string }
  | { path: string; required: boolean; format?: Format }
  | { path: string; inner: readonly Piece[]; unless: boolean }

export type DocumentTemplate = readonly Piece[]

export const MAX_DOCUMENT_TEMPLATE = 200_000
/** Limits of one document: output characters, and evaluated placeholders. */
const MAX_OUTPUT = 5_000_000
const MAX_STEPS = 500_000
const MAX_DEPTH = 20

/** Error of a template, in Russian. */
export class DocumentTemplateError extends Error {
  override name = 'DocumentTemplateError'
}

const TAG = /\{\{([^{}]*)\}\}/g
const PATH = /^(?:\.|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)$/

/** @param parts texts for `{{> name}}` @throws DocumentTemplateError */
export function readDocumentTemplate(
  text: string,
  parts: Readonly<Record<string, string>> = {},
  depth = 0,
): DocumentTemplate {
  if (text.length > MAX_DOCUMENT_TEMPLATE) throw new DocumentTemplateError('Шаблон больше 200 000 знаков')
  if (depth > MAX_DEPTH) throw new DocumentTemplateError('Части шаблона вложены друг в друга без конца')
  const root: Piece[] = []
  const open: { path: string; own: Piece[] }[] = [{ path: '', own: root }]
  const here = () => (open.at(-1) as { own: Piece[] }).own
  let at = 0
  for (const tag of text.matchAll(TAG)) {
    if (tag.index > at) here().push({ text: text.slice(at, tag.index) })
    at = tag.index + tag[0].length
    const inside = (tag[1] ?? '').trim()
    const sign = inside[0] ?? ''
    const rest = '#^/>'.includes(sign) ? inside.slice(1).trim() : inside
    if (sign === '>') {
      const part = Object.hasOwn(parts, rest) ? parts[rest] : undefined
      if (part === undefined) throw new DocumentTemplateError(`Нет части «${rest.slice(0, 40)}»`)
      here().push(...readDocumentTemplate(part, parts, depth + 1))
    } else if (sign === '/') {
      const closed = open.length > 1 ? open.pop() : undefined
      if (closed?.path !== rest)
        throw new DocumentTemplateError(
          `Строка ${lineOf(text, tag.index)}: {{/${rest.slice(0, 40)}}} закрывает не то, что открыто`,
        )
    } else if (sign === '#' || sign === '^') {
      const inner: Piece[] = []
      here().push({ path: checked(rest, text, tag.index), inner, unless: sign === '^' })
      open.push({ path: rest, own: inner })
      if (open.length > MAX_DEPTH) throw new DocumentTemplateError(`Строка ${lineOf(text, tag.index)}: слишком глубоко`)
    } else here().push(placeOf(rest, text, tag.index))
  }
  if (open.length > 1) throw new DocumentTemplateError(`Не закрыто: {{#${open.at(-1)?.path}}}`)
  if (at < text.length) root.push({ text: text.slice(at) })
  return root
}

function placeOf(inside: string, text: string, at: number): Piece {
  const [name = '', format] = inside.split('|').map((part) => part.trim())
  const required = name.endsWith('!')
  const path = checked(required ? name.slice(0, -1) : name, text, at)
  if (format === undefined) return { path, required }
  if (!Object.hasOwn(formats, format))
    throw new DocumentTemplateError(`Строка ${lineOf(text, at)}: нет формата «${format.slice(0, 40)}»`)
  return { path, required, format: format as Format }
}

function checked(path: string, text: string, at: number): string {
  if (!PATH.test(path)) throw new DocumentTemplateError(`Строка ${lineOf(text, at)}: «${path.slice(0, 40)}» — не имя`)
  return path
}

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length

export interface MadeDocument {
  xml: string
  /** Paths of missing required values, each once: `patient.snils`. */
  missing: string[]
}

/** @throws DocumentTemplateError if the output is too large */
export function makeDocument(template: DocumentTemplate, data: Readonly<Record<string, unknown>>): MadeDocument {
  const out: string[] = []
  const missing = new Set<string>()
  let size = 0
  let steps = 0
  const write = (text: string) => {
    size += text.length
    if (size > MAX_OUTPUT) throw new DocumentTemplateError('Документ слишком велик')
    out.push(text)
  }
  const run = (pieces: readonly Piece[], scope: readonly unknown[]) => {
    for (const piece of pieces) {
      if (++steps > MAX_STEPS) throw new DocumentTemplateError('Документ слишком велик')
      if ('text' in piece) write(piece.text)
      else if ('inner' in piece) {
        const value = look(piece.path, scope)
        if (piece.unless) {
          if (!isThere(value)) run(piece.inner, scope)
        } else if (Array.isArray(value)) for (const one of value) run(piece.inner, [one, ...scope])
        else if (isThere(value)) run(piece.inner, typeof value === 'object' ? [value, ...scope] : scope)
      } else {
        const value = look(piece.path, scope)
        if (!isThere(value)) {
          if (piece.required) missing.add(piece.path)
          continue
        }
        const words = String(value)
        write(escaped(piece.format ? formats[piece.format](words) : words))
      }
    }
  }
  run(template, [data])
  return { xml: out.join(''), missing: [...missing] }
}

const isThere = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  value !== '' &&
  value !== false &&
  !(Array.isArray(value) && value.length === 0)

function look(path: string, scope: readonly unknown[]): unknown {
  if (path === '.') return scope[0]
  const [first = '', ...rest] = path.split('.')
  const holder = scope.find((one) => isObject(one) && Object.hasOwn(one, first))
  let value: unknown = isObject(holder) ? holder[first] : undefined
  for (const name of rest) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  return value
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }
/** Removes characters that XML 1.0 does not allow. */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/[&<>"']/g, (sign) => SIGNS[sign] as string)
