import { parseSearchWith, stringifySearchWith } from '@tanstack/react-router'

/**
 * The search part of an address as values and back. A number is one only where it reads as it is written: the word
 * `12e3`, or a number too long to be held, stays the text that somebody looked for.
 */
function read(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (typeof value === 'number' && String(value) !== text) throw new SyntaxError(text)
  return value
}

export const searchText = {
  parseSearch: parseSearchWith(read),
  stringifySearch: stringifySearchWith(JSON.stringify, read),
}
