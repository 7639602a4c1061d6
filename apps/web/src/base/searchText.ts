import { parseSearchWith, stringifySearchWith } from '@tanstack/react-router'

/**
 * Parses and formats the search part of a URL. Text becomes a number only if it formats back to itself: `12e3`, or a
 * number beyond the precision, stays the text that was searched.
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
