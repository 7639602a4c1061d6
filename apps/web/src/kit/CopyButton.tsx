import { type ReactNode, useEffect, useState } from 'react'
import { copyText } from './copy.ts'

/** Milliseconds that «Скопировано» stays. */
const SHOWN_MS = 1_500

interface Props {
  value: string
  /** Above the text when it must be copied by hand. */
  title?: string
  children: (state: { copied: boolean; copy: () => void }) => ReactNode
}

/** State of a button that copies a text, with or without https: see `copyText`. */
export function CopyButton({ value, title, children }: Props) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = () => void copyText(value, title).then(setCopied)
  return children({ copied, copy })
}
