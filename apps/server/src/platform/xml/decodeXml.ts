/** Decodes a document by its byte order mark or its declaration; refuses a DOCTYPE before parsing. */

/** The document is refused; the message is for people. */
export class Unreadable extends Error {
  /** From 1; 0: unknown. */
  readonly line: number

  constructor(message: string, line = 0) {
    super(message)
    this.line = line
  }
}

/** Bytes within which the XML declaration must end. */
const DECLARATION = 300

/** @throws Unreadable */
export function textOfXml(bytes: Uint8Array): string {
  const encoding = encodingOf(bytes)
  let text: string
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof RangeError) throw new Unreadable(`Кодировка файла «${encoding}» неизвестна`)
    throw new Unreadable(`Файл объявлен как ${encoding}, а записан в другой кодировке`)
  }
  if (text.trim() === '') throw new Unreadable('Файл пуст')
  if (hasDoctype(text)) throw new Unreadable('В файле есть DOCTYPE: такие файлы не принимаются')
  const gs = /\u001d|&#(?:29|x0*1d);/i.exec(text)
  if (gs)
    throw new Unreadable(
      'В файле есть символ GS (код 29). В XML он запрещён: коды маркировки передаются без него',
      text.slice(0, gs.index).split('\n').length,
    )
  return text
}

function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, DECLARATION))
  return (
    /^(?:\u00ef\u00bb\u00bf)?\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']/.exec(head)?.[1]?.toLowerCase() ??
    'utf-8'
  )
}

/** Scans the prolog: declarations, comments, processing instructions. */
function hasDoctype(text: string): boolean {
  let at = 0
  for (;;) {
    const next = text.indexOf('<', at)
    if (next === -1) return false
    const end = text.startsWith('<!--', next) ? '-->' : text.startsWith('<?', next) ? '?>' : undefined
    if (!end) return text.startsWith('<!', next)
    const closes = text.indexOf(end, next + 2)
    if (closes === -1) return false
    at = closes + end.length
  }
}
