export interface DiffPart {
  kind: 'same' | 'added' | 'removed'
  text: string
}

/** Longer texts are compared as a whole: the table of the comparison grows with the product of both lengths. */
const MAX_WORDS = 2_000

/** Difference of two texts, word by word. */
export function wordDiff(before: string, after: string): DiffPart[] {
  const a = before.match(/\s+|[^\s]+/g) ?? []
  const b = after.match(/\s+|[^\s]+/g) ?? []
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  const parts: DiffPart[] = []
  put(parts, 'same', a.slice(0, start))
  middle(parts, a.slice(start, a.length - end), b.slice(start, b.length - end))
  put(parts, 'same', a.slice(a.length - end))
  return parts
}

/** The longest common subsequence of words, by dynamic programming. */
function middle(parts: DiffPart[], a: string[], b: string[]): void {
  if (a.length > MAX_WORDS || b.length > MAX_WORDS) {
    put(parts, 'removed', a)
    put(parts, 'added', b)
    return
  }
  const width = b.length + 1
  const common = new Uint16Array((a.length + 1) * width)
  const at = (i: number, j: number) => common[i * width + j] as number
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      put(parts, 'same', [a[i++] as string])
      j++
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1)))
      put(parts, 'removed', [a[i++] as string])
    else put(parts, 'added', [b[j++] as string])
  }
}

function put(parts: DiffPart[], kind: DiffPart['kind'], words: readonly string[]): void {
  if (words.length === 0) return
  const last = parts.at(-1)
  if (last?.kind === kind) last.text += words.join('')
  else parts.push({ kind, text: words.join('') })
}
