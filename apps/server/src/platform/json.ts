/** Limits for JSON from outside. */
const MAX_DEPTH = 64
const MAX_PARTS = 200_000

/** The message is for people; Fastify reads `statusCode` from errors. */
export class JsonLimit extends Error {
  readonly statusCode = 400
}

/**
 * Parses JSON from outside. Input that is nested too deeply or has too many parts is refused before anything is built.
 * @throws JsonLimit; SyntaxError
 */
export function readJson(text: string, maxParts = MAX_PARTS): unknown {
  checkJson(text, maxParts)
  return JSON.parse(text)
}

/** @throws JsonLimit */
export function checkJson(text: string, maxParts = MAX_PARTS): void {
  let depth = 0
  let parts = 0
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at)
        break
      case OPEN_LIST:
      case OPEN_OBJECT:
        if (++depth > MAX_DEPTH) throw new JsonLimit(`Данные вложены глубже ${MAX_DEPTH} уровней`)
        break
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth--
        break
      case COMMA:
        if (++parts > maxParts) throw new JsonLimit(`В данных больше ${maxParts} значений`)
        break
    }
  }
}

const [QUOTE, OPEN_LIST, OPEN_OBJECT, CLOSE_LIST, CLOSE_OBJECT, COMMA, BACKSLASH] = Array.from('"[{]},\\', (sign) =>
  sign.charCodeAt(0),
) as [number, number, number, number, number, number, number]

/** Index of the end of the string that starts here. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (sign === QUOTE) return at
    if (sign === BACKSLASH) at++
  }
  return text.length
}
