import { Input, Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { loadChunk } from '../../base/chunk.ts'
import { type CellProps, type FieldUi, type InputProps, isEmpty } from './ui.ts'

const Editor = lazy(() => loadChunk(() => import('./RichTextEditor.tsx')))

/** The text of an HTML value, one line. Parsing makes no request and runs nothing. */
export function plainText(value: unknown): string {
  if (isEmpty(value)) return ''
  const html = String(value).replace(/<(br|\/p|\/li|\/h\d|\/tr|\/td|\/blockquote)\b[^<>]*>/gi, ' $&')
  return (new DOMParser().parseFromString(html, 'text/html').body.textContent ?? '').replace(/\s+/g, ' ').trim()
}

const RichTextCell = ({ value }: CellProps) => {
  const words = plainText(value)
  return <span title={words.slice(0, 500)}>{words.slice(0, 200)}</span>
}

function RichTextField(props: InputProps) {
  const waiting = (
    <Input.Wrapper label={props.label} description={props.description} withAsterisk={props.required}>
      <Skeleton height={160} />
    </Input.Wrapper>
  )
  return (
    <Suspense fallback={waiting}>
      <Editor {...props} />
    </Suspense>
  )
}

export const richText: FieldUi = {
  Input: RichTextField,
  Cell: RichTextCell,
  text: plainText,
  width: 280,
  wide: true,
  quoted: true,
}
