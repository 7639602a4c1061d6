/** Detects the encoding of a Russian text file. Pure. */
import type { FileEncoding } from '@ordinator/model/areas/imports/encodings'

/** Share of letters in Russian texts, in per mille. Source: the National Corpus of the Russian Language. */
const FREQUENCY: ReadonlyMap<string, number> = new Map(
  Object.entries({
    о: 110,
    е: 85,
    а: 80,
    и: 74,
    н: 67,
    т: 63,
    с: 55,
    р: 47,
    в: 45,
    л: 44,
    к: 35,
    м: 32,
    д: 30,
    п: 28,
    у: 26,
    я: 20,
    ы: 19,
    ь: 17,
    г: 17,
    з: 16,
    б: 16,
    ч: 14,
    й: 12,
    х: 10,
    ж: 9,
    ш: 7,
    ю: 6,
    ц: 5,
    щ: 4,
    э: 3,
    ф: 3,
    ъ: 1,
    ё: 1,
  }),
)
/** Characters besides letters that are common in Russian tables. */
const USUAL_SIGNS = /[«»„“”‘’–—…№°§±µ€₽©®™•·\u00a0]/
const UNUSUAL = -60
const WRONG_CASE = -40
/** Bytes examined to detect the encoding. */
const LOOKED_AT = 65_536

/**
 * The text of a file.
 * @param encoding chosen by a person; absent: the likeliest. UTF-8 with a few broken bytes stays UTF-8.
 */
export function decodeText(bytes: Uint8Array, encoding?: FileEncoding): { text: string; encoding: FileEncoding } {
  const used = encoding ?? encodingOf(bytes)
  return { text: new TextDecoder(used).decode(bytes), encoding: used }
}

function encodingOf(bytes: Uint8Array): FileEncoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const utf8 = new TextDecoder('utf-8').decode(bytes)
  let broken = 0
  let foreign = 0
  for (const sign of utf8) {
    if (sign === '\ufffd') broken++
    else if (sign > '\u007f') foreign++
  }
  if (broken === 0 || foreign > broken * 2) return 'utf-8'
  const part = bytes.subarray(0, LOOKED_AT)
  const scored = (['windows-1251', 'ibm866', 'koi8-r'] as const).map(
    (encoding) => [encoding, likelihood(new TextDecoder(encoding).decode(part))] as const,
  )
  return scored.reduce((best, one) => (one[1] > best[1] ? one : best))[0]
}

/** Score of how Russian a text looks: frequent letters, capitals only at word starts or in all-caps words. */
function likelihood(text: string): number {
  let sum = 0
  let wasSmall = false
  for (const sign of text) {
    const small = sign.toLowerCase()
    const frequency = FREQUENCY.get(small)
    const isSmall = frequency !== undefined && sign === small
    if (frequency !== undefined) sum += !isSmall && wasSmall ? WRONG_CASE : frequency
    else if (sign > '\u007f' && !USUAL_SIGNS.test(sign)) sum += UNUSUAL
    wasSmall = isSmall
  }
  return sum
}
