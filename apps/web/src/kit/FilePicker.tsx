import type { ButtonProps } from '@mantine/core'
import { IconPaperclip, IconUpload } from '@tabler/icons-react'
import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import { ActionButton } from './ActionButton.tsx'
import classes from './FilePicker.module.css'
import { acceptOf, checkFiles, type FileRules, rulesText } from './fileRules.ts'
import { useHotkey } from './hotkeys.ts'
import { notify } from './notify.tsx'

interface Props extends FileRules {
  onFiles: (files: File[]) => void
  multiple?: boolean
  disabled?: boolean
}

/** A button that opens the file dialog. */
export function FilePicker({
  children = 'Прикрепить файл',
  onFiles,
  multiple,
  disabled,
  size,
  hotkey,
  ...rules
}: Props & { children?: ReactNode; size?: ButtonProps['size']; hotkey?: string }) {
  const [input, open] = useFileInput({ onFiles, multiple, ...rules })
  useHotkey(hotkey ?? '', open, {
    enabled: hotkey !== undefined && !disabled,
    label: 'Прикрепить файл',
    group: 'Карточка',
  })
  return (
    <>
      {input}
      <ActionButton
        label={children}
        variant="default"
        size={size}
        disabled={disabled}
        icon={IconPaperclip}
        onClick={open}
      />
    </>
  )
}

/** An area to drop files on, or to click. */
export function Dropzone({
  label = 'Перетащите файлы сюда или нажмите, чтобы выбрать',
  onFiles,
  multiple = true,
  disabled,
  ...rules
}: Props & { label?: string }) {
  const [input, open] = useFileInput({ onFiles, multiple, ...rules })
  const drop = useFileDrop({ onFiles, multiple, disabled, ...rules })
  return (
    <div {...drop.props}>
      {input}
      <button
        type="button"
        className={classes.zone}
        data-over={drop.over || undefined}
        disabled={disabled}
        onClick={open}
      >
        <IconUpload size={20} aria-hidden />
        <span>{label}</span>
        <span className={classes.rules}>{rulesText(rules)}</span>
      </button>
    </div>
  )
}

/** Makes any element a drop target for files: spread `props` on it; `over` while files are dragged above. */
export function useFileDrop({ onFiles, multiple = true, disabled, ...rules }: Props) {
  const [depth, setDepth] = useState(0)
  const holdsFiles = (event: DragEvent) => !disabled && event.dataTransfer.types.includes('Files')
  const props = {
    onDragEnter: (event: DragEvent) => void (holdsFiles(event) && setDepth((now) => now + 1)),
    onDragLeave: (event: DragEvent) => void (holdsFiles(event) && setDepth((now) => Math.max(0, now - 1))),
    onDragOver: (event: DragEvent) => void (holdsFiles(event) && event.preventDefault()),
    onDrop: (event: DragEvent) => {
      if (!holdsFiles(event)) return
      event.preventDefault()
      setDepth(0)
      take([...event.dataTransfer.files].slice(0, multiple ? undefined : 1), rules, onFiles)
    },
  }
  return { over: depth > 0, props }
}

/** Takes files of the clipboard, with the same rules; true when there were some. */
export function pasteFiles(data: DataTransfer, rules: FileRules, onFiles: (files: File[]) => void): boolean {
  if (data.files.length === 0) return false
  take([...data.files], rules, onFiles)
  return true
}

/** A hidden file input, and the function that opens it. */
export function useFileInput({ onFiles, multiple, ...rules }: Props) {
  const ref = useRef<HTMLInputElement>(null)
  const input = (
    <input
      ref={ref}
      type="file"
      hidden
      multiple={multiple}
      accept={acceptOf(rules)}
      onChange={(event) => {
        take([...(event.currentTarget.files ?? [])], rules, onFiles)
        event.currentTarget.value = ''
      }}
    />
  )
  return [input, () => ref.current?.click()] as const
}

function take(files: File[], rules: FileRules, onFiles: (files: File[]) => void): void {
  const { accepted, errors } = checkFiles(files, rules)
  if (errors.length) notify.error(errors.join('\n'), { title: 'Не все файлы подошли' })
  if (accepted.length) onFiles(accepted)
}
