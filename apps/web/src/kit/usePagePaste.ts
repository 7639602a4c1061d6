import { useEffect, useRef } from 'react'
import { formatDateTime } from './clock.ts'
import { pasteFiles } from './FilePicker.tsx'
import type { FileRules } from './fileRules.ts'

interface Options extends FileRules {
  onFiles: (files: File[]) => void
  disabled?: boolean
}

/** Takes files pasted anywhere on the page while mounted. */
export function usePagePaste(options: Options): void {
  const latest = useRef(options)
  latest.current = options
  const enabled = !options.disabled
  useEffect(() => {
    if (!enabled) return
    const paste = (event: ClipboardEvent) => {
      const data = event.clipboardData
      if (event.target instanceof Element && event.target.closest('[data-takes-files]')) return
      // Text copied from an office program includes a picture of it: in a text field the text is meant.
      if (!data || (inField(event.target) && data.types.includes('text/plain'))) return
      const { onFiles, disabled: _disabled, ...rules } = latest.current
      if (pasteFiles(data, rules, (files) => onFiles(files.map(named)))) event.preventDefault()
    }
    document.addEventListener('paste', paste, { capture: true })
    return () => document.removeEventListener('paste', paste, { capture: true })
  }, [enabled])
}

const inField = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea'))

/** Browsers give every pasted picture the same name. */
function named(file: File): File {
  if (file.name !== 'image.png') return file
  return new File([file], `Снимок ${formatDateTime(new Date()).replace(':', '-')}.png`, { type: file.type })
}
