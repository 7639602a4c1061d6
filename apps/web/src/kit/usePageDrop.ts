import { useEffect, useRef, useState } from 'react'
import { pasteFiles } from './FilePicker.tsx'
import type { FileRules } from './fileRules.ts'
import { notify } from './notify.tsx'

interface Options extends FileRules {
  onFiles: (files: File[]) => void
  /** Files are not accepted, and the browser does not open them either. */
  disabled?: boolean
}

/** Accepts files dropped anywhere on the page while mounted. True while files are dragged above. */
export function usePageDrop(options: Options): boolean {
  const [over, setOver] = useState(false)
  const latest = useRef(options)
  latest.current = options
  useEffect(() => {
    // A dragged picture of the page itself also has the type Files.
    let own = false
    const hasFiles = (event: DragEvent) => !own && event.dataTransfer?.types.includes('Files') === true
    const start = () => void (own = true)
    const end = () => void (own = false)
    const hang = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      const { disabled } = latest.current
      if (event.dataTransfer) event.dataTransfer.dropEffect = disabled ? 'none' : 'copy'
      setOver(!disabled)
    }
    const leave = (event: DragEvent) => void (event.relatedTarget === null && setOver(false))
    const drop = (event: DragEvent) => {
      setOver(false)
      if (!hasFiles(event) || event.defaultPrevented) return end()
      event.preventDefault()
      const { onFiles, disabled, ...rules } = latest.current
      if (!disabled && event.dataTransfer && !refuseFolders(event.dataTransfer))
        pasteFiles(event.dataTransfer, rules, onFiles)
    }
    const listeners = {
      dragstart: start,
      dragend: end,
      dragenter: hang,
      dragover: hang,
      dragleave: leave,
      drop,
    } as const
    for (const [name, listener] of Object.entries(listeners)) window.addEventListener(name, listener as EventListener)
    return () => {
      for (const [name, listener] of Object.entries(listeners))
        window.removeEventListener(name, listener as EventListener)
    }
  }, [])
  return over
}

/** A folder appears as a file that cannot be read. */
function refuseFolders({ items }: DataTransfer): boolean {
  const folder = [...items].map((item) => item.webkitGetAsEntry?.()).find((entry) => entry?.isDirectory)
  if (folder) notify.error(`«${folder.name}» — папка. Выберите файлы внутри неё или архив.`)
  return folder !== undefined
}
