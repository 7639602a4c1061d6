import { sanitize, whyNotCleaned } from '../sanitize.ts'
import type { FieldSide } from './side.ts'

export const richText: FieldSide = {
  refuses: (html) => whyNotCleaned(html as string),
  kept: (html) => sanitize(html as string),
  showsFiles: true,
  cell: plainText,
}

function plainText(html: unknown): string {
  return String(html)
    .replace(/<(br|\/p|\/li|\/h\d|\/tr)[^<>]*>/g, '\n')
    .replace(/<[^<>]*>/g, '')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .trim()
}
