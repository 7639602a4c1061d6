import { Alert, Group, Progress } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { ApiError, errorMessage } from '#base/apiError.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { Dropzone } from '#kit/FilePicker.tsx'

interface Props {
  /** Text of the drop area: «Перетащите файл сюда …». */
  label: string
  /** Text while the server processes the file: «Проверяем». */
  working: string
  extensions: readonly string[]
  /** Bytes. */
  maxSize: number
  /** Uploads the file; its exceptions are shown here, and `signal` cancels it. */
  send: (file: File, options: { onProgress: (share: number) => void; signal: AbortSignal }) => Promise<void>
}

/** Selects and uploads one file, with progress, cancel and the reason of a refusal. */
export function SendFile({ label, working, extensions, maxSize, send }: Props) {
  const [sending, setSending] = useState<{ name: string; share: number }>()
  const [refusal, setRefusal] = useState<string>()
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])
  const start = async ([file]: File[]) => {
    if (!file) return
    const { signal } = (stop.current = new AbortController())
    setRefusal(undefined)
    setSending({ name: file.name, share: 0 })
    try {
      await send(file, { onProgress: (share) => setSending({ name: file.name, share }), signal })
    } catch (error) {
      const isShown = signal.aborted || (error instanceof ApiError && error.status === 403)
      if (!isShown)
        setRefusal(error instanceof ApiError ? (error.byField.file ?? errorMessage(error)) : errorMessage(error))
    } finally {
      setSending(undefined)
    }
  }
  return (
    <>
      {refusal && (
        <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} />} role="alert">
          {refusal}
        </Alert>
      )}
      {sending ? (
        <div role="status">
          <Group justify="space-between" gap={8}>
            <span>{sending.share < 1 ? `Загружаем «${sending.name}»…` : `${working} «${sending.name}»…`}</span>
            <ActionButton label="Отмена" variant="subtle" size="compact-sm" onClick={() => stop.current?.abort()} />
          </Group>
          <Progress value={sending.share * 100} animated={sending.share === 1} mt={8} aria-label="Загрузка файла" />
        </div>
      ) : (
        <Dropzone
          label={label}
          multiple={false}
          extensions={extensions}
          maxSize={maxSize}
          onFiles={(files) => void start(files)}
        />
      )}
    </>
  )
}
