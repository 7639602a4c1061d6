import { useState } from 'react'
import { useDraft } from '#base/draft.ts'

/** What is written and not sent. */
export interface Written {
  text: string
  /** For a note: mentioned colleagues, by the text after their @. */
  named?: { id: number; label: string }[]
  files: { id: number; name: string }[]
}

export const nothing: Written = { text: '', files: [] }

/** The text and files of the composer; kept as a draft by the key. */
export function useWritten(key: string) {
  const draft = useDraft<Written>(key)
  const [written, setWritten] = useState<Written>(() => draft.found?.value ?? nothing)
  const write = (next: Written) => {
    setWritten(next)
    if (next.text === '' && next.files.length === 0) draft.drop()
    else draft.keep(next)
  }
  return { written, write, setWritten }
}
