import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { TextDecoder } from 'node:util'
import { categoryOf, extensionOf, type FileCategory } from '@ordinator/model/files'
import { fileTypeFromBuffer, fileTypeFromFile } from 'file-type'

export interface Detected {
  extension: string
  /** MIME type by content. */
  type: string
  category: FileCategory | 'other'
}

/** Bytes read to distinguish text from binary data. */
const SNIFFED = 64 * 1024

/** Containers whose signature does not identify the inner format: the name may choose among these. */
const families: Record<string, readonly string[]> = {
  cfb: ['doc', 'xls', 'ppt', 'msi'],
  zip: ['zip', 'docx', 'xlsx', 'pptx', 'jar', 'apk'],
  xml: ['xml'],
}
const typesOf: Record<string, string> = {
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
}
/** Types that a text may declare. The browser only downloads them, and never renders them. */
const texts: Record<string, string> = {
  txt: 'text/plain',
  md: 'text/markdown',
  log: 'text/plain',
  csv: 'text/csv',
  json: 'application/json',
  xml: 'application/xml',
  yaml: 'text/plain',
  yml: 'text/plain',
  ini: 'text/plain',
  ics: 'text/calendar',
  vcf: 'text/vcard',
  rtf: 'application/rtf',
  js: 'text/javascript',
  mjs: 'text/javascript',
  cjs: 'text/javascript',
  ts: 'text/plain',
  jsx: 'text/plain',
  tsx: 'text/plain',
  css: 'text/css',
  scss: 'text/plain',
  less: 'text/plain',
  sh: 'text/x-shellscript',
  bat: 'text/plain',
  cmd: 'text/plain',
  ps1: 'text/plain',
  vbs: 'text/plain',
}

/**
 * Determines a file's type by its content; its name only chooses among the types the content allows.
 * @param from path of the file, or its bytes
 */
export async function detect(from: string | Buffer, name: string): Promise<Detected> {
  const named = extensionOf(name)
  const found = await (typeof from === 'string' ? fileTypeFromFile(from) : fileTypeFromBuffer(from))
  // A voice message: the codec does not determine the container.
  if (found?.ext === 'opus') return describe('ogg', 'audio/ogg')
  if (found && found.ext !== 'xml') {
    const extension = families[found.ext]?.includes(named) ? named : found.ext
    return describe(extension, typesOf[extension] ?? found.mime)
  }
  const text = textOf(typeof from === 'string' ? await beginningOf(from) : from.subarray(0, SNIFFED))
  if (text === undefined) return describe('bin', 'application/octet-stream')
  if (/<svg[\s>]/i.test(text)) return describe('svg', 'image/svg+xml')
  if (/<(!doctype\s+html|html|head|body|script|iframe|object|embed|form|meta|img|a)[\s>/]/i.test(text))
    return describe('html', 'text/html')
  if (/^\s*<\?xml/.test(text)) return describe('xml', 'application/xml')
  if (/^#!/.test(text)) return describe('sh', 'text/x-shellscript')
  const extension = Object.hasOwn(texts, named) ? named : 'txt'
  return describe(extension, texts[extension] as string)
}

const describe = (extension: string, type: string): Detected => ({ extension, type, category: categoryOf(extension) })

async function beginningOf(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SNIFFED), 0, SNIFFED, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** The text of these bytes in UTF-8, UTF-16 or a Cyrillic code page; undefined if they are not text. */
function textOf(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  // Control characters other than tab, line ends, form feed and escape do not occur in texts.
  if (bytes.some((byte) => byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 27))
    return undefined
  return decoded(bytes, 'utf-8') ?? decoded(bytes, 'windows-1251')
}

function decoded(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    // `stream`: a character cut at the end of the sample is no error.
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return undefined
  }
}

/** Bidirectional and similar controls, by which `gpj.exe` passes for `exe.jpg`. */
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]/g
const MAX_NAME = 255

/** A file name made safe to show and to save under; truncation keeps the extension. */
export function cleanName(given: string | undefined, extension: string): string {
  const name = basename((given ?? '').replaceAll('\\', '/'))
    .replace(INVISIBLE, '')
    .trim()
  if (name === '' || /^\.+$/.test(name)) return `файл.${extension}`
  const letters = [...name]
  if (letters.length <= MAX_NAME) return name
  const end = [...(extensionOf(name) ? `.${extensionOf(name)}` : '')]
  return [...letters.slice(0, MAX_NAME - end.length), ...end].join('')
}
