/**
 * Print templates: rich text with placeholders in double braces. `{{ Клиент.ФИО }}` prints a value, `{{ Цена | деньги
 * }}` in a format; `{{ если … }} {{ иначе }} {{ конец }}` is a condition, `{{ для каждой услуги }} … {{ конец }}` a
 * loop. A text is parsed into pieces (here), its words are bound to fields of the record (`variables.ts`) and evaluated
 * (`evaluate.ts`). A template cannot run code. Pure.
 */
import { type Condition, readCondition } from './condition.ts'
import { type FormatUse, readFormat } from './formats.ts'
import { type Markup, type MarkupElement, readMarkup } from './markup.ts'
import { type Path, readPath } from './path.ts'

export type Piece =
  | { type: 'text'; text: string }
  | { type: 'element'; tag: string; attributes: string; inner: Piece[] }
  | { type: 'value'; path: Path; formats: readonly FormatUse[] }
  | { type: 'if'; branches: { when?: Condition; inner: Piece[] }[] }
  | { type: 'each'; path: Path; inner: Piece[] }

export interface Template {
  pieces: Piece[]
  /** Errors in Russian; the template is evaluated all the same. */
  problems: string[]
}

/** Limits: characters of a placeholder, and nesting of loops and conditions. */
const MAX_PLACE = 400
const MAX_NESTED = 12
const MAX_PIECES = 20_000
const MAX_PROBLEMS = 20

/** Start, middle or end of a condition or loop, before pairing. */
interface Mark {
  type: 'mark'
  does: 'if' | 'each' | 'else' | 'end'
  text: string
  when?: Condition
  path?: Path
}
type Item = Piece | Mark

