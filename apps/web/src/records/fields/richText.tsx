import { RichTextEditor } from './richTextPart.tsx'
import { type CellProps, type FieldUi, isEmpty } from './ui.ts'

/** The text of an HTML value, on one line. Parsing sends no requests and runs no scripts. */
export function plainText(value: unknown): string {
  if (isEmpty(value)) return ''
  const html = String(value).replace(/<(br|\/p|\/li|\/h\d|\/tr|\/td|\/blockquote)\b[^<>]*>/gi, ' $&')
  return (new DOMParser().parseFromString(html, 'text/html').body.textContent ?? '').replace(/\s+/g, ' ').trim()
}

const RichTextCell = ({ value }: CellProps) => {
  const words = plainText(value)
  return <span title={words.slice(0, 500)}>{words.slice(0, 200)}</span>
}

export const richText: FieldUi = {
  Input: RichTextEditor,
  Cell: RichTextCell,
  text: plainText,
  width: 280,
  wide: true,
  quoted: true,
}
