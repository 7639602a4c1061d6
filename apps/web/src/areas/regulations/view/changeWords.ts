import { plainText } from '#records/fields/richText.tsx'

/** Display text of any value: names of objects, text of rich text. */
export function wordsOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(wordsOf).join(', ')
  if (typeof value === 'object') {
    const names = value as Record<string, unknown>
    if (Array.isArray(names.options)) return `${wordsOf(names.text)} (${names.options.map(answerOf).join(' / ')})`
    return wordsOf(names.shortFio ?? names.name ?? names.title ?? names.description ?? names.url ?? names.text)
  }
  if (typeof value === 'boolean') return value ? 'Да' : 'Нет'
  return typeof value === 'string' && value.startsWith('<') ? plainText(value) : String(value)
}

/** An option of a test, the right ones marked. */
const answerOf = ({ text, isRight }: { text: string; isRight: boolean }) => (isRight ? `✓ ${text}` : text)
