/**
 * Text of a message: `{переменная}` is a value; `[…]` is omitted if a value in it is empty, so that no comma or heading
 * is left over. Pure.
 */
import { type MessageEvent, type MessageValues, type MessageVariable, messageVariables, variablesOf } from './events.ts'

/** Maximum characters of a text. */
export const MAX_TEXT = 1000

/** Error of a text for this event, in Russian; undefined: valid. */
export function wrongText(text: string, event: MessageEvent): string | undefined {
  let open = false
  for (const sign of text.replace(/\{[^{}]*\}/g, '')) {
    if (sign === '{' || sign === '}') return 'Фигурные скобки — для переменных: {имя}'
    if (sign === '[' && open) return 'Квадратные скобки не вкладывают друг в друга'
    if (sign === ']' && !open) return 'Квадратная скобка закрыта, но не открыта'
    if (sign === '[' || sign === ']') open = sign === '['
  }
  if (open) return 'Квадратная скобка не закрыта'
  const allowed = variablesOf(event)
  for (const [, variable = ''] of text.matchAll(/\{([^{}]*)\}/g)) {
    const name = plain(variable)
    if (!Object.hasOwn(messageVariables, name)) {
      const like = nearest(name, allowed)
      return `Неизвестная переменная {${variable.slice(0, 40)}}${like ? `: может быть, {${like}}?` : ''}`
    }
    if (!allowed.includes(name as MessageVariable)) return `В сообщении об этом событии нет {${name}}`
  }
  return undefined
}

const plain = (name: string): string => name.trim().toLowerCase().replace(/\s+/g, ' ')

/** Text with its values. Square brackets are omitted with the first empty value in them. */
export function filledText(text: string, values: MessageValues): string {
  const say = (part: string, onEmpty?: () => void) =>
    part.replace(/\{([^{}]*)\}/g, (_whole, variable: string) => {
      const value = values[plain(variable) as MessageVariable] ?? ''
      if (!value) onEmpty?.()
      return value
    })
  // Values are inserted piece by piece, so that brackets inside a value stay text.
  return text
    .split(/(\[[^[\]]*\])/)
    .map((part) => {
      if (!part.startsWith('[') || !part.endsWith(']')) return say(part)
      let isEmpty = false
      const filled = say(part.slice(1, -1), () => {
        isEmpty = true
      })
      return isEmpty ? '' : filled
    })
    .join('')
    .trim()
}

/** The closest variable name, if close enough. */
function nearest(written: string, names: readonly MessageVariable[]): MessageVariable | undefined {
  const near = names
    .map((name) => ({ name, far: name.startsWith(written) && written.length > 1 ? 1 : changes(written, name) }))
    .sort((one, other) => one.far - other.far)[0]
  return near && near.far <= Math.max(2, Math.floor(written.length / 2)) ? near.name : undefined
}

/** Edit distance between two words. */
function changes(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (const [row, letter] of [...from.slice(0, 40)].entries()) {
    const line = [row + 1]
    for (let at = 1; at <= to.length; at++)
      line[at] = Math.min(
        (above[at] as number) + 1,
        (line[at - 1] as number) + 1,
        (above[at - 1] as number) + (letter === to[at - 1] ? 0 : 1),
      )
    above = line
  }
  return above[to.length] as number
}

/** Alphabet of GSM 03.38; its extension characters count as two. */
const gsm = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
const gsmTwice = new Set('\f^{}\\[~]|€')

export interface SmsSize {
  /** Characters as the gateway counts them. */
  length: number
  parts: number
  /** Characters per part, for this number of parts. */
  perPart: number
  /** True without Cyrillic: a part holds the most characters. */
  isLatin: boolean
}

/** Parts of a text message: 70 characters, or 67 per part; without Cyrillic 160, or 153 (GSM 03.38). */
export function smsSize(text: string): SmsSize {
  const signs = [...text]
  const isLatin = signs.every((sign) => gsm.has(sign) || gsmTwice.has(sign))
  const length = isLatin ? signs.reduce((sum, sign) => sum + (gsmTwice.has(sign) ? 2 : 1), 0) : text.length
  const [alone, each] = isLatin ? [160, 153] : [70, 67]
  const parts = length === 0 ? 0 : length <= alone ? 1 : Math.ceil(length / each)
  return { length, parts, perPart: parts > 1 ? each : alone, isLatin }
}
