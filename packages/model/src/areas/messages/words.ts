/**
 * The text of a message: `{переменная}` is a value, `[…]` is left out where a value in it is empty, so that no comma or
 * heading stays alone. Pure.
 */
import { type MessageEvent, type MessageValues, type MessageVariable, messageVariables, variablesOf } from './events.ts'

/** Characters of a text. */
export const MAX_TEXT = 1000

/** What is wrong with a text of this event, in Russian; undefined: nothing. */
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
  for (const [, said = ''] of text.matchAll(/\{([^{}]*)\}/g)) {
    const name = plain(said)
    if (!Object.hasOwn(messageVariables, name)) {
      const like = nearest(name, allowed)
      return `Неизвестная переменная {${said.slice(0, 40)}}${like ? `: может быть, {${like}}?` : ''}`
    }
    if (!allowed.includes(name as MessageVariable)) return `В сообщении об этом событии нет {${name}}`
  }
  return undefined
}

const plain = (said: string): string => said.trim().toLowerCase().replace(/\s+/g, ' ')

/** The text with its values. What stands in square brackets goes with the first of its values that is empty. */
export function filledText(text: string, values: MessageValues): string {
  const say = (part: string, onEmpty?: () => void) =>
    part.replace(/\{([^{}]*)\}/g, (_whole, said: string) => {
      const value = values[plain(said) as MessageVariable] ?? ''
      if (!value) onEmpty?.()
      return value
    })
  // Values are put in piece by piece: brackets that stand in one of them are its own.
  return text
    .split(/(\[[^[\]]*\])/)
    .map((part) => {
      if (!part.startsWith('[') || !part.endsWith(']')) return say(part)
      let isEmpty = false
      const said = say(part.slice(1, -1), () => {
        isEmpty = true
      })
      return isEmpty ? '' : said
    })
    .join('')
    .trim()
}

/** The name that is meant, if one is near enough. */
function nearest(said: string, names: readonly MessageVariable[]): MessageVariable | undefined {
  const near = names
    .map((name) => ({ name, far: name.startsWith(said) && said.length > 1 ? 1 : changes(said, name) }))
    .sort((one, other) => one.far - other.far)[0]
  return near && near.far <= Math.max(2, Math.floor(said.length / 2)) ? near.name : undefined
}

/** Letters to be changed, put in or taken out to make one word of the other. */
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

/** The alphabet of GSM 03.38, each of which is one character of a message; the others of it take two. */
const gsm = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
const gsmTwice = new Set('\f^{}\\[~]|€')

export interface SmsSize {
  /** As the gateway counts characters. */
  length: number
  parts: number
  /** Characters of a part, in a message of so many. */
  perPart: number
  /** Of letters that one part holds most of: no Cyrillic. */
  isLatin: boolean
}

/** Of how many parts a text message is: 70 characters, 67 each of several; without Cyrillic 160 and 153 (GSM 03.38). */
export function smsSize(text: string): SmsSize {
  const signs = [...text]
  const isLatin = signs.every((sign) => gsm.has(sign) || gsmTwice.has(sign))
  const length = isLatin ? signs.reduce((sum, sign) => sum + (gsmTwice.has(sign) ? 2 : 1), 0) : text.length
  const [alone, each] = isLatin ? [160, 153] : [70, 67]
  const parts = length === 0 ? 0 : length <= alone ? 1 : Math.ceil(length / each)
  return { length, parts, perPart: parts > 1 ? each : alone, isLatin }
}
