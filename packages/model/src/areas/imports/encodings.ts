/** Encodings of a text file, by the names that `TextDecoder` knows. */
export const fileEncodings = {
  'utf-8': 'UTF-8',
  'windows-1251': 'Windows-1251',
  ibm866: 'CP866 (DOS)',
  'koi8-r': 'KOI8-R',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16 BE',
} as const
export type FileEncoding = keyof typeof fileEncodings

/** Lines at the top of a file, one of which may be its head. */
export const HEAD_LINES = 30
