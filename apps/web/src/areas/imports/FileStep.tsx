import { Alert, Button, Progress, Stack } from '@mantine/core'
import type { ImportPreview } from '@ordinator/model/areas/imports/import'
import { IconAlertTriangle, IconFileSpreadsheet } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { ApiError, errorMessage } from '../../app/apiError.ts'
import { Dropzone } from '../../kit/FilePicker.tsx'
import { notify } from '../../kit/notify.tsx'
import classes from './ImportDialog.module.css'
import { type ImportDialogProps, importCalls, type Params } from './importCalls.ts'

/** As the server's. */
const MAX_FILE = 20 * 1024 * 1024

interface Props extends ImportDialogProps {
  params: Params
  onSeen: (seen: ImportPreview) => void
}

export function FileStep({ kind, extensions, hint, template, params, onSeen }: Props) {
  const [sending, setSending] = useState<{ name: string; share: number }>()
  const [refusal, setRefusal] = useState<string>()
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])
  const send = async ([file]: File[]) => {
    if (!file) return
    stop.current = new AbortController()
    setRefusal(undefined)
    setSending({ name: file.name, share: 0 })
    try {
      const onProgress = (share: number) => setSending({ name: file.name, share })
      onSeen(await importCalls.preview(file, kind, params, onProgress, stop.current.signal))
    } catch (error) {
      const isOver = stop.current.signal.aborted || (error instanceof ApiError && error.status === 403)
      if (!isOver) setRefusal(errorMessage(error))
    } finally {
      setSending(undefined)
    }
  }
  return (
    <Stack gap="sm">
      {refusal && (
        <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} />} role="alert">
          {refusal}
        </Alert>
      )}
      {sending ? (
        <div role="status">
          <div className={classes.line}>
            <span>{sending.share < 1 ? `Загружаем «${sending.name}»…` : `Проверяем «${sending.name}»…`}</span>
            <Button variant="subtle" size="compact-sm" onClick={() => stop.current?.abort()}>
              Отмена
            </Button>
          </div>
          <Progress value={sending.share * 100} animated={sending.share === 1} mt={8} aria-label="Загрузка файла" />
        </div>
      ) : (
        <Dropzone
          label="Перетащите файл сюда или нажмите, чтобы выбрать"
          multiple={false}
          extensions={extensions}
          maxSize={MAX_FILE}
          onFiles={(files) => void send(files)}
        />
      )}
      <div className={classes.line}>
        <p className={classes.dim}>{hint}</p>
        {template && (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconFileSpreadsheet size={16} />}
            onClick={() => void importCalls.saveTemplate(kind).catch((error) => notify.error(errorMessage(error)))}
          >
            Скачать шаблон
          </Button>
        )}
      </div>
    </Stack>
  )
}
