import { CloseButton } from '@mantine/core'
import { formatFileSize } from '@ordinator/model/format'
import { wordsOfHtml } from '@ordinator/model/mentions'
import { IconPaperclip, IconRefresh } from '@tabler/icons-react'
import { type ClipboardEvent, useState } from 'react'
import { errorMessage } from '#base/apiError.ts'
import { useDraft } from '#base/draft.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { FileName } from '#kit/FileName.tsx'
import { pasteFiles, useFileInput } from '#kit/FilePicker.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { useReturnFocus } from '#kit/useReturnFocus.ts'
import { RichTextEditor } from '../fields/richTextPart.tsx'
import { type Upload, uploads } from '../uploads.ts'
import { useUploads } from '../useUploads.ts'
import classes from './comments.module.css'
import type { Discussion } from './discussion.ts'

/** A stored file to be attached to the comment. */
interface Taken {
  id: number
  name: string
  size: number
}
export interface Written {
  message: string
  files: Taken[]
}

interface Props {
  discussion: Discussion
  /** Key of the draft within the discussion: 'new', 'reply:7'. */
  draft: string
  /** The text being edited; absent: a new comment. */
  initial?: string
  label: string
  send: string
  withFiles?: boolean
  autoFocus?: boolean
  onSend: (written: Written) => Promise<void>
  onCancel?: () => void
}

/** The editor of a comment. The text is kept as a draft until it is sent. */
export function Composer({ discussion, draft, initial, label, send, withFiles, autoFocus, onSend, onCancel }: Props) {
  useReturnFocus(autoFocus)
  const key = `comment:${discussion.key}:${draft}`
  const kept = useDraft<Written>(key)
  const [written, setWritten] = useState<Written>(() => kept.found?.value ?? { message: initial ?? '', files: [] })
  const [sending, setSending] = useState(false)
  const [error, setError] = useState<string>()
  const going = useUploads(key)
  const { files } = discussion
  const change = (patch: (now: Written) => Written) =>
    setWritten((now) => {
      const next = patch(now)
      if (next.message === (initial ?? '') && next.files.length === 0) kept.drop()
      else kept.keep(next)
      return next
    })
  const empty = wordsOfHtml(written.message) === '' && written.files.length === 0
  const add = (list: File[]) =>
    files &&
    uploads.add(
      {
        key,
        stored: files.stored,
        whereToLook: 'Откройте обсуждение, чтобы повторить.',
        take: async (file) => {
          const taken = { id: file.id, name: String(file.name), size: Number(file.size) }
          change((now) => ({ ...now, files: [...now.files, taken] }))
        },
      },
      list,
    )
  const [input, pick] = useFileInput({ onFiles: add, multiple: true, maxSize: files?.stored.upload?.maxSize })

  const submit = async () => {
    if (empty || sending || going.length > 0) return
    setSending(true)
    setError(undefined)
    try {
      await onSend({ ...written, message: written.message || '<p></p>' })
      kept.drop()
      setWritten({ message: '', files: [] })
    } catch (cause) {
      setError(errorMessage(cause))
    } finally {
      setSending(false)
    }
  }
  const cancel = () => {
    kept.drop()
    onCancel?.()
  }

  return (
    <div
      className={classes.composer}
      data-takes-files={withFiles || undefined}
      onPasteCapture={(event: ClipboardEvent) => {
        if (withFiles && !event.clipboardData.types.includes('text/plain'))
          if (pasteFiles(event.clipboardData, { maxSize: files?.stored.upload?.maxSize }, add)) event.preventDefault()
      }}
    >
      <RichTextEditor
        compact
        name={draft}
        label={label}
        placeholder={discussion.people ? `${label}. @ — упомянуть` : label}
        value={written.message || null}
        error={error}
        autoFocus={autoFocus}
        mentions={discussion.people ?? []}
        onChange={(value) => change((now) => ({ ...now, message: String(value ?? '') }))}
        onSubmit={() => void submit()}
        onEscape={onCancel && empty ? cancel : onCancel && initial === written.message ? cancel : undefined}
        tools={
          <span className={classes.tools}>
            {withFiles && files && (
              <>
                {input}
                <IconButton
                  icon={IconPaperclip}
                  size={28}
                  label="Прикрепить файл к комментарию"
                  title="Прикрепить файл"
                  onClick={pick}
                />
              </>
            )}
            {onCancel && <ActionButton label="Отмена" size="compact-sm" variant="default" onClick={cancel} />}
            <ActionButton
              label={send}
              size="compact-sm"
              loading={sending}
              disabled={empty || going.length > 0}
              title="Ctrl+Enter"
              onClick={() => void submit()}
            />
          </span>
        }
      />
      {(written.files.length > 0 || going.length > 0) && (
        <ul className={classes.files} aria-label="Файлы комментария">
          {written.files.map((file) => (
            <li key={file.id} className={classes.file}>
              <FileName name={file.name} />
              <span className={classes.size}>{formatFileSize(file.size)}</span>
              <CloseButton
                size="sm"
                aria-label={`Убрать файл «${file.name}»`}
                onClick={() => change((now) => ({ ...now, files: now.files.filter((one) => one.id !== file.id) }))}
              />
            </li>
          ))}
          {going.map((one) => (
            <Going key={one.id} upload={one} />
          ))}
        </ul>
      )}
    </div>
  )
}

function Going({ upload: { id, file, status, share, error } }: { upload: Upload }) {
  return (
    <li className={classes.file} data-failed={status === 'failed' || undefined}>
      <FileName name={file.name} />
      {status === 'failed' ? (
        <>
          <span className={classes.error} role="alert">
            {error}
          </span>
          <IconButton
            icon={IconRefresh}
            size={22}
            label={`Повторить загрузку «${file.name}»`}
            onClick={() => uploads.retry(id)}
          />
        </>
      ) : (
        <span className={`${classes.size} tabular`}>
          {status === 'storing' ? 'обрабатывается' : `${Math.floor(share * 100)} %`}
        </span>
      )}
      <CloseButton size="sm" aria-label={`Отменить загрузку «${file.name}»`} onClick={() => uploads.cancel(id)} />
    </li>
  )
}
