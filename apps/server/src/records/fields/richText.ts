import { hasTooManySigns, isTooDeep, sanitize } from '../sanitize.ts'
import type { FieldSide } from './side.ts'

export const richText: FieldSide = {
  refuses(html) {
    if (isTooDeep(html as string)) return 'В тексте слишком много вложенных элементов'
    return hasTooManySigns(html as string) ? 'В тексте слишком много знаков «&»' : undefined
  },
  kept: (html) => sanitize(html as string),
  showsFiles: true,
  cell: plainText,
}

function plainText(html: unknown): string {
  return String(html)
    .replace(/<(br|\/p|\/li|\/h\d|\/tr)[^>]*>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .trim()
}