export function readTemplate(html: string): Template {
  const problems: string[] = []
  const blame = (message: string) => {
    if (problems.length < MAX_PROBLEMS && !problems.includes(message)) problems.push(message)
  }
  let left = MAX_PIECES

  /** Converts nodes to items; marks are not paired yet. */
  function items(nodes: readonly Markup[]): Item[] {
    const list: Item[] = []
    for (const node of nodes) {
      if (--left < 0) break
      if ('text' in node) list.push(...texts(node.text))
      else list.push(...element(node))
    }
    return list
  }

  function texts(text: string): Item[] {
    const list: Item[] = []
    let from = 0
    for (let open = text.indexOf('{{'); open >= 0; open = text.indexOf('{{', from)) {
      const close = text.indexOf('}}', open)
      if (close < 0) {
        blame(`Скобки не закрыты: «${shown(text.slice(open))}»`)
        break
      }
      if (open > from) list.push({ type: 'text', text: text.slice(from, open) })
      const place = readPlace(text.slice(open + 2, close))
      if (place && --left >= 0) list.push(place)
      from = close + 2
    }
    if (from < text.length) list.push({ type: 'text', text: text.slice(from) })
    return list
  }

  function readPlace(raw: string): Item | undefined {
    const text = raw.replace(/[\s\u00a0]+/g, ' ').trim()
    if (text === '') return void blame('Пустые скобки {{ }}')
    if (text.length > MAX_PLACE) return void blame(`Слишком длинное место: «${shown(text)}»`)
    const [, otherwise, asked] = /^(иначе )?если (.+)$/i.exec(text) ?? []
    if (asked) {
      const when = readCondition(asked)
      if (typeof when === 'string') return void blame(`«${shown(text)}»: ${when}`)
      return { type: 'mark', does: otherwise ? 'else' : 'if', text, when }
    }
    if (/^иначе$/i.test(text)) return { type: 'mark', does: 'else', text }
    if (/^конец( .*)?$/i.test(text)) return { type: 'mark', does: 'end', text }
    const [, list] = /^для кажд(?:ого|ой) (.+)$/i.exec(text) ?? []
    if (list) return { type: 'mark', does: 'each', text, path: readPath(list) }
    const [path = '', ...uses] = text.split('|')
    const formats = uses.map(readFormat)
    for (const format of formats) if (typeof format === 'string') blame(`«${shown(text)}»: ${format}`)
    return { type: 'value', path: readPath(path), formats: formats.filter((one) => typeof one !== 'string') }
  }

  /**
   * An element, with marks at its edges moved outside: a paragraph or row with only a mark disappears; a row that
   * starts and ends with a loop's marks is repeated itself.
   */
  function element({ tag, attributes, inner }: MarkupElement): Item[] {
    const found = items(inner)
    const isRow = tag === 'tr'
    const within = isRow ? found : fold(found)
    if (!within.some(isMark)) return [{ type: 'element', tag, attributes, inner: within as Piece[] }]
    const isCell = tag === 'td' || tag === 'th'
    if (within.every((one) => isMark(one) || isBlank(one))) {
      const marks = within.filter(isMark)
      if (!isCell) return marks
      const last = marks.findLastIndex(({ does }) => does !== 'end') + 1
      return [...marks.slice(0, last), { type: 'element', tag, attributes, inner: [] }, ...marks.slice(last)]
    }
    const start = within.findIndex((one) => !isMark(one) && !isBlank(one))
    const end = within.findLastIndex((one) => !isMark(one) && !isBlank(one)) + 1
    const middle = isRow ? fold(within.slice(start, end)) : within.slice(start, end)
    const own = middle.filter((one): one is Piece => !isMark(one))
    for (const { text } of middle.filter(isMark))
      blame(`«{{ ${shown(text)} }}»: начало и конец должны стоять в одном абзаце или каждый в своём`)
    return [
      ...within.slice(0, start).filter(isMark),
      { type: 'element', tag, attributes, inner: own },
      ...within.slice(end).filter(isMark),
    ]
  }

  /** Pairs start and end marks; an unpaired mark stays. */
  function fold(list: readonly Item[]): Item[] {
    const out: Item[] = []
    const open: { marks: Mark[]; parts: Item[][] }[] = []
    const here = () => open.at(-1)?.parts.at(-1) ?? out
    for (const item of list) {
      const frame = open.at(-1)
      if (!isMark(item)) here().push(item)
      else if (item.does === 'if' || item.does === 'each') {
        if (open.length >= MAX_NESTED) blame(`Больше ${MAX_NESTED} условий и повторов друг в друге`)
        else open.push({ marks: [item], parts: [[]] })
      } else if (item.does === 'else') {
        if (frame?.marks[0]?.does === 'if') {
          frame.marks.push(item)
          frame.parts.push([])
        } else here().push(item)
      } else if (frame) {
        open.pop()
        here().push(joined(frame.marks, frame.parts))
      } else out.push(item)
    }
    for (const { marks, parts } of open) for (const [at, part] of parts.entries()) out.push(marks[at] as Mark, ...part)
    return out
  }

  function joined(marks: readonly Mark[], parts: readonly Item[][]): Piece {
    const inner = (part: readonly Item[]) => {
      for (const { text } of part.filter(isMark)) blame(`«{{ ${shown(text)} }}» стоит не внутри «если»`)
      return part.filter((one): one is Piece => !isMark(one))
    }
    const [first] = marks
    if (first?.path) return { type: 'each', path: first.path, inner: inner(parts[0] ?? []) }
    return {
      type: 'if',
      branches: parts.map((part, at) => ({ ...(marks[at]?.when && { when: marks[at].when }), inner: inner(part) })),
    }
  }

  const whole = fold(items(readMarkup(html)))
  if (left < 0) blame('Шаблон слишком велик')
  for (const { does, text } of whole.filter(isMark))
    blame(
      does === 'end'
        ? 'Лишнее «{{ конец }}»: ему нечего закрывать'
        : does === 'else'
          ? '«{{ иначе }}» стоит не внутри «если»'
          : `У «{{ ${shown(text)} }}» нет «{{ конец }}»`,
    )
  return { pieces: whole.filter((one): one is Piece => !isMark(one)), problems }
}

const isMark = (one: Item): one is Mark => one.type === 'mark'

const isBlank = (one: Item): boolean =>
  one.type === 'text'
    ? one.text.trim() === ''
    : one.type === 'element' && one.tag !== 'img' && one.tag !== 'hr' && one.inner.every(isBlank)

const shown = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)
